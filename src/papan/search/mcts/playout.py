"""Random games from a leaf of the tree to the end, or to where an evaluation takes over."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.kernel.dispatch import helper
from papan.kernel.operations import (
    Evaluation,
    Moves,
    State,
    evaluate,
    final_value,
    head,
    more,
    moves,
    play,
    side_to_move,
    tail,
    unit,
)
from papan.kernel.splitmix import GOLDEN, scrambled
from papan.search.mcts.draw import counted, drawn
from papan.search.mcts.tree import DRAWN, LOST, WON, Tree, score_of
from papan.search.table import signed
from papan.search.workspace import Workspace, child_key, enter, is_forbidden_after, leave, repeats


class Settings(NamedTuple):
    """Settings of the kernels.

    Attributes:
        exploration: the factor of the exploration term of UCB1.
        expand: a leaf gets children when it has been visited so often.
        depth: no node of the tree lies deeper than this ply.
        cutoff: plies after which a playout is ended and valued by the evaluation.
        scale: the lead in points that an evaluation counts as three wins in four games.
        solver: 1 to carry proven values up the tree.
    """

    exploration: float
    expand: int
    depth: int
    cutoff: int
    scale: float
    solver: int


@helper
def below(tree: Tree, count: int) -> int:
    """A random number from 0 to `count` − 1 (splitmix64's next output, scaled)."""
    tree.head.random += GOLDEN
    number = scrambled(tree.head.random)
    return signed(((number >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@helper
def ending(state: State) -> int:
    """WON, DRAWN or LOST: the finished game `state`, for the side to move."""
    value = final_value(state)
    if value > 0:
        return WON
    if value < 0:
        return LOST
    return DRAWN


@helper
def estimate(evaluation: Evaluation, state: State, settings: Settings) -> float:
    """The score to expect of an unfinished game, side to move's view: ½ for an even one, ¾ for a
    lead of `settings.scale` points, never quite 1."""
    lead = evaluate(evaluation, state) / unit(evaluation)
    return 0.5 + 0.5 * lead / (abs(lead) + settings.scale)


@helper
def random_move(
    state: State,
    key: np.uint64,
    ply: int,
    every: Moves,
    count: int,
    tree: Tree,
    workspace: Workspace,
) -> int:
    """A random one of the `count` moves of the node at `ply`, each as likely as the others; −1 if
    all are forbidden because of where they lead to."""
    move = drawn(state, every, below(tree, count), workspace)
    if not is_forbidden_after(state, key, move, ply, workspace):
        return move
    chosen, allowed = -1, 0
    while more(state, every):
        move = head(state, every)
        every = tail(state, every)
        if not is_forbidden_after(state, key, move, ply, workspace):
            allowed += 1
            if below(tree, allowed) == 0:
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
    """The score of a random game from `state`, which is on the path at `ply`, to its side to move.

    Leaves all positions of the random game off the path again.
    """
    last, side = ply, side_to_move(state)
    score = score_of(DRAWN)
    while True:
        every = moves(state)
        count = counted(state, every, workspace)
        if count == 0:
            score = score_of(ending(state))
            break
        if last - ply >= settings.cutoff:
            score = estimate(evaluation, state, settings)
            break
        move = random_move(state, key, last, every, count, tree, workspace)
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
