"""Boards, sides and numbers as text: the fields of position lines.

A board is written from the top row down, with rows separated by `/`. Each piece is a letter
(`papan.core.board.pieces`), and each run of empty places is a number. `papan.core.position_line`
describes the default position line.
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
#: Rows up to this length accept any digit as a run, so that small boards share one error message.
_SHORT = 8
#: Digits of a run that are read; further digits are ignored.
_LONGEST_RUN = 3


def split_fields(line: str, layout: str) -> list[str]:
    """Returns the fields of a position line.

    Args:
        line: the position line.
        layout: the names of the expected fields: `<board> <side to move>`.

    Raises:
        InvalidPosition: the line has more or fewer fields than the layout.

    Examples:
        >>> split_fields("3/3/3 x", "<board> <side to move>")
        ['3/3/3', 'x']
    """
    fields = line.strip().split(" ")
    if len(fields) != layout.count("<"):
        raise InvalidPosition("position.fields", text=line, layout=layout)
    return fields


def read_board(text: str, board: Geometry) -> tuple[Bits, Bits]:
    """Returns the squares of `x` and of `o` on a written board.

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
    """Returns the kind of piece on each occupied place of a written board: place → kind, from 1.

    Raises:
        InvalidPosition: rows are missing or of the wrong length, or a character is unknown.

    Examples:
        >>> game = papan.game("tictactoe")
        >>> read_kinds("3/1x1/3", game.board, game.pieces)
        {9: 1}
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
    """Returns a row with one character for each place; a dot for an empty place."""
    digits = _DIGITS[: max(length, _SHORT)]
    for character in row:
        if character not in letters and character not in digits:
            raise InvalidPosition("position.character", text=character, row=row)
    # On short rows each digit is a run of its own, since no run has two digits.
    runs = re.findall(r"\d+|\D" if length >= len(_DIGITS) else r"\d|\D", row)
    lengths = [int(run[:_LONGEST_RUN]) if run.isdigit() else 1 for run in runs]
    if sum(lengths) != length:
        raise InvalidPosition("position.row-length", text=row, found=sum(lengths), expected=length)
    return "".join(
        "." * length if run.isdigit() else run for run, length in zip(runs, lengths, strict=True)
    )


def write_board(board: Geometry, first: Bits, second: Bits) -> str:
    """Returns a board as text, from the squares of `x` and of `o`."""
    x, o = int(first), int(second)
    kinds = {place: 1 if x >> place & 1 else 2 if o >> place & 1 else 0 for place in board.squares}
    return write_kinds(board, kinds, TWO_SIDES)


def write_kinds(board: Geometry, kinds: Mapping[int, int], pieces: Sequence[Piece]) -> str:
    """Returns a board as text, from the kind of piece on each place; 0 or no entry means empty.

    Examples:
        >>> game = papan.game("tictactoe")
        >>> write_kinds(game.board, {9: 1}, game.pieces)
        '3/1x1/3'
    """
    letters = [".", *(piece.letter for piece in pieces)]
    rows = []
    for places in board.text_rows:
        row = "".join(letters[kinds.get(place.number, 0)] for place in places)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    return "/".join(rows)


def read_side(text: str) -> int:
    """Returns 0 for `x` and 1 for `o`.

    Raises:
        InvalidPosition: the text is neither.

    Examples:
        >>> read_side("o")
        1
    """
    if text not in SIDES:
        raise InvalidPosition("position.side", text=text)
    return SIDES.index(text)


def read_number(text: str, low: int, high: int, what: str) -> int:
    """Returns the whole number that a text contains.

    Args:
        text: digits, with a minus sign in front if the number is negative.
        low: the smallest allowed number.
        high: the largest allowed number.
        what: the name of the number, for the error message.

    Raises:
        InvalidPosition: the text is not a whole number, or the number is out of range.

    Examples:
        >>> read_number("12", 1, 20, "plies")
        12
    """
    sign, plain = (-1, text[1:]) if text.startswith("-") else (1, text)
    digits = plain.lstrip("0") or plain[:1]
    readable = digits.isascii() and digits.isdigit() and len(digits) <= len(str(max(high, -low)))
    if not readable or not low <= sign * int(digits) <= high or text == "-0":
        raise InvalidPosition("position.number", text=text, what=what, low=low, high=high)
    return sign * int(digits)
