"""Evaluations of unfinished games of Corners, in steps, side to move's view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.games.corners.rules import CornersState
from papan.kernel.bits import Bits, of_squares, popcount
from papan.kernel.operation import helper
from papan.kernel.vocabulary import evaluate, evaluate_after, is_over, over_value, play, promise

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
    """How many steps forward a move takes its piece (−1 for a step back)."""
    source = move >> 6
    target = move & 63
    upward = (source >> 3) + (source & 7) - (target >> 3) - (target & 7)
    if side == 0:
        return upward
    return -upward


@promise.register(CornersState)
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
        return -over_value(child, ply + 1)
    before = steps_to_go(1 - state.side, state.theirs) - steps_to_go(state.side, state.mine)
    return before + progress(state.side, move)
