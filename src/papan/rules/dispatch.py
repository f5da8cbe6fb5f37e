"""Operations: functions whose implementation is chosen by the type of their first argument.

They are used like `functools.singledispatch`, but each implementation serves twice:

- Called from Python, an operation runs the plain Python function that was registered.
- Called from compiled code, numba resolves the operation while it compiles the caller. The call
  costs nothing at run time (see `papan.jit.compiler`).

This module does not import numba, so that rules can be read, tested and played without waiting for
a compiler.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from papan.errors import MissingOperation

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

#: Functions called with every operation and helper, past and future.
_listeners: list[Callable[[Operation[..., Any] | Callable[..., Any]], None]] = []
_announced: list[Operation[..., Any] | Callable[..., Any]] = []
#: Functions called with a rule's exception and the operation's name; may raise a better one.
_failure_handlers: list[Callable[[BaseException, str], None]] = []


class Operation(Generic[P, R]):
    """A function dispatched on the class of its first argument, a `NamedTuple`.

    The decorated function provides name, signature and docstring; its body never runs.
    `register(cls)` adds an implementation. An implementation for `tuple` is the default for every
    class, since each `NamedTuple` is a tuple. Operations on remaining moves may have several
    defaults, one for each class of the second argument (the moves).
    """

    def __init__(self, declaration: Callable[P, R]) -> None:
        functools.update_wrapper(self, declaration)
        self.__name__: str = declaration.__name__
        self.__signature__ = inspect.signature(declaration)
        self._implementations: dict[type, Callable[..., R]] = {}
        self._by_second: dict[tuple[type, type], Callable[..., R]] = {}

    def register(self, cls: type, second: type | None = None) -> Callable[[F], F]:
        """Returns a decorator that makes a function this operation's implementation for `cls`.

        With `second`, the implementation applies to calls whose second argument has that class. It
        takes precedence over the implementation for `cls` alone, which must exist.

        Raises:
            MissingOperation: `cls` is not a class of states, or the parameter names differ from
                those of the operation.
        """
        if not (isinstance(cls, type) and issubclass(cls, tuple)):
            name = getattr(cls, "__name__", repr(cls))
            raise MissingOperation("kernel.not-a-class", operation=self.__name__, found=name)

        def decorate(implementation: F) -> F:
            names = list(inspect.signature(implementation).parameters)
            expected = list(self.__signature__.parameters)
            if names != expected:
                raise MissingOperation(
                    "kernel.parameters",
                    operation=self.__name__,
                    found=", ".join(names),
                    expected=", ".join(expected),
                )
            if second is None:
                self._implementations[cls] = implementation
            else:
                self._by_second[cls, second] = implementation
            if implementation.__name__ == "_":
                # Machine code is linked by name, so each rule needs a name of its own.
                name = cls.__name__ if second is None else f"{cls.__name__}.{second.__name__}"
                implementation.__qualname__ = f"{name}.{self.__name__}"
            _tell_apart(cls)
            return implementation

        return decorate

    def implementation(self, cls: type, second: type = object) -> Callable[..., R]:
        """Returns the function registered for `cls` or its nearest base class, as `find` does.

        Raises:
            MissingOperation: no function is registered; the message names operation and class.
        """
        function = self.find(cls, second)
        if function is None:
            raise MissingOperation(
                "kernel.missing-operation", operation=self.__name__, cls=cls.__qualname__
            )
        return function

    def find(self, cls: type, second: type = object) -> Callable[..., R] | None:
        """Returns the function registered for `cls` or its nearest base class, or None.

        If a class has several implementations, the class of the second argument decides.
        """
        for base in cls.__mro__:
            if base in self._implementations:
                for form in second.__mro__:
                    if (base, form) in self._by_second:
                        return self._by_second[base, form]
                return self._implementations[base]
        return None

    def implementations(self) -> Iterable[tuple[type, Callable[..., R]]]:
        """Yields each class that has its own implementation, with that implementation."""
        yield from self._implementations.items()
        for (cls, _), implementation in self._by_second.items():
            yield cls, implementation

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if args and isinstance(
            args[-1], np.signedinteger
        ):  # from an array: rules expect Python integers
            return self(*args[:-1], args[-1].item(), **kwargs)  # type: ignore[arg-type]
        second = type(args[1]) if self._by_second and len(args) > 1 else object
        try:
            return self.implementation(type(args[0]), second)(*args, **kwargs)
        except BaseException as error:
            explain_failure(error, self.__name__)
            raise

    def __repr__(self) -> str:
        return f"<operation {self.__name__}{self.__signature__}>"


def _tell_apart(cls: type) -> None:
    """Adds the module to the `__name__` of a user's class; its `repr` does not show the addition.

    numba distinguishes NamedTuples only by `__name__`, both in types and in the names of compiled
    functions, and every game may call its state `State`.
    """
    if cls.__module__.partition(".")[0] in ("papan", "builtins") or "@" in cls.__name__:
        return
    cls.__name__ = f"{cls.__name__}@{cls.__module__}"
    if "_fields" in vars(cls):
        cls.__repr__ = _quote  # type: ignore[method-assign,assignment]  # not NamedTuple's


def _quote(state: Any) -> str:
    fields = ", ".join(f"{name}={value!r}" for name, value in state._asdict().items())
    return f"{type(state).__qualname__}({fields})"


def is_own(item: Any) -> bool:
    """Returns whether a rule or a class belongs to Papan or its libraries, not to a user's file."""
    return str(item.__module__).partition(".")[0] in ("papan", "builtins", "numpy", "numba")


def is_replaced(item: Operation[..., Any], state: Any) -> bool:
    """Returns whether the class of `state` has its own rule for an operation, not the default.

    Compiled code evaluates this at compile time.
    """
    return item.find(type(state)) is not item.find(tuple)


def operation(declaration: Callable[P, R]) -> Operation[P, R]:
    """Returns an operation for a declaration (signature and docstring)."""
    result = Operation(declaration)
    _announce(result)
    return result


def helper(function: F) -> F:
    """Marks a plain function as callable from compiled code; returns it unchanged.

    Examples:
        >>> @helper
        ... def middle(bits):
        ...     return bits & bit(9)
        >>> squares(middle(ALL))
        [9]
    """
    _announce(function)
    return function


def aside(*words: object, **how: Any) -> None:
    """Prints to stderr; replaces `print` in rules, because stdout is reserved for results.

    In compiled code it does nothing.
    """
    print(*words, **{"file": sys.stderr, **how})


def end_at_limit(workspace: Any) -> None:
    """Ends a search that reached its limit of nodes.

    In compiled code this is a function of its own: in a browser it asks the page, which may raise
    the limit.
    """
    workspace.stop = 1


def _announce(item: Operation[..., Any] | Callable[..., Any]) -> None:
    _announced.append(item)
    for listener in _listeners:
        listener(item)


def listen(listener: Callable[[Operation[..., Any] | Callable[..., Any]], None]) -> None:
    """Calls `listener` with each operation and helper, past and future."""
    _listeners.append(listener)
    for item in _announced:
        listener(item)


def handle_failures(handler: Callable[[BaseException, str], None]) -> None:
    """Registers a handler of exceptions that implementations raise when called from Python.

    Args:
        handler: called with the exception and the name of the operation; an exception that it
            raises replaces the original one.
    """
    _failure_handlers.append(handler)


def explain_failure(error: BaseException, rule: str) -> None:
    """Passes a rule's exception to the handlers, which may raise a better one."""
    for handler in _failure_handlers:
        handler(error, rule)
