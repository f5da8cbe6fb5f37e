"""Ways to choose the moves of random games; each is a technique with its own type.

policy   AnyMove · Filtered · Decisive
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.operations import (
    Moves,
    State,
    final_value,
    head,
    is_over,
    more,
    moves,
    moves_again,
    play,
    tail,
)
from papan.rules.splitmix import GOLDEN, below, scramble
from papan.rules.walk import draw_move, playout_filter
from papan.search.mcts.draw import count_and_note, draw_noted
from papan.search.mcts.tree import Tree
from papan.search.workspace import Workspace, is_forbidden_after

#: Draws of a move in games with a `playout_filter`, before the playable moves are listed.
_TRIES = 8


class AnyMove(NamedTuple):
    """Random games play any legal move."""


class Filtered(NamedTuple):
    """Random games play the moves that the game's `playout_filter` lets through."""


class Decisive(NamedTuple):
    """Random games play a move that wins at once if there is one, else like `Filtered`.

    Teytaud & Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
    algorithms", CIG 2010.
    """


@operation
def may_play(policy: Any, state: State, move: int) -> bool:
    """Returns whether random games may play a legal move."""


@operation
def playout_move(
    policy: Any, state: State, key: np.uint64, ply: int, tree: Tree, workspace: Workspace
) -> int:
    """Returns the next move of a random game at `ply`; −1 if there is none."""


@may_play.register(tuple)
def _(policy: Any, state: State, move: int) -> bool:
    return playout_filter(state, move)


@may_play.register(AnyMove)
def _(policy: AnyMove, state: State, move: int) -> bool:
    return True


@playout_move.register(tuple)
def _(policy: Any, state: State, key: np.uint64, ply: int, tree: Tree, workspace: Workspace) -> int:
    return random_move(policy, state, key, ply, tree, workspace)


@playout_move.register(Decisive)
def _(
    policy: Decisive, state: State, key: np.uint64, ply: int, tree: Tree, workspace: Workspace
) -> int:
    move = winning_move(state, key, ply, workspace)
    return move if move >= 0 else random_move(policy, state, key, ply, tree, workspace)


@helper
def winning_move(state: State, key: np.uint64, ply: int, workspace: Workspace) -> int:
    """Returns a move that wins at once; −1 if there is none."""
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        child = play(state, move)
        if is_over(child) and not is_forbidden_after(state, key, move, ply, workspace):
            mine = moves_again(state, child)
            if final_value(child) > 0 if mine else final_value(child) < 0:
                return move
    return -1


@helper
def random_number(tree: Tree) -> np.uint64:
    """Returns the next output of splitmix64."""
    tree.head.random += GOLDEN
    return scramble(tree.head.random)


@helper
def is_playable(
    policy: Any, state: State, key: np.uint64, move: int, ply: int, workspace: Workspace
) -> bool:
    """Returns whether a random game plays a move of the node at `ply`."""
    return may_play(policy, state, move) and not is_forbidden_after(
        state, key, move, ply, workspace
    )


@helper
def random_move(
    policy: Any, state: State, key: np.uint64, ply: int, tree: Tree, workspace: Workspace
) -> int:
    """Returns a random playable move of the node at `ply`, each with the same probability.

    If there is none, returns a random move that the repetition rule allows; −1 if there is none.
    """
    if is_replaced(draw_move, state):
        move = draw_move(state, random_number(tree))
        if move >= 0 and is_playable(policy, state, key, move, ply, workspace):
            return move
    every = moves(state)
    count = count_and_note(state, every, workspace)
    if count == 0:
        return -1
    for _ in range(_TRIES if is_replaced(playout_filter, state) else 1):
        move = draw_noted(state, every, below(random_number(tree), count), workspace)
        if is_playable(policy, state, key, move, ply, workspace):
            return move
    move = one_of(policy, state, key, every, ply, tree, workspace)
    if move < 0 and is_replaced(playout_filter, state):
        move = one_of(AnyMove(), state, key, every, ply, tree, workspace)
    return move


@helper
def one_of(
    policy: Any,
    state: State,
    key: np.uint64,
    every: Moves,
    ply: int,
    tree: Tree,
    workspace: Workspace,
) -> int:
    """Returns a random one of the playable moves; −1 if there is none."""
    chosen, count = -1, 0
    while more(state, every):
        move = head(state, every)
        every = tail(state, every)
        if is_playable(policy, state, key, move, ply, workspace):
            count += 1
            if below(random_number(tree), count) == 0:
                chosen = move
    return chosen
