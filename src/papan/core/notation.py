"""Boards, sides and numbers as text: what position lines are made of.

A board is written from the top row down, rows separated by `/`: a letter for each piece
(`papan.core.board.pieces`), numbers for runs of empty places. `papan.core.position_line` describes
the whole line of a game that defines none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papan.core.board.geometry import Geometry
from papan.core.board.pieces import TWO_SIDES, Piece, letters_of
from papan.errors import InvalidPosition
from papan.rules.bits import Bits

SIDES = ("x", "o")
_DIGITS = "1234567890"
#: The length of the rows in which a run may be any digit, for the same message on all small boards.
_SHORT = 8
#: Runs are read up to so many digits.
_LONGEST_RUN = 3


def split_fields(line: str, layout: str) -> list[str]:
    """The fields of a position line, as many as `layout` names.

    Raises:
        InvalidPosition: there are more or fewer.
    """
    fields = line.strip().split(" ")
    if len(fields) != layout.count("<"):
        raise InvalidPosition("position.fields", text=line, layout=layout)
    return fields


def read_board(text: str, board: Geometry) -> tuple[Bits, Bits]:
    """The squares of `x` and of `o` on a written board.

    Raises:
        InvalidPosition: rows are missing or of the wrong length, or a character is unknown.
    """
    kinds = read_kinds(text, board, TWO_SIDES)
    first, second = (
        board.of_squares([place for place, kind in kinds.items() if kind == number])
        for number in (1, 2)
    )
    return first, second


def read_kinds(text: str, board: Geometry, pieces: Sequence[Piece]) -> dict[int, int]:
    """The kind of piece on each place of a written board that is not empty: place → kind, from 1.

    Raises:
        InvalidPosition: rows are missing or of the wrong length, or a character is unknown.
    """
    written, rows = text.split("/"), board.text_rows
    if len(written) != len(rows):
        raise InvalidPosition("position.rows", text=text, found=len(written), expected=len(rows))
    letters, kinds = letters_of(pieces), {}
    for row, places in zip(written, rows, strict=True):
        for place, letter in zip(places, _expand(row, len(places), letters), strict=True):
            if letter != ".":
                kinds[place.number] = letters[letter]
    return kinds


def _expand(row: str, length: int, letters: Mapping[str, int]) -> str:
    """A row with a dot for each empty place."""
    digits = _DIGITS[: max(length, _SHORT)]
    for character in row:
        if character not in letters and character not in digits:
            raise InvalidPosition("position.character", text=character, row=row)
    # Where no run has two digits, each of them is a run.
    runs = re.findall(r"\d+|\D" if length >= len(_DIGITS) else r"\d|\D", row)
    lengths = [int(run[:_LONGEST_RUN]) if run.isdigit() else 1 for run in runs]
    if sum(lengths) != length:
        raise InvalidPosition("position.row-length", text=row, found=sum(lengths), expected=length)
    return "".join(
        "." * length if run.isdigit() else run for run, length in zip(runs, lengths, strict=True)
    )


def write_board(board: Geometry, first: Bits, second: Bits) -> str:
    """A board as text, from the squares of `x` and of `o`."""
    x, o = int(first), int(second)
    kinds = {place: 1 if x >> place & 1 else 2 if o >> place & 1 else 0 for place in board.squares}
    return write_kinds(board, kinds, TWO_SIDES)


def write_kinds(board: Geometry, kinds: Mapping[int, int], pieces: Sequence[Piece]) -> str:
    """A board as text, from the kind of piece on each place; 0, or no entry, is an empty place."""
    letters = [".", *(piece.letter for piece in pieces)]
    rows = []
    for places in board.text_rows:
        row = "".join(letters[kinds.get(place.number, 0)] for place in places)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    return "/".join(rows)


def read_side(text: str) -> int:
    """0 for `x`, 1 for `o`.

    Raises:
        InvalidPosition: it is neither.
    """
    if text not in SIDES:
        raise InvalidPosition("position.side", text=text)
    return SIDES.index(text)


def read_number(text: str, low: int, high: int, what: str) -> int:
    """A whole number from `low` to `high`; `what` names it for the error.

    Raises:
        InvalidPosition: it is not one, or out of range.
    """
    sign, plain = (-1, text[1:]) if text.startswith("-") else (1, text)
    digits = plain.lstrip("0") or plain[:1]
    readable = digits.isascii() and digits.isdigit() and len(digits) <= len(str(max(high, -low)))
    if not readable or not low <= sign * int(digits) <= high or text == "-0":
        raise InvalidPosition("position.number", text=text, what=what, low=low, high=high)
    return sign * int(digits)
