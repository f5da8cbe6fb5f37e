"""Squares, boards and positions as text.

Columns are letters from the left, rows are numbers from the bottom. A board is written from the
top row down, rows separated by `/`, digits for runs of empty squares.

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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from papan.errors import InvalidMove, InvalidPosition
from papan.kernel.bits import ROW, Bits, of_squares, rectangle

SIDES = "xo"
_LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Frame:
    """The shape of a board: `height` rows and `width` columns, up to 8 × 8."""

    height: int
    width: int

    @property
    def mask(self) -> Bits:
        """The set of all squares."""
        return rectangle(self.height, self.width)

    @property
    def squares(self) -> list[int]:
        """All squares in row-major order from the top left."""
        return [ROW * row + column for row in range(self.height) for column in range(self.width)]

    @property
    def extent(self) -> str:
        """The names of the first and the last square: `a1 … h8`."""
        return f"a1 … {_LETTERS[self.width - 1]}{self.height}"

    def name(self, square: int) -> str:
        """The name of a square: `c4`."""
        row, column = divmod(square, ROW)
        return f"{_LETTERS[column]}{self.height - row}"

    def find(self, text: str) -> int | None:
        """The square of that name, or None if the board has none."""
        if len(text) != 2 or text[0] not in _LETTERS[: self.width]:
            return None
        if text[1] not in "12345678"[: self.height]:
            return None
        return ROW * (self.height - int(text[1])) + _LETTERS.index(text[0])

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
                found[piece].append(ROW * number + column)
    return of_squares(found["x"]), of_squares(found["o"])


def _expand(row: str, frame: Frame) -> str:
    """A row with a dot for each empty square."""
    for character in row:
        if character not in "xo12345678":
            raise InvalidPosition("position.character", text=character, row=row)
    cells = "".join("." * int(c) if c.isdigit() else c for c in row)
    if len(cells) != frame.width:
        raise InvalidPosition(
            "position.row-length", text=row, found=len(cells), expected=frame.width
        )
    return cells


def write_board(frame: Frame, first: Bits, second: Bits) -> str:
    """A board as text, from the squares of `x` and of `o`."""
    rows = []
    for row in range(frame.height):
        text, run = "", 0
        for column in range(frame.width):
            square = ROW * row + column
            piece = "x" if int(first) >> square & 1 else "o" if int(second) >> square & 1 else ""
            run = 0 if piece else run + 1
            text = text[:-1] + str(run) if run > 1 else text + (piece or "1")
        rows.append(text)
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
_LARGEST = {int: 2**63 - 1, np.uint64: 2**64 - 1}


def has_board(state: Any) -> bool:
    """True if `mine` and `theirs` of a state are sets of squares."""
    return all(isinstance(getattr(state, name, None), np.uint64) for name in _PIECES)


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
        found[name] = kind(read_number(word, 0, _LARGEST[kind], _words(name)))
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
