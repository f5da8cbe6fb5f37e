"""Corners on a small board: who first has all pieces in the opposite corner wins.

papan tablebase benchmarks/games/small_corners.py:size=4,row=2

A piece steps to an empty square beside it, or jumps over pieces, one after another, as in Corners;
positions may come again as often as the sides like.
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
    """A position: the pieces of the side to move, those of the other side, whose turn it is, the
    squares of the board, and where the side to move wants to be, and the other one."""

    mine: Bits
    theirs: Bits
    side: int
    board: Bits
    goal: Bits
    their_goal: Bits


@helper
def jumps(pieces: Bits, others: Bits, free: Bits) -> Bits:
    """The free squares behind other pieces, one jump away."""
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
    """Sets of one's own squares, of the other side's among those left, and two sides to move."""
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
    """Bring all pieces to the opposite corner, by steps and jumps; who is there first wins."""

    title = "Corners on a small board"
    size: int = rules.option(4, "rows and columns of the board", low=3, high=6)
    row: int = rules.option(2, "pieces along an edge of the corner", low=1, high=3)

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size)

    def start_state(self) -> State:
        """A corner is a triangle."""
        home, goal = NONE, NONE
        for up in range(self.row):
            for along in range(self.row - up):
                home |= bit(8 * up + along)
                goal |= bit(8 * (self.size - 1 - up) + self.size - 1 - along)
        return State(home, goal, 0, self.board.mask, goal, home)
