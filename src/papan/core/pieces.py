"""Pieces: the kinds of things that can stand on a place, and what stands there.

A game names its kinds once (`Game.pieces`), and one compiled operation says which of them stands
on a place (`piece_at`). Text, terminal, page, pictures, words for those who cannot see the board,
and the planes for learning all come from these two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Piece:
    """A kind of piece.

    Attributes:
        letter: one character that stands for it in text, of its own for each kind; neither a
            digit nor `/`. By custom capital or `x` for the first player's.
        owner: `x`, `o`, or nothing for a piece of neither side.
        name: for people: `king`; nothing where a side has one kind only.
        picture: a drawing by name (`papan.figures.pieces`) or an SVG path around (0, 0) with a
            radius of about 20; nothing for the shape that a side's pieces have by default.
        colour: the side in whose colour it is drawn, where that is not the owner's.
    """

    letter: str
    owner: str = ""
    name: str = ""
    picture: str = ""
    colour: str = ""


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
