"""The rules of Corners (one-way Ugolki) on bitboards.

Forward is up and left for `x`, down and right for `o`. A forward move is one step, or a chain of
jumps over single pieces. A side steps back only if it has no forward move, with a piece in its
goal. Nine pieces in the goal win; a side without any move loses.

A move is encoded as `64 · source + target`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.rules.bits import (
    NONE,
    Bits,
    bit,
    down,
    left,
    lowest,
    nth_square,
    of_squares,
    popcount,
    right,
    transpose,
    up,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.keys import combined, zobrist_keys
from papan.rules.operations import (
    count_moves,
    final_value,
    head,
    is_over,
    key,
    more,
    moves,
    next_key,
    nth_left,
    play,
    repetition_limit,
    symmetry_count,
    tail,
    transform,
    transform_move,
    win_value,
)

TOP_LEFT = of_squares([8 * row + column for row in range(3) for column in range(3)])
BOTTOM_RIGHT = of_squares([8 * row + column for row in range(5, 8) for column in range(5, 8)])

#: A win at ply p of a search has the value WIN − p.
WIN = 10_000

#: Number of occurrences of a position that makes the game a draw.
REPETITION = 3

_PIECE = zobrist_keys("corners piece", 2, 64)
_SIDE = zobrist_keys("corners side", 1)[0]


class CornersState(NamedTuple):
    """A position of Corners; `mine` contains the pieces of the side to move."""

    mine: Bits
    theirs: Bits
    side: int


class CornersMoves(NamedTuple):
    """Remaining moves of an iteration: targets of `source`, then those of the `later` pieces."""

    later: Bits
    source: int
    targets: Bits
    backward: int  # 1 for backward steps


@helper
def goal(side: int) -> Bits:
    """Returns the nine squares that a side has to fill."""
    if side == 0:
        return TOP_LEFT
    return BOTTOM_RIGHT


@helper
def steps(side: int, sources: Bits, occupied: Bits) -> Bits:
    """Returns the squares that the sources reach by one forward step of `side`."""
    if side == 0:
        return (up(sources) | left(sources)) & ~occupied
    return (down(sources) | right(sources)) & ~occupied


@helper
def jumps(side: int, sources: Bits, occupied: Bits) -> Bits:
    """Returns the squares that the sources reach by one forward jump of `side`."""
    if side == 0:
        return (up(up(sources) & occupied) | left(left(sources) & occupied)) & ~occupied
    return (down(down(sources) & occupied) | right(right(sources) & occupied)) & ~occupied


@helper
def jump_chains(side: int, sources: Bits, occupied: Bits) -> Bits:
    """Returns the squares that the sources reach by one or more jumps.

    All jumps go forward, so a chain never returns to its start or jumps over it. Therefore the
    moving piece can stay in `occupied`.
    """
    reached = NONE
    # Each pass makes one more jump for all chains; squares reached earlier lead to nothing new.
    newest = jumps(side, sources, occupied)
    while newest != NONE:
        reached |= newest
        newest = jumps(side, newest, occupied) & ~reached
    return reached


@helper
def steppers(side: int, mine: Bits, occupied: Bits) -> Bits:
    """Returns the pieces with a forward step of `side`."""
    empty = ~occupied
    if side == 0:
        return mine & (down(empty) | right(empty))
    return mine & (up(empty) | left(empty))


@helper
def jumpers(side: int, mine: Bits, occupied: Bits) -> Bits:
    """Returns the pieces with a forward jump of `side`."""
    empty = ~occupied
    if side == 0:
        return mine & (down(occupied & down(empty)) | right(occupied & right(empty)))
    return mine & (up(occupied & up(empty)) | left(occupied & left(empty)))


@helper
def forward_movers(state: CornersState) -> Bits:
    """Returns the pieces of the side to move with a forward move."""
    occupied = state.mine | state.theirs
    return steppers(state.side, state.mine, occupied) | jumpers(state.side, state.mine, occupied)


@helper
def backward_movers(state: CornersState) -> Bits:
    """Returns the pieces in their goal that can step back if there is no forward move."""
    at_home = state.mine & goal(state.side)
    return steppers(1 - state.side, at_home, state.mine | state.theirs)


@helper
def targets_of(state: CornersState, source: int, backward: int) -> Bits:
    """Returns the targets of one piece."""
    piece = bit(source)
    occupied = state.mine | state.theirs
    if backward == 1:
        return steps(1 - state.side, piece, occupied)
    return steps(state.side, piece, occupied) | jump_chains(state.side, piece, occupied)


@helper
def from_next_piece(state: CornersState, later: Bits, backward: int) -> CornersMoves:
    """Returns the moves of the pieces `later`, each of which must have a move."""
    if later == NONE:
        return CornersMoves(NONE, 0, NONE, backward)
    source = lowest(later)
    return CornersMoves(
        without_lowest(later), source, targets_of(state, source, backward), backward
    )


@helper
def goal_filled(state: CornersState) -> bool:
    """Returns True if a side has won by filling its goal."""
    return bool(state.theirs == goal(1 - state.side) or state.mine == goal(state.side))


@moves.register(CornersState)
def _(state: CornersState) -> CornersMoves:
    if goal_filled(state):
        return from_next_piece(state, NONE, 0)
    forward = forward_movers(state)
    if forward != NONE:
        return from_next_piece(state, forward, 0)
    return from_next_piece(state, backward_movers(state), 1)


@more.register(CornersState)
def _(state: CornersState, rest: CornersMoves) -> bool:
    return rest.targets != NONE


@head.register(CornersState)
def _(state: CornersState, rest: CornersMoves) -> int:
    return 64 * rest.source + lowest(rest.targets)


@tail.register(CornersState)
def _(state: CornersState, rest: CornersMoves) -> CornersMoves:
    targets = without_lowest(rest.targets)
    if targets == NONE:
        return from_next_piece(state, rest.later, rest.backward)
    return CornersMoves(rest.later, rest.source, targets, rest.backward)


@helper
def count_steps(side: int, sources: Bits, occupied: Bits) -> int:
    """Returns the number of single forward steps of the sources."""
    empty = ~occupied
    if side == 0:
        return popcount(up(sources) & empty) + popcount(left(sources) & empty)
    return popcount(down(sources) & empty) + popcount(right(sources) & empty)


@count_moves.register(CornersState)
def _(state: CornersState) -> int:
    if goal_filled(state):
        return 0
    occupied = state.mine | state.theirs
    count = count_steps(state.side, state.mine, occupied)
    rest = jumpers(state.side, state.mine, occupied)
    while rest != NONE:
        count += popcount(jump_chains(state.side, bit(lowest(rest)), occupied))
        rest = without_lowest(rest)
    # A side steps back only without a forward move.
    if count > 0:
        return count
    return count_steps(1 - state.side, state.mine & goal(state.side), occupied)


@nth_left.register(CornersState)
def _(state: CornersState, rest: CornersMoves, index: int) -> int:
    count = popcount(rest.targets)
    while index >= count:
        index -= count
        rest = from_next_piece(state, rest.later, rest.backward)
        count = popcount(rest.targets)
    return 64 * rest.source + nth_square(rest.targets, index)


@play.register(CornersState)
def _(state: CornersState, move: int) -> CornersState:
    moved = state.mine ^ bit(move >> 6) ^ bit(move & 63)
    return CornersState(state.theirs, moved, 1 - state.side)


@helper
def is_stuck(state: CornersState) -> bool:
    """Returns True if the side to move has neither a forward nor a backward move."""
    return bool(forward_movers(state) == NONE and backward_movers(state) == NONE)


@is_over.register(CornersState)
def _(state: CornersState) -> bool:
    return goal_filled(state) or is_stuck(state)


@final_value.register(CornersState)
def _(state: CornersState) -> int:
    if state.mine == goal(state.side) and state.theirs != goal(1 - state.side):
        return WIN
    return -WIN


@win_value.register(CornersState)
def _(state: CornersState) -> int:
    return WIN


@repetition_limit.register(CornersState)
def _(state: CornersState) -> int:
    return REPETITION


@key.register(CornersState)
def _(state: CornersState) -> np.uint64:
    result = combined(_PIECE[state.side], state.mine)
    result ^= combined(_PIECE[1 - state.side], state.theirs)
    if state.side == 1:
        result ^= _SIDE
    return result


@next_key.register(CornersState)
def _(state: CornersState, old: np.uint64, move: int) -> np.uint64:
    return old ^ _SIDE ^ _PIECE[state.side, move >> 6] ^ _PIECE[state.side, move & 63]


@symmetry_count.register(CornersState)
def _(state: CornersState) -> int:
    return 2


@transform.register(CornersState)
def _(state: CornersState, index: int) -> CornersState:
    if index == 0:
        return state
    return CornersState(transpose(state.mine), transpose(state.theirs), state.side)


@transform_move.register(CornersState)
def _(state: CornersState, move: int, index: int) -> int:
    if index == 0:
        return move
    source = lowest(transpose(bit(move >> 6)))
    target = lowest(transpose(bit(move & 63)))
    return 64 * source + target
