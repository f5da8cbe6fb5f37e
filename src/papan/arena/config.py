"""Tournaments described in a TOML file, with the option names of the command line.

game = "adjacency:rounds=12" players = ["engine:time=0.1", "mcts", "random"] format = "swiss" pairs
= 20 store = "games.sqlite"
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable
from typing import Any

from papan.data_files import read_limited, reading
from papan.errors import UsageError


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_clock(value: object) -> bool:
    return _is_text(value) or _is_number(value)


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


#: Key → check of the value, and the expected values for the error message.
KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    "game": (_is_text, "@word.text"),
    "players": (_is_texts, "@word.texts"),
    "format": (_is_text, "@word.text"),
    "pairs": (_is_whole, "@word.int"),
    "rounds": (_is_whole, "@word.int"),
    "time": (_is_number, "@word.float"),
    "depth": (_is_whole, "@word.int"),
    "nodes": (_is_whole, "@word.int"),
    "clock": (_is_clock, "@word.clock"),
    "margin-ms": (_is_number, "@word.number"),
    "max-plies": (_is_whole, "@word.int"),
    "adjudicate": (_is_boolean, "true | false"),
    "bot-memory": (_is_whole, "@word.int"),
    "bot-processes": (_is_whole, "@word.int"),
    "bot-ready": (_is_number, "@word.number"),
    "env": (_is_texts, "@word.texts"),
    "seed": (_is_whole, "@word.int"),
    "openings": (_is_text, "@word.text"),
    "workers": (_is_whole, "@word.int"),
    "cluster": (_is_text, "@word.text"),
    "insecure-cluster": (_is_boolean, "true | false"),
    "store": (_is_text, "@word.text"),
    "records": (_is_text, "@word.text"),
}

#: Maximum size in bytes, and maximum nesting of brackets or of the parts of a key.
_LARGEST, _DEEPEST = 1 << 16, 8
_STRING_OR_COMMENT = re.compile(
    r'"{3}(?:\\[\s\S]|[^\\])*?"{3,5}|'
    r"'{3}[\s\S]*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|#[^\n]*"
)
_DEEP_KEY = re.compile(rf"[\w-](?:[ \t]*\.[ \t]*[\w-]+){{{_DEEPEST}}}")

#: Mandatory keys.
REQUIRED = ("game", "players")


def read_config(path: str) -> dict[str, Any]:
    """Returns the values of a tournament file by key, with checked types.

    Raises:
        UsageError: the file cannot be read or is not TOML, a key is unknown or missing, or a value
            has the wrong type. The message names the key.
    """
    with reading(path, "config.too-large", UsageError, most=_LARGEST >> 10, depth=_DEEPEST):
        text = _shallow(read_limited(path, _LARGEST).decode())
    try:
        values = tomllib.loads(text)
    except ValueError as error:
        raise UsageError("config.unreadable", text=path, reason=error) from None
    for key, value in values.items():
        _check(path, key, value)
    for key in REQUIRED:
        if key not in values:
            raise UsageError("config.missing", text=path, key=key)
    return values


def _shallow(text: str) -> str:
    """Returns the TOML text itself, unless it is nested too deeply.

    Deep nesting makes the TOML parser very slow or overflows its stack.

    Raises:
        ValueError: the text is nested too deeply.
    """
    plain = _STRING_OR_COMMENT.sub("s", text)
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", plain):
        depth += 1 if bracket in "[{" else -1
        if depth > _DEEPEST:
            raise ValueError(depth)
    if _DEEP_KEY.search(plain):
        raise ValueError(_DEEPEST)
    return text


def _check(path: str, key: str, value: object) -> None:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f" ({near[0]}?)" if near else ""
        known = ", ".join(KEYS)
        raise UsageError("config.unknown", file=path, text=key, hint=hint, known=known)
    is_fine, expected = KEYS[key]
    if not is_fine(value):
        raise UsageError("config.bad-value", file=path, key=key, text=value, expected=expected)
