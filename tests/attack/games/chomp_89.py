"""Chomp: bite into a bar of chocolate, and leave the poisoned square to the other side.

papan play chomp:rows=3,columns=5

By David Gale (1974), after Fred Schuh's game of divisors. The first player wins on every bar but
1 × 1, as is easily proved; but how, nobody knows in general: `papan solve` finds it.
"""
from dataclasses import dataclass
from typing import NamedTuple
import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, Piece, bit, down, helper, option, popcount, right

class State(NamedTuple):
    """A position: the squares that are left, that of them which is poisoned, whose turn it is."""
    left: Bits
    poison: Bits
    side: int

@helper
def bitten(square: Bits) -> Bits:
    """A square and all that are to the right of it, below it, or both."""
    for _ in range(7):
        square |= right(square) | down(square)
    return square
BITTEN = rules.table(bitten)

@rules.moves.register(State)
def _(state: State) -> Bits:
    return state.left

@rules.play.register(State)
def _(state: State, move: int) -> State:
    left = state.left & ~BITTEN[move]
    return State(left, state.poison & left, 1 - state.side)

@rules.final_value.register(State)
def _(state: State) -> int:
    return WIN

@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.left)

@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    """Small bites first; the poison, which is the largest, last."""
    return -popcount(state.left & BITTEN[move])

@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    if state.left & bit(place) == NONE:
        return 0
    return

@dataclass(frozen=True)
class Chomp(rules.Game):
    """Choose a square of the chocolate; it is eaten with all that is to the right of it and below
    it. Who eats the poisoned square in the top left corner loses."""
    pieces = (Piece('c', name='chocolate', picture='square'), Piece('p', name='poison', picture='cross'))
    rows: int = option(4, 'rows of chocolate', low=1, high=8)
    columns: int = option(5, 'columns of chocolate', low=1, high=8)

    @property
    def board(self) -> Grid:
        return Grid(self.rows, self.columns)

    def start_state(self) -> State:
        return State(self.board.mask, bit(0), 0)