"""Clobber: a piece captures an adjacent opposing piece; a player who cannot move loses.

papan play examples/games/clobber.py:rows=4,columns=4

Rules: Michael Albert, J. P. Grossman and Richard Nowakowski, 2001.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import WIN, Bits, Grid, bit_like, orthogonal, popcount


class State(NamedTuple):
    """A position: pieces of the side to move, pieces of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    return rules.from_to(state, state.mine & orthogonal(state.theirs))


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    return orthogonal(bit_like(state.mine, source)) & state.theirs


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source = bit_like(state.mine, rules.source_of(state.mine, move))
    target = bit_like(state.mine, rules.target_of(state.mine, move))
    return State(state.theirs & ~target, state.mine & ~source | target, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN  # a side that cannot move loses


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    """Each move captures an opposing piece, so the smaller side limits the plies."""
    return popcount(state.mine) + popcount(state.theirs) - 1


class Movable(NamedTuple):
    """Pieces that can move, own − the opponent's."""


@rules.evaluate.register(Movable)
def _(evaluation: Movable, state: State) -> int:
    own = popcount(state.mine & orthogonal(state.theirs))
    return own - popcount(state.theirs & orthogonal(state.mine))


@dataclass(frozen=True)
class Clobber(rules.Game):
    """A piece moves to an orthogonally adjacent square with an opposing piece, which it captures. A
    player who cannot move loses."""

    evaluations = {"movable": Movable()}
    look = "wood"
    side_names = ("White", "Black")
    rows: int = rules.option(5, "rows of the board", low=2, high=8)
    columns: int = rules.option(6, "columns of the board", low=2, high=8)

    @property
    def board(self) -> Grid:
        return Grid(self.rows, self.columns)

    def start_state(self) -> State:
        """x has the lower left corner a1, and the sides alternate from there."""
        board = self.board
        dark = [
            square
            for square in board.squares
            if sum(board.row_and_column(square)) % 2 == self.rows % 2
        ]
        theirs = board.of_squares(dark)
        return State(board.mask & ~theirs, theirs, 0)
