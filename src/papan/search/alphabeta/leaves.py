"""The value of a leaf: the position as it stands, or after the captures that follow.

    leaves    Static · Quiescence

An evaluation that counts pieces is wrong in the middle of an exchange. With quiescence, the side to
move at a leaf may keep the value of the position or make a move that changes the material
(`is_quiet`), and so on. Sources: Shannon, "Programming a computer for playing chess", Philosophical
Magazine 41, 1950; Beal, "A generalised quiescence search algorithm", Artificial Intelligence 43,
1990.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.jit.compiler import part
from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    MAX_PLY,
    Evaluation,
    State,
    evaluate,
    evaluate_after,
    head,
    is_over,
    is_quiet,
    more,
    moves,
    next_key,
    order_hint,
    play,
    repetition_is_forbidden,
    tail,
    terminal_value,
    value_above,
    window_below,
)
from papan.search.alphabeta.order import pack_move, take_best
from papan.search.workspace import (
    Workspace,
    fits,
    no_move_is_allowed,
    repeats_after,
    watch_return,
)


class Static(NamedTuple):
    """The evaluation of the leaf."""


class Quiescence(NamedTuple):
    """The best of the evaluation and the values after moves that change the material.

    Attributes:
        plies: maximum number of such moves in a row.
    """

    plies: int


@operation
def value_after(
    leaves: Any,
    state: State,
    evaluation: Evaluation,
    move: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    """The value of the leaf after `move`, from the view of the side that moves at `ply`."""


@value_after.register(Static)
def _(
    leaves: Static,
    state: State,
    evaluation: Evaluation,
    move: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    return evaluate_after(evaluation, state, move, ply)


@value_after.register(Quiescence)
def _(
    leaves: Quiescence,
    state: State,
    evaluation: Evaluation,
    move: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    child = play(state, move)
    inner = window_below(state, child, window)
    value = settled_value(child, evaluation, leaves.plies, ply + 1, inner, workspace)
    return value_above(state, child, value)


@part
def settled_value(
    state: State,
    evaluation: Evaluation,
    plies: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    """Returns the value of a position after the best of up to `plies` moves that are not quiet."""
    if is_over(state):
        return terminal_value(evaluation, state, ply)
    alpha, beta = window
    best = evaluate(evaluation, state)
    if best >= beta or plies <= 0 or ply >= MAX_PLY:
        return best
    count = write_loud_moves(state, ply, workspace)
    for index in range(count):
        alpha = max(alpha, best)
        child = play(state, take_best(ply, index, count, workspace))
        workspace.nodes += 1
        inner = window_below(state, child, (alpha, beta))
        value = settled_value(child, evaluation, plies - 1, ply + 1, inner, workspace)
        best = max(best, value_above(state, child, value))
        if best >= beta:
            break
    return best


@helper
def write_loud_moves(state: State, ply: int, workspace: Workspace) -> int:
    """Writes the moves that are not quiet to the row of a ply, with their hints."""
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if is_quiet(state, move):
            continue
        if not fits(state, count, move, workspace):
            break
        workspace.ordered[ply, count] = pack_move(order_hint(state, move), move)
        count += 1
    return count


@helper
def leaf_value(
    leaves: Any,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    move: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> int:
    """Returns the value of the leaf after `move`, from the view of the side that moves at `ply`."""
    watch_return(state, move, workspace)
    if repeats_after(state, key, move, ply, workspace):
        return 0
    if repetition_is_forbidden(state):
        child = play(state, move)
        if no_move_is_allowed(child, next_key(state, key, move), ply + 1, workspace):
            return value_above(state, child, terminal_value(evaluation, child, ply + 1))
    return value_after(leaves, state, evaluation, move, ply, window, workspace)
