"""The text form of game records: headers and moves, after the Portable Game Notation of chess.

    [Game "adjacency:rounds=8"]
    [Event "friday evening"]
    [Round "1"]
    [X "minimax:depth=4"]
    [O "random"]
    [Result "x"]
    [Termination "rules"]

    1. f8 c4 2. f7 d5 …

An empty line ends the headers, and the moves. `Result` is `x`, `o`, `draw` or `*` for a game
broken off; `Start` holds the position line of a game that did not begin at the start; `Id` is what
a store knows the game by; `Given` the illegal move that ended it, `ExitCode` the exit status of a
program that crashed, `TimeControl` what the players had to keep to. Text in a header escapes `"`
and `\\` with a backslash, and what does not print as `\\u{a}`, in hexadecimal. What is unknown
among the headers is passed over.

Reading takes a line at a time and never holds more than one game, whatever is in the file.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from papan.errors import PapanError, RecordError
from papan.records.model import LONGEST_EVENT, LONGEST_ID, Record

_WIDTH = 79

#: A game with a longer line, in characters, is not read, nor one that is longer altogether or has
#: more lines. A game of 10,000 moves would fit in.
LONGEST_LINE = 100_000
LARGEST_GAME = 300_000
MOST_LINES = 10_000

_HEADER = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_NUMBER = re.compile(r"\d+\.")
_ESCAPED = re.compile(r"\\(?:u\{(10[0-9a-f]{4}|[0-9a-f]{1,5})\}|(.))")
_ID = re.compile(rf"[\w-]{{1,{LONGEST_ID}}}")
_NEEDED = ("Game", "X", "O", "Result")

#: Header → field of `Record`, in the order they are written.
_FIELDS = {
    "Game": "game",
    "Event": "event",
    "Round": "round",
    "Id": "id",
    "Played": "played",
    "X": "x",
    "O": "o",
    "Result": "result",
    "Termination": "termination",
    "Detail": "detail",
    "Given": "given",
    "ExitCode": "exit_code",
    "TimeControl": "time_control",
    "Seed": "seed",
    "Start": "start",
    "Seconds": "seconds",
}

#: Fields whose white space says something.
_AS_WRITTEN = ("given", "detail")

#: The most digits in a header that holds a whole number.
_DIGITS = {"round": 18, "seed": 60}
_EXIT_CODE_DIGITS = 10


@dataclass(frozen=True)
class BadGame:
    """A game that could not be read: the line it begins at, from 1, and why."""

    line: int
    error: PapanError

    @property
    def reason(self) -> str:
        """The sentence of the error, in English."""
        return str(self.error)


@dataclass
class _Block:
    """The lines of one game: headers, then moves.

    Attributes:
        first: the number of the first line, from 1.
        lines: those that are not empty, as far as they fit in.
        size: of all lines together, in characters.
        has_game: whether one of the headers was `Game`.
        is_cut: whether the last line is no header that has an end.
        in_moves: whether the headers are over.
        has_moves: whether there were any moves.
        is_over: whether the moves are over, too.
        is_whole: whether no line was left out.
    """

    first: int
    lines: list[str] = field(default_factory=list)
    size: int = 0
    has_game: bool = False
    is_cut: bool = False
    in_moves: bool = False
    has_moves: bool = False
    is_over: bool = False
    is_whole: bool = True

    def ends_before(self, line: str) -> bool:
        """True if this line begins the next game: after the moves, or with a `Game` where this
        game was cut off among its headers or has far too many of them."""
        if self.is_over or self.in_moves:
            return bool(line) and (self.is_over or line.startswith("["))
        return _is_game(line) and (self.has_game or self.is_cut or not self.is_whole)

    def add(self, line: str) -> None:
        """Takes one more line, empty or not."""
        if not line.startswith("["):
            self.is_over = self.has_moves and not line
            self.in_moves = True
            self.has_moves = self.has_moves or bool(line)
        self.has_game = self.has_game or _is_game(line)
        self.is_cut = not line.endswith('"]')
        self.size += len(line)
        fits = len(line) <= LONGEST_LINE and self.size <= LARGEST_GAME
        self.is_whole = self.is_whole and fits and len(self.lines) < MOST_LINES
        if line and self.is_whole:
            self.lines.append(line)


def _is_game(line: str) -> bool:
    return line.startswith("[Game ")


def write(record: Record) -> str:
    """A record as text, ending in an empty line."""
    lines = [f'[{name} "{text}"]' for name, text in _headers(record)]
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
    for block in _blocks(lines):
        try:
            record = _parse(block)
            if verify:
                record.replay()
            yield record
        except PapanError as error:
            yield BadGame(block.first, error)


def lines_of(file: BinaryIO) -> Iterator[str]:
    """The lines of a file of whatever content; of one that is too long, so much that it shows."""
    while piece := file.readline(LONGEST_LINE + 1):
        cut_off = len(piece) > LONGEST_LINE and not piece.endswith(b"\n")
        while cut_off and not piece.endswith(b"\n") and (more := file.readline(LONGEST_LINE)):
            piece = piece[:LONGEST_LINE] + more[-1:]
        line = piece.decode("utf-8", "replace")
        yield line.ljust(LONGEST_LINE + 1, ".") if cut_off else line


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    """The headers of a record that say anything, with their escapes."""
    for name, attribute in _FIELDS.items():
        value = getattr(record, attribute)
        if attribute in _AS_WRITTEN:
            value = _escape(value)
        elif attribute == "seconds":
            value = " ".join(f"{seconds:.3f}" for seconds in value)
        elif attribute == "exit_code":
            value = "" if value is None else str(value)
        else:
            value = _escape(" ".join(str(value or "").split()))
        if value or name in _NEEDED:
            yield name, value


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """The games of a text."""
    block = _Block(1)
    for number, line in enumerate(lines, start=1):
        line = line.strip().removeprefix("\ufeff")
        if block.ends_before(line):
            yield block
            block = _Block(number)
        if line or block.size:
            block.first = block.first if block.size else number
            block.add(line)
    if block.size:
        yield block


def _parse(block: _Block) -> Record:
    """The record that the lines of one game describe.

    Raises:
        RecordError: a line is malformed, or something is missing or too long.
    """
    if not block.is_whole:
        raise RecordError(
            "record.too-large", line=LONGEST_LINE, game=LARGEST_GAME, lines=MOST_LINES
        )
    headers = [line for line in block.lines if line.startswith("[")]
    values: dict[str, str] = {}
    for line in headers:
        header = _HEADER.fullmatch(line)
        if header is None:
            raise RecordError("record.header", text=line[:80])
        values[header[1]] = _unescape(header[2])
    missing = [name for name in _NEEDED if not values.get(name)]
    if missing:
        raise RecordError("record.missing", text=", ".join(missing))
    moves = " ".join(line for line in block.lines if not line.startswith("[")).split()
    fields = {_FIELDS[name]: text for name, text in values.items() if name in _FIELDS}
    # As they would be written.
    fields |= {name: " ".join(fields[name].split()) for name in fields if name not in _AS_WRITTEN}
    return _record(fields, tuple(_without_numbers(moves)))


def _without_numbers(words: Iterable[str]) -> Iterator[str]:
    """The moves among the words: one number may stand before each move of the first side.

    Not every word like `0.` is a number: it may be a move, in the place of one.
    """
    ply, numbered = 0, False
    for word in words:
        if ply % 2 == 0 and not numbered and _NUMBER.fullmatch(word):
            numbered = True
        else:
            yield word
            ply, numbered = ply + 1, False


def _record(fields: dict[str, str], moves: tuple[str, ...]) -> Record:
    numbers = {name: _whole(name, fields.pop(name, "0"), most) for name, most in _DIGITS.items()}
    seconds = tuple(_seconds(word) for word in fields.pop("seconds", "").split())
    code = _exit_code(fields.pop("exit_code", ""))
    if "id" in fields and not _ID.fullmatch(fields["id"]):
        raise RecordError("record.id", text=fields["id"][:80], most=LONGEST_ID)
    if len(fields.get("event", "")) > LONGEST_EVENT:
        raise RecordError("record.too-long", name="Event", most=LONGEST_EVENT)
    return Record(moves=moves, seconds=seconds, exit_code=code, **numbers, **fields)  # type: ignore[arg-type]  # strings by name


def _whole(name: str, text: str, digits: int) -> int:
    if not re.fullmatch(rf"\d{{1,{digits}}}", text):
        raise RecordError("record.number", name=name, text=text[:80])
    return int(text)


def _exit_code(text: str) -> int | None:
    if text and not re.fullmatch(rf"-?\d{{1,{_EXIT_CODE_DIGITS}}}", text):
        raise RecordError("record.number", name="ExitCode", text=text[:80])
    return int(text) if text else None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise RecordError("record.number", name="Seconds", text=text[:80])
    return seconds


def _escape(text: str) -> str:
    """A header's value on one line, its quotes marked."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)
