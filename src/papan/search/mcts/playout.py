"""The value of a leaf of the tree: from a random game, from the evaluation, or from both."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    Evaluation,
    State,
    final_value,
    more,
    moves,
    play,
    side_to_move,
)
from papan.search.mcts.guide import Blended, Judged, Playouts, estimate, prior_visits
from papan.search.mcts.policy import playout_move
from papan.search.mcts.selection import note_move
from papan.search.mcts.settings import Settings
from papan.search.mcts.tree import DRAWN, LOST, OPEN, WON, Tree, score_of
from papan.search.workspace import Workspace, child_key, enter, leave, repeats


@helper
def ending(state: State) -> int:
    """Returns WON, DRAWN or LOST for the side to move of the finished game `state`."""
    value = final_value(state)
    if value > 0:
        return WON
    if value < 0:
        return LOST
    return DRAWN


@helper
def playout(
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    """Returns the score of a random game from `state` for its side to move.

    `state` is on the path at `ply`. The positions of the random game are removed from the path
    again.
    """
    last, side = ply, side_to_move(state)
    score = score_of(DRAWN)
    while True:
        if last - ply >= settings.cutoff:
            over = not more(state, moves(state))
            score = score_of(ending(state)) if over else estimate(evaluation, state, settings.scale)
            break
        move = playout_move(settings.policy, state, key, last, tree, workspace)
        if move < 0:
            score = score_of(ending(state))
            break
        note_move(settings.selection, side_to_move(state), move)
        key = child_key(state, key, move)
        state = play(state, move)
        if repeats(state, key, last + 1, workspace):
            break  # a draw for either side
        last += 1
        enter(state, key, last, workspace)
    for entered in range(ply + 1, last + 1):
        leave(state, entered, workspace)
    if side_to_move(state) != side:
        return 1.0 - score
    return score


# --- the value of a leaf --------------------------------------------------------------------------


@operation
def leaf_score(
    leaf: Any,
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    """The score of the leaf at the end of the path, at `ply`, for its side to move."""


@leaf_score.register(Playouts)
def _(
    leaf: Playouts,
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    return playout(state, key, ply, tree, evaluation, settings, workspace)


@leaf_score.register(Judged)
def _(
    leaf: Judged,
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    return judge_leaf(state, ply, tree, evaluation, settings)


@leaf_score.register(Blended)
def _(
    leaf: Blended,
    state: State,
    key: np.uint64,
    ply: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    played = playout(state, key, ply, tree, evaluation, settings, workspace)
    known = judge_leaf(state, ply, tree, evaluation, settings)
    return leaf.share * known + (1.0 - leaf.share) * played


@helper
def judge_leaf(
    state: State, ply: int, tree: Tree, evaluation: Evaluation, settings: Settings
) -> float:
    """Returns the evaluation of the leaf at the end of the path, side to move's view.

    If children have priors, it is the evaluation of the best child.
    """
    node = tree.nodes[tree.head.path[ply]]
    if prior_visits(settings.prior) == 0.0 or node.count == 0:
        return estimate(evaluation, state, settings.scale)
    best = 0.0
    for child in range(node.first, node.first + node.count):
        status = tree.nodes[child].status
        score = tree.appeal[child].average if status == OPEN else score_of(status)
        best = max(best, score)
    return best
