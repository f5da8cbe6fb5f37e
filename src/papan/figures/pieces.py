"""Drawings of pieces: named shapes, and a game's own drawings.

A shape is an SVG path around (0, 0) with a radius of about 20, filled in its side's colour.
"""

from __future__ import annotations

import functools

from papan.core.board.pieces import Piece
from papan.figures.palette import PALETTE, look_class
from papan.figures.svg import Markup, element

_DISC = "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z"
_CROWN = "M-9 6L-11 -6L-5 -1L0 -9L5 -1L11 -6L9 6Z"
_FOOT = "M-15 19Q-15 13 -9 12H9Q15 13 15 19Z"

#: Shapes that a user can select for a side's pieces. The ring consists of two circles.
_CHOICES = {
    "disc": _DISC,
    "ring": f"{_DISC}M-9.5 0A9.5 9.5 0 1 0 9.5 0A9.5 9.5 0 1 0 -9.5 0Z",
    "cross": (
        "M-18.5 -11.5L-11.5 -18.5L0 -7L11.5 -18.5L18.5 -11.5L7 0"
        "L18.5 11.5L11.5 18.5L0 7L-11.5 18.5L-18.5 11.5L-7 0Z"
    ),
    "square": "M-17 -13Q-17 -17 -13 -17H13Q17 -17 17 -13V13Q17 17 13 17H-13Q-17 17 -17 13Z",
    "diamond": "M0 -22L22 0L0 22L-22 0Z",
    "triangle": "M0 -20L20 15H-20Z",
    "star": (
        "M0 -22L5.9 -8.1L20.9 -6.8L9.5 3.1L12.9 17.8L0 10L-12.9 17.8L-9.5 3.1L-20.9 -6.8L-5.9 -8.1Z"
    ),
}

#: Names of the selectable shapes, in display order.
SHAPES = tuple(_CHOICES)

#: All shapes by name.
_PATHS = {
    **_CHOICES,
    "stone": _DISC,
    "crowned": f"{_DISC}{_CROWN}",
    "pawn": f"M-6.5 -2A8 8 0 1 1 6.5 -2Q5 6 9 12H-9Q-5 6 -6.5 -2Z{_FOOT}",
    "rook": f"M-13 -18H-8V-13H-3V-18H3V-13H8V-18H13V-8L9 -4V8L11 12H-11L-9 8V-4L-13 -8Z{_FOOT}",
    "knight": (
        f"M-4 -20L0 -15Q14 -12 14 12H-10Q-10 4 0 -3Q-6 -3 -9 1L-14 3L-16 -2Q-10 -9 -6 -13Z{_FOOT}"
    ),
    "bishop": (
        "M0 -22A3 3 0 0 1 2 -16.5Q12 -9 8 1Q6 5 9 12H-9Q-6 5 -8 1Q-12 -9 -2 -16.5A3 3 0 0 1 0 -22Z"
        f"M-1.3 -11V-3H1.3V-11Z{_FOOT}"
    ),
    "queen": (f"M-18 -13L-10 -3L-9 -18L-3 -5L0 -20L3 -5L9 -18L10 -3L18 -13L11 12H-11Z{_FOOT}"),
    "king": (
        "M-2 -22H2V-18H6V-14H2V-9Q16 -15 17 -3Q17 5 10 12H-10"
        f"Q-17 5 -17 -3Q-16 -15 -2 -9V-14H-6V-18H-2Z{_FOOT}"
    ),
    "arrow": "M-5 18V-2H-13L0 -19L13 -2H5V18Z",
    "wedge": "M0 -22L15 -12L18 19H-18L-15 -12Z",
    "block": "M-22 -22H22V22H-22Z",
    "seed": "M-9 0A9 9 0 1 1 9 0A9 9 0 1 1 -9 0Z",
}

#: A tile that points at the opponent, and the animals on it.
_TILE = "M0 -24.5L16.5 -14L20 22H-20L-16.5 -14Z"
_EYES = (
    "M-6 1.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0Z"
    "M2.4 1.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0Z"
)
_HEAD = "M-11 4A11 11 0 1 1 11 4A11 11 0 1 1 -11 4Z"
_BEAK = "M-3.5 6.5L0 4.5L3.5 6.5L0 11Z"
_ANIMALS = {
    "chick": f"{_HEAD}{_EYES}{_BEAK}M-1 -8L-5 -13L0 -11L5 -13L1 -8Z",
    "hen": (
        f"{_HEAD}{_EYES}{_BEAK}"
        "M-8 -7Q-11 -14 -6 -13Q-4 -18 0 -14.5Q4 -18 6 -13Q11 -14 8 -7Q0 -11 -8 -7Z"
        "M-3 16.5H3Q3 21 0 21Q-3 21 -3 16.5Z"
    ),
    "elephant": (
        f"M-7.5 -9Q0 -13 7.5 -9V5Q4.5 9 4.5 19H-4.5Q-4.5 9 -7.5 5Z{_EYES}"
        "M-2.5 10.5H2.5V12H-2.5ZM-2.5 14H2.5V15.5H-2.5Z"
        "M-9 -9Q-17 -14 -17.5 -4Q-17.5 7 -9 6ZM9 -9Q17 -14 17.5 -4Q17.5 7 9 6Z"
    ),
    "giraffe": (
        f"M-7.5 -6H7.5Q8.5 3 5.5 9Q8 19 0 19Q-8 19 -5.5 9Q-8.5 3 -7.5 -6Z{_EYES}"
        "M-4 14H-1.5V16H-4ZM1.5 14H4V16H1.5ZM-9 -5L-16 -7Q-15 0 -9 -1ZM9 -5L16 -7Q15 0 9 -1Z"
        "M-5.5 -7.5V-12A2.6 2.6 0 1 1 -2.5 -12V-7.5ZM2.5 -7.5V-12A2.6 2.6 0 1 1 5.5 -12V-7.5Z"
    ),
    "lion": (
        "M0 -14L4.5 -10.5L10 -11.5L11 -6L16 -3L13.5 2L16 7L11 10L10 15.5L4.5 14.5L0 18"
        "L-4.5 14.5L-10 15.5L-11 10L-16 7L-13.5 2L-16 -3L-11 -6L-10 -11.5L-4.5 -10.5Z"
        "M-10 2A10 10 0 1 0 10 2A10 10 0 1 0 -10 2Z"
        f"M-8.2 2A8.2 8.2 0 1 1 8.2 2A8.2 8.2 0 1 1 -8.2 2Z{_EYES}M-2.5 5H2.5L0 8Z"
    ),
}


def _solid(tall: bool, is_round: bool, hollow: bool) -> tuple[tuple[str, str], ...]:
    """Returns a block or a cylinder, seen from above at an angle."""
    top, low = (-18 if tall else 2), 17
    if is_round:
        body = f"M-14 {top}A14 6 0 0 1 14 {top}V{low}A14 6 0 0 1 -14 {low}Z"
        side = f"M0 {top + 6}A14 6 0 0 0 14 {top}V{low}A14 6 0 0 1 0 {low + 6}Z"
        face = f"M-14 {top}A14 6 0 0 1 14 {top}A14 6 0 0 1 -14 {top}Z"
    else:
        body = f"M-17 {top}L0 {top - 7}L17 {top}V{low}L0 {low + 7}L-17 {low}Z"
        side = f"M0 {top + 7}L17 {top}V{low}L0 {low + 7}Z"
        face = f"M-17 {top}L0 {top - 7}L17 {top}L0 {top + 7}Z"
    hole = f"M-8 {top}A8 3.4 0 0 1 8 {top}A8 3.4 0 0 1 -8 {top}Z"
    return ("body", body), ("shade", side), ("face", face), *((("hollow", hole),) if hollow else ())


#: Drawings of several parts: the class name and the path of each.
_COMPOSED = {
    "grooved": (("body", _DISC), ("groove", "M-13 0A13 13 0 1 1 13 0A13 13 0 1 1 -13 0Z")),
    **{name: (("body facing", _TILE), ("sign", path)) for name, path in _ANIMALS.items()},
    **{
        f"{height}-{form}-{core}": _solid(height == "tall", form == "round", core == "hollow")
        for height in ("short", "tall")
        for form in ("square", "round")
        for core in ("solid", "hollow")
    },
}
#: Prefix of shapes that show the piece's letter.
_LETTERED = "letter"


def piece(
    side: str, picture: str, x: float, y: float, scale: float = 1, *, letter: str = ""
) -> Markup:
    """Returns a piece in the colour of a side (`x`, `o`, or empty) with its centre at (x, y).

    Args:
        side: the side, or empty for a neutral piece.
        picture: a shape's name, `letter` or `letter-SHAPE` for a shape with a letter, or a path.
        x, y: centre of the piece.
        scale: scale factor.
        letter: the letter for `letter` shapes.
    """
    size = "" if scale == 1 else f" scale({scale:g})"
    lettered = picture.startswith(_LETTERED)
    name = picture.removeprefix(_LETTERED).removeprefix("-") or "disc" if lettered else picture
    parts = _COMPOSED.get(name) or (("body", _PATHS.get(name, name)),)
    body = [element("path", class_=part, d=path, fill_rule="evenodd") for part, path in parts]
    sign = [element("text", letter.upper(), class_="sign", y=7)] if lettered else []
    return element(
        "g",
        *body,
        *sign,
        class_=f"piece {side or 'neutral'}",
        transform=f"translate({x:g} {y:g}){size}",
    )


def draw_piece(kind: Piece, shape: str, x: float, y: float, scale: float = 1) -> Markup:
    """Returns a piece with its centre at (x, y); `shape` is used unless the kind has its own."""
    colour = kind.colour and (kind.colour if kind.owner else f"neutral {kind.colour}")
    return piece(colour or kind.owner, kind.picture or shape, x, y, scale, letter=kind.letter)


@functools.cache
def sample(side: str, shape: str, letter: str = "", look: str = "plain") -> Markup:
    """Returns a picture of a single piece for selection lists; hidden from screen readers."""
    return element(
        "svg",
        piece(side, shape, 30, 30, letter=letter),
        class_=f"papan-board papan-piece{look_class(look)}",
        viewBox="0 0 60 60",
        aria_hidden="true",
    )


def side_sample(side: str, look: str, preferred: str) -> Markup:
    """Returns a picture of a side's piece in a game with a look; `preferred` is the shape that the
    user prefers."""
    return sample(side, PALETTE[look].shape(side, preferred), look=look)
