"""Checks of the arguments of public functions against the types in their signatures.

    @check_arguments
    def perft(position: Position | Game | str, depth: int) -> int: ...

    perft("corners", True)     UsageError: depth: True is not a whole number

A `bool` is not accepted as a whole number, and NaN is not accepted as a number. Functions check
themselves what a signature cannot express, such as a range.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

from papan.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")

#: Characters of a value that an error message quotes.
_QUOTED = 60

#: Bits of the largest accepted whole number; Python refuses to print much larger ones.
_MOST_BITS = 4096

#: Type as written in a signature → message that describes it. Other types are shown as written.
_DESCRIPTIONS = {
    "Position | Game | str": "@argument.position",
    "Game | str": "@argument.game",
    "Player | str": "@argument.player",
    "Limit": "@argument.limit",
    "str": "@argument.text",
    "int": "@argument.whole",
    "float": "@argument.number",
    "bool": "True | False",
}


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Returns the function with a check of its arguments against the types in its signature.

    Raises:
        UsageError: an argument of a call has the wrong type; names it.
        TypeError: a call has too many or too few arguments.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        arguments = signature.bind(*args, **kwargs).arguments
        for name, value in arguments.items():
            _check(function, signature.parameters[name], value)
        return function(*args, **kwargs)

    return call


def refuse(name: str, value: object, expected: str) -> UsageError:
    """Returns the error for an argument of the wrong kind.

    Args:
        name: the name of the argument.
        value: the argument that was passed.
        expected: a description of the allowed values, or the key of a message (`@argument.text`).
    """
    return UsageError("argument.kind", name=name, text=quoted_value(value), expected=expected)


def within(name: str, value: float, low: float, high: float) -> None:
    """Checks that a number is in a range; both ends are allowed.

    Raises:
        UsageError: the number is outside the range.
    """
    if not low <= value <= high:
        raise refuse(name, value, f"{low:g} … {high:g}")


def quoted_value(value: object) -> str:
    """Returns the `repr` of a value, shortened for an error message; its type if `repr` fails."""
    try:
        return repr(value)[:_QUOTED]
    except Exception:  # the `repr` of a user's class may fail, and so does that of a huge number
        return f"<{type(value).__name__}>"


def _check(function: Callable[..., Any], parameter: inspect.Parameter, value: Any) -> None:
    if parameter.annotation is parameter.empty:
        return
    hint = _hint(function, parameter.name)
    if parameter.kind is parameter.VAR_KEYWORD:
        _check_keywords(function, hint, value)
        return
    values = value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
    for each in values:
        if not fits(each, hint):
            raise refuse(
                parameter.name, each, _words_for_type(_shortened_repr(parameter.annotation))
            )


def _check_keywords(function: Callable[..., Any], hint: Any, keywords: Mapping[str, Any]) -> None:
    """Checks keyword arguments against the `TypedDict` of `**keywords`."""
    table = typing.get_type_hints(typing.get_args(hint)[0])
    for name, value in keywords.items():
        if name not in table:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
        if not fits(value, table[name]):
            raise refuse(name, value, _words_for_type(_shortened_repr(table[name])))


def _shortened_repr(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _words_for_type(written: str) -> str:
    kind = written.removesuffix(" | None")
    return _DESCRIPTIONS.get(kind, kind)


def fits(value: Any, hint: Any) -> bool:
    """Returns whether a value has a type.

    Items of sequences are checked; signatures of functions and items of iterators are not.
    """
    origin = typing.get_origin(hint) or hint
    if origin in _CHECKS:
        return _CHECKS[origin](value, typing.get_args(hint))
    return not isinstance(origin, type) or origin is object or isinstance(value, origin)


def _is_sequence(value: Any, of: tuple[Any, ...]) -> bool:
    # A `str` is a sequence of `str` in Python, but passing one as a list is always a mistake.
    fine = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
    return fine and all(fits(each, of[0]) for each in value)


def _is_whole(value: Any, _: tuple[Any, ...]) -> bool:
    fine = isinstance(value, Integral) and not isinstance(value, bool)
    return fine and int(value).bit_length() <= _MOST_BITS


def _is_number(value: Any, _: tuple[Any, ...]) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value == value


#: Type without its brackets → function that checks a value, given the types in the brackets.
_CHECKS: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    types.UnionType: lambda value, of: any(fits(value, each) for each in of),
    typing.Union: lambda value, of: any(fits(value, each) for each in of),
    None: lambda value, of: value is None,
    int: _is_whole,
    float: _is_number,
    Callable: lambda value, of: callable(value),
    Sequence: _is_sequence,
    Iterable: lambda value, of: isinstance(value, Iterable) and not isinstance(value, str | bytes),
    tuple: lambda value, of: isinstance(value, tuple) and (not of or _is_sequence(value, of)),
    Any: lambda value, of: True,
}


class _ByName(type):
    """A stand-in for a class that a module imports only for type checkers; compares class names."""

    def __instancecheck__(cls, value: object) -> bool:
        return any(each.__name__ == cls.__name__ for each in type(value).__mro__)


class _Names(dict[str, Any]):
    """The names that an annotation may use; creates a `_ByName` class for each unknown name."""

    def __missing__(self, name: str) -> Any:
        known = vars(builtins).get(name)
        return _ByName(name, (), {}) if known is None else known


@functools.cache
def _hint(function: Callable[..., Any], name: str) -> Any:
    """Evaluates the type of an argument, at the first call of the function."""
    written = function.__annotations__[name]
    if not isinstance(written, str):
        return written
    names = _Names({**function.__globals__, "Callable": Callable})
    return eval(written, {}, names)  # safe: the text is an annotation in this package's own source
