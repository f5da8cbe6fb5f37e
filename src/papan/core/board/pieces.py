"""Pieces: the kinds of things that can stand on a place, and what stands there.

A game names its kinds once (`Game.pieces`), and one compiled operation says which of them stands
on a place (`piece_at`). Text, terminal, page, pictures, words for those who cannot see the board,
and the planes for learning all come from these two.
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

#: What rules give as a whole number.
WHOLE = (int, np.integer)

#: The drawings that a kind of pieces can name; `papan.figures.pieces` has them. Before a dash,
#: `letter` puts the kind's letter on one.
DRAWINGS = (
    *("disc", "ring", "cross", "square", "diamond", "triangle", "star"),
    *("stone", "crowned", "pawn", "rook", "knight", "bishop", "queen", "king"),
    *("arrow", "wedge", "block", "seed"),
)
#: What a path of SVG begins with.
_PATH = re.compile(r"\s*[Mm]\s*[-+.\d]")


@dataclass(frozen=True)
class Piece:
    """A kind of piece.

    Attributes:
        letter: one character that stands for it in text, of its own for each kind; neither a
            digit nor `.` or `/`. By custom capital or `x` for the first player's.
        owner: `x`, `o`, or nothing for a piece of neither side.
        name: for people: `king`; nothing where a side has one kind only.
        picture: a drawing by name (`papan.figures.pieces`) or an SVG path around (0, 0) with a
            radius of about 20; nothing for the shape that a side's pieces have by default.
        colour: the side in whose colour it is drawn, where that is not the owner's.

    Raises:
        UsageError: a letter, side or picture is none of these.
    """

    letter: str
    owner: str = ""
    name: str = ""
    picture: str = ""
    colour: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[^\s\d./]", self.letter):  # lines of positions give these a meaning
            raise UsageError("piece.letter", text=repr(self.letter))
        for side in (self.owner, self.colour):
            if side not in ("", "x", "o"):
                raise UsageError("piece.side", text=repr(side))
        shape = re.sub("^letter-?", "", self.picture)
        if shape and shape not in DRAWINGS and not _PATH.match(shape):
            raise UsageError("piece.picture", text=repr(self.picture), choices=", ".join(DRAWINGS))


#: The pieces of a game with one kind a side.
TWO_SIDES = (Piece("x", "x"), Piece("o", "o"))


class Content(NamedTuple):
    """The content of a place.

    Attributes:
        piece: what stands there, if anything does.
        number: what is shown with it: seeds in a pit, steps that a platform has left.
        owner: the side whose piece it is, `x` or `o`; nothing for none.
    """

    piece: Piece | None = None
    number: int | None = None
    owner: str = ""


NOTHING = Content()


def piece_of(pieces: Sequence[Piece], owner: str) -> Piece:
    """The first kind of piece that a side has."""
    return next(piece for piece in pieces if piece.owner == owner)


def letters_of(pieces: Sequence[Piece]) -> dict[str, int]:
    """The number of each kind by its letter."""
    return {piece.letter: kind for kind, piece in enumerate(pieces, start=1)}


def kind_at(pieces: Sequence[Piece], state: rules.State, place: int) -> int:
    """The kind of piece on a place: its number in `pieces`, from 1 on; 0 for none.

    Raises:
        InvalidGame: the rule gives something else.
    """
    kind = rules.piece_at(state, place)
    if not isinstance(kind, WHOLE) or not 0 <= kind <= len(pieces):
        raise impossible(pieces, state, place)
    return int(kind)


def impossible(pieces: Sequence[Piece], state: rules.State, place: int) -> InvalidGame:
    """Returns the error for a place on which the rules show an impossible piece or number."""
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
