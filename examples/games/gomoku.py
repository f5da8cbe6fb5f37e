"""Gomoku: five or more of your own stones in a row win.

papan play examples/games/gomoku.py:size=19,row=6,stones=2    (Connect6, I-Chen Wu, 2005)
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit_like, down, helper, left, popcount, right


class State(NamedTuple):
    """A position; `row` and `stones` are options, `more` is the number of stones left in this
    turn."""

    mine: Bits
    theirs: Bits
    free: Bits
    side: int
    row: int
    stones: int
    more: int


@helper
def rows_of(stones: Bits, length: int) -> tuple[Bits, Bits, Bits, Bits]:
    """Returns the last squares of rows: horizontal, vertical, and on both diagonals."""
    across = upright = falling = rising = stones
    for _ in range(length - 1):
        across = across & right(across)
        upright = upright & down(upright)
        falling = falling & down(right(falling))
        rising = rising & down(left(rising))
    return across, upright, falling, rising


@rules.final_value.register(State)
@helper
def result(state: State) -> int:
    """Returns the result for the side that moved last; 0 if it has not won."""
    value, last = (-WIN, state.theirs) if state.more == state.stones else (WIN, state.mine)
    across, upright, falling, rising = rows_of(last, state.row)
    return 0 if across | upright | falling | rising == NONE else value


@rules.moves.register(State)
def _(state: State) -> Bits:
    return state.free if result(state) == 0 else NONE


@rules.play.register(State)
def _(state: State, move: int) -> State:
    mine, theirs, free, side, row, stones, more = state
    mine = mine | bit_like(free, move)
    free = free & ~bit_like(free, move)
    if more > 1:
        return State(mine, theirs, free, side, row, stones, more - 1)
    return State(theirs, mine, free, 1 - side, row, stones, stones)


@rules.turns_alternate.register(State)
def _(state: State) -> bool:
    return bool(state.stones == 1)


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free)


@rules.most_moves.register(State)
def _(state: State) -> int:
    return 19 * 19


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    return popcount(rules.surrounding(bit_like(state.free, move)) & ~state.free)


class Rows(NamedTuple):
    """Rows of two or more stones, own − the opponent's; each additional stone triples the value."""


@helper
def worth(stones: Bits, row: int) -> int:
    """Returns the value of a side's rows."""
    total = 0
    for length in range(row - 1, 1, -1):
        a, b, c, d = rows_of(stones, length)
        total = 3 * total + popcount(a) + popcount(b) + popcount(c) + popcount(d)
    return total


@rules.evaluate.register(Rows)
def _(evaluation: Rows, state: State) -> int:
    return worth(state.mine, state.row) - worth(state.theirs, state.row)


@dataclass(frozen=True)
class Gomoku(rules.Game):
    """Put a stone on any empty square. Five or more in a row, horizontally, vertically or
    diagonally, win. When the board is full, the game is a draw."""

    evaluations = {"rows": Rows()}
    derived = ("free", "more")
    look = "goban"
    side_names = ("Black", "White")
    winning_row = property(lambda self: self.row)
    size: int = rules.option(15, "option.size", low=3, high=19)
    row: int = rules.option(5, "stones in a row that win", low=3, high=6)
    stones: int = rules.option(1, "stones per turn (first turn: one)", low=1, high=2)

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size)

    def start_state(self) -> State:
        none = self.board.empty
        return State(none, none, self.board.mask, 0, self.row, self.stones, 1)

    def completed(self, state: State) -> State:
        taken = state.mine | state.theirs
        more = self.stones - (popcount(taken) - 1) % self.stones
        return state._replace(free=self.board.mask & ~taken, more=more)
