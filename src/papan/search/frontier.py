"""The last ply of a depth-limited search, looked at from its parent.

Most nodes of a search are leaves. They are counted and valued here without a call of their own:
`evaluate_after` can often tell a leaf's value without making the move.
"""

from __future__ import annotations

import numpy as np

from papan.kernel.dispatch import helper
from papan.kernel.operations import (
    INFINITY,
    Evaluation,
    State,
    evaluate_after,
    head,
    more,
    moves,
    next_key,
    repetition_limit,
    tail,
    terminal_value,
)
from papan.search.workspace import Workspace, end_pv, repeats, start_pv, watch_return


@helper
def child_key(state: State, key: np.uint64, move: int) -> np.uint64:
    """The key after `move` where keys are needed for repetition only; elsewhere any number."""
    if repetition_limit(state) > 0:
        return next_key(state, key, move)
    return key


@helper
def leaf_value(
    state: State, key: np.uint64, evaluation: Evaluation, move: int, ply: int, workspace: Workspace
) -> int:
    """The value of the leaf after `move`, to the side that makes the move from ply `ply`."""
    watch_return(state, move, workspace)
    if repetition_limit(state) > 0 and repeats(
        state, next_key(state, key, move), ply + 1, workspace
    ):
        return 0
    return evaluate_after(evaluation, state, move, ply)


@helper
def frontier(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    """Alpha–beta of depth 1: the best leaf's value, or the first one that is ≥ beta."""
    alpha, beta = window
    start_pv(workspace, ply)
    best = -INFINITY
    best_move = -1
    visited = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        visited += 1
        value = leaf_value(state, key, evaluation, move, ply, workspace)
        if value > best:
            best = value
            best_move = move
            if value >= beta:
                break
    if visited == 0:
        return terminal_value(evaluation, state, ply)
    workspace.nodes += visited
    if best > alpha:
        end_pv(workspace, ply, best_move)
    return best
