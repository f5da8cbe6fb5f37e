"""Corners on a small board: the first side with all pieces in the opposite corner wins.

papan tablebase benchmarks/games/small_corners.py:size=4,row=2

A piece steps to an adjacent empty square, or makes one or several jumps, as in Corners. Positions
may recur without limit.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    Grid,
    bit,
    helper,
    popcount,
    subset_at,
    subset_count,
    subset_number,
)


class State(NamedTuple):
    """A position; `mine` are the pieces of the side to move, and `goal` is its goal."""

    mine: Bits
    theirs: Bits
    side: int
    board: Bits
    goal: Bits
    their_goal: Bits


@helper
def jumps(pieces: Bits, others: Bits, free: Bits) -> Bits:
    """Returns the free squares that `pieces` can reach with one jump over `others`."""
    found = ((pieces << 1 & others) << 1) | ((pieces >> 1 & others) >> 1)
    return (found | ((pieces << 8 & others) << 8) | ((pieces >> 8 & others) >> 8)) & free


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    return rules.from_to(state, NONE if state.theirs == state.their_goal else state.mine)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    piece = bit(source)
    others = (state.mine | state.theirs) & ~piece
    free = state.board & ~others
    found, new = NONE, piece
    while new != NONE:
        new = jumps(new, others, free) & ~found
        found |= new
    return (found | rules.orthogonal(piece) & free) & ~piece


@rules.play.register(State)
def _(state: State, move: int) -> State:
    left, entered = rules.source_of(NONE, move), rules.target_of(NONE, move)
    mine = state.mine & ~bit(left) | bit(entered)
    return State(state.theirs, mine, 1 - state.side, state.board, state.their_goal, state.goal)


@rules.index_count.register(State)
def _(state: State) -> int:
    """Sets for `mine`, times sets for `theirs` on the other squares, times two sides to move."""
    left = state.board & ~state.mine
    mine = subset_count(state.board, popcount(state.mine))
    return 2 * mine * subset_count(left, popcount(state.theirs))


@rules.index.register(State)
def _(state: State) -> int:
    left = state.board & ~state.mine
    number = subset_number(state.mine, state.board) * subset_count(left, popcount(state.theirs))
    return 2 * (number + subset_number(state.theirs, left)) + state.side


@rules.position_of.register(State)
def _(state: State, number: int) -> State:
    pieces, side = popcount(state.mine), number & 1
    rest = subset_count(state.board & ~state.mine, pieces)
    mine = subset_at((number >> 1) // rest, pieces, state.board)
    theirs = subset_at((number >> 1) % rest, pieces, state.board & ~mine)
    if side == state.side:
        return State(mine, theirs, side, state.board, state.goal, state.their_goal)
    return State(mine, theirs, side, state.board, state.their_goal, state.goal)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN  # the other side is home, or there is no move


@dataclass(frozen=True)
class SmallCorners(rules.Game):
    """Move all pieces to the opposite corner, by steps and jumps; the first side there wins."""

    title = "Corners on a small board"
    size: int = rules.option(4, "rows and columns of the board", low=3, high=6)
    row: int = rules.option(2, "pieces along an edge of the corner", low=1, high=3)

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size)

    def start_state(self) -> State:
        """Returns the position with all pieces at home, in triangles."""
        home, goal = NONE, NONE
        for up in range(self.row):
            for along in range(self.row - up):
                home |= bit(8 * up + along)
                goal |= bit(8 * (self.size - 1 - up) + self.size - 1 - along)
        return State(home, goal, 0, self.board.mask, goal, home)
