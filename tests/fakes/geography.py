"""A token walks from square to square, to none of them twice; who cannot walk on loses."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import WIN, Bits, Grid, bit


class State(NamedTuple):
    """The token's square, the size of the board, and the side to move."""

    place: int
    rows: int
    columns: int
    side: int


@rules.moves.register(State)
def _(state: State) -> Bits:
    board = Bits(0)
    for row in range(state.rows):
        board |= (bit(state.columns) - Bits(1)) << Bits(8 * row)
    return rules.orthogonal(bit(state.place)) & board


@rules.play.register(State)
def _(state: State, move: int) -> State:
    return State(move, state.rows, state.columns, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@rules.repetition_is_forbidden.register(State)
def _(state: State) -> bool:
    return True


@rules.position_key.register(State)
def _(state: State) -> np.uint64:
    return np.uint64(state.place)


@dataclass(frozen=True)
class Geography(rules.Game):
    """Walk to a neighbouring square where the token has not been."""

    rows: int = rules.option(3, "rows", low=1, high=8)
    columns: int = rules.option(3, "columns", low=1, high=8)

    @property
    def board(self) -> Grid:
        return Grid(self.rows, self.columns)

    def start_state(self) -> State:
        return State(0, self.rows, self.columns, 0)
