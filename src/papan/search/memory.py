"""AlphaBetaWithMemory: fail-soft alpha–beta that keeps a lower and an upper bound of every
position, and its best move.

Source: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms",
Artificial Intelligence 87, 1996, figure 2.
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
def alpha_beta_with_memory(
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
    depth = min(depth, max_plies_left(state))  # deeper is the same where the game has ended by then
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
            value = -alpha_beta_with_memory(
                play(state, move),
                below,
                evaluation,
                depth - 1,
                ply + 1,
                (-known.beta, -alpha),
                table,
                workspace,
            )
        if value > best:
            best = value
            best_move = move
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= known.beta:
                    break
        move, rest = next_move(state, rest, known.move)
    leave(state, key, workspace)
    if best == -INFINITY:
        return terminal_value(evaluation, state, ply)
    remember(table, state, key, depth, ply, known, (best, best_move), before, workspace)
    return best


@dataclass
class Memory(Remembering):
    """Alpha–beta with memory and an open window."""

    name = "memory"

    def value_at(self, task: Task, depth: int) -> int:
        return self.bounded(task, depth, (-INFINITY, INFINITY))

    def bounded(self, task: Task, depth: int, window: tuple[int, int]) -> int:
        """The root's value within a window."""
        return alpha_beta_with_memory(
            task.state, task.key, task.evaluation, depth, 0, window, self.table, task.workspace
        )
