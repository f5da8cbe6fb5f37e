"""Pieces: the kinds of pieces, and what is on each place.

A game lists its kinds once (`Game.pieces`). One compiled operation, `piece_at`, returns the kind on
a place. Everything else follows from these two: text, terminal, page, pictures, descriptions for
blind users, and the input planes for learning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from papan.errors import InvalidGame, UsageError
from papan.rules import operations as rules
from papan.rules.dispatch import Operation

#: Types of the whole numbers that rules return.
WHOLE = (int, np.integer)

#: Names of drawings for `Piece.picture`, defined in `papan.figures.pieces`. With the prefix
#: `letter-` the drawing shows the kind's letter: `letter-disc`.
DRAWINGS = (
    *("disc", "ring", "cross", "square", "diamond", "triangle", "star"),
    *("stone", "crowned", "pawn", "rook", "knight", "bishop", "queen", "king"),
    *("arrow", "wedge", "block", "seed", "grooved"),
    *("chick", "hen", "elephant", "giraffe", "lion"),
    *(
        f"{height}-{form}-{core}"
        for height in ("short", "tall")
        for form in ("square", "round")
        for core in ("solid", "hollow")
    ),
)
#: Names of looks for `Game.look`, defined in `papan.figures.palette`. A `plain` game has the
#: colours and shapes of the user; all others have their own.
LOOKS = (
    *("plain", "wood", "draughts", "goban", "rack", "felt", "paper", "walls"),
    *("tiles", "hexes", "points", "pits", "pegs", "solids", "chocolate", "mat"),
)
#: Start of an SVG path.
_PATH = re.compile(r"\s*[Mm]\s*[-+.\d]")


@dataclass(frozen=True)
class Piece:
    """A kind of piece.

    Attributes:
        letter: one character for this kind in text, unique in the game; not a digit, `.` or `/`.
            By custom `x` or a capital letter for the first player.
        owner: `x`, `o`, or empty for a piece of neither side.
        name: for people: `king`; empty if a side has only one kind.
        picture: name of a drawing (`papan.figures.pieces`), or an SVG path around (0, 0) with a
            radius of about 20; empty for the default shape of the side's pieces.
        colour: the side in whose colour the piece is drawn, if that is not the owner.

    Raises:
        UsageError: the letter, a side or the picture is invalid.

    Examples:
        >>> Piece("K", "x", "king", "king").letter
        'K'
    """

    letter: str
    owner: str = ""
    name: str = ""
    picture: str = ""
    colour: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[^\s\d./]", self.letter):  # these have a meaning in position lines
            raise UsageError("piece.letter", text=repr(self.letter))
        for side in (self.owner, self.colour):
            if side not in ("", "x", "o"):
                raise UsageError("piece.side", text=repr(side))
        shape = re.sub("^letter-?", "", self.picture)
        if shape and shape not in DRAWINGS and not _PATH.match(shape):
            raise UsageError("piece.picture", text=repr(self.picture), choices=", ".join(DRAWINGS))


#: The pieces of a game with one kind for each side.
TWO_SIDES = (Piece("x", "x"), Piece("o", "o"))


class Content(NamedTuple):
    """The content of a place.

    Attributes:
        piece: the piece on the place; None if it is empty.
        number: a number to show with it: seeds in a pit, steps that a platform has left.
        owner: the side that owns the piece, `x` or `o`; empty for neither.
    """

    piece: Piece | None = None
    number: int | None = None
    owner: str = ""


NOTHING = Content()


def piece_of(pieces: Sequence[Piece], owner: str) -> Piece:
    """Returns the first kind of piece that a side has."""
    return next(piece for piece in pieces if piece.owner == owner)


def letters_of(pieces: Sequence[Piece]) -> dict[str, int]:
    """Returns the number of each kind: letter → kind."""
    return {piece.letter: kind for kind, piece in enumerate(pieces, start=1)}


def kind_at(pieces: Sequence[Piece], state: rules.State, place: int) -> int:
    """Returns the kind of piece on a place: its number in `pieces`, from 1; 0 for an empty place.

    Raises:
        InvalidGame: the rule returned anything else.
    """
    kind = rules.piece_at(state, place)
    if not isinstance(kind, WHOLE) or not 0 <= kind <= len(pieces):
        raise impossible(pieces, state, place)
    return int(kind)


def content_of(pieces: tuple[Piece, ...], kind: int, number: int) -> Content | None:
    """Returns the content of a place from the results of `piece_at` and `count_at`; None for an
    impossible result."""
    if not all(isinstance(one, WHOLE) for one in (number, kind)) or not 0 <= kind <= len(pieces):
        return None
    return shown_as(pieces, kind, number)


def shown_as(pieces: tuple[Piece, ...], kind: int, number: int) -> Content:
    """Returns the content of a place from possible results of `piece_at` and `count_at`."""
    piece = pieces[kind - 1] if kind else None
    return Content(piece, None if number < 0 else number, piece.owner if piece else "")


def impossible(pieces: Sequence[Piece], state: rules.State, place: int) -> InvalidGame:
    """Returns the error for a place where `piece_at` or `count_at` returned an impossible value."""
    rule: Operation[..., int] = rules.count_at
    value, expected = rule(state, place), "int"
    if isinstance(value, WHOLE):
        rule = rules.piece_at
        value, expected = rule(state, place), f"0 … {len(pieces)}"
    code = rule.implementation(type(state)).__code__
    return InvalidGame(
        "game-file.broken",
        text=Path(code.co_filename).name,
        line=code.co_firstlineno,
        operation=rule.__name__,
        promise="@game-file.shown",
        found=repr(value),
        expected=expected,
    )
