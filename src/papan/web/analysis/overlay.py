"""The layer over the analysis board: the engine's choices, and what each legal move is worth.

It is one picture of the same extent as the board. A value stands on the place that is touched next
to make the move; where several moves go on there, it is that of the best of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.board import Layout, middle_of, pointer
from papan.figures.highlights import puts, squares_of
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, classes, drawing, element
from papan.figures.values import MoveValue, value_boxes
from papan.web.analysis.explain import ShownLine

#: The engine's choices that are marked: the first, the second, the third.
CHOICES = 3


#: Radius of the ring around a place, in the picture's units.
_RADIUS = 0.42 * SQUARE


def layer(
    begun: Partial,
    values: Mapping[str, MoveValue],
    lines: Sequence[ShownLine],
    *,
    coordinates: bool,
) -> Markup:
    """The picture of a layer.

    Args:
        begun: the move that is being made.
        values: of each legal move, as far as they are known.
        lines: the engine's, the best one first; the first moves of some are marked.
        coordinates: whether the board has a margin with coordinates.
    """
    layout = Layout(begun.position.game.board, coordinates)
    moves = [line.moves[0] for line in lines[:CHOICES] if line.moves]
    parts = [] if begun.steps else [
        _choice(begun.position, layout, move, rank) for rank, move in enumerate(moves, start=1)
    ][::-1]  # fmt: skip
    parts += value_boxes(layout, begun, values)
    return drawing("papan-board over", (layout.width, layout.height), *parts, title="")


def _choice(position: Position, layout: Layout, move: str, rank: int) -> Markup:
    """The mark of one of the engine's choices: an arrow, or a ring where the move is one place."""
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
