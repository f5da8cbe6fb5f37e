"""Othello on a 6×6 board: the second player wins by four discs (J. Feinstein, 1993).

papan solve benchmarks/games/othello6.py --position LINE

A side that cannot enclose a disc must pass. The game ends when neither side can enclose a disc. The
side with more discs wins by the difference.
"""

from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, Bits, Grid, bit, helper, popcount

GRID = Grid(6, 6)
BOARD = np.uint64(GRID.mask)
#: Squares with neighbours on the left and on the right; squares are numbered in rows of eight.
INNER = np.uint64(0x1E1E_1E1E_1E1E)
CORNERS = bit(0) | bit(5) | bit(40) | bit(45)
CENTRE = bit(18) | bit(19) | bit(26) | bit(27)
START_X = bit(18) | bit(27)

#: Number of the pass: a square in the centre, which is never empty.
PASS = 27
#: Maximum number of discs between two others.
LONGEST = 4
#: Weight of a corner in the move order, in replies of the other side.
CORNER = 4


class State(NamedTuple):
    """A position; `mine` are the discs of the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def behind(mine: Bits, row: Bits, step: int) -> Bits:
    """Returns the squares behind the lines of discs of `row` that start next to `mine`."""
    forth, back = row & (mine << step), row & (mine >> step)
    for _ in range(LONGEST - 1):
        forth |= row & (forth << step)
        back |= row & (back >> step)
    return (forth << step) | (back >> step)


@helper
def placements(mine: Bits, theirs: Bits) -> Bits:
    """Returns the empty squares on which a new disc encloses opposing discs."""
    inner = theirs & INNER
    found = behind(mine, theirs, 8) | behind(mine, inner, 1)
    found |= behind(mine, inner, 7) | behind(mine, inner, 9)
    return found & BOARD & ~(mine | theirs)


@helper
def enclosed(disc: Bits, mine: Bits, row: Bits, step: int) -> Bits:
    """Returns the discs of `row` between a new disc and `mine`, in both directions of `step`."""
    forth, back = row & (disc << step), row & (disc >> step)
    for _ in range(LONGEST - 1):
        forth |= row & (forth << step)
        back |= row & (back >> step)
    turned = NONE
    if mine & (forth << step) != NONE:
        turned |= forth
    if mine & (back >> step) != NONE:
        turned |= back
    return turned


@helper
def after(state: State, move: int) -> State:
    """Returns the position after a move."""
    if move == PASS:
        return State(state.theirs, state.mine, 1 - state.side)
    disc, inner = bit(move), state.theirs & INNER
    turned = enclosed(disc, state.mine, state.theirs, 8) | enclosed(disc, state.mine, inner, 1)
    turned |= enclosed(disc, state.mine, inner, 7) | enclosed(disc, state.mine, inner, 9)
    return State(state.theirs & ~turned, state.mine | disc | turned, 1 - state.side)


@rules.moves.register(State)
def _(state: State) -> Bits:
    found = placements(state.mine, state.theirs)
    if found == NONE and placements(state.theirs, state.mine) != NONE:
        return bit(PASS)
    return found


@rules.play.register(State)
def _(state: State, move: int) -> State:
    return after(state, move)


@rules.final_value.register(State)
def _(state: State) -> int:
    return popcount(state.mine) - popcount(state.theirs)


@rules.win_value.register(State)
def _(state: State) -> int:
    """0, because the value of a win is its margin."""
    return 0


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    """Two plies for each empty square, because no two passes are in succession."""
    return 2 * popcount(BOARD & ~(state.mine | state.theirs))


@rules.exact_key.register(State)
def _(state: State) -> tuple[np.uint64, np.uint64]:
    """The discs alone: the value does not depend on which side is `x`."""
    return state.mine, state.theirs


@rules.solving_hint.register(State)
def _(state: State, move: int) -> int:
    """Corners first, then moves that leave the opponent few replies."""
    below = after(state, move)
    corner = popcount(bit(move) & CORNERS) if move != PASS else 0
    return CORNER * corner - popcount(placements(below.mine, below.theirs))


@rules.symmetry_count.register(State)
def _(state: State) -> int:
    return 8


@rules.transform.register(State)
def _(state: State, index: int) -> State:
    mine, theirs = state.mine, state.theirs
    return State(
        rules.transformed(mine, index, 6, 6), rules.transformed(theirs, index, 6, 6), state.side
    )


@rules.transform_move.register(State)
def _(state: State, move: int, index: int) -> int:
    if move == PASS:
        return PASS
    return rules.lowest(rules.transformed(bit(move), index, 6, 6))


class Mobility(NamedTuple):
    """Legal moves and occupied corners: own minus the opponent's."""

    corner: int  # value of a corner in moves


@rules.evaluate.register(Mobility)
def _(evaluation: Mobility, state: State) -> int:
    choice = popcount(placements(state.mine, state.theirs))
    choice -= popcount(placements(state.theirs, state.mine))
    held = popcount(state.mine & CORNERS) - popcount(state.theirs & CORNERS)
    return choice + evaluation.corner * held


class Othello6(rules.Game):
    """Put a disc on the board so that it encloses opposing discs in a line, in any of the eight
    directions; enclosed discs change sides. A side without such a move passes. More discs win."""

    title = "Othello 6×6"
    board = GRID
    words = ("pass",)
    evaluations = {"mobility": Mobility(corner=8)}

    def start_state(self) -> State:
        return State(START_X, CENTRE & ~START_X, 0)

    def allows(self, state: State) -> bool:
        """True if the four squares in the centre have discs, as in every position of a game."""
        return bool(CENTRE & ~(state.mine | state.theirs) == NONE)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return ("pass",) if move == PASS else (move,)
