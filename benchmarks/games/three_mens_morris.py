"""Three Men's Morris: each side places three pieces, then moves them; three in a row win.

papan tablebase benchmarks/games/three_mens_morris.py

A piece moves to an adjacent empty point, along a row, a column or a long diagonal, so positions can
recur.
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit, helper, lowest, popcount

BOARD = Grid(3, 3)
POINTS = BOARD.mask
#: Points on a diagonal through the centre: squares are numbered in rows of eight.
CORNERS_AND_CENTRE = bit(0) | bit(2) | bit(9) | bit(16) | bit(18)
#: Pieces of a side.
MEN = 3


class State(NamedTuple):
    """A position; `mine` are the pieces of the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def has_row(pieces: Bits) -> bool:
    """Returns whether three pieces are in a row."""
    found = NONE
    for step in (1, 7, 8, 9):
        found |= pieces & (pieces >> step) & (pieces >> (2 * step))
    return bool(found != NONE)


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    """A move that places a piece has its point as source and as target."""
    empty = POINTS & ~(state.mine | state.theirs)
    sources = empty if popcount(state.mine) < MEN else state.mine
    return rules.from_to(state, NONE if has_row(state.theirs) else sources)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    point = bit(source)
    if popcount(state.mine) < MEN:
        return point
    beside = rules.orthogonal(point)
    if point & CORNERS_AND_CENTRE != NONE:
        beside |= rules.surrounding(point) & CORNERS_AND_CENTRE
    return beside & POINTS & ~(state.mine | state.theirs)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    left, entered = rules.source_of(NONE, move), rules.target_of(NONE, move)
    return State(state.theirs, state.mine & ~bit(left) | bit(entered), 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN  # a row, or no move


@rules.symmetry_count.register(State)
def _(state: State) -> int:
    return 8


@rules.transform.register(State)
def _(state: State, index: int) -> State:
    mine, theirs = state.mine, state.theirs
    return State(
        rules.transformed(mine, index, 3, 3), rules.transformed(theirs, index, 3, 3), state.side
    )


@rules.transform_move.register(State)
def _(state: State, move: int, index: int) -> int:
    left, entered = bit(rules.source_of(NONE, move)), bit(rules.target_of(NONE, move))
    return rules.from_to_move(
        NONE,
        lowest(rules.transformed(left, index, 3, 3)),
        lowest(rules.transformed(entered, index, 3, 3)),
    )


class ThreeMensMorris(rules.Game):
    """Each side places three pieces on the points and then moves them along the lines to adjacent
    points. Three in a row win; a side that cannot move loses."""

    title = "Three Men's Morris"
    board = BOARD

    def start_state(self) -> State:
        return State(NONE, NONE, 0)
