"""Looks: the material of each game's board and pieces, as one table.

A look sets some of the colours of `papan.figures.theme` for its boards, in every theme, and the
shapes of the sides' pieces. Colours are written as `light dark contrast`. In the contrast theme
most boards are printed in black and white, like diagrams in books.

The sides differ in brightness and in shape or outline. A test measures the contrast of pieces and
grounds.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from papan.core.board.geometry import Geometry
from papan.core.board.kinds import Edges, Grooves, Hex, Hexagon, Pits, Points
from papan.core.game import Game


@dataclass(frozen=True)
class GameLook:
    """The look of a game.

    Attributes:
        ground: how squares are drawn: `square` (with gaps), `field` (without gaps), `crossing`
            (lines with pieces on the intersections) or `hole`.
        x_shape: shape of `x`'s pieces; empty for the shape that the user prefers.
        o_shape: shape of `o`'s pieces.
        colours: colour → its values in the themes, separated by spaces: `light dark contrast`.
    """

    ground: str = "square"
    x_shape: str = ""
    o_shape: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)

    def shape(self, side: str, preferred: str) -> str:
        """Returns the shape of a side's pieces, or the preferred one if the look has none."""
        return (self.x_shape if side == "x" else self.o_shape) or preferred


def _sides(x: str, o: str) -> dict[str, str]:
    """Returns the colours of two sets of pieces, given by name."""
    return {
        f"{part}{side}{end}": _SETS[name][number]
        for side, name in (("x", x), ("o", o))
        for number, (part, end) in enumerate((("", ""), ("", "-edge"), ("sign-", "")))
    }


#: Sets of pieces: colour, outline, and signs on the pieces.
_SETS = {
    "ivory": ("#f8f0de #efe5cf #ffffff", "#3a2a1c #17110b #000000", "#3a2a1c #2c2118 #000000"),
    "ebony": ("#33261d #1d1713 #000000", "#120b07 #d0bfab #000000", "#f8f0de #efe5cf #ffffff"),
    "white": ("#fbfaf6 #f0efea #ffffff", "#34322e #101010 #000000", "#34322e #101010 #000000"),
    "black": ("#22221f #141414 #000000", "#000000 #b9b9b4 #000000", "#fbfaf6 #f0efea #ffffff"),
    "yellow": ("#ffd23f #ffd84d #ffe600", "#7a5200 #4a3200 #000000", "#2b2721 #2b2721 #000000"),
    "red": ("#b3261e #d0453a #a00018", "#5f0f0a #ffd0c8 #000000", "#ffffff #16191d #ffffff"),
    "blue": ("#9fd0f2 #a8d8f8 #bfe2ff", "#174a6e #0c2c44 #000000", "#12324a #12324a #000000"),
    "coral": ("#e2583f #ffab94 #c2001f", "#7a1f10 #5a1c10 #000000", "#ffffff #16191d #ffffff"),
    "navy": ("#1d4a8c #4f97ea #001f80", "#0d2850 #cfe4ff #000000", "#ffffff #16191d #ffffff"),
    "pen": ("#173f86 #6f9ff5 #001f80", "#0f2c60 #cfe0ff #000000", "#ffffff #16191d #ffffff"),
    "pencil": ("#d9542b #ffd0a8 #d0002a", "#8a2a0e #8a5a3a #000000", "#ffffff #16191d #ffffff"),
}

#: Marks that are visible on wood, cloth and plastic of medium brightness.
_ON_WOOD = {
    "last": "#6db8e6 #7cc6ec #ffe600",
    "accent": "#05391a #b9ffc6 #006b1f",
    "hint": "#4a0d78 #f2d6ff #7a00b8",
}

_WOOD = {
    **_ON_WOOD,
    "ground": "#5b3a21 #2a1c12 #000000",
    "square": "#ecd3a4 #967450 #ffffff",
    "square-alt": "#b07d4b #5d4029 #b4b4b4",
    "line": "#5b3a21 #2a1c12 #000000",
    "label": "#f3e2c4 #d8c3a3 #ffffff",
    "text": "#2b1a0a #ffffff #000000",
    "neutral": "#7d4a22 #3a281a #555555",
    "neutral-edge": "#3a2a1c #e0c8a4 #000000",
}

_GOBAN = {
    **_ON_WOOD,
    "ground": "#e2b766 #7a5829 #ffffff",
    "square": "#e2b766 #7a5829 #ffffff",
    "line": "#5a4016 #2a1c0a #000000",
    "label": "#5a4016 #f3dcb0 #000000",
    "text": "#2b2010 #fff3dc #000000",
    "accent": "#0a6e33 #b9ffc6 #006b1f",  # not darker, or it vanishes beside black stones
    "last": "#1f6fb0 #7fd0ff #ffe600",
}

#: The table of looks, by name.
PALETTE: Mapping[str, GameLook] = {
    "plain": GameLook(),
    "wood": GameLook("field", "disc", "grooved", {**_sides("ivory", "ebony"), **_WOOD}),
    "draughts": GameLook("field", "grooved", "disc", {**_sides("ebony", "ivory"), **_WOOD}),
    "goban": GameLook("crossing", "stone", "grooved", {**_sides("black", "white"), **_GOBAN}),
    "points": GameLook("square", "disc", "grooved", {**_sides("ivory", "ebony"), **_GOBAN}),
    "rack": GameLook(
        "hole",
        "disc",
        "grooved",
        {
            **_sides("yellow", "red"),
            "ground": "#2257b8 #1c428a #003399",
            "square": "#eef2fb #101a2e #ffffff",
            "line": "#143a80 #0c2456 #000000",
            "label": "#ffffff #dfe8ff #ffffff",
            "accent": "#05391a #b9ffc6 #006b1f",
            "last": "#5cc8ff #2c62b0 #5cc8ff",
        },
    ),
    "felt": GameLook(
        "field",
        "disc",
        "grooved",
        {
            **_sides("black", "white"),
            **_ON_WOOD,
            "ground": "#3b2a1e #1c1511 #ffffff",
            "square": "#3f9a63 #2f7449 #ffffff",
            "square-alt": "#3f9a63 #2f7449 #ffffff",
            "line": "#1f5c38 #14402a #000000",
            "label": "#f0e6d6 #d8cbb8 #000000",
            "text": "#0c2416 #ffffff #000000",
            "last": "#f2d25c #b8a13a #ffe600",
            "accent": "#06331a #b8ffc8 #006b1f",
            "hint": "#4a0f78 #f0d0ff #7a00b8",
            "neutral": "#f3dfae #f3dfae #555555",
            "neutral-edge": "#4a3410 #4a3410 #000000",
        },
    ),
    "paper": GameLook(
        "field",
        "cross",
        "ring",
        {
            **_sides("pen", "pencil"),
            "ground": "#fbfaf3 #20242b #ffffff",
            "square": "#fbfaf3 #20242b #ffffff",
            "square-alt": "#fbfaf3 #20242b #ffffff",
            "line": "#9db4cf #5a6f8a #000000",
            "label": "#56616e #aab6c4 #000000",
            "neutral": "#2b3a4e #dfe8f4 #000000",
            "neutral-edge": "#2b3a4e #dfe8f4 #000000",
        },
    ),
    "walls": GameLook(
        "square",
        "pawn",
        "pawn",
        {
            **_sides("ivory", "ebony"),
            **_ON_WOOD,
            "ground": "#6f2f22 #2a1512 #000000",
            "square": "#c08f7e #7c4f44 #ffffff",
            "square-alt": "#c08f7e #7c4f44 #ffffff",
            "line": "#4e1f16 #180b09 #000000",
            "label": "#f7e4da #e6cdc2 #ffffff",
            "neutral": "#f6d98c #f0cf7a #ffe600",
            "neutral-edge": "#f6d98c #f0cf7a #ffe600",
        },
    ),
    "tiles": GameLook(
        "field",
        "lion",
        "lion",
        {
            **_sides("ivory", "ebony"),
            **_ON_WOOD,
            "last": "#7fb2ec #2c5a94 #ffe600",
            "ground": "#6f9f6a #2c4a30 #ffffff",
            "square": "#cfe3b0 #5a7d55 #ffffff",
            "square-alt": "#cfe3b0 #5a7d55 #ffffff",
            "line": "#4f7a4a #1f3823 #000000",
            "label": "#16301a #e4f2dc #000000",
            "text": "#16301a #ffffff #000000",
        },
    ),
    "hexes": GameLook(
        "square",
        "disc",
        "ring",
        {
            **_sides("coral", "navy"),
            "ground": "#d9dce1 #181c21 #ffffff",
            "square": "#f6f4ee #343a42 #ffffff",
            "line": "#9aa0a8 #5d656f #000000",
            "label": "#2b3036 #d0d6dd #000000",
        },
    ),
    "pits": GameLook(
        "square",
        "seed",
        "seed",
        {
            **_sides("ivory", "ebony"),
            **_ON_WOOD,
            "ground": "#c99a63 #5a3e25 #ffffff",
            "square": "#a5764a #6b4a2c #ffffff",
            "line": "#5b3a1c #2a1a0c #000000",
            "label": "#2e1c0a #f3e2c4 #000000",
            "text": "#1a0d04 #ffffff #000000",
        },
    ),
    "pegs": GameLook(
        "hole",
        "disc",
        "grooved",
        {
            **_sides("white", "black"),
            **_ON_WOOD,
            "ground": "#a8442f #5e2619 #ffffff",
            "square": "#d98f79 #8a4736 #ffffff",
            "text": "#2b0f08 #ffffff #000000",
            "line": "#6e2314 #2e0f08 #000000",
            "label": "#ffffff #f3d8cf #000000",
            "last": "#ffe08a #d8b04a #ffe600",
        },
    ),
    "solids": GameLook(
        "hole",
        "disc",
        "ring",
        {
            **_sides("ivory", "ebony"),
            **_ON_WOOD,
            "ground": "#8a5a34 #3f2a1a #ffffff",
            "square": "#b98452 #6b4a2c #ffffff",
            "line": "#54341a #1e130a #000000",
            "label": "#fff3dc #f0dcc0 #000000",
            "text": "#2b1a0a #fff3dc #000000",
        },
    ),
    "chocolate": GameLook(
        "square",
        "disc",
        "ring",
        {
            **_ON_WOOD,
            "ground": "#e9dccb #2a211b #ffffff",
            "square": "#f4ece0 #3a2e26 #ffffff",
            "square-alt": "#f4ece0 #3a2e26 #ffffff",
            "line": "#c9b59c #57463a #000000",
            "label": "#5c4632 #d8c6b4 #000000",
            "neutral": "#5a3219 #a8703f #555555",
            "neutral-edge": "#33190a #e0b48c #000000",
        },
    ),
    "mat": GameLook(
        "field",
        "pawn",
        "pawn",
        {
            **_sides("red", "blue"),
            **_ON_WOOD,
            "last": "#7fb2ec #24365e #ffe600",
            "ground": "#8f9a5c #2c331c #ffffff",
            "square": "#e6e3b4 #5b6340 #ffffff",
            "square-alt": "#dbd8a4 #535b3a #ffffff",
            "line": "#8f9a5c #2c331c #000000",
            "label": "#1f2610 #e6ecc8 #000000",
            "text": "#1f2610 #ffffff #000000",
            "neutral": "#4b5a1e #dbe6a8 #000000",
            "neutral-edge": "#2c3610 #f3fbd0 #000000",
        },
    ),
}

#: Looks of games that name none, by the geometry of the board.
_BY_GEOMETRY: Mapping[type[Geometry], str] = {
    Grooves: "walls",
    Hex: "hexes",
    Hexagon: "hexes",
    Points: "points",
    Pits: "pits",
    Edges: "paper",
}
#: Drawings of pieces that stand on a chequered board.
_CHESSMEN = frozenset(("pawn", "rook", "knight", "bishop", "queen", "king", "crowned"))


@functools.lru_cache(maxsize=256)
def look_of(game: Game) -> str:
    """Returns the name of a game's look."""
    geometry = type(game.board.main)
    if game.look or geometry in _BY_GEOMETRY:
        return game.look or _BY_GEOMETRY[geometry]
    return "wood" if any(piece.picture in _CHESSMEN for piece in game.pieces) else "plain"


def look_class(look: str) -> str:
    """Returns the class name of boards with a look, after a space; empty for a plain look."""
    return "" if look == "plain" else f" look-{look}"


def look_colours(look: str, theme: int) -> dict[str, str]:
    """Returns the colours of a look in a theme, given by its place: 0 light, 1 dark, 2 contrast."""
    return {name: values.split()[theme] for name, values in PALETTE[look].colours.items()}
