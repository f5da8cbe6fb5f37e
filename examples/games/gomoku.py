"""Gomoku: five of one's own stones in a row win; more than five do as well.

papan play examples/games/gomoku.py:size=9,row=4

The rules read as on a small board, though a set of 15 × 15 squares takes four words.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.errors import InvalidPosition
from papan.gamekit import NONE, WIN, Bits, Grid, bit_like, down, helper, left, popcount, right


class Stones(NamedTuple):
    """A position as it is written: the stones of the side to move, and the other side's."""

    mine: Bits
    theirs: Bits
    side: int


class State(NamedTuple):
    """A position as it is searched; size and row are those of the game."""

    mine: Bits
    theirs: Bits
    empty: Bits
    side: int
    size: int
    row: int


@helper
def rows_of(stones: Bits, length: int) -> tuple[Bits, Bits, Bits, Bits]:
    """The last squares of rows of stones: across, upright, on one diagonal, on the other."""
    across = upright = falling = rising = stones
    for _ in range(length - 1):
        across &= right(across)
        upright &= down(upright)
        falling &= down(right(falling))
        rising &= down(left(rising))
    return across, upright, falling, rising


@helper
def has_row(stones: Bits, length: int) -> bool:
    """True if so many stones, or more, stand in a row."""
    across, upright, falling, rising = rows_of(stones, length)
    return bool(across | upright | falling | rising != NONE)


@rules.moves.register(State)
def _(state: State) -> Bits:
    return NONE if has_row(state.theirs, state.row) else state.empty


@rules.play.register(State)
def _(state: State, move: int) -> State:
    stone = bit_like(state.empty, move)
    mine, empty = state.mine | stone, state.empty & ~stone
    return State(state.theirs, mine, empty, 1 - state.side, state.size, state.row)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN if has_row(state.theirs, state.row) else 0


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.empty)


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    """Squares beside stones first."""
    return popcount(rules.surrounding(bit_like(state.empty, move)) & ~state.empty)


@rules.symmetry_count.register(State)
def _(state: State) -> int:
    return 8


@helper
def image(squares: Bits, state: State, index: int) -> Bits:
    """A set of squares under a symmetry of the board."""
    return rules.transformed(squares, index, state.size, state.size)


@rules.transform.register(State)
def _(state: State, index: int) -> State:
    mine, theirs = image(state.mine, state, index), image(state.theirs, state, index)
    empty = image(state.empty, state, index)
    return State(mine, theirs, empty, state.side, state.size, state.row)


@rules.transform_move.register(State)
def _(state: State, move: int, index: int) -> int:
    return rules.lowest(image(bit_like(state.empty, move), state, index))


class Rows(NamedTuple):
    """Rows of two stones and more, own − the opponent's; a stone more counts `factor` times."""

    factor: int


@helper
def worth(stones: Bits, row: int, factor: int) -> int:
    """The value of a side's rows."""
    total, weight = 0, 1
    for length in range(2, row):
        across, upright, falling, rising = rows_of(stones, length)
        found = popcount(across) + popcount(upright) + popcount(falling) + popcount(rising)
        total += weight * found
        weight *= factor
    return total


@rules.evaluate.register(Rows)
def _(evaluation: Rows, state: State) -> int:
    own = worth(state.mine, state.row, evaluation.factor)
    return own - worth(state.theirs, state.row, evaluation.factor)


@dataclass(frozen=True)
class Gomoku(rules.Game):
    """Put a stone on any empty square. Five in a row, across, upright or on a diagonal, win; so do
    more than five. When the board is full, the game is a draw."""

    evaluations = {"rows": Rows(factor=3)}
    size: int = rules.option(15, "option.size", low=3, high=15)
    row: int = rules.option(5, "stones in a row that win", low=3, high=6)

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size)

    def start_state(self) -> State:
        empty = self.board.empty
        return State(empty, empty, self.board.mask, 0, self.size, self.row)

    def read_state(self, line: str) -> State:
        board = self.board
        mine, theirs, side = rules.read_fields(board, Stones(board.empty, board.empty, 0), line)
        if popcount(theirs) - popcount(mine) != side or has_row(mine, self.row):
            raise InvalidPosition("position.not-allowed", text=line, game=self.title)
        return State(mine, theirs, board.mask & ~(mine | theirs), side, self.size, self.row)

    def write_state(self, state: State) -> str:
        return rules.write_fields(self.board, Stones(state.mine, state.theirs, state.side))
