"""Principal variation search: the first move with the full window, the others with a null window
that only asks whether they are better, and again if they are.

Source: Marsland & Campbell, "Parallel search of strongly ordered game trees", Computing Surveys
14(4), 1982; as NegaScout, Reinefeld, ICCA Journal 6(4), 1983.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papan.kernel.compiler import kernel
from papan.kernel.operations import (
    INFINITY,
    Evaluation,
    State,
    max_plies_left,
    moves,
    next_key,
    play,
    terminal_value,
)
from papan.search.algorithm import Task
from papan.search.frontier import frontier
from papan.search.remembering import Remembering, consult, next_move, remember
from papan.search.table import Table
from papan.search.workspace import (
    Workspace,
    enter_salted,
    extend_pv,
    leave,
    repeats,
    should_stop,
    start_pv,
    watch_return,
)


@kernel
def principal_variation_search(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    table: Table,
    workspace: Workspace,
) -> int:
    """A value of `state` at `depth` ≥ 1, side to move's view; see `alpha_beta` for the window."""
    depth = min(depth, max_plies_left(state))
    if depth <= 1:
        return frontier(state, key, evaluation, ply, window, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    known = consult(table, state, key, depth, ply, window, workspace)
    if known.answered == 1:
        return known.value
    before = (workspace.nodes, workspace.path_dependent)
    enter_salted(state, key, ply, workspace)
    alpha = known.alpha
    beta = known.beta
    best = -INFINITY
    best_move = -1
    rest = moves(state)
    move = known.move
    if move < 0:
        move, rest = next_move(state, rest, -1)
    while move >= 0:
        workspace.nodes += 1
        watch_return(state, move, workspace)
        below = next_key(state, key, move)
        if repeats(state, below, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
        else:
            child = play(state, move)
            scout = beta if best == -INFINITY else alpha + 1
            value = -principal_variation_search(
                child, below, evaluation, depth - 1, ply + 1, (-scout, -alpha), table, workspace
            )
            if scout <= value < beta:
                value = -principal_variation_search(
                    child, below, evaluation, depth - 1, ply + 1, (-beta, -value), table, workspace
                )
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= beta:
                    break
        move, rest = next_move(state, rest, known.move)
    leave(state, key, workspace)
    if best == -INFINITY:
        return terminal_value(evaluation, state, ply)
    remember(table, state, key, depth, ply, known, (best, best_move), before, workspace)
    return best


@dataclass
class Pvs(Remembering):
    """Principal variation search with an open window and moves in the game's order."""

    name = "pvs"

    def value_at(self, task: Task, depth: int) -> int:
        window = (-INFINITY, INFINITY)
        return principal_variation_search(
            task.state, task.key, task.evaluation, depth, 0, window, self.table, task.workspace
        )
