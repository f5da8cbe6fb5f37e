"""The overlay of the analysis board: the engine's best moves in one picture."""

from __future__ import annotations

from collections.abc import Sequence

from papan.core.game import Position
from papan.figures.board import Layout, middle_of, pointer
from papan.figures.highlights import puts, squares_of
from papan.figures.palette import look_class
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, classes, drawing, element
from papan.web.analysis.explain import ShownLine

#: Classes of the marked moves: best, second, third.
CHOICES = 3


#: Radius of the ring around a place, in the picture's units.
_RADIUS = 0.42 * SQUARE


def layer(position: Position, lines: Sequence[ShownLine], *, coordinates: bool) -> Markup:
    """Returns the picture of the overlay.

    Args:
        position: the shown position.
        lines: the engine's lines, best first; the first moves of some are marked.
        coordinates: true if the board has a margin with coordinates.
    """
    layout = Layout.of(position.game, coordinates)
    moves = [line.moves[0] for line in lines[:CHOICES] if line.moves]
    marks = [_choice(position, layout, move, rank) for rank, move in enumerate(moves, start=1)]
    name = f"papan-board over{look_class(layout.look)}"
    return drawing(name, (layout.width, layout.height), *marks[::-1], title="")


def _choice(position: Position, layout: Layout, move: str, rank: int) -> Markup:
    """Returns the mark of one of the best moves: an arrow, or a ring for moves with one place."""
    name = f"choice-{rank}"
    squares = squares_of(position, move)
    if len(squares) > 1 and squares[0] != squares[-1]:
        return pointer(layout, squares[0], squares[-1], name)
    if not squares and move in position.moves():
        squares = puts(position, position.game.read_move(move, position.state))
    rings = [
        element("circle", class_="ring", cx=x, cy=y, r=_RADIUS)
        for x, y in (middle_of(layout, square) for square in squares[:1])
    ]
    return element("g", *rings, class_=classes("choice", name), data_choice=str(rank))
