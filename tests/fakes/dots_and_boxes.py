"""Dots and Boxes, as a user would write it: who closes a box has it, and moves again.

Dots, edges and boxes are the squares of one board: boxes have two odd coordinates, edges one.
"""

from typing import NamedTuple

import numpy as np

from papan.gamekit import (
    NONE,
    Bits,
    Game,
    Grid,
    bit,
    down,
    evaluate,
    final_value,
    helper,
    left,
    max_plies_left,
    moves,
    of_squares,
    option,
    play,
    popcount,
    right,
    turns_alternate,
    up,
    win_value,
)


class State(NamedTuple):
    """The boxes of the side to move and of the other, whose turn it is, and the edges not drawn."""

    mine: Bits
    theirs: Bits
    side: int
    free: Bits
    boxes: Bits


class Lead(NamedTuple):
    """The boxes that the side to move is ahead."""


@helper
def closed(boxes: Bits, free: Bits) -> Bits:
    """The boxes all of whose edges are drawn."""
    return boxes & ~(up(free) | down(free) | left(free) | right(free))


@helper
def lead(state: State) -> int:
    return popcount(state.mine) - popcount(state.theirs)


@moves.register(State)
def _(state: State) -> Bits:
    return state.free


@play.register(State)
def _(state: State, move: int) -> State:
    free = state.free & ~bit(move)
    new = closed(state.boxes, free) & ~(state.mine | state.theirs)
    if new != NONE:
        return State(state.mine | new, state.theirs, state.side, free, state.boxes)
    return State(state.theirs, state.mine, 1 - state.side, free, state.boxes)


@turns_alternate.register(State)
def _(state: State) -> bool:
    return False


@win_value.register(State)
def _(state: State) -> int:
    return 0


@final_value.register(State)
def _(state: State) -> int:
    return lead(state)


@evaluate.register(Lead)
def _(evaluation: Lead, state: State) -> int:
    return lead(state)


@max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free)


class DotsAndBoxes(Game):
    """Draw an edge; who closes a box has it and draws another one. Most boxes win."""

    evaluations = {"lead": Lead()}

    rows: int = option(2, "rows of boxes", low=1, high=3)
    columns: int = option(2, "columns of boxes", low=1, high=3)

    @property
    def board(self) -> Grid:
        return Grid(2 * self.rows + 1, 2 * self.columns + 1)

    def start_state(self) -> State:
        places = [divmod(square, 8) for square in self.board.squares]
        edges = [8 * row + column for row, column in places if (row + column) % 2 == 1]
        boxes = [8 * row + column for row, column in places if row % 2 == column % 2 == 1]
        return State(NONE, NONE, 0, np.uint64(of_squares(edges)), np.uint64(of_squares(boxes)))
