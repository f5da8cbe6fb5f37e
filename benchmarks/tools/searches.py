"""Timed searches and perft of Papan, for comparison with other programs."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.tools.timing import cpu_seconds
from papan.core.game import Position
from papan.rules.bits import popcount
from papan.rules.operations import Evaluation, State, evaluate
from papan.search.algorithm import Algorithm, Task
from papan.search.limits import Limit, Stop
from papan.search.perft import count_leaves
from papan.search.workspace import new_workspace


class MadeLeaves(NamedTuple):
    """Piece difference without its short cut: each leaf is made, then evaluated."""


@evaluate.register(MadeLeaves)
def _(evaluation: MadeLeaves, state: State) -> int:
    return popcount(state.mine) - popcount(state.theirs)


class Searched(NamedTuple):
    """The result of a search, and its processor time."""

    value: int
    nodes: int
    seconds: float


def timed_search(
    position: Position, algorithm: Algorithm, evaluation: Evaluation, depth: int
) -> Searched:
    """Searches to one depth with an empty table. The first search in a process compiles."""
    task = Task(position, evaluation, Limit(depth=depth), Stop())
    algorithm.begin(task)
    task.workspace.nodes = 1  # the root
    value, seconds = cpu_seconds(lambda: algorithm.value_at(task, depth))
    return Searched(int(value), int(task.workspace.nodes), seconds)


def timed_perft(position: Position, depth: int) -> tuple[int, float]:
    """Returns the number of leaves at a depth, and the processor time."""
    workspace = new_workspace(position)
    leaves, seconds = cpu_seconds(lambda: count_leaves(position.state, depth, workspace))
    return int(leaves), seconds
