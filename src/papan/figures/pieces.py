"""The shapes of pieces: each side's differ, so that nobody needs the colours to tell them apart.

A shape fills a square of 60 × 60 around its middle, with a radius of about 20.
"""

from __future__ import annotations

from papan.figures.svg import Markup, element

#: The outlines of filled shapes, as SVG paths around (0, 0). Two circles make a ring.
_PATHS = {
    "disc": "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z",
    "ring": (
        "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z"
        "M-9.5 0A9.5 9.5 0 1 0 9.5 0A9.5 9.5 0 1 0 -9.5 0Z"
    ),
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

#: Their names, in the order in which to offer them.
SHAPES = tuple(_PATHS)


def piece(side: str, shape: str, x: float = 0, y: float = 0, scale: float = 1) -> Markup:
    """A piece of a side (`x` or `o`) with its middle at (x, y)."""
    size = "" if scale == 1 else f" scale({scale:g})"
    body = element("path", class_="body", d=_PATHS[shape], fill_rule="evenodd")
    return element("g", body, class_=f"piece {side}", transform=f"translate({x:g} {y:g}){size}")


def sample(side: str, shape: str) -> Markup:
    """A picture of one piece alone, for choosing among shapes; it is for the eye only."""
    return element(
        "svg",
        piece(side, shape, 30, 30),
        class_="papan-board papan-piece",
        viewBox="0 0 60 60",
        aria_hidden="true",
    )
