"""The value of a leaf of the tree: from a random game, from the evaluation, or from both."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.operations import (
    Evaluation,
    Moves,
    State,
    final_value,
    head,
    more,
    moves,
    play,
    side_to_move,
    tail,
)
from papan.rules.splitmix import GOLDEN, below, scramble
from papan.rules.walk import draw_move, playout_filter
from papan.search.mcts.draw import count_and_note, draw_noted
from papan.search.mcts.guide import Blended, Judged, NoPrior, Playouts, estimate, prior_visits
from papan.search.mcts.tree import DRAWN, LOST, OPEN, WON, Tree, score_of
from papan.search.workspace import Workspace, child_key, enter, is_forbidden_after, leave, repeats


class Settings(NamedTuple):
    """Settings of the kernels.

    Attributes:
        exploration: factor of the exploration term of UCB1.
        expand: number of visits after which a leaf gets children.
        depth: largest ply of a node of the tree.
        cutoff: plies after which the evaluation ends a playout.
        scale: lead in points of the evaluation that counts as an expected score of ¾.
        solver: 1 to propagate proven values up the tree.
        leaf: the technique that evaluates leaves (`papan.search.mcts.guide`).
        prior: the technique of the initial value of a move (`papan.search.mcts.guide`).
    """

    exploration: float
    expand: int
    depth: int
    cutoff: int
    scale: float
    solver: int
    leaf: Any = Playouts()
    prior: Any = NoPrior()


#: Draws of a move in games with a `playout_filter`, before the playable moves are listed.
_TRIES = 8


@helper
def random_number(tree: Tree) -> np.uint64:
    """Returns the next output of splitmix64."""
    tree.head.random += GOLDEN
    return scramble(tree.head.random)


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
def is_playable(state: State, key: np.uint64, move: int, ply: int, workspace: Workspace) -> bool:
    """Returns whether a random game plays a move of the node at `ply`."""
    return playout_filter(state, move) and not is_forbidden_after(state, key, move, ply, workspace)


@helper
def random_move(state: State, key: np.uint64, ply: int, tree: Tree, workspace: Workspace) -> int:
    """Returns a random playable move of the node at `ply`, each with the same probability.

    If there is none, returns a random move that the repetition rule allows; −1 if there is none.
    """
    if is_replaced(draw_move, state):
        move = draw_move(state, random_number(tree))
        if move >= 0 and is_playable(state, key, move, ply, workspace):
            return move
    every = moves(state)
    count = count_and_note(state, every, workspace)
    if count == 0:
        return -1
    for _ in range(_TRIES if is_replaced(playout_filter, state) else 1):
        move = draw_noted(state, every, below(random_number(tree), count), workspace)
        if is_playable(state, key, move, ply, workspace):
            return move
    move = one_of(state, key, every, ply, True, tree, workspace)
    if move < 0 and is_replaced(playout_filter, state):
        move = one_of(state, key, every, ply, False, tree, workspace)
    return move


@helper
def one_of(
    state: State,
    key: np.uint64,
    every: Moves,
    ply: int,
    playable: bool,
    tree: Tree,
    workspace: Workspace,
) -> int:
    """Returns a random one of the moves that are playable, or only allowed; −1 if there is none."""
    chosen, count = -1, 0
    while more(state, every):
        move = head(state, every)
        every = tail(state, every)
        fits = playout_filter(state, move) or not playable
        if fits and not is_forbidden_after(state, key, move, ply, workspace):
            count += 1
            if below(random_number(tree), count) == 0:
                chosen = move
    return chosen


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
        move = random_move(state, key, last, tree, workspace)
        if move < 0:
            score = score_of(ending(state))
            break
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
