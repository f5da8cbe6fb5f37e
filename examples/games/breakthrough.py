"""Breakthrough: the first player to reach the opponent's home row wins.

papan play examples/games/breakthrough.py:rows=6,columns=6    (rules: Dan Troyka, 2000)
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    Grid,
    Piece,
    bit_like,
    down,
    helper,
    left,
    popcount,
    right,
    up,
)


class State(NamedTuple):
    """A position: the pieces of both sides, all squares of the board, and the side to move."""

    mine: Bits
    theirs: Bits
    squares: Bits
    side: int


@helper
def ahead(pieces: Bits, side: int) -> Bits:
    """Returns pieces moved forward by one row: up for x, down for o."""
    return up(pieces) if side == 0 else down(pieces)


@rules.is_over.register(State)
def _(state: State) -> bool:
    """The game is over if the opponent reached the home row or captured everything."""
    home = state.squares & ~ahead(state.squares, state.side)
    return bool(state.theirs & home != NONE or state.mine == NONE)


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    return rules.from_to(state, NONE if rules.is_over(state) else state.mine)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    front = ahead(bit_like(state.mine, source), state.side) & state.squares
    aslant = (left(front) | right(front)) & state.squares
    return (front & ~state.theirs | aslant) & ~state.mine


@rules.count_moves.register(State)
def _(state: State) -> int:
    if rules.is_over(state):
        return 0
    front = ahead(state.mine, state.side) & state.squares
    count = popcount(front & ~state.theirs & ~state.mine)
    count += popcount(left(front) & ~state.mine)
    return count + popcount(right(front) & state.squares & ~state.mine)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source = bit_like(state.mine, rules.source_of(state.mine, move))
    target = bit_like(state.mine, rules.target_of(state.mine, move))
    mine = state.mine & ~source | target
    return State(state.theirs & ~target, mine, state.squares, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@helper
def steps_left(pieces: Bits, side: int, squares: Bits) -> int:
    """Returns the total number of rows between pieces and their last row."""
    count = 0
    while pieces != NONE:
        pieces = ahead(pieces, side) & squares
        count += popcount(pieces)
    return count


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    own = steps_left(state.mine, state.side, state.squares)
    return own + steps_left(state.theirs, 1 - state.side, state.squares)


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    return popcount(bit_like(state.mine, rules.target_of(state.mine, move)) & state.theirs)


class Advance(NamedTuple):
    """Pieces and their remaining rows, own − the opponent's."""

    piece: int  # value of a piece in rows


@rules.evaluate.register(Advance)
def _(evaluation: Advance, state: State) -> int:
    pieces = popcount(state.mine) - popcount(state.theirs)
    rows = steps_left(state.theirs, 1 - state.side, state.squares)
    return evaluation.piece * pieces + rows - steps_left(state.mine, state.side, state.squares)


@dataclass(frozen=True)
class Breakthrough(rules.Game):
    """A piece moves one square forward, straight or diagonally, onto an empty square; diagonally it
    may also capture. A player who reaches the last row or captures every opposing piece wins."""

    evaluations = {"advance": Advance(piece=12)}
    derived = ("squares",)
    pieces = Piece("x", "x", picture="pawn"), Piece("o", "o", picture="pawn")
    side_names = ("White", "Black")
    rows: int = rules.option(8, "rows of the board", low=4, high=8)
    columns: int = rules.option(8, "columns of the board", low=2, high=8)

    @property
    def board(self) -> Grid:
        return Grid(self.rows, self.columns)

    def start_state(self) -> State:
        squares = self.board.squares
        there = self.board.of_squares
        two = 2 * self.columns
        return State(there(squares[-two:]), there(squares[:two]), self.board.mask, 0)
