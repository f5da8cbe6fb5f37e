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
    """The move adds one piece, and each flip counts two; this also holds at the end of the game."""
    difference = popcount(state.mine) - popcount(state.theirs)
    return difference + 1 + 2 * popcount(NEIGHBOURS[move] & state.theirs)


#: Units of `Exposure` per piece.
UNIT = 32
#: Number of features: own pieces with 0 … 4 empty neighbours, opposing pieces with 0 … 4, and the
#: right to move.
FEATURES = 11
#: Number of shares of the empty squares that will still be filled, in quarters: 0 … 4.
QUARTERS = 5
_MOST_PLIES = 64


class Exposure(NamedTuple):
    """Estimate of the final difference of pieces, in 1/32 of a piece.

    A piece without empty neighbours can no longer change sides. Each empty neighbour that will
    still be filled is a chance for the other side to turn the piece. So a piece's value depends on

    - its number of empty neighbours,
    - the side to move,
    - the plies left (their parity decides who moves last), and
    - the share of the empty squares that these plies will fill.

    `benchmarks/fit_exposure.py` fits the weights to searches of later positions, from the end of
    the game backwards.
    """


def expand(
    anchors: dict[tuple[int, int], tuple[int, ...]],
) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    """Returns weights for all plies left (0 … 64) and quarters, interpolated from the fitted ones.

    Args:
        anchors: (plies left, quarter) → weights of the features.

    Returns:
        int64 array of shape (65, 5, 11). Missing weights are interpolated linearly between the
        nearest anchors of the same quarter and parity; outside the anchors the nearest one is used.
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
    """Returns the share of the empty squares that will still be filled, in whole quarters."""
    return 4 * state.plies_left // max(popcount(state.empty), 1)


@helper
def exposures(empty: Bits) -> tuple[Bits, Bits, Bits, Bits, Bits]:
    """Returns the squares with 0, 1, 2, 3 and 4 empty neighbours, by a bit-parallel addition."""
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
