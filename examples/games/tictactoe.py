"""Tic-tac-toe: three in a row win.

papan play examples/games/tictactoe.py
"""

from typing import NamedTuple

from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    Game,
    Grid,
    bit,
    final_value,
    helper,
    max_plies_left,
    moves,
    play,
    popcount,
)

BOARD = Grid(3, 3)
SQUARES = BOARD.mask


class State(NamedTuple):
    """A position: squares of the side to move, squares of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def threes(pieces: Bits, step: int) -> Bits:
    """Returns the squares from which two steps in one direction stay in the set."""
    return pieces & (pieces >> step) & (pieces >> (2 * step))


@helper
def has_line(pieces: Bits) -> bool:
    """Returns True if three pieces are in a row. Squares are numbered in rows of eight."""
    lines = threes(pieces, 1) | threes(pieces, 7) | threes(pieces, 8) | threes(pieces, 9)
    return bool(lines != NONE)


@moves.register(State)
def _(state: State) -> Bits:
    if has_line(state.theirs):
        return NONE
    return SQUARES & ~(state.mine | state.theirs)


@play.register(State)
def _(state: State, move: int) -> State:
    return State(state.theirs, state.mine | bit(move), 1 - state.side)


@final_value.register(State)
def _(state: State) -> int:
    return -WIN if has_line(state.theirs) else 0


@max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(SQUARES) - popcount(state.mine | state.theirs)


class TicTacToe(Game):
    """Put a piece on any empty square; three in a row, a column or a diagonal win."""

    look = "paper"
    board = BOARD
    winning_row = 3

    def start_state(self) -> State:
        return State(NONE, NONE, 0)
