"""Evaluations of unfinished games of Corners, in steps, side to move's view."""

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
    is_over,
    is_reversible,
    is_symmetric,
    order_hint,
    play,
    terminal_points,
)

#: For each binary digit of a row number and of a column number, the squares that have it.
_ROW_DIGIT = np.array(
    [of_squares([s for s in range(64) if s >> 3 >> k & 1]) for k in range(3)], dtype=np.uint64
)
_COLUMN_DIGIT = np.array(
    [of_squares([s for s in range(64) if s >> k & 1]) for k in range(3)], dtype=np.uint64
)
_PIECES = 9
_FAR = 14  # steps from one corner of the board to the opposite one


@helper
def steps_from_top_left(pieces: Bits) -> int:
    """The sum over the pieces of row + column, counted from the top-left corner."""
    total = 0
    for k in range(3):
        digits = popcount(pieces & _ROW_DIGIT[k]) + popcount(pieces & _COLUMN_DIGIT[k])
        total += digits << k
    return total


@helper
def steps_to_go(side: int, pieces: Bits) -> int:
    """The sum of the nine pieces' Manhattan distances to the far corner of their goal."""
    from_top_left = steps_from_top_left(pieces)
    if side == 0:
        return from_top_left
    return _PIECES * _FAR - from_top_left


@helper
def progress(side: int, move: int) -> int:
    """Number of steps forward by which a move takes its piece (−1 for a step back)."""
    source = move >> 6
    target = move & 63
    upward = (source >> 3) + (source & 7) - (target >> 3) - (target & 7)
    if side == 0:
        return upward
    return -upward


@is_reversible.register(CornersState)
def _(state: CornersState, move: int) -> bool:
    """Only after a step back can the steps to go of both sides together be what they were. The
    numbers of the squares show it: for `x`, forward is towards lower ones."""
    return ((move & 63) > (move >> 6)) == (state.side == 0)


@order_hint.register(CornersState)
def _(state: CornersState, move: int) -> int:
    return progress(state.side, move)


class CornerDistance(NamedTuple):
    """The opponent's steps to its goal's far corner − one's own."""


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


#: The squares of each side's goal in row-major order.
_GOAL_SQUARES = np.array([squares(TOP_LEFT), squares(BOTTOM_RIGHT)], dtype=np.int64)


class MatchedDestinations(NamedTuple):
    """The opponent's steps to matched destinations − one's own: heuristic 1 of the homework.

    The k-th piece in row-major order is bound for the k-th square of its goal. (A finished game
    is worth ±100 there, less than some heuristic values; here it stands apart as in every search.)
    """


@helper
def matched_steps(side: int, pieces: Bits) -> int:
    """The sum of the pieces' Manhattan distances to their squares of the goal."""
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
    """Counted by rows, not by columns, so a reflection in the diagonal changes the value."""
    return False


@evaluate.register(MatchedDestinations)
def _(evaluation: MatchedDestinations, state: CornersState) -> int:
    return matched_steps(1 - state.side, state.theirs) - matched_steps(state.side, state.mine)


_TOP_ROW = of_squares(list(range(8)))
_BOTTOM_ROW = of_squares(list(range(56, 64)))
_OUTER = np.array([_TOP_ROW, _BOTTOM_ROW], dtype=np.uint64)
_SECOND = np.array([_TOP_ROW << np.uint64(8), _BOTTOM_ROW >> np.uint64(8)], dtype=np.uint64)
#: The corner of its home that is farthest from a side's goal.
_HOME_CORNER = np.array([of_squares([63]), of_squares([0])], dtype=np.uint64)
#: The pieces that have room in a line of the goal.
_ROOM = 3
_PENALTY = 100


class CornerStuck(NamedTuple):
    """Steps to the goal's far corner with penalties for getting stuck: the homework's heuristic 2.

    A piece on the far corner of its home counts a step more. A goal's outer row with more than
    three pieces, and its two outer rows with more than six, are overfull: no move forward leaves
    them, so the goal cannot be filled. Each costs 100, columns like rows. (In the source a
    finished game is worth ±900, and only the searching side is penalised; here both are, so that
    one side's value is the negative of the other's.)
    """


@helper
def overfull_rows(side: int, pieces: Bits) -> int:
    """Number of overfull areas among two: the outer row, and the outer two rows together.

    Three in the outer row are room well used, so that seven in two rows are too many, however
    many more than three of them stand in the outer one.
    """
    outer = popcount(pieces & _OUTER[side])
    second = popcount(pieces & _SECOND[side])
    return int(outer > _ROOM) + int(second + min(outer, _ROOM) > 2 * _ROOM)


@helper
def burden(side: int, pieces: Bits) -> int:
    """The steps that a side has to go, penalties included."""
    overfull = overfull_rows(side, pieces) + overfull_rows(side, transpose(pieces))
    unmoved = popcount(pieces & _HOME_CORNER[side])
    return steps_to_go(side, pieces) + unmoved + _PENALTY * overfull


@evaluate.register(CornerStuck)
def _(evaluation: CornerStuck, state: CornersState) -> int:
    return burden(1 - state.side, state.theirs) - burden(state.side, state.mine)
