"""Hex: x connects the upper and lower edge, o the left and right edge.

papan play hex:size=5,swap=yes    (rules: Piet Hein, 1942)
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, bit_like, down, helper, hexagonal, left, popcount, up


class State(NamedTuple):
    """A position with the size of the board."""

    mine: Bits
    theirs: Bits
    free: Bits  # cells where stones can be put; empty after the end of the game
    linked: Bits  # own stones that are connected to the first edge (see `linked_stones`)
    theirs_linked: Bits
    side: int
    size: int
    offer: int  # 2 before the first stone if the swap rule applies, then 1 for one move


@helper
def joined(start: Bits, stones: Bits) -> Bits:
    """Returns the start and all stones that are connected to it."""
    while hexagonal(start) & stones & ~start != NONE:
        start |= hexagonal(start) & stones
    return start


@helper
def edges(state: State, side: int) -> tuple[Bits, Bits]:
    """Returns the two edges that a side has to connect."""
    board = state.mine | state.theirs | state.free
    across = board & ~rules.right(board), board & ~left(board)
    return across if side else (board & ~down(board), board & ~up(board))


@helper
def linked_stones(state: State, stones: Bits, side: int, free: int) -> Bits:
    """Returns the stones of a side that are connected to its first edge, after its move that left
    `free` cells; none before `fewest` is reached."""
    first, _ = edges(state, side)
    return joined(first & stones, stones) if free <= fewest(state) else stones & NONE


@helper
def fewest(state: State) -> int:
    """Returns the number of free cells from which on a chain may be long enough."""
    return (state.size - 1) ** 2


@helper
def swap_move(state: State) -> int:
    """Returns the number of the swap move: one above the numbers of the cells."""
    return state.size + (state.size - 1) * (8 if state.size < 8 else state.size + 1)


@rules.moves.register(State)
def _(state: State) -> Bits:
    return state.free | bit_like(state.free, swap_move(state)) if state.offer == 1 else state.free


@rules.play.register(State)
def _(state: State, move: int) -> State:
    stone = bit_like(state.free, move)
    theirs = state.theirs
    if state.offer > 0:
        if move == swap_move(state):  # mirrored, the stone is to oneself what it was to them
            stone = rules.transpose(theirs)
            theirs = theirs & NONE
        free = (state.theirs | state.free) & ~(stone | theirs)
        none = free & NONE
        return State(theirs, stone, free, none, none, 1 - state.side, state.size, state.offer - 1)
    mine, free, linked = state.mine | stone, state.free & ~stone, state.linked
    if popcount(free) <= fewest(state):
        first, last = edges(state, state.side)
        if linked == NONE:
            linked = joined(first & mine, mine)
        elif hexagonal(stone) & linked | stone & first != NONE:
            linked = joined(linked | stone, mine)
        if linked & last != NONE:
            free &= NONE
    side = 1 - state.side
    return State(state.theirs, mine, free, state.theirs_linked, linked, side, state.size, 0)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free) + state.offer


class Distance(NamedTuple):
    """Number of stones that a side needs to connect its edges, the opponent's − own."""


@helper
def lacking(stones: Bits, state: State, side: int) -> int:
    """Returns the minimum number of stones that connect a side's edges."""
    first, last = edges(state, side)
    count = 0
    reached = joined(first & stones, stones)
    while reached & last == NONE:
        reached = joined(reached | (hexagonal(reached) | first) & state.free, stones)
        count += 1
    return count


@rules.evaluate.register(Distance)
def _(evaluation: Distance, state: State) -> int:
    return lacking(state.theirs, state, 1 - state.side) - lacking(state.mine, state, state.side)


@dataclass(frozen=True)
class Hex(rules.Game):
    """Put a stone on any free cell. x wins with a chain from the upper to the lower edge, o with
    one from the left to the right edge. With the swap rule, o's first move may take over x's stone:
    it becomes o's and is mirrored, so that its position for o is the same as it was for x."""

    side_names = ("Red", "Blue")
    words = ("swap",)
    evaluations = {"distance": Distance()}
    derived = ("free", "linked", "theirs_linked", "offer")
    size: int = rules.option(11, "option.size", low=3, high=19)
    swap: bool = rules.option(False, "the second player may take over the first stone")

    @property
    def board(self) -> rules.Hex:
        return rules.Hex(self.size, self.size, owned=True, spare=True)

    def start_state(self) -> State:
        none = self.board.empty
        return State(none, none, self.board.mask, none, none, 0, self.size, 2 * self.swap)

    def completed(self, state: State) -> State:
        stones = state.mine | state.theirs
        free = self.board.mask & ~stones
        state = state._replace(free=free)
        # The side to move made its last move when one more cell was free.
        linked = linked_stones(state, state.mine, state.side, popcount(free) + 1)
        other = linked_stones(state, state.theirs, 1 - state.side, popcount(free))
        if other & edges(state, 1 - state.side)[1]:
            free &= NONE
        offer = 2 - popcount(stones) if self.swap and popcount(stones) == state.side else 0
        return state._replace(free=free, linked=linked, theirs_linked=other, offer=offer)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return (move,) if self.board.has(move) else ("swap",)
