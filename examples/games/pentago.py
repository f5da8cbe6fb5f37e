"""Pentago: put a stone on a board of four quarters, then rotate one of them; five in a row win.

papan play pentago

By Tomas Flodén (2005). `c4-b5-left` puts a stone on c4 and rotates the quarter around b5. Rows
count after the rotation, so a move may make a row for the other side; rows of both sides are a
draw.
"""

from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit, helper, popcount

BOARD = Grid(6, 6, blocks=3)
SQUARES, QUARTER = BOARD.mask, Grid(3, 3).mask
CENTRES = bit(9) | bit(12) | bit(33) | bit(36)  # centres of the quarters: b5, e5, b2, e2
WAYS = ("left", "right")


class State(NamedTuple):
    """A position: stones of the side to move, stones of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def fives(squares: Bits, step: int) -> Bits:
    """Returns the squares from which four steps in one direction stay in the set."""
    pairs = squares & (squares >> step)
    return pairs & (pairs >> (2 * step)) & (squares >> (4 * step))


@helper
def rows(squares: Bits) -> int:
    """Returns the number of rows of five in a set. The empty columns seven and eight separate
    rows."""
    count = popcount(fives(squares, 1)) + popcount(fives(squares, 8))
    return count + popcount(fives(squares, 7)) + popcount(fives(squares, 9))


@helper
def turned(stones: Bits, centre: int, way: int) -> Bits:
    """Returns the stones after rotating a quarter to the left (1) or to the right (2)."""
    corner = centre - 9
    quarter = (stones >> corner) & QUARTER
    # Symmetry 6 reflects left-right, then exchanges rows and columns; 5 flips upside down first.
    return (stones & ~(QUARTER << corner)) | (rules.transformed(quarter, 7 - way, 3, 3) << corner)


@helper
def empty(state: State) -> Bits:
    """Returns the empty squares; none after the end of the game."""
    is_over = rows(state.mine) + rows(state.theirs) > 0
    return NONE if is_over else SQUARES & ~(state.mine | state.theirs)


@rules.moves.register(State)
def _(state: State) -> rules.FromToChoice:
    return rules.from_to_choice(state, empty(state))


@rules.draw_move.register(State)
def _(state: State, number: np.uint64) -> int:
    return rules.draw_choice(state, empty(state), 8, number)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    return CENTRES


@rules.choices.register(State)
def _(state: State, source: int, target: int) -> int:
    return len(WAYS)


@rules.largest_move.register(State)
def _(state: State) -> int:
    return 64**2 * 8 - 1


@rules.most_moves.register(State)
def _(state: State) -> int:
    return 36 * 4 * 2


@rules.play.register(State)
def _(state: State, move: int) -> State:
    square, centre, way = rules.source_target_choice(state.mine, move)
    mine = turned(state.mine | bit(square), centre, way)
    return State(turned(state.theirs, centre, way), mine, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    mine = rows(state.mine) > 0
    theirs = rows(state.theirs) > 0
    if mine == theirs:
        return 0
    return WIN if mine else -WIN


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(SQUARES) - popcount(state.mine | state.theirs)


class OpenRows(NamedTuple):
    """Rows of five squares without opposing stones, own − the opponent's."""


@rules.evaluate.register(OpenRows)
def _(evaluation: OpenRows, state: State) -> int:
    return rows(SQUARES & ~state.theirs) - rows(SQUARES & ~state.mine)


class Pentago(rules.Game):
    """Put a stone on any empty square, then rotate one of the four quarters of the board by 90°:
    select its centre and a direction. Five in a row, horizontally, vertically or diagonally, win.
    When the board is full, the game is a draw."""

    look = "pegs"
    side_names = ("White", "Black")
    board = BOARD
    winning_row = 5
    words = WAYS
    evaluations = {"open-rows": OpenRows()}

    def start_state(self) -> State:
        return State(NONE, NONE, 0)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return move >> 9, move >> 3 & 63, WAYS[(move - 1) & 1]
