"""Evaluations of unfinished games of Corners in steps, from the side to move's view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.games.corners.rules import BOTTOM_RIGHT, TOP_LEFT, CornersState
from papan.rules.bits import (
    NONE,
    Bits,
    lowest,
    of_squares,
    popcount,
    squares,
    transpose,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.operations import (
    evaluate,
    evaluate_after,
    fact,
    is_over,
    is_reversible,
    is_symmetric,
    order_hint,
    play,
    terminal_points,
)

#: For each binary digit of row and column numbers, the squares whose number has this digit.
_ROW_DIGIT = np.array(
    [of_squares([s for s in range(64) if s >> 3 >> k & 1]) for k in range(3)], dtype=np.uint64
)
_COLUMN_DIGIT = np.array(
    [of_squares([s for s in range(64) if s >> k & 1]) for k in range(3)], dtype=np.uint64
)
_PIECES = 9
_NEAREST = 18  # sum of steps of nine pieces that fill their goal
_FAR = 14  # steps between opposite corners of the board


@helper
def steps_from_top_left(pieces: Bits) -> int:
    """Returns the sum of row + column over the pieces, counted from the top-left corner."""
    total = 0
    for k in range(3):
        digits = popcount(pieces & _ROW_DIGIT[k]) + popcount(pieces & _COLUMN_DIGIT[k])
        total += digits << k
    return total


@helper
def steps_to_go(side: int, pieces: Bits) -> int:
    """Returns the sum of the nine pieces' Manhattan distances to the far corner of their goal."""
    from_top_left = steps_from_top_left(pieces)
    if side == 0:
        return from_top_left
    return _PIECES * _FAR - from_top_left


@helper
def progress(side: int, move: int) -> int:
    """Returns the number of steps forward of a move (−1 for a step back)."""
    source = move >> 6
    target = move & 63
    upward = (source >> 3) + (source & 7) - (target >> 3) - (target & 7)
    if side == 0:
        return upward
    return -upward


@is_reversible.register(CornersState)
def _(state: CornersState, move: int) -> bool:
    """A position can recur only after a step back, since forward moves reduce the steps to go.

    The square numbers decide: for `x`, forward means towards smaller numbers.
    """
    return ((move & 63) > (move >> 6)) == (state.side == 0)


@order_hint.register(CornersState)
def _(state: CornersState, move: int) -> int:
    return progress(state.side, move)


class CornerDistance(NamedTuple):
    """The opponent's steps to the far corner of its goal − own steps."""


@evaluate.register(CornerDistance)
def _(evaluation: CornerDistance, state: CornersState) -> int:
    return steps_to_go(1 - state.side, state.theirs) - steps_to_go(state.side, state.mine)


@evaluate_after.register(CornerDistance)
def _(evaluation: CornerDistance, state: CornersState, move: int, ply: int) -> int:
    child = play(state, move)
    if is_over(child):
        return -terminal_points(child, ply + 1)
    before = steps_to_go(1 - state.side, state.theirs) - steps_to_go(state.side, state.mine)
    return before + progress(state.side, move)


#: Squares of each side's goal in row-major order.
_GOAL_SQUARES = np.array([squares(TOP_LEFT), squares(BOTTOM_RIGHT)], dtype=np.int64)


class MatchedDestinations(NamedTuple):
    """The opponent's steps to matched destinations − own steps: heuristic 1 of the homework.

    The destination of the k-th piece in row-major order is the k-th square of its goal. (In the
    source a finished game is worth ±100, which some heuristic values exceed. Here a finished game
    has a separate value, as in every search.)
    """


@helper
def matched_steps(side: int, pieces: Bits) -> int:
    """Returns the sum of the pieces' Manhattan distances to their squares of the goal."""
    total = 0
    k = 0
    while pieces != NONE:
        square = lowest(pieces)
        target = _GOAL_SQUARES[side, k]
        total += abs((square >> 3) - (target >> 3)) + abs((square & 7) - (target & 7))
        pieces = without_lowest(pieces)
        k += 1
    return total


@is_symmetric.register(MatchedDestinations)
def _(evaluation: MatchedDestinations) -> bool:
    """Pieces are matched by rows, not by columns, so a diagonal reflection changes the value."""
    return False


@evaluate.register(MatchedDestinations)
def _(evaluation: MatchedDestinations, state: CornersState) -> int:
    return matched_steps(1 - state.side, state.theirs) - matched_steps(state.side, state.mine)


_TOP_ROW = of_squares(list(range(8)))
_BOTTOM_ROW = of_squares(list(range(56, 64)))
_OUTER = np.array([_TOP_ROW, _BOTTOM_ROW], dtype=np.uint64)
_SECOND = np.array([_TOP_ROW << np.uint64(8), _BOTTOM_ROW >> np.uint64(8)], dtype=np.uint64)
#: Corner of each side's home that is farthest from its goal.
_HOME_CORNER = np.array([of_squares([63]), of_squares([0])], dtype=np.uint64)
#: Number of pieces that fit in a line of the goal.
_ROOM = 3
_PENALTY = 100


class CornerStuck(NamedTuple):
    """Steps to the goal's far corner with penalties for stuck pieces: the homework's heuristic 2.

    A piece on the far corner of its home counts one step more. The outer row of a goal is overfull
    with more than three pieces, the two outer rows together with more than six. No forward move
    leaves these rows, so the goal cannot be filled. Each overfull area costs 100; columns are
    treated like rows. (In the source a finished game is worth ±900, and only the searching side is
    penalised. Here both sides are penalised, so that one side's value is the negative of the
    other's.)
    """


@helper
def overfull_rows(side: int, pieces: Bits) -> int:
    """Returns the number of overfull areas of two: the outer row, and the two outer rows together.

    At most three pieces of the outer row count for the second area. So seven pieces in both rows
    are too many, regardless of the surplus in the outer row.
    """
    outer = popcount(pieces & _OUTER[side])
    second = popcount(pieces & _SECOND[side])
    return int(outer > _ROOM) + int(second + min(outer, _ROOM) > 2 * _ROOM)


@helper
def burden(side: int, pieces: Bits) -> int:
    """Returns the steps that a side has to go, including penalties."""
    overfull = overfull_rows(side, pieces) + overfull_rows(side, transpose(pieces))
    unmoved = popcount(pieces & _HOME_CORNER[side])
    return steps_to_go(side, pieces) + unmoved + _PENALTY * overfull


@evaluate.register(CornerStuck)
def _(evaluation: CornerStuck, state: CornersState) -> int:
    return burden(1 - state.side, state.theirs) - burden(state.side, state.mine)


@fact.register(CornersState)
def _(state: CornersState, index: int) -> int:
    pieces = state.mine if index == state.side else state.theirs
    return steps_to_go(index, pieces) - _NEAREST
