"""Isolation: two knights; every entered square is closed for the rest of the game.

papan play examples/games/isolation.py:rows=5,columns=5
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit_like, down, helper, left, popcount, right, up


class State(NamedTuple):
    """A position: one piece per side (none before it is placed), and the squares not yet
    entered."""

    mine: Bits
    theirs: Bits
    free: Bits
    side: int


@helper
def leaps(piece: Bits) -> Bits:
    """Returns the squares a knight's move away."""
    near = left(piece) | right(piece)
    far = left(left(piece)) | right(right(piece))
    return up(up(near)) | down(down(near)) | up(far) | down(far)


@helper
def targets(piece: Bits, free: Bits) -> Bits:
    """Returns the targets of a piece; a piece that is not yet placed can go to any square."""
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
    return -WIN  # a side that cannot move loses


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
    """Number of possible targets, own − the opponent's."""


@rules.evaluate.register(Mobility)
def _(evaluation: Mobility, state: State) -> int:
    own = popcount(targets(state.mine, state.free))
    return own - popcount(targets(state.theirs, state.free))


@dataclass(frozen=True)
class Isolation(rules.Game):
    """Put your piece on any square; later it moves like a chess knight to a square that no piece
    has entered before. A player who cannot move loses."""

    evaluations = {"mobility": Mobility()}
    side_names = ("White", "Black")
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
