"""Plain minimax to a fixed depth, without pruning: the reference for every other search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papan.kernel.compiler import kernel
from papan.kernel.operations import (
    INFINITY,
    Evaluation,
    State,
    head,
    more,
    moves,
    play,
    tail,
    terminal_value,
)
from papan.search.algorithm import Algorithm, Task
from papan.search.frontier import child_key, frontier
from papan.search.workspace import (
    Workspace,
    enter,
    extend_pv,
    leave,
    repeats,
    should_stop,
    start_pv,
)


@kernel
def minimax(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    workspace: Workspace,
) -> int:
    """The minimax value of `state` at `depth` ≥ 1, side to move's view (negamax form).

    Every node to that depth is visited. Among moves of the same value the first is kept.
    """
    if depth == 1:
        return frontier(state, key, evaluation, ply, (-INFINITY, INFINITY), workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    enter(state, key, ply, workspace)
    best = -INFINITY
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        workspace.nodes += 1
        next_one = child_key(state, key, move)
        if repeats(state, next_one, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
        else:
            value = -minimax(play(state, move), next_one, evaluation, depth - 1, ply + 1, workspace)
        if value > best:
            best = value
            extend_pv(workspace, ply, move)
    leave(state, key, workspace)
    if best == -INFINITY:
        return terminal_value(evaluation, state, ply)
    return best


@dataclass
class Minimax(Algorithm):
    """Plain minimax, no pruning."""

    name = "minimax"
    deepens = False

    def value_at(self, task: Task, depth: int) -> int:
        return minimax(task.state, task.key, task.evaluation, depth, 0, task.workspace)
