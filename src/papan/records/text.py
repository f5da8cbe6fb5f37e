"""The text form of game records: headers and moves, after the Portable Game Notation of chess; and
that notation itself.

    [Game "adjacency:rounds=8"]
    [Event "friday evening"]
    [Round "1"]
    [X "minimax:depth=4"]
    [O "random"]
    [Result "x"]
    [Termination "rules"]

    1. f8 c4 2. f7 d5 …

An empty line ends the headers, and another one the moves. `Result` is `x`, `o`, `draw`, or `*` for
an unfinished game. Optional headers:

    Start          the position line, if the game did not begin at the start position
    Id             the id in a store
    Given          the illegal move that ended the game
    ExitCode       the exit status of a program that crashed
    TimeControl    the limits of the players

Text in a header escapes `"` and `\\` with a backslash, and unprintable characters as `\\u{a}`, in
hexadecimal. Unknown headers are ignored.

Reading processes one line at a time and holds at most one game in memory.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from papan.core.game import Position
from papan.errors import PapanError, RecordError
from papan.records.model import LONGEST_EVENT, LONGEST_ID, Record

_WIDTH = 79

#: Limits of a game: characters of a line, characters in total, and number of lines. Larger games
#: are rejected. A game of 10,000 moves is within the limits.
LONGEST_LINE = 100_000
LARGEST_GAME = 300_000
MOST_LINES = 10_000

_HEADER = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_NUMBER = re.compile(r"\d+\.")
_ESCAPED = re.compile(r"\\(?:u\{(10[0-9a-f]{4}|[0-9a-f]{1,5})\}|(.))")
_ID = re.compile(rf"[\w-]{{1,{LONGEST_ID}}}")
_NEEDED = ("Game", "X", "O", "Result")

#: Header → field of `Record`, in writing order.
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

#: Fields in which white space is significant.
_AS_WRITTEN = ("given", "detail")

#: Maximum number of digits of a header with an integer.
_DIGITS = {"round": 18, "seed": 60}
_EXIT_CODE_DIGITS = 10


@dataclass(frozen=True)
class BadGame:
    """A game that could not be read: its first line (from 1) and the reason."""

    line: int
    error: PapanError

    @property
    def reason(self) -> str:
        """The error message in English."""
        return str(self.error)


@dataclass
class _Block:
    """The lines of one game: headers, then moves.

    Attributes:
        first: number of the first line, from 1.
        lines: non-empty lines, within the limits.
        size: total number of characters.
        has_game: True after a `Game` header.
        is_cut: True if the last line is not a complete header.
        in_moves: True after the headers.
        has_moves: True if there were any moves.
        is_over: True after the moves.
        is_whole: True if no line was dropped.
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
        """Returns True if a line begins the next game.

        This is the first line after the moves, or a `Game` header if the headers of this game were
        cut off or too many.
        """
        if self.is_over or self.in_moves:
            return bool(line) and (self.is_over or line.startswith("["))
        return _is_game(line) and (self.has_game or self.is_cut or not self.is_whole)

    def add(self, line: str) -> None:
        """Adds a line, which may be empty."""
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
    """Returns a record as text that ends with an empty line."""
    lines = [f'[{name} "{text}"]' for name, text in _headers(record)]
    wrapped = wrap_moves(number_moves(record.moves))
    return "\n".join([*lines, "", *wrapped, *([""] if wrapped else []), ""])


def number_moves(moves: Sequence[str]) -> str:
    """Returns moves as text, with a number before each move of the first side."""
    return " ".join(
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(moves)
    )


def wrap_moves(text: str) -> list[str]:
    """Returns the lines of a text with moves, broken between moves."""
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def read(text: str | Iterable[str], *, verify: bool = True) -> Iterator[Record | BadGame]:
    """Yields the games in a text, in order; an invalid game as a `BadGame`.

    Args:
        text: the whole text, or its lines.
        verify: True replays each game by the rules.
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
    """Yields the lines of any file; an overlong line is shortened, but remains longer than
    allowed."""
    while piece := file.readline(LONGEST_LINE + 1):
        cut_off = len(piece) > LONGEST_LINE and not piece.endswith(b"\n")
        while cut_off and not piece.endswith(b"\n") and (more := file.readline(LONGEST_LINE)):
            piece = piece[:LONGEST_LINE] + more[-1:]
        line = piece.decode("utf-8", "replace")
        yield line.ljust(LONGEST_LINE + 1, ".") if cut_off else line


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    """Yields the non-empty headers of a record with escapes."""
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
    """Yields the games of a text."""
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
    """Returns the record of one game's lines.

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
    # Normalise white space as `write` does.
    fields |= {name: " ".join(fields[name].split()) for name in fields if name not in _AS_WRITTEN}
    return _record(fields, tuple(_without_numbers(moves)))


def _without_numbers(words: Iterable[str]) -> Iterator[str]:
    """Yields the moves among the words; each move of the first side may have a number before it.

    A word such as `0.` may also be a move, so at most one number is skipped before each move.
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
    """Escapes a header's value, so that it fits on one line."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)


# --- Portable Game Notation, for games with a notation of books (`Game.book_move`), such as chess
#
# Source: Edwards, "Standard: Portable Game Notation Specification and Implementation Guide", 1994.

_PGN_HEADER = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
#: Comments in braces or up to the end of the line, and numeric annotations.
_REMARKS = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")

#: Results of records as PGN writes them.
PGN_RESULTS = {"x": "1-0", "o": "0-1", "draw": "1/2-1/2", "*": "*"}


def write_pgn(record: Record, start: Position, moves_text: str = "") -> str:
    """Returns a game as PGN that ends with an empty line.

    Args:
        record: the game.
        start: its first position.
        moves_text: the moves with their variations; by default the moves of the record.
    """
    date = record.played[:10].replace("-", ".") or "????.??.??"
    headers = {
        "Event": record.event or "?",
        "Site": "?",
        "Date": date,
        "Round": str(record.round) if record.round else "?",
        "White": record.x,
        "Black": record.o,
        "Result": PGN_RESULTS[record.result],
    }
    if record.start:
        headers |= {"SetUp": "1", "FEN": record.start}
    numbered = moves_text or number_moves(start.book_line(record.moves))
    lines = [f'[{name} "{_escape_header(value)}"]' for name, value in headers.items()]
    moves = wrap_moves(f"{numbered} {headers['Result']}")
    return "\n".join([*lines, "", *moves, "", ""])


def _escape_header(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def is_pgn(text: str) -> bool:
    """Returns whether a text begins with headers of PGN and not with those of a record."""
    names = _PGN_HEADER.findall(text.partition("\n\n")[0])
    return bool(names) and "Game" not in dict(names)


def read_pgn(text: str) -> tuple[str, str]:
    """Returns the first position line (empty for the start of the game) and the text of the moves
    of the first game, without remarks.

    Raises:
        RecordError: a line before the moves is not a header.
    """
    headers, _, rest = text.replace("\r\n", "\n").strip().partition("\n\n")
    for line in headers.splitlines():
        if not _PGN_HEADER.fullmatch(line.strip()):
            raise RecordError("record.header", text=line[:80])
    moves = _REMARKS.sub(" ", rest.partition("\n[")[0])
    return dict(_PGN_HEADER.findall(headers)).get("FEN", ""), moves
