"""Evaluations of unfinished games of Adjacency, side to move's view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.games.adjacency.exposure_weights import ANCHORS
from papan.games.adjacency.rules import NEIGHBOURS, AdjacencyState
from papan.rules.bits import Bits, down, left, popcount, right, up
from papan.rules.dispatch import helper
from papan.rules.operations import evaluate, evaluate_after, unit


class PieceDifference(NamedTuple):
    """Own pieces − opposing pieces: the objective function of both course reports."""


@evaluate.register(PieceDifference)
def _(evaluation: PieceDifference, state: AdjacencyState) -> int:
    return popcount(state.mine) - popcount(state.theirs)


@evaluate_after.register(PieceDifference)
def _(evaluation: PieceDifference, state: AdjacencyState, move: int, ply: int) -> int:
    """The move adds one piece and each flip is worth two; at the end the value is the same."""
    difference = popcount(state.mine) - popcount(state.theirs)
    return difference + 1 + 2 * popcount(NEIGHBOURS[move] & state.theirs)


#: Units of `Exposure` that make one piece.
UNIT = 32
#: Own pieces with 0 … 4 empty neighbours, opposing pieces with 0 … 4, and the right to move.
FEATURES = 11
#: How much of the empty board will still be filled, in quarters: 0 … 4.
QUARTERS = 5
_MOST_PLIES = 64


class Exposure(NamedTuple):
    """The pieces each side will probably own in the end, in 1/32 of a piece.

    A piece whose four neighbours are all taken is settled; each empty neighbour that will still
    be played is a chance for the other side to turn it. What a piece is worth therefore depends
    on its number of empty neighbours, on whose turn it is, on the plies left (their parity says
    who has the last word) and on the share of the empty squares that these plies will fill. The
    weights are fitted to searches of later positions, from the end of the game backwards, by
    `benchmarks/fit_exposure.py`.
    """


def expand(
    anchors: dict[tuple[int, int], tuple[int, ...]],
) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    """Weights for all plies left (0 … 64) and quarters, from those that were fitted.

    Args:
        anchors: (plies left, quarter) → the weights of the features.

    Returns:
        int64 of shape (65, 5, 11). What was not fitted lies on the line between the nearest
        anchors of the same quarter and parity, or is that of the nearest one.
    """
    weights = np.zeros((_MOST_PLIES + 1, QUARTERS, FEATURES), dtype=np.int64)
    for quarter in range(QUARTERS):
        for plies in range(_MOST_PLIES + 1):
            known = sorted(p for p, q in anchors if q == quarter and p % 2 == plies % 2)
            if known:
                rows = np.array([anchors[p, quarter] for p in known], dtype=float)
                row = [np.interp(plies, known, column) for column in rows.T]
                weights[plies, quarter] = np.rint(row)
    return weights


_WEIGHTS = expand(ANCHORS)


@helper
def quarter_of(state: AdjacencyState) -> int:
    """The share of the empty squares that will still be filled, in whole quarters."""
    return 4 * state.plies_left // max(popcount(state.empty), 1)


@helper
def exposures(empty: Bits) -> tuple[Bits, Bits, Bits, Bits, Bits]:
    """The squares with 0, 1, 2, 3 and 4 empty neighbours, by adding four bits at every square."""
    first, second = up(empty), down(empty)
    third, fourth = left(empty), right(empty)
    half, pair = first ^ second, first & second
    other_half, other_pair = third ^ fourth, third & fourth
    ones = half ^ other_half
    twos = pair ^ other_pair ^ (half & other_half)
    fours = pair & other_pair
    return ~(ones | twos | fours), ones & ~twos, twos & ~ones, ones & twos, fours


@unit.register(Exposure)
def _(evaluation: Exposure) -> int:
    return UNIT


@evaluate.register(Exposure)
def _(evaluation: Exposure, state: AdjacencyState) -> int:
    weights = _WEIGHTS[state.plies_left, quarter_of(state)]
    value = weights[2 * QUARTERS]
    for count, squares in enumerate(exposures(state.empty)):
        value += weights[count] * popcount(state.mine & squares)
        value += weights[QUARTERS + count] * popcount(state.theirs & squares)
    return value
