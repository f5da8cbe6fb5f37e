"""Plain minimax to a fixed depth, without pruning: the reference for every other search.

It does not use the techniques of `negamax`, so that it can be read on its own and used to check
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    head,
    more,
    moves,
    play,
    tail,
    terminal_value,
    value_above,
)
from papan.search.algorithm import Algorithm, Task
from papan.search.alphabeta.negamax import frontier
from papan.search.alphabeta.techniques import (
    ENTERED,
    LEFT,
    REPEATED,
    TRIED,
    Techniques,
    saw,
)
from papan.search.workspace import (
    Workspace,
    child_key,
    enter,
    extend_pv,
    is_forbidden,
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
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Returns the minimax value of `state` at `depth` ≥ 1, side to move's view (negamax form).

    Visits every node up to that depth. Of moves with equal values the first is chosen.
    """
    window, observer = (-INFINITY, INFINITY), techniques.observer
    if depth == 1:
        kind = techniques.leaves
        return frontier(kind, state, key, evaluation, ply, window, techniques, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    saw(observer, ENTERED, ply, depth, window, workspace)
    enter(state, key, ply, workspace)
    best, best_move = -INFINITY, -1
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        below, child = child_key(state, key, move), play(state, move)
        if is_forbidden(child, below, ply + 1, workspace):
            continue
        workspace.nodes += 1
        saw(observer, TRIED, ply + 1, move, window, workspace)
        if repeats(child, below, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
            saw(observer, REPEATED, ply + 1, move, window, workspace)
        else:
            value = minimax(child, below, evaluation, depth - 1, ply + 1, techniques, workspace)
            value = value_above(state, child, value)
        if value > best:
            best, best_move = value, move
            extend_pv(workspace, ply, move)
    leave(state, ply, workspace)
    if best_move < 0:
        best = terminal_value(evaluation, state, ply)
    saw(observer, LEFT, ply, best_move, (best, best), workspace)
    return best


@dataclass
class Minimax(Algorithm):
    """Plain minimax without pruning."""

    name = "minimax"
    deepens = False
    prunes: ClassVar[bool] = False

    def value_at(self, task: Task, depth: int) -> int:
        key, workspace = task.key, task.workspace
        techniques = Techniques(observer=self.observer)
        return minimax(task.state, key, task.evaluation, depth, 0, techniques, workspace)
