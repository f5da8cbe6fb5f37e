"""The Game of the Amazons: move as a queen, then shoot an arrow that closes a square for good.

papan play examples/games/amazons.py:size=6    (rules: Walter Zamkauskas, 1988)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, Piece, bit_like, helper, popcount, queen_reach

LONGEST = 35  # largest number of squares that a queen reaches on a board of 10 × 10


class State(NamedTuple):
    """A position. Squares that are neither occupied nor free have arrows."""

    mine: Bits
    theirs: Bits
    free: Bits
    side: int


@rules.moves.register(State)
def _(state: State) -> rules.FromToThen:
    return rules.from_to_then(state, state.mine)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    return queen_reach(source, ~state.free) & state.free


@rules.thirds.register(State)
def _(state: State, source: int, target: int) -> Bits:
    """An arrow may pass over the square that the amazon left, or land on it."""
    free = state.free | bit_like(state.free, source)
    return queen_reach(target, ~free) & free


@rules.draw_move.register(State)
def _(state: State, number: np.uint64) -> int:
    return rules.draw_then(state, state.mine, min(LONGEST, popcount(state.free)), number)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source, target, arrow = rules.source_target_third(state.free, move)
    left = bit_like(state.free, source)
    entered = bit_like(state.free, target)
    closed = entered | bit_like(state.free, arrow)
    free = (state.free | left) & ~closed
    return State(state.theirs, state.mine & ~left | entered, free, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN  # a side that cannot move loses


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free)


@rules.largest_move.register(State)
def _(state: State) -> int:
    return 2**30  # three places of ten bits each


@rules.most_moves.register(State)
def _(state: State) -> int:
    return 4 * LONGEST**2


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    square = bit_like(state.free, place)
    mine = 1 + state.side
    if square & state.mine != NONE:
        return mine
    if square & state.theirs != NONE:
        return 3 - mine
    return 0 if square & state.free != NONE else 3


class Mobility(NamedTuple):
    """Squares that amazons can move to, own − the opponent's."""


@helper
def ways(amazons: Bits, free: Bits) -> int:
    """Returns the total number of squares that some amazons can move to."""
    count = 0
    while amazons != NONE:
        count += popcount(queen_reach(rules.lowest(amazons), ~free) & free)
        amazons = rules.without_lowest(amazons)
    return count


@rules.evaluate.register(Mobility)
def _(evaluation: Mobility, state: State) -> int:
    return ways(state.mine, state.free) - ways(state.theirs, state.free)


@dataclass(frozen=True)
class Amazons(rules.Game):
    """An amazon moves like a chess queen. From its new square it shoots an arrow, which flies like
    a queen and blocks the square where it lands. Amazons and arrows cannot pass amazons or blocked
    squares. A player who cannot move loses."""

    evaluations = {"mobility": Mobility()}
    joints = ("-", "/")
    side_names = ("White", "Black")
    pieces = (
        *(Piece(side, side, picture="queen") for side in "xo"),
        Piece("*", name="arrow", picture="arrow"),
    )
    size: int = rules.option(10, "edge of the board", low=6, high=10)

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size)

    def start_state(self) -> State:
        board = self.board
        edge = self.size - 1
        near = (self.size - 1) // 3
        there = {(0, near), (0, edge - near), (near, 0), (near, edge)}
        theirs = board.of_squares(board.at(row, column) for row, column in there)
        mine = board.of_squares(board.at(edge - row, column) for row, column in there)
        return State(mine, theirs, board.mask & ~(mine | theirs), 0)
