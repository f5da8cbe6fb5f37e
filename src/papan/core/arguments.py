"""The one place where arguments of public functions are checked: by the types in their signatures.

    @check_arguments
    def perft(position: Position | Game | str, depth: int) -> int: ...

    perft("corners", True)     UsageError: depth: True is not a whole number

A whole number is no `bool`, and a number is not NaN. What a signature cannot say, such as a range,
is checked where the argument is used.
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

#: Characters of a value that are quoted.
_QUOTED = 60

#: Bits of a whole number: Python does not even write longer ones.
_MOST_BITS = 4096

#: Types of a signature, as it is written, and the messages that say what they are; of all others
#: the signature itself says it.
_SAID = {
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
    """The error for an argument that is not what was expected, in words or by a message's name."""
    return UsageError("argument.kind", name=name, text=quoted_value(value), expected=expected)


def within(name: str, value: float, low: float, high: float) -> None:
    """Nothing, for a number in a range.

    Raises:
        UsageError: it is not.
    """
    if not low <= value <= high:
        raise refuse(name, value, f"{low:g} … {high:g}")


def quoted_value(value: object) -> str:
    """A value as it is quoted in errors; its type where it cannot be written."""
    try:
        return repr(value)[:_QUOTED]
    except Exception:  # somebody's class, or a number of too many digits
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
    """Checks keyword arguments against a `TypedDict`."""
    table = typing.get_type_hints(typing.get_args(hint)[0])
    for name, value in keywords.items():
        if name not in table:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
        if not fits(value, table[name]):
            raise refuse(name, value, _words_for_type(_shortened_repr(table[name])))


def _shortened_repr(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _words_for_type(written: str) -> str:
    """The words for a type."""
    kind = written.removesuffix(" | None")
    return _SAID.get(kind, kind)


def fits(value: Any, hint: Any) -> bool:
    """True if a value is of a type; what is inside functions and iterators is not looked at."""
    origin = typing.get_origin(hint) or hint
    if origin in _RULES:
        return _RULES[origin](value, typing.get_args(hint))
    return not isinstance(origin, type) or origin is object or isinstance(value, origin)


def _is_row(value: Any, of: tuple[Any, ...]) -> bool:
    # A text is a row of texts, but nobody means that.
    fine = isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
    return fine and all(fits(each, of[0]) for each in value)


def _is_whole(value: Any, _: tuple[Any, ...]) -> bool:
    fine = isinstance(value, Integral) and not isinstance(value, bool)
    return fine and int(value).bit_length() <= _MOST_BITS


def _is_number(value: Any, _: tuple[Any, ...]) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and value == value


#: How a value is held against a type, by the type without what stands in its brackets.
_RULES: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    types.UnionType: lambda value, of: any(fits(value, each) for each in of),
    typing.Union: lambda value, of: any(fits(value, each) for each in of),
    None: lambda value, of: value is None,
    int: _is_whole,
    float: _is_number,
    Callable: lambda value, of: callable(value),
    Sequence: _is_row,
    Iterable: lambda value, of: isinstance(value, Iterable) and not isinstance(value, str | bytes),
    tuple: lambda value, of: isinstance(value, tuple) and (not of or _is_row(value, of)),
    Any: lambda value, of: True,
}


class _ByName(type):
    """A class that a module knows by name only, since it imports it for type checkers alone."""

    def __instancecheck__(cls, value: object) -> bool:
        return any(each.__name__ == cls.__name__ for each in type(value).__mro__)


class _Names(dict[str, Any]):
    """The names that a signature may use."""

    def __missing__(self, name: str) -> Any:
        known = vars(builtins).get(name)
        return _ByName(name, (), {}) if known is None else known


@functools.cache
def _hint(function: Callable[..., Any], name: str) -> Any:
    """The type of an argument, once somebody calls the function."""
    written = function.__annotations__[name]
    if not isinstance(written, str):
        return written
    names = _Names({**function.__globals__, "Callable": Callable})
    return eval(written, {}, names)  # our own source: a signature of this package
