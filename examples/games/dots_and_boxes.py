"""Dots and Boxes: draw a line between two dots; a player who closes a box owns it and moves again.

papan play dots_and_boxes:rows=2,columns=2

By Édouard Lucas, "L'arithmétique amusante", 1895.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, Bits, Edges, Piece, bit, bit_like, helper, option, popcount


class State(NamedTuple):
    """A position: the drawn edges, the boxes of the side to move and of the other side, the side to
    move, and the size of the board."""

    drawn: Bits
    mine: Bits
    theirs: Bits
    side: int
    rows: int
    columns: int


@helper
def counts(state: State) -> tuple[int, int]:
    """Returns the numbers of horizontal and vertical edges: places are in this order, boxes
    last."""
    return (state.rows + 1) * state.columns, state.rows * (state.columns + 1)


@helper
def closed(state: State, drawn: Bits) -> Bits:
    """Returns the boxes whose edges are all drawn; all boxes of a row are computed together."""
    lying, upright = counts(state)
    columns = state.columns
    boxes_closed = drawn & NONE
    for row in range(state.rows):
        above = drawn >> row * columns
        beside = drawn >> lying + row * (columns + 1)
        boxes = above & (above >> columns) & beside & (beside >> 1)
        boxes &= bit_like(drawn, columns) - bit(0)
        boxes_closed |= boxes << lying + upright + row * columns
    return boxes_closed


@rules.moves.register(State)
def _(state: State) -> Bits:
    lying, upright = counts(state)
    return (bit_like(state.drawn, lying + upright) - bit(0)) & ~state.drawn


@rules.play.register(State)
def _(state: State, move: int) -> State:
    drawn = state.drawn | bit_like(state.drawn, move)
    mine = state.mine
    theirs = state.theirs
    new = closed(state, drawn) & ~(mine | theirs)
    if new == NONE:
        return State(drawn, theirs, mine, 1 - state.side, state.rows, state.columns)
    return State(drawn, mine | new, theirs, state.side, state.rows, state.columns)


@rules.turns_alternate.register(State)
def _(state: State) -> bool:
    return False


@rules.win_value.register(State)
def _(state: State) -> int:
    return 0  # the value of a win is its margin


@rules.final_value.register(State)
@helper
def lead(state: State) -> int:
    """Returns the box difference from the view of the side to move."""
    return popcount(state.mine) - popcount(state.theirs)


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return sum(counts(state)) - popcount(state.drawn)


class Lead(NamedTuple):
    """Boxes, own − the opponent's."""


@rules.evaluate.register(Lead)
def _(evaluation: Lead, state: State) -> int:
    return lead(state)


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    here = bit_like(state.drawn, place)
    if (state.mine | state.theirs) & here != NONE:
        return 1 if (state.mine & here != NONE) == (state.side == 0) else 2
    return 3 if state.drawn & here != NONE else 0


@dataclass(frozen=True)
class DotsAndBoxes(rules.Game):
    """Draw a line between two neighbouring dots. A player who draws the fourth side of a box owns
    the box and must move again. When all lines are drawn, more boxes win."""

    pieces = (Piece("x", "x"), Piece("o", "o"), Piece("e", name="line", picture="M-22-4h44v8h-44z"))
    evaluations = {"lead": Lead()}
    rows: int = option(3, "rows of boxes", low=1, high=8)
    columns: int = option(3, "columns of boxes", low=1, high=8)

    @property
    def board(self) -> Edges:
        return Edges(self.rows, self.columns)

    def start_state(self) -> State:
        none = self.board.empty
        return State(none, none, none, 0, self.rows, self.columns)

    def allows(self, state: State) -> bool:
        return bool(closed(state, state.drawn) == state.mine | state.theirs)
