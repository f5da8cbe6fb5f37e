"""The text form of game records: headers and moves, after the Portable Game Notation of chess.

    [Game "adjacency:rounds=8"]
    [Event "friday evening"]
    [Round "1"]
    [X "minimax:depth=4"]
    [O "random"]
    [Result "x"]
    [Termination "rules"]

    1. f8 c4 2. f7 d5 …

Games are separated by an empty line. `Result` is `x`, `o`, `draw` or `*` for a game broken off;
`Start` holds the position line of a game that did not begin at the start. Text in a header
escapes `"` and `\\` with a backslash. What is unknown among the headers is passed over.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from papan.errors import PapanError, RecordError
from papan.records.model import Record

_WIDTH = 79
_LONGEST_LINE = 100_000
_HEADER = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_NUMBER = re.compile(r"\d+\.")
_NEEDED = ("Game", "X", "O", "Result")

#: Header → field of `Record`, in the order they are written.
_FIELDS = {
    "Game": "game",
    "Event": "event",
    "Round": "round",
    "Played": "played",
    "X": "x",
    "O": "o",
    "Result": "result",
    "Termination": "termination",
    "Detail": "detail",
    "Seed": "seed",
    "Start": "start",
    "Seconds": "seconds",
}


@dataclass(frozen=True)
class BadGame:
    """A game that could not be read: the line it begins at, from 1, and why."""

    line: int
    reason: str


def write(record: Record) -> str:
    """A record as text, ending in an empty line."""
    lines = [f'[{name} "{_escape(text)}"]' for name, text in _headers(record)]
    numbered = [
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(record.moves)
    ]
    wrapped = textwrap.wrap(
        " ".join(numbered), _WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([*lines, "", *wrapped, *([""] if wrapped else []), ""])


def read(text: str | Iterable[str], *, verify: bool = True) -> Iterator[Record | BadGame]:
    """The games of a text, in their order; each one that is damaged as a `BadGame`.

    Args:
        text: the whole text, or its lines.
        verify: whether to replay each game by the rules.
    """
    lines = text.splitlines() if isinstance(text, str) else text
    for first, block in _blocks(lines):
        try:
            record = _parse(block)
            if verify:
                record.replay()
            yield record
        except PapanError as error:
            yield BadGame(first, str(error))


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    """The headers of a record that say anything."""
    for name, attribute in _FIELDS.items():
        value = getattr(record, attribute)
        if attribute == "seconds":
            value = " ".join(f"{seconds:.3f}" for seconds in value)
        if value or name in _NEEDED:
            yield name, str(value)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each game with the number of the first one: headers, then moves."""
    block: list[str] = []
    first, in_moves = 1, False
    for number, line in enumerate(lines, start=1):
        line = line.strip().removeprefix("\ufeff")
        if line.startswith("[") and in_moves:
            yield first, block
            block, in_moves = [], False
        if not line:
            in_moves = in_moves or bool(block)
            continue
        if not block:
            first = number
        block.append(line)
    if block:
        yield first, block


def _parse(block: list[str]) -> Record:
    """The record that the lines of one game describe.

    Raises:
        RecordError: a line is malformed, or something is missing.
    """
    headers = [line for line in block if line.startswith("[")]
    values: dict[str, str] = {}
    for line in headers:
        found = _HEADER.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if found is None:
            raise RecordError("record.header", text=line[:80])
        values[found[1]] = _unescape(found[2])
    missing = [name for name in _NEEDED if not values.get(name)]
    if missing:
        raise RecordError("record.missing", text=", ".join(missing))
    moves = " ".join(line for line in block if not line.startswith("[")).split()
    fields = {_FIELDS[name]: text for name, text in values.items() if name in _FIELDS}
    return _record(fields, tuple(word for word in moves if not _NUMBER.fullmatch(word)))


def _record(fields: dict[str, str], moves: tuple[str, ...]) -> Record:
    numbers = {name: _whole(name, fields.pop(name, "0")) for name in ("round", "seed")}
    try:
        seconds = tuple(float(text) for text in fields.pop("seconds", "").split())
    except ValueError as error:
        raise RecordError("record.number", name="Seconds", text=str(error)) from None
    return Record(moves=moves, seconds=seconds, **numbers, **fields)  # type: ignore[arg-type]  # strings by name


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise RecordError("record.number", name=name, text=text[:80])
    return int(text)


def _escape(value: str) -> str:
    """A header's value on one line, its quotes marked."""
    text = " ".join(value.split())
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
