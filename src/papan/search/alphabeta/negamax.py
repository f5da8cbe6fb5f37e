"""Alpha–beta in negamax form: one loop for all algorithms of the family.

Knuth & Moore, "An analysis of alpha–beta pruning", Artificial Intelligence 6, 1975; fail-soft
after Fishburn, 1983. Each algorithm is a choice of techniques
(`papan.search.alphabeta.techniques`). Each technique is a type, and its operations are resolved
when the kernel is compiled for it.

A value is exact inside the window (alpha, beta). A value below the window is an upper bound, and a
value above it a lower bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.jit.compiler import kernel, part
from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    count_taken,
    head,
    is_quiet,
    more,
    moves,
    play,
    tail,
    terminal_value,
    value_above,
    window_below,
)
from papan.search.alphabeta.leaves import Quiescence, Static, leaf_value
from papan.search.alphabeta.memory import ProbeResult, keep, key_below, recall, useful_depth
from papan.search.alphabeta.order import FixedOrder, defer, following, learn, may_defer, walk
from papan.search.alphabeta.techniques import (
    ENTERED,
    LEFT,
    REPEATED,
    TAKEN,
    TRIED,
    Techniques,
    after_pass,
    bound_for,
    claim,
    depth_after_pass,
    event_of,
    is_unsure,
    put_back,
    quiet_bounds,
    reduction_of,
    saw,
    saw_leaf,
)
from papan.search.workspace import (
    Workspace,
    end_pv,
    enter_path,
    extend_pv,
    is_forbidden_after,
    leave,
    repeats,
    should_stop,
    start_pv,
    watch_return,
)


@part
def negamax(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Returns the value at `depth` ≥ 1, side to move's view, and leaves the pv in the workspace."""
    memory, order, observer = techniques.memory, techniques.order, techniques.observer
    kind = techniques.leaves
    depth = useful_depth(memory, state, depth)
    if depth <= 1:
        return frontier(kind, state, key, evaluation, ply, window, techniques, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    # 1. Probe the memory.
    known = consult(state, key, evaluation, depth, ply, window, techniques, workspace)
    if known.answered == 1:
        return known.value
    # 2. Try the moves, the memory's move first, until one causes a cutoff.
    before = (workspace.nodes, workspace.path_dependent)
    enter_path(state, key, ply, workspace)
    alpha, beta, best, best_move, tried = known.alpha, known.beta, -INFINITY, -1, 0
    move, rest = known.move, walk(order, state)
    value, _ = quiet_bounds(techniques.passing, state, evaluation, depth, (alpha, beta))
    near = depth_after_pass(techniques.passing, state, depth, (alpha, beta))
    if near > 0 and value < beta:  # if a pass is good enough, so is the best move
        child, below, inner = after_pass(state, (alpha, beta))
        value = -negamax(child, below, evaluation, near, ply + 1, inner, techniques, workspace)
    if value >= beta and workspace.stop == 0:
        leave(state, ply, workspace)
        return saw_result(observer, ply, -1, beta, workspace)
    while True:
        move, rest = move_or_next(move, order, state, key, rest, known.move, ply, workspace)
        if move < 0:
            break
        below = key_below(memory, state, key, move)
        task = claim(techniques.team, below, depth, tried > 0 and may_defer(order, rest))
        if task == TAKEN:
            move, rest = -1, defer(order, rest, ply, workspace)
            continue
        child = play(state, move)
        tried, down, inner = tried + 1, ply + 1, window_below(state, child, (alpha, beta))
        visit(state, move, down, inner, observer, workspace)
        if is_draw(child, below, move, down, inner, observer, workspace):
            value = 0
        else:
            # 3. Search the move, possibly reduced or with a null window; if better, again in full.
            less = reduction_of(techniques.reduction, depth, tried)
            bound = bound_for(techniques.window, alpha, beta, tried)
            part, near = window_below(state, child, (alpha, bound)), depth - 1 - less
            if depth == 2:  # nearly all nodes: without a call the compiler generates one loop
                value = frontier(kind, child, below, evaluation, down, part, techniques, workspace)
            else:
                value = negamax(child, below, evaluation, near, down, part, techniques, workspace)
            value = value_above(state, child, value)
            if value > alpha and (less > 0 or is_unsure(techniques.window, bound, value, beta)):
                full = depth - 1
                value = negamax(child, below, evaluation, full, down, inner, techniques, workspace)
                value = value_above(state, child, value)
        put_back(techniques.team, task)
        if depth > 2 and workspace.stop != 0:  # values at depth 2 are never interrupted
            break
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= beta:
                    learn(order, state, move, depth, ply, workspace)
                    break
        move = -1
    leave(state, ply, workspace)
    # 4. Store the result in the memory.
    found = (tried, best, best_move)
    return conclude(state, evaluation, known, depth, ply, found, before, techniques, workspace)


@helper
def consult(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> ProbeResult:
    """Returns what the memory knows of the node that is entered."""
    memory, observer = techniques.memory, techniques.observer
    saw(observer, ENTERED, ply, depth, window, workspace)
    known = recall(memory, state, key, evaluation, depth, ply, window, workspace)
    saw(observer, event_of(known), ply, known.move, (known.lower, known.upper), workspace)
    return known


@helper
def conclude(
    state: State,
    evaluation: Evaluation,
    known: ProbeResult,
    depth: int,
    ply: int,
    found: tuple[int, int, int],
    before: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Stores the result of a node in the memory, and returns its value.

    Args:
        found: number of moves tried, the best value and its move.
        before: nodes and path-dependent events when the node was entered.
    """
    tried, best, move = found
    if tried == 0:
        best = terminal_value(evaluation, state, ply)
    else:
        keep(techniques.memory, state, known, depth, ply, (best, move), before, workspace)
    return saw_result(techniques.observer, ply, move, best, workspace)


@helper
def saw_result(observer: Any, ply: int, move: int, value: int, workspace: Workspace) -> int:
    """Records that a node was left with a best move and a value; returns the value."""
    saw(observer, LEFT, ply, move, (value, value), workspace)
    return value


@kernel
def bounded_value(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Returns the value of a root whose moves are tried in the order of `techniques`."""
    ply: Any = np.int64(0)  # numba gives a literal a type of its own
    return negamax(state, key, evaluation, depth, ply, window, techniques, workspace)


@kernel
def negamax_root(
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    window: tuple[int, int],
    candidates: Any,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """Returns the value of the best of `candidates` (int64, in the order to try them) at the root.

    An interrupted search leaves the best of the completely searched candidates. The root has its
    own kernel because a `negamax` that calls itself with other types of techniques crashes once it
    is loaded from the cache.
    """
    # A literal 1 would also have its own type, and `negamax` would be compiled again for it.
    one_ply: Any = np.int64(1)
    order = FixedOrder(candidates)
    saw(techniques.observer, ENTERED, 0, depth, window, workspace)
    start_pv(workspace, 0)
    workspace.nodes += 1
    enter_path(state, key, 0, workspace)
    alpha, beta = window
    best, best_move, tried = -INFINITY, -1, 0
    move, rest = following(order, state, walk(order, state), -1, 0, workspace)
    while move >= 0 and not (depth > 1 and should_stop(workspace)):
        below = key_below(techniques.memory, state, key, move)
        task = claim(techniques.team, below, depth, tried > 0 and may_defer(order, rest))
        if task == TAKEN:
            rest = defer(order, rest, 0, workspace)
            move, rest = following(order, state, rest, -1, 0, workspace)
            continue
        child = play(state, move)
        tried, inner = tried + 1, window_below(state, child, (alpha, beta))
        visit(state, move, 1, inner, techniques.observer, workspace)
        start_pv(workspace, 1)
        if depth == 1:
            value = leaf_value(
                techniques.leaves, state, key, evaluation, move, 0, (alpha, beta), workspace
            )
            saw_leaf(techniques.observer, state, key, move, 0, value, workspace)
        elif is_draw(child, below, move, 1, inner, techniques.observer, workspace):
            value = 0
        else:
            bound, left = bound_for(techniques.window, alpha, beta, tried), depth - 1
            part = window_below(state, child, (alpha, bound))
            value = negamax(child, below, evaluation, left, one_ply, part, techniques, workspace)
            value = value_above(state, child, value)
            if is_unsure(techniques.window, bound, value, beta) and workspace.stop == 0:
                value = negamax(
                    child, below, evaluation, left, one_ply, inner, techniques, workspace
                )
                value = value_above(state, child, value)
        put_back(techniques.team, task)
        if workspace.stop != 0 and depth > 2:  # values at depth 2 are never interrupted
            break
        if value > best:
            best, best_move = value, move
        if value > alpha:
            alpha = value
            extend_pv(workspace, 0, move)
            if value >= beta:
                break
        move, rest = following(order, state, rest, -1, 0, workspace)
    leave(state, 0, workspace)
    return saw_result(techniques.observer, 0, best_move, best, workspace)


@helper
def move_or_next(
    move: int,
    order: Any,
    state: State,
    key: np.uint64,
    rest: Any,
    tried: int,
    ply: int,
    workspace: Workspace,
) -> tuple[int, Any]:
    """Returns the move and the rest if there is a move, otherwise the same as `following`.

    Skips moves that the repetition rule forbids.
    """
    if move >= 0:
        return move, rest
    move, rest = following(order, state, rest, tried, ply, workspace)
    while move >= 0 and is_forbidden_after(state, key, move, ply, workspace):
        move, rest = following(order, state, rest, tried, ply, workspace)
    return move, rest


@helper
def visit(
    state: State,
    move: int,
    ply: int,
    window: tuple[int, int],
    observer: Any,
    workspace: Workspace,
) -> None:
    """Counts the node after `move` at `ply`; `window` is the widest that its search uses."""
    workspace.nodes += 1
    watch_return(state, move, workspace)
    saw(observer, TRIED, ply, move, window, workspace)


@helper
def is_draw(
    state: State,
    key: np.uint64,
    move: int,
    ply: int,
    window: tuple[int, int],
    observer: Any,
    workspace: Workspace,
) -> bool:
    """Returns whether `state`, reached at `ply` by `move`, is a draw by repetition."""
    if not repeats(state, key, ply, workspace):
        return False
    start_pv(workspace, ply)
    saw(observer, REPEATED, ply, move, window, workspace)
    return True


# --- the last ply, evaluated from its parent ------------------------------------------------------
# Most nodes of a search are leaves. They are counted and evaluated without a call for each:
# `evaluate_after` can often compute a leaf's value without making the move.


@operation
def frontier(
    leaves: Any,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """The alpha–beta value at depth 1: that of the best leaf, or the first one ≥ beta."""


@frontier.register(Static)
def _(
    leaves: Static,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    (alpha, beta), observer = window, techniques.observer
    saw(observer, ENTERED, ply, 1, window, workspace)
    start_pv(workspace, ply)
    best, best_move, visited = -INFINITY, -1, 0
    rest = all_moves = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if is_forbidden_after(state, key, move, ply, workspace):
            continue
        visited += 1
        bounds = (max(alpha, best), beta)
        value = leaf_value(leaves, state, key, evaluation, move, ply, bounds, workspace)
        saw_leaf(observer, state, key, move, ply, value, workspace)
        if value > best:
            best, best_move = value, move
            if value >= beta:
                break
    visited = count_taken(state, all_moves, rest, visited)
    workspace.nodes += visited
    found = (visited, best, best_move)
    return best_leaf(state, evaluation, ply, alpha, found, observer, workspace)


@frontier.register(Quiescence)
def _(
    leaves: Quiescence,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    window: tuple[int, int],
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    # In the order of the techniques, because leaves are costly. Positions that are good enough
    # without a move are skipped, and quiet moves that gain too little.
    (alpha, beta), observer, order = window, techniques.observer, techniques.order
    saw(observer, ENTERED, ply, 1, window, workspace)
    start_pv(workspace, ply)
    least, most = quiet_bounds(techniques.passing, state, evaluation, 1, window)
    if least >= beta:
        return saw_result(observer, ply, -1, least, workspace)
    best, best_move, count, rest = -INFINITY, -1, 0, walk(order, state)
    while True:
        move, rest = move_or_next(-1, order, state, key, rest, -1, ply, workspace)
        if move < 0:
            break
        count += 1
        if most <= alpha and is_quiet(state, move):
            best = max(best, most)
            continue
        workspace.nodes += 1
        bounds = (max(alpha, best), beta)
        value = leaf_value(leaves, state, key, evaluation, move, ply, bounds, workspace)
        saw_leaf(observer, state, key, move, ply, value, workspace)
        if value > best:
            best, best_move = value, move
            if value >= beta:
                learn(order, state, move, 1, ply, workspace)
                break
    found = (count, best, best_move)
    return best_leaf(state, evaluation, ply, alpha, found, observer, workspace)


@helper
def best_leaf(
    state: State,
    evaluation: Evaluation,
    ply: int,
    alpha: int,
    found: tuple[int, int, int],
    observer: Any,
    workspace: Workspace,
) -> int:
    """Returns the value at depth 1, and leaves the pv in the workspace.

    Args:
        found: number of moves, the best value and its move.
    """
    count, best, move = found
    if count == 0:
        best = terminal_value(evaluation, state, ply)
    elif best > alpha:
        end_pv(workspace, ply, move)
    return saw_result(observer, ply, move, best, workspace)
