"""Chomp: bite into a bar of chocolate and leave the poisoned square to the other side.

papan play chomp:rows=3,columns=5

By David Gale (1974), after Fred Schuh's game of divisors. The first player wins on every bar except
1 × 1 by a simple proof, but the winning moves are unknown in general; `papan solve` finds them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, Piece, bit, down, helper, option, popcount, right


class State(NamedTuple):
    """A position: the remaining squares, the poisoned one of them, and the side to move."""

    left: Bits
    poison: Bits
    side: int


@helper
def bitten(square: Bits) -> Bits:
    """Returns a square and all squares to its right, below it, or both."""
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
    return WIN  # the other side ate the poison


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.left)


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    """Small bites first; the poison is the largest bite."""
    return -popcount(state.left & BITTEN[move])


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    if state.left & bit(place) == NONE:
        return 0
    return 2 if state.poison & bit(place) != NONE else 1


@dataclass(frozen=True)
class Chomp(rules.Game):
    """Choose a square of the chocolate; it is eaten with all squares to its right and below. A
    player who eats the poisoned square in the top left corner loses."""

    look = "chocolate"
    side_names = ("First", "Second")
    pieces = (
        Piece("c", name="chocolate", picture="block"),
        Piece("p", name="poison", picture="cross"),
    )
    rows: int = option(4, "rows of chocolate", low=1, high=8)
    columns: int = option(5, "columns of chocolate", low=1, high=8)

    @property
    def board(self) -> Grid:
        return Grid(self.rows, self.columns)

    def start_state(self) -> State:
        return State(self.board.mask, bit(0), 0)
