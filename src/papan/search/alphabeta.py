"""Fail-soft alpha–beta in negamax form (Knuth & Moore, "An analysis of alpha–beta pruning",
Artificial Intelligence 6, 1975; fail-soft after Fishburn, 1983), moves in the game's order."""

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
def alpha_beta(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    """A value of `state` at `depth` ≥ 1, side to move's view.

    With window (alpha, beta): exact if alpha < value < beta, an upper bound if value ≤ alpha, a
    lower bound if value ≥ beta. The frontier is entered from its parent, which keeps it a plain
    loop for the compiler.
    """
    if depth == 1:
        return frontier(state, key, evaluation, ply, window, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    enter(state, key, ply, workspace)
    alpha, beta = window
    best = -INFINITY
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        workspace.nodes += 1
        next_one = child_key(state, key, move)
        turned = (-beta, -alpha)
        if repeats(state, next_one, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
        elif depth == 2:
            child = play(state, move)
            value = -frontier(child, next_one, evaluation, ply + 1, turned, workspace)
        else:
            child = play(state, move)
            value = -alpha_beta(child, next_one, evaluation, depth - 1, ply + 1, turned, workspace)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= beta:
                    break
    leave(state, key, workspace)
    if best == -INFINITY:
        return terminal_value(evaluation, state, ply)
    return best


@dataclass
class AlphaBeta(Algorithm):
    """Fail-soft alpha–beta with an open window, moves in the game's order."""

    name = "alphabeta"
    deepens = False

    def value_at(self, task: Task, depth: int) -> int:
        window = (-INFINITY, INFINITY)
        return alpha_beta(task.state, task.key, task.evaluation, depth, 0, window, task.workspace)
