"""Squares, boards and positions as text.

Columns are letters from the left, rows are numbers from the bottom. A board is written from the
top row down, rows separated by `/`, numbers for runs of empty squares.

A game that defines none has the default notation: a board, the side to move, and numbers.

    class State(NamedTuple):
        mine: Bits                 xo1/1x1/3 o 7
        theirs: Bits               <board> <side to move> <plies left>
        side: int
        plies_left: int

`mine` and `theirs` are the pieces of the side to move and of the other one, written as one board
where both are sets of squares. All other fields are written as they are, in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from papan.errors import InvalidMove, InvalidPosition, UsageError
from papan.kernel.bits import ROW, Bits
from papan.kernel.wide import WideBits, wide_frame

SIDES = "xo"
#: Boards have at most so many rows and columns.
LARGEST = 26
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
_DIGITS = "1234567890"
_NAMES = re.compile(rf"(?:{_NAME.pattern})+", re.ASCII)


@dataclass(frozen=True)
class Frame:
    """The shape of a board: `height` rows and `width` columns, up to 26 × 26.

    Whatever is to be known of squares is asked here: their numbers, names and places. Boards of
    up to 8 × 8 have sets of 64 bits in rows of eight; larger ones have wide sets, whose rows have
    one spare column (`papan.kernel.wide`).

    Raises:
        UsageError: there are no rows or columns, or too many.
    """

    height: int
    width: int

    def __post_init__(self) -> None:
        if not (1 <= self.height <= LARGEST and 1 <= self.width <= LARGEST):
            raise UsageError(
                "frame.size", text=f"{self.height} × {self.width}", low=1, high=LARGEST
            )

    @property
    def row_length(self) -> int:
        """Number of a square less that of the one above it."""
        return ROW if self._is_small else self.width + 1

    @property
    def _is_small(self) -> bool:
        return self.height <= ROW and self.width <= ROW

    @property
    def empty(self) -> Bits:
        """The set without squares, of the kind that this board has."""
        return self.of_squares([])

    @property
    def mask(self) -> Bits:
        """The set of all squares."""
        return self.of_squares(self.squares)

    def of_squares(self, squares: Iterable[int]) -> Bits:
        """The set of the given squares."""
        number = sum(1 << square for square in set(squares))
        kind = Bits if self._is_small else wide_frame(self.height, self.width)
        return cast(Bits, kind(number))

    @property
    def squares(self) -> list[int]:
        """All squares in row-major order from the top left."""
        return [self.at(row, column) for row in range(self.height) for column in range(self.width)]

    def at(self, row: int, column: int) -> int:
        """The square in a row, counted from the top, and a column, from the left; both from 0."""
        return self.row_length * row + column

    def place(self, square: int) -> tuple[int, int]:
        """The row of a square, counted from the top, and its column, from the left; both from 0."""
        return divmod(square, self.row_length)

    @property
    def row_names(self) -> list[str]:
        """The names of the rows from the top down."""
        return [str(self.height - row) for row in range(self.height)]

    @property
    def column_names(self) -> str:
        """The names of the columns from the left, a letter each."""
        return _LETTERS[: self.width]

    @property
    def extent(self) -> str:
        """The names of the first and the last square: `a1 … h8`."""
        return f"a1 … {_LETTERS[self.width - 1]}{self.height}"

    def name(self, square: int) -> str:
        """The name of a square: `c4`."""
        row, column = self.place(square)
        return f"{_LETTERS[column]}{self.height - row}"

    def find(self, text: str) -> int | None:
        """The square of that name, or None if the board has none."""
        named = _NAME.fullmatch(text)
        if named is None:
            return None
        row, column = self.height - int(named[2]), _LETTERS.index(named[1])
        return self.at(row, column) if row >= 0 and column < self.width else None

    def names_in(self, text: str) -> list[str]:
        """The names of squares that a text is made of: of `k11f3`, k11 and f3. None if there is
        anything else in it."""
        if _NAMES.fullmatch(text) is None:
            return []
        names = [found[0] for found in _NAME.finditer(text)]
        return names if all(self.find(name) is not None for name in names) else []

    def square(self, text: str) -> int:
        """The square of that name.

        Raises:
            InvalidMove: the board has no such square.
        """
        found = self.find(text)
        if found is None:
            raise InvalidMove("move.no-square", text=text, extent=self.extent)
        return found


def split_fields(line: str, layout: str) -> list[str]:
    """The fields of a position line, as many as `layout` names.

    Raises:
        InvalidPosition: there are more or fewer.
    """
    fields = line.strip().split(" ")
    if len(fields) != layout.count("<"):
        raise InvalidPosition("position.fields", text=line, layout=layout)
    return fields


def read_board(text: str, frame: Frame) -> tuple[Bits, Bits]:
    """The squares of `x` and of `o` on a written board.

    Raises:
        InvalidPosition: rows are missing or of the wrong length, or a character is unknown.
    """
    rows = text.split("/")
    if len(rows) != frame.height:
        raise InvalidPosition("position.rows", text=text, found=len(rows), expected=frame.height)
    found: dict[str, list[int]] = {"x": [], "o": []}
    for number, row in enumerate(rows):
        for column, piece in enumerate(_expand(row, frame)):
            if piece != ".":
                found[piece].append(frame.at(number, column))
    return frame.of_squares(found["x"]), frame.of_squares(found["o"])


def _expand(row: str, frame: Frame) -> str:
    """A row with a dot for each empty square."""
    digits = _DIGITS[: max(frame.width, ROW)]
    for character in row:
        if character not in "xo" and character not in digits:
            raise InvalidPosition("position.character", text=character, row=row)
    # Where no run has two digits, each of them is a run.
    runs = re.findall(r"\d+|[xo]" if frame.width >= len(_DIGITS) else r"\d|[xo]", row)
    lengths = [int(run[:3]) if run.isdigit() else 1 for run in runs]
    if sum(lengths) != frame.width:
        raise InvalidPosition(
            "position.row-length", text=row, found=sum(lengths), expected=frame.width
        )
    return "".join(
        "." * length if run.isdigit() else run for run, length in zip(runs, lengths, strict=True)
    )


def write_board(frame: Frame, first: Bits, second: Bits) -> str:
    """A board as text, from the squares of `x` and of `o`."""
    rows, x, o = [], int(first), int(second)
    for row in range(frame.height):
        squares = [frame.at(row, column) for column in range(frame.width)]
        pieces = "".join("x" if x >> s & 1 else "o" if o >> s & 1 else "." for s in squares)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), pieces))
    return "/".join(rows)


def read_side(text: str) -> int:
    """0 for `x`, 1 for `o`.

    Raises:
        InvalidPosition: it is neither.
    """
    if text not in SIDES or len(text) != 1:
        raise InvalidPosition("position.side", text=text)
    return SIDES.index(text)


def read_number(text: str, low: int, high: int, what: str) -> int:
    """A whole number from `low` to `high`; `what` names it for the error.

    Raises:
        InvalidPosition: it is not one, or out of range.
    """
    digits = text.lstrip("0") or text[:1]
    readable = digits.isascii() and digits.isdigit() and len(digits) <= len(str(high))
    if not readable or not low <= int(digits) <= high:
        raise InvalidPosition("position.number", text=text, what=what, low=low, high=high)
    return int(digits)


# --- the default notation -------------------------------------------------------------------------

_PIECES = ("mine", "theirs")
_SIDE = "side"
_LARGEST: dict[type, int] = {int: 2**63 - 1, np.uint64: 2**64 - 1}


def has_board(state: Any) -> bool:
    """True if `mine` and `theirs` of a state are sets of squares."""
    return all(isinstance(getattr(state, name, None), np.uint64 | WideBits) for name in _PIECES)


def write_fields(frame: Frame, state: Any) -> str:
    """The position line of a state."""
    words = []
    if has_board(state):
        pieces = (state.mine, state.theirs)
        words.append(write_board(frame, *(pieces if _mover(state) == 0 else pieces[::-1])))
    if hasattr(state, _SIDE):
        words.append(SIDES[state.side])
    return " ".join([*words, *(str(int(getattr(state, name))) for name in _numbers(state))])


def read_fields(frame: Frame, example: Any, line: str) -> Any:
    """The state that a line describes, with the fields and types of an example.

    Raises:
        InvalidPosition: the line is malformed.
    """
    words = iter(split_fields(line, layout(example)))
    found: dict[str, Any] = {}
    board = read_board(next(words), frame) if has_board(example) else None
    if hasattr(example, _SIDE):
        found[_SIDE] = read_side(next(words))
    if board is not None:
        turned = board if found.get(_SIDE, 0) == 0 else board[::-1]
        found.update(zip(_PIECES, turned, strict=True))
    for name, word in zip(_numbers(example), words, strict=True):
        kind = type(getattr(example, name))
        largest = kind.full if issubclass(kind, WideBits) else _LARGEST[kind]
        found[name] = kind(read_number(word, 0, largest, _words(name)))
    return type(example)(**found)


def layout(state: Any) -> str:
    """The names of the fields of a position line: `<board> <side to move> <plies left>`."""
    names = ["board"] if has_board(state) else []
    names += ["side to move"] if hasattr(state, _SIDE) else []
    return " ".join(f"<{name}>" for name in [*names, *map(_words, _numbers(state))])


def _mover(state: Any) -> int:
    return int(getattr(state, _SIDE, 0))


def _numbers(state: Any) -> Iterator[str]:
    """The names of the fields that are written as numbers."""
    shown = {_SIDE, *(_PIECES if has_board(state) else ())}
    return (name for name in state._fields if name not in shown)


def _words(name: str) -> str:
    return name.replace("_", " ")
