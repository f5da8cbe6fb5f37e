"""Quoridor: bring your pawn across the board, or block the other pawn with walls.

papan play quoridor:size=5        Rules: Mirko Marchesi, 1997
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit_like, down, helper, left, popcount, right, up


class State(NamedTuple):
    """A position; walls are placed in the gaps between squares and on their crossings."""

    mine: Bits
    theirs: Bits
    walls: Bits
    side: int
    supply: tuple[int, ...]  # remaining walls of x and o
    squares: Bits  # all places for pawns


@helper
def goal(state: State, side: int) -> Bits:
    """Returns the row that a side wants to reach."""
    return state.squares & ~(down(down(state.squares)) if side == 0 else up(up(state.squares)))


@helper
def beside(state: State, pawns: Bits, walls: Bits) -> Bits:
    """Returns the squares that are one step away."""
    return rules.orthogonal(rules.orthogonal(pawns) & ~walls) & state.squares & ~pawns


@helper
def lead(state: State, walls: Bits) -> int:
    """Returns how many more steps the other pawn needs to its goal; 999 if a pawn is shut off."""
    mine = state.mine
    theirs = state.theirs
    count = 0
    own = goal(state, state.side)
    other = goal(state, 1 - state.side)
    while mine & own == NONE or theirs & other == NONE:
        near = beside(state, mine, walls)
        far = beside(state, theirs, walls)
        if near | far == NONE:
            return 999
        count += int(theirs & other == NONE) - int(mine & own == NONE)
        mine, theirs = mine | near, theirs | far
    return count


@helper
def wall(state: State, gap: Bits) -> Bits:
    """Returns the wall that begins in a gap, to the right or down."""
    way = 0 if gap & down(state.squares) != NONE else 2
    return gap | rules.moved(gap, way) | rules.moved(rules.moved(gap, way), way)


@helper
def crossings(state: State) -> Bits:
    """Returns the places between four squares, where the middles of walls are."""
    return right(down(state.squares & left(left(state.squares)) & up(up(state.squares))))


@helper
def candidates(state: State) -> Bits:
    """Returns the moves of the pawn, and the gaps where a wall has room."""
    walls = state.walls
    places = beside(state, state.mine, walls)
    if state.theirs & goal(state, 1 - state.side) != NONE:
        return NONE & places
    if places & state.theirs != NONE:  # straight over the other pawn if possible, else around it
        over = beside(state, state.theirs, walls)
        straight = over & ~rules.surrounding(rules.surrounding(state.mine))
        places |= over if straight == NONE else straight
    if state.supply[state.side] > 0:
        middles = crossings(state) & ~walls
        places |= left(middles & ~left(walls)) & ~walls | up(middles & ~up(walls)) & ~walls
    return places & ~(state.mine | state.theirs)


@helper
def leaves_ways(state: State, move: Bits) -> bool:
    """Returns whether both pawns can still reach their goals after a move of `candidates`.

    A wall can only shut off a pawn if two of its ends and its middle touch other walls or the edge.
    """
    if move & state.squares != NONE:
        return True
    added, near = wall(state, move), rules.orthogonal(state.walls)
    middle = added & crossings(state)
    ends = rules.orthogonal(added) & crossings(state) & ~middle
    touched = 2 - popcount(ends & ~(state.walls | near)) + popcount(middle & near)
    return touched < 2 or lead(state, state.walls | added) < 999


@rules.moves.register(State)
def _(state: State) -> Bits:
    places = candidates(state)
    gaps = places & ~state.squares
    while gaps != NONE:
        gap = bit_like(gaps, rules.lowest(gaps))
        gaps ^= gap
        if not leaves_ways(state, gap):
            places ^= gap
    return places


@rules.draw_move.register(State)
def _(state: State, number: np.uint64) -> int:
    places = candidates(state)
    move = rules.nth_square(places, rules.below(number, popcount(places))) if places != NONE else -1
    return move if move >= 0 and leaves_ways(state, bit_like(places, move)) else -1


@rules.play.register(State)
def _(state: State, move: int) -> State:
    mine = bit_like(state.mine, move)
    walls = state.walls
    supply = state.supply
    if mine & state.squares == NONE:
        supply = rules.replaced(supply, state.side, supply[state.side] - 1)
        mine, walls = state.mine, walls | wall(state, mine)
    return State(state.theirs, mine, walls, 1 - state.side, supply, state.squares)


class Lead(NamedTuple):
    """Length of the shortest way to the goal, the opponent's − own."""


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.evaluate.register(Lead)
def _(evaluation: Lead, state: State) -> int:
    return lead(state, state.walls)


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    here = bit_like(state.walls, place)
    o = state.mine if state.side else state.theirs
    pawns = popcount(here & (state.mine | state.theirs)) + popcount(here & o)
    return pawns + 3 * popcount(here & state.walls)


@dataclass(frozen=True)
class Quoridor(rules.Game):
    """Move your pawn to an adjacent square, over the other pawn if it is in the way, or put a wall
    from a gap to the right or down. A wall must not shut off a pawn. The first player to reach the
    opposite row wins. The third occurrence of a position is a draw."""

    side_names = ("White", "Black")
    pieces = (Piece("x", "x", "", "pawn"), Piece("o", "o", "", "pawn"), Piece("#", "", "", "block"))
    evaluations = {"lead": Lead()}
    derived = ("squares",)
    size: int = rules.option(9, "option.size", low=5, high=9)

    @property
    def board(self) -> rules.Grooves:
        return rules.Grooves(2 * self.size - 1, 2 * self.size - 1)

    def start_state(self) -> State:
        board, even = self.board, range(0, 2 * self.size, 2)
        squares = board.of_squares(board.at(row, column) for row in even for column in even)
        x, o = (bit_like(squares, board.at(row, self.size // 2 * 2)) for row in (even[-1], 0))
        return State(x, o, board.empty, 0, (self.size**2 // 8,) * 2, squares)
