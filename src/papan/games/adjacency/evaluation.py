"""Evaluations of unfinished games of Adjacency, in pieces, side to move's view."""

from __future__ import annotations

from typing import NamedTuple

from papan.games.adjacency.rules import NEIGHBOURS, AdjacencyState
from papan.kernel.bits import popcount
from papan.kernel.vocabulary import evaluate, evaluate_after


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
