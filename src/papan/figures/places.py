"""Drawings of places by shape, each in a box of 60 × 60 units."""

from __future__ import annotations

import cmath
import math
from typing import NamedTuple

from papan.core.board.pieces import NOTHING, Content
from papan.figures.pieces import draw_piece
from papan.figures.svg import Markup, element

#: Width of a square in the picture's units.
SQUARE = 60
_HALF = SQUARE / 2
_GAP = 2
#: Height of one step of a stack.
LAYER = 5
#: Offset of stacks below the middle, so that the highest one stays inside its square.
_SINK = 8
_STACK_INSET = 9
#: Offset of pawns, which leaves room for the number of remaining steps.
_PAWN_SHIFT = -3

#: Pits and stores: ratio of height to width, and distance of the seeds from the middle.
_PITS = {"pit": (1.0, 15.0), "store": (2.4, 17.0)}
#: Maximum number of drawn seeds; the number shows larger amounts.
_MOST_SEEDS = 40
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))

#: Scale of pieces on places that are smaller than a square.
_SCALES = {
    "stack": 0.72,
    "hexagon": 0.92,
    "point": 0.85,
    "box": 0.9,
    "card": 0.85,
    "field": 1.15,
    "crossing": 1.2,
    "hole": 1.08,
}

_HEXAGON = "M30 -4.6L60 12.7V47.3L30 64.6L0 47.3V12.7Z"


class PlaceLook(NamedTuple):
    """Everything that determines the drawing of a place, except its position.

    Attributes:
        shape: shape of the place.
        content: content of the place.
        home: side whose home square this is; empty for none.
        is_alternate: True for every second square of a board.
        look: look of the game, one of `papan.figures.palette.PALETTE`.
    """

    shape: str
    content: Content
    home: str = ""
    is_alternate: bool = False
    look: str = "plain"

    @property
    def bare_path(self) -> str | None:
        """The path of an empty place, from its middle; None for places that need more elements."""
        if self.content != NOTHING or self.home:
            return None
        return "" if self.is_groove else _BARE.get(self.shape)

    @property
    def is_groove(self) -> bool:
        """True for a place between squares that shows nothing but a wall."""
        return self.look == "walls" and self.shape in ("edge", "post", "joint")

    @property
    def is_stack(self) -> bool:
        """True for a square that wears out."""
        return self.shape == "stack"

    @property
    def is_gone(self) -> bool:
        """True for a hole: a stack without remaining steps."""
        return self.is_stack and not self.content.number

    @property
    def lift(self) -> int:
        """Height of the place's top above its middle."""
        steps = self.content.number if self.is_stack else None
        return LAYER * (steps - 1) - _SINK if steps else 0


def tile(inset: float, raised: float, name: str) -> Markup:
    """Returns a square inside its box."""
    edge = SQUARE - 2 * inset
    return element("rect", class_=name, x=inset, y=inset - raised, width=edge, height=edge, rx=6)


def ground(look: PlaceLook) -> list[Markup]:
    """Returns the place without its contents."""
    shape = look.shape
    if shape == "stack":
        steps = look.content.number or 0
        if not steps:
            return [tile(_STACK_INSET, 0, "tile")]
        return [tile(_STACK_INSET, LAYER * k - _SINK, "layer") for k in range(steps)]
    if shape == "point" and look.content.piece:
        return [_circle("tile seat", 18)]  # otherwise the lines would show through a ring
    if look.is_groove:
        return _GROUNDS[shape][:1]
    if shape in _GROUNDS:
        return _GROUNDS[shape]
    return [tile(_GAP, 0, "tile")]


def _circle(name: str, radius: float, x: float = _HALF, y: float = _HALF) -> Markup:
    return element("circle", class_=name, cx=x, cy=y, r=radius)


def _bar(name: str, width: float, height: float) -> Markup:
    """Returns a bar around the middle."""
    x, y = _HALF - width / 2, _HALF - height / 2
    return element("rect", class_=name, x=x, y=y, width=width, height=height, rx=4)


def _store(name: str) -> Markup:
    return element("rect", class_=name, x=2, y=-26, width=56, height=112, rx=28)


#: Drawings of places that do not depend on their contents.
_GROUNDS = {
    "hexagon": [element("path", class_="tile", d=_HEXAGON)],
    "point": [_circle("tile", 8)],
    "pit": [_circle("tile", 28)],
    "store": [_store("tile")],
    "edge": [_bar("tile slot", 48, 8), _circle("knot", 6, 0), _circle("knot", 6, SQUARE)],
    "post": [_bar("tile slot", 8, 48), _circle("knot", 6, _HALF, 0), _circle("knot", 6, _HALF, 60)],
    "box": [_bar("tile box", 44, 44)],
    "card": [tile(_GAP, 0, "tile card")],
    "field": [element("rect", class_="tile", width=SQUARE, height=SQUARE)],
    "crossing": [_circle("tile", 29)],
    "hole": [_circle("tile", 27)],
    "joint": [],
}


#: Paths of empty places, from their middle. A crossing is drawn with the lines of the board.
_BARE = {
    "square": "m-28 -28h56v56h-56z",
    "field": "m-30 -30h60v60h-60z",
    "box": "m-22 -22h44v44h-44z",
    "hole": "m-27 0a27 27 0 1 0 54 0a27 27 0 1 0 -54 0z",
    "crossing": "",
}

#: Frames of places that are not square.
_FRAMES = {
    "hexagon": element("path", class_="frame", d=_HEXAGON),
    "point": _circle("frame", 24),
    "pit": _circle("frame", 27),
    "store": _store("frame"),
    "edge": _bar("frame", 48, 14),
    "post": _bar("frame", 14, 48),
    "box": _bar("frame", 44, 44),
    "crossing": _circle("frame", 27.5),
    "hole": _circle("frame", 25),
    "joint": _bar("frame", 14, 14),
}
_SQUARE_FRAME = tile(4, 0, "frame")


def frame(shape: str) -> Markup:
    """Returns the frame of a selected or suggested place."""
    return _FRAMES.get(shape, _SQUARE_FRAME)


#: Radius of the dot on a possible destination, and of the ring around a piece there.
_DOT, _RING = 7, 24
_DOTS = {"edge": 4.5, "post": 4.5, "crossing": 4.5}
_RINGS = {"pit": 27, "store": 27, "point": 21, "box": 18}


def dot(look: PlaceLook) -> Markup:
    """Returns the mark of a possible destination."""
    shape, piece = look.shape, look.content.piece
    radius = _RINGS.get(shape, _RING) if piece else _DOTS.get(shape, _DOT)
    return _circle("dot", radius, y=_HALF - look.lift)


def standing(look: PlaceLook, shape: str) -> list[Markup]:
    """Returns the piece on a place and its number; `shape` is the default shape of the piece."""
    content = look.content
    if look.shape in _PITS or (content.piece and content.piece.picture == "seed"):
        return _seeds(look)
    pieces = [_piece(look, shape)] if content.piece else []
    if content.number is None or (look.is_gone and look.shape == "stack"):
        return pieces
    if look.shape == "stack":
        corner = SQUARE - _STACK_INSET - 4
        return [*pieces, _number(content.number, "steps", corner, corner - look.lift)]
    if content.piece:
        return [*pieces, _number(content.number, "steps", SQUARE - 6, SQUARE - 8)]
    return [_number(content.number, "count", _HALF, _HALF + 8)]


def _seeds(look: PlaceLook) -> list[Markup]:
    """Returns the seeds on a place as dots around its middle, and their number below."""
    stretch, room = _PITS.get(look.shape, _PITS["pit"])
    number = look.content.number or 0
    # A spiral with the golden angle between seeds, so that no seed hides another one.
    spots = [
        cmath.rect(room * math.sqrt((seed + 0.5) / max(number, 5)), seed * _GOLDEN_ANGLE)
        for seed in range(min(number, _MOST_SEEDS))
    ]
    middle = sum(spots) / max(len(spots), 1)
    dots = []
    for spot in spots:
        x, y = (spot - middle).real, stretch * (spot - middle).imag
        dots.append(_circle("body", 4, round(_HALF + x, 1), round(_HALF - 6 + y, 1)))
    group = element("g", *dots, class_=f"piece {look.content.owner or 'neutral'}")
    below = _HALF + 23 + (stretch - 1) * room
    return [*([group] if dots else []), _number(number, "seeds", _HALF, below)]


#: Sizes of pieces between squares. Those on edges, posts and joints of a board form one wall.
_WALLS = {"edge": (52, 9), "post": (9, 52), "joint": (10, 10)}


def _number(count: int, name: str, x: float, y: float) -> Markup:
    return element("text", str(count), class_=name, x=x, y=y)


def _piece(look: PlaceLook, shape: str) -> Markup:
    kind = look.content.piece
    assert kind is not None
    if look.shape in _WALLS:
        body = _bar("body", *_WALLS[look.shape])
        return element("g", body, class_=f"piece {kind.owner or 'neutral'}")
    if look.is_stack:
        middle = _HALF + (_PAWN_SHIFT if look.content.number else 0)
        return draw_piece(kind, shape, middle, middle - look.lift, _SCALES["stack"])
    return draw_piece(kind, shape, _HALF, _HALF, _SCALES.get(look.shape, 1))
