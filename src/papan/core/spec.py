"""Specs: games and players written as one word, with options after a colon.

    adjacency:rounds=8,first=o        minimax:depth=6        ugi:./mybot --fast

A dataclass declares the options of a spec, each as a field made by `option`. The text after the
colon is parsed and checked field by field. A spec is written in canonical form: only the options
that differ from their defaults, in the order of declaration.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from papan.errors import InvalidSpec

T = TypeVar("T")

_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


def option(
    default: Any,
    about: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] = (),
    parse: Callable[[str], Any] | None = None,
    expected: str = "",
) -> Any:
    """Returns a dataclass field that a spec may set.

    Args:
        default: the value without the option; its type decides how the text is parsed.
        about: a one-line description for users.
        low: the smallest allowed number.
        high: the largest allowed number.
        choices: the allowed words.
        parse: a function that parses the text instead and raises ValueError for invalid text; give
            `expected` as well.
        expected: a description of the allowed values, for error messages.

    Examples:
        >>> option(3, "number of stones", low=1, high=9).default
        3
    """
    facts = {
        "about": about,
        "low": low,
        "high": high,
        "choices": tuple(choices),
        "parse": parse,
        "expected": expected,
    }
    return dataclasses.field(default=default, metadata={"option": facts})


def options_of(cls: type) -> dict[str, dict[str, Any]]:
    """Returns the declared options of a class: name → the facts given to `option`, with the
    default.
    """
    return {
        field.name: {**field.metadata["option"], "default": field.default}
        for field in dataclasses.fields(cls)
        if "option" in field.metadata
    }


def split(text: str) -> tuple[str, str]:
    """Returns the name and the options of a spec, split at the first colon."""
    name, _, rest = text.strip().partition(":")
    return name, rest


def build(cls: type[T], name: str, text: str) -> T:
    """Returns an instance of the dataclass `cls` with the options in `text` ("a=1,b=2").

    Raises:
        InvalidSpec: an option is unknown, given twice, or has a value that is not allowed.
    """
    declared = options_of(cls)
    values: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise InvalidSpec("spec.no-equals", text=part, name=name)
        if key not in declared:
            raise unknown("spec.unknown-option", key, declared, name=name)
        if key in values:
            raise InvalidSpec("spec.twice", text=key, name=name)
        values[key] = _value(key, value, declared[key])
    return cls(**values)


def canonical(name: str, instance: Any) -> str:
    """Returns the shortest spec that builds the same instance."""
    changed = [
        f"{key}={_text(getattr(instance, key))}"
        for key, facts in options_of(type(instance)).items()
        if getattr(instance, key) != facts["default"]
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def unknown(message: str, text: str, known: Mapping[str, Any], **values: object) -> InvalidSpec:
    """Returns the error for a name that is not in `known`; suggests the most similar known name."""
    near = difflib.get_close_matches(text, known, n=1)
    hint = f" ({near[0]}?)" if near else ""
    return InvalidSpec(message, text=text, hint=hint, known=", ".join(known) or "-", **values)


def describe_expected(facts: Mapping[str, Any]) -> str:
    """Returns a description of the allowed values of an option: `2 … 28`, `x | o`."""
    if facts["expected"]:
        return str(facts["expected"])
    if facts["choices"]:
        return " | ".join(facts["choices"])
    if isinstance(facts["default"], bool):
        return "yes | no"
    if facts["low"] is not None and facts["high"] is not None:
        return f"{facts['low']} … {facts['high']}"
    if facts["low"] is not None:
        return f"≥ {facts['low']}"
    return type(facts["default"]).__name__


def extremes(facts: Mapping[str, Any]) -> Sequence[Any]:
    """Returns the choices of an option, or the ends of its range that are limited."""
    if facts["choices"]:
        return tuple(facts["choices"])
    if isinstance(facts["default"], bool):
        return (False, True)
    return [end for end in (facts["low"], facts["high"]) if end is not None]


def check(key: str, value: Any, facts: Mapping[str, Any], text: str | None = None) -> Any:
    """Returns an option's value if it is allowed.

    Raises:
        InvalidSpec: the value is not allowed; the message names option, value and allowed values.
    """
    fine = True
    if facts["choices"]:
        fine = value in facts["choices"]
    elif isinstance(value, int | float):
        low, high = facts["low"], facts["high"]
        fine = (low is None or value >= low) and (high is None or value <= high)
    if not fine:
        raise _bad_value(key, value if text is None else text, facts)
    return value


def _value(key: str, text: str, facts: Mapping[str, Any]) -> Any:
    try:
        value = _parse(text, facts)
    except ValueError:
        raise _bad_value(key, text, facts) from None
    return check(key, value, facts, text)


def _parse(text: str, facts: Mapping[str, Any]) -> Any:
    if facts["parse"]:
        return facts["parse"](text)
    default = facts["default"]
    if isinstance(default, bool):
        if text not in _BOOLEANS:
            raise ValueError(text)
        return _BOOLEANS[text]
    if isinstance(default, int | float):
        return type(default)(text)
    return text


def _bad_value(key: str, value: object, facts: Mapping[str, Any]) -> InvalidSpec:
    return InvalidSpec("spec.bad-value", option=key, text=value, expected=describe_expected(facts))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
