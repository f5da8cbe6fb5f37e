"""Isolation: two knights leave no square behind that could be entered again.

papan play examples/games/isolation.py:rows=5,columns=5
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit_like, down, helper, left, popcount, right, up


class State(NamedTuple):
    """A position: one piece each, none before it was put, and the squares not yet entered."""

    mine: Bits
    theirs: Bits
    free: Bits
    side: int


@helper
def leaps(piece: Bits) -> Bits:
    """The squares a knight's move away."""
    near = left(piece) | right(piece)
    far = left(left(piece)) | right(right(piece))
    return up(up(near)) | down(down(near)) | up(far) | down(far)


@helper
def targets(piece: Bits, free: Bits) -> Bits:
    """The squares that a piece can go to; one that is still to be put, to any."""
    return free if piece == NONE else leaps(piece) & free


@rules.moves.register(State)
def _(state: State) -> Bits:
    return targets(state.mine, state.free)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    square = bit_like(state.free, move)
    return State(state.theirs, square, state.free & ~square, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN  # who cannot move has lost


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free)


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
    """Squares to go to, own − the opponent's."""


@rules.evaluate.register(Mobility)
def _(evaluation: Mobility, state: State) -> int:
    own = popcount(targets(state.mine, state.free))
    return own - popcount(targets(state.theirs, state.free))


@dataclass(frozen=True)
class Isolation(rules.Game):
    """Put your piece on any square; from then on it moves as a knight of chess does, onto a square
    that nobody has stood on before. Who cannot move has lost."""

    evaluations = {"mobility": Mobility()}
    pieces = (
        Piece("x", "x", picture="knight"),
        Piece("o", "o", picture="knight"),
        Piece("*", name="square left behind", picture="block"),
    )
    rows: int = rules.option(7, "rows of the board", low=3, high=12)
    columns: int = rules.option(9, "columns of the board", low=3, high=12)

    @property
    def board(self) -> rules.Grid:
        return rules.Grid(self.rows, self.columns)

    def start_state(self) -> State:
        return State(self.board.empty, self.board.empty, self.board.mask, 0)
