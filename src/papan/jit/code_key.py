"""Keys of compiled code: a digest of all user code that a kernel is compiled from.

The name of the cache folder covers the package's own sources (`papan.jit.code_cache`). The code of
users' files is digested by content: the bytecode of the rules for the classes in the argument
types, and of every function that they call, with the values of all constants and globals that numba
freezes. So the code of a game is the same whichever other games are loaded, and tables that a file
reads or computes during loading are part of the key.
"""

from __future__ import annotations

import enum
import hashlib
import sys
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from papan.rules.dispatch import Operation, is_own
from papan.rules.wide import WideBits

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


class Untracked(Exception):
    """A rule uses a value without a digest; the text names its type."""


def key_of(
    kernel: Callable[..., Any], classes: Iterable[type], operations: Iterable[Operation[..., Any]]
) -> str:
    """Returns the digest of the users' code that a kernel is compiled from.

    Args:
        kernel: the plain Python function of the kernel.
        classes: the `NamedTuple` classes in the types of its arguments.
        operations: all operations; users' rules count if a rule calls them.

    Raises:
        Untracked: A rule uses a value that numba can compile but that has no digest.
    """
    own = filter(is_own, operations)
    digest = _Digest(sorted(own, key=lambda item: (item.__module__, item.__name__)))
    digest.add(kernel)
    for cls in classes:
        digest.add(cls)
    digest.add_overrides()
    return digest.hexdigest()


class _Digest:
    """A digest of values, functions and classes with everything that they refer to."""

    def __init__(self, operations: list[Operation[..., Any]]) -> None:
        self._operations = operations
        self._digest = hashlib.sha256()
        # By identity; the object is kept, so that its identity is not reused.
        self._seen: dict[int, tuple[int, Any]] = {}

    def hexdigest(self) -> str:
        return self._digest.hexdigest()

    def add(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Adds a value; of a module only the attributes with these names."""
        if isinstance(value, enum.Enum):
            self._write("member", value.name)
            self.add(type(value))
            self.add(value.value)
        elif isinstance(value, _PLAIN):
            self._write(type(value).__name__, value)
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            self._write("array", value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, WideBits):
            self._write(type(value).__name__, value.number)
        elif isinstance(value, tuple | list | set | frozenset | dict):
            self._add_items(value)
        else:
            self._add_object(value, names)

    def add_overrides(self) -> None:
        """Adds users' rules for the package's own classes, which any kernel may call."""
        for item in self._operations:
            for cls, rule in item.implementations():
                if is_own(cls) and not is_own(rule):
                    self._write(item.__name__, cls.__name__)
                    self.add(rule)

    def _write(self, *words: object) -> None:
        for word in words:
            data = (
                word if isinstance(word, bytes) else repr(word).encode("utf-8", "backslashreplace")
            )
            self._digest.update(b"%d:" % len(data) + data)

    def _add_items(self, items: Any) -> None:
        self._write(type(items).__name__, len(items))
        if hasattr(items, "_fields"):
            self.add(type(items))
        if isinstance(items, dict):
            items = items.items()
        elif isinstance(items, set | frozenset):
            items = sorted(items, key=repr)
        for item in items:
            self.add(item)

    def _add_object(self, value: Any, names: tuple[str, ...]) -> None:
        """Adds an object that may refer to itself: its content the first time, then its number."""
        if id(value) in self._seen and not isinstance(value, ModuleType):
            self._write("again", self._seen[id(value)][0])
            return
        self._seen[id(value)] = len(self._seen), value
        value = getattr(value, "py_func", value)  # of a kernel of the user's
        if isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, type):
            self._add_class(value)
        elif isinstance(value, ModuleType):
            self._add_module(value, names)
        elif isinstance(value, Operation):
            self._add_operation(value)
        elif isinstance(value, BuiltinFunctionType | np.ufunc | np.dtype):
            self._write(type(value).__name__, getattr(value, "__name__", str(value)))
        else:
            self._add_unknown(value)

    def _add_function(self, function: FunctionType) -> None:
        self._write("function", function.__module__, function.__qualname__)
        if not is_own(function):
            self._add_code(function.__code__, function.__globals__)
            self.add((function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)

    def _add_code(self, code: CodeType, values: dict[str, Any]) -> None:
        self._write(code.co_name, code.co_code, code.co_argcount, code.co_flags, code.co_varnames)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._add_code(constant, values)
            else:
                self.add(constant)
        for name in code.co_names:
            self._write(name)
            # Names of attributes are included; a global with such a name is added needlessly.
            if name in values:
                self.add(values[name], code.co_names)

    def _add_class(self, cls: type) -> None:
        self._write("class", cls.__module__, cls.__qualname__)
        if issubclass(cls, enum.Enum):
            self.add([(member.name, member.value) for member in cls])
        if issubclass(cls, tuple):
            self._write(getattr(cls, "_fields", ()))
            for item in self._operations:
                for base, rule in item.implementations():
                    if issubclass(cls, base) and not is_own(rule):
                        self._write(item.__name__)
                        self.add(rule)

    def _add_operation(self, item: Operation[..., Any]) -> None:
        self._write("operation", item.__module__, item.__name__)
        if not is_own(item):
            for cls, rule in item.implementations():
                self._write(cls.__module__, cls.__qualname__)
                self.add(rule)

    def _add_module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self._write("module", module.__name__)
        top = module.__name__.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in ("papan", "numpy", "numba"):
            for name in names:
                if name in vars(module):
                    self._write(name)
                    self.add(vars(module)[name], names)

    def _add_unknown(self, value: Any) -> None:
        """Adds an object that numba cannot compile by its type alone, because no code contains
        it."""
        import numba

        try:
            numba.typeof(value)
        except Exception:
            self._write("object", type(value).__module__, type(value).__qualname__)
        else:
            raise Untracked(type(value).__qualname__)
