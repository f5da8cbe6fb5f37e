"""What one thread of the engine searches: principal variation search with everything that helps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.kernel.bits import NONE
from papan.kernel.compiler import kernel
from papan.kernel.dispatch import helper
from papan.kernel.operations import (
    INFINITY,
    Evaluation,
    State,
    is_symmetric,
    key,
    max_plies_left,
    next_key,
    play,
    symmetry_count,
    terminal_value,
    transform,
    transform_move,
)
from papan.search.engine.abdada import Busy, is_taken, put_back, take, task_of
from papan.search.frontier import frontier, leaf_value
from papan.search.ordering import Ordering, cutoff_bonus, take_best, write_moves
from papan.search.remembering import Known, consult, remember
from papan.search.table import Table
from papan.search.workspace import (
    Workspace,
    end_pv,
    enter_salted,
    extend_pv,
    leave,
    repeats,
    salt_at,
    should_stop,
    start_pv,
    watch_return,
)


class Techniques(NamedTuple):
    """What the kernel is to use.

    Attributes:
        table: 1 to use the transposition table.
        scout: 1 for null windows after the first move, 0 for plain alpha–beta.
        symmetry: mirrored positions share a table entry down to this ply; −1 for none.
        lmr: from this move of a node on, search less deeply at first; 0 for never.
        share: from this depth on, what another thread is searching is left for later; 0 for never.
        busy: what the threads are searching.
        ordering: how moves are ordered.
    """

    table: int
    scout: int
    symmetry: int
    lmr: int
    share: int
    busy: Busy
    ordering: Ordering


#: Nodes of less depth than this are never searched with a reduction.
LMR_LEAST_DEPTH = 3


@helper
def orient(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    ply: int,
    techniques: Techniques,
    workspace: Workspace,
) -> tuple[Any, int]:
    """The least key among a position's mirror images, and the symmetry that leads there."""
    least = own_key
    index = 0
    wanted = ply <= techniques.symmetry and is_symmetric(evaluation)
    # A salt tells of positions as they stood, not of their mirror images.
    if wanted and salt_at(state, ply, workspace) == NONE:
        for other in range(1, symmetry_count(state)):
            mirrored = key(transform(state, other))
            if mirrored < least:
                least = mirrored
                index = other
    return least, index


@helper
def turn_back(state: State, move: int, index: int, ply: int, workspace: Workspace) -> int:
    """The move of `state` that looks like `move` under symmetry `index`; −1 if there is none."""
    if index == 0 or move < 0:
        return move
    nothing = Ordering(0, 0, 0)
    for i in range(write_moves(state, ply, nothing, workspace)):
        mine = workspace.ordered[ply, i] & 0xFFFF
        if transform_move(state, mine, index) == move:
            return mine
    return -1


@helper
def recall(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    table: Table,
    techniques: Techniques,
    workspace: Workspace,
) -> tuple[Known, Any, int]:
    """What the table knows of a position, with its own move to try first; the key it is known
    by; and the symmetry that leads there."""
    table_key, index = orient(state, own_key, evaluation, ply, techniques, workspace)
    if techniques.table == 0:
        return Known(0, 0, window[0], window[1], -INFINITY, INFINITY, -1), table_key, index
    known = consult(table, state, table_key, depth, ply, window, workspace)
    if index > 0 and known.move >= 0:
        move = turn_back(state, known.move, index, ply, workspace)
        if known.answered == 1:  # the variation has the mirror image's move
            end_pv(workspace, ply, move)
        known = Known(
            known.answered, known.value, known.alpha, known.beta, known.lower, known.upper, move
        )
    return known, table_key, index


class Order(NamedTuple):
    """How far a node has come with its moves, which stand in its row of `workspace.ordered`.

    Attributes:
        written: how many there are; −1 before they are written.
        taken: how many of them have had their turn.
        left: so many were put off, and stand at the front of the row.
        again: 1 when what was put off has its turn.
    """

    written: int
    taken: int
    left: int
    again: int


@helper
def next_in_order(
    state: State, ply: int, first: int, order: Order, techniques: Techniques, workspace: Workspace
) -> tuple[int, Order]:
    """The best move that is left other than `first`, or −1; and what is left then."""
    written, taken, left, again = order
    if written < 0:
        written = write_moves(state, ply, techniques.ordering, workspace)
    while taken < written or left > 0:
        if taken >= written:
            taken, written, left, again = 0, left, 0, 1
        move = take_best(ply, taken, written, workspace)
        taken += 1
        if move != first:
            return move, Order(written, taken, left, again)
    return -1, Order(written, taken, left, again)


@helper
def put_off(order: Order, ply: int, workspace: Workspace) -> Order:
    """Puts the move that was taken last among those that have their turn again."""
    workspace.ordered[ply, order.left] = workspace.ordered[ply, order.taken - 1]
    return Order(order.written, order.taken, order.left + 1, order.again)


@helper
def shares(techniques: Techniques, depth: int, tried: int, again: int) -> bool:
    """Whether a move is left to another thread if that is searching it: never the first one, and
    none twice."""
    return techniques.share > 0 and depth >= techniques.share and tried > 0 and again == 0


@kernel
def best_value(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    table: Table,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """A value of `state` at `depth` ≥ 1, side to move's view; see `alpha_beta` for the window."""
    depth = min(depth, max_plies_left(state))
    if depth <= 1:
        return frontier(state, own_key, evaluation, ply, window, workspace)
    start_pv(workspace, ply)
    if should_stop(workspace):
        return 0
    # 1. What the table knows, of this position or of a mirror image.
    known, table_key, symmetry = recall(
        state, own_key, evaluation, depth, ply, window, table, techniques, workspace
    )
    if known.answered == 1:
        return known.value
    # 2. The table's move, then the others, best first; last what another thread was busy with.
    before = (workspace.nodes, workspace.path_dependent)
    enter_salted(state, own_key, ply, workspace)
    alpha, beta = known.alpha, known.beta
    best, best_move, tried = -INFINITY, -1, 0
    move, order = known.move, Order(-1, 0, 0, 0)
    while True:
        if move < 0:
            move, order = next_in_order(state, ply, known.move, order, techniques, workspace)
            if move < 0:
                break
        below, task = next_key(state, own_key, move), np.uint64(0)
        if shares(techniques, depth, tried, order.again):
            task = task_of(below, depth)
            if is_taken(techniques.busy, task):
                move, order = -1, put_off(order, ply, workspace)
                continue
            take(techniques.busy, task)
        tried += 1
        workspace.nodes += 1
        watch_return(state, move, workspace)
        if repeats(state, below, ply + 1, workspace):
            value = 0
            start_pv(workspace, ply + 1)
        else:
            # 3. A null window, perhaps less deep, asks whether the move is better at all.
            child = play(state, move)
            scout = alpha + 1 if techniques.scout == 1 and tried > 1 else beta
            less = reduction(tried, depth, techniques)
            value = -best_value(child, below, evaluation, depth - 1 - less, ply + 1,
                                (-scout, -alpha), table, techniques, workspace)  # fmt: skip
            if value > alpha and (less > 0 or scout <= value < beta):
                value = -best_value(child, below, evaluation, depth - 1, ply + 1,
                                    (-beta, -alpha), table, techniques, workspace)  # fmt: skip
        put_back(techniques.busy, task)
        if workspace.stop != 0:
            break
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                extend_pv(workspace, ply, move)
                if value >= beta:
                    cutoff_bonus(state, move, depth, ply, workspace)
                    break
        move = -1
    leave(state, own_key, workspace)
    # 4. What was found, for the table.
    if tried == 0:
        return terminal_value(evaluation, state, ply)
    if techniques.table == 1:
        result = (best, transform_move(state, best_move, symmetry))
        remember(table, state, table_key, depth, ply, known, result, before, workspace)
    return best


@kernel
def best_root_move(
    state: State,
    own_key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    window: tuple[int, int],
    root_moves: Any,
    table: Table,
    techniques: Techniques,
    workspace: Workspace,
) -> int:
    """The value of the best of `root_moves` (int64, in the order to try them) at `depth`."""
    # A literal 1 would be a type of its own: numba would compile `best_value` for it too, calling
    # the other one in a way that crashes once both are loaded from the cache.
    one_ply: Any = np.int64(1)
    start_pv(workspace, 0)
    workspace.nodes += 1
    enter_salted(state, own_key, 0, workspace)
    alpha, beta = window
    best = -INFINITY
    # Once round; a second time for what another thread was busy with.
    waiting, again, left = workspace.ordered[0], 0, 0
    waiting[: root_moves.size] = root_moves
    index, count, tried = 0, root_moves.size, 0
    while index < count or left > 0:
        if index >= count:
            index, count, left, again = 0, left, 0, 1
        move = waiting[index]
        index += 1
        below, task = next_key(state, own_key, move), np.uint64(0)
        if shares(techniques, depth, tried, again):
            task = task_of(below, depth)
            if is_taken(techniques.busy, task):
                waiting[left] = move
                left += 1
                continue
            take(techniques.busy, task)
        tried += 1
        workspace.nodes += 1
        start_pv(workspace, 1)
        if depth == 1:
            value = leaf_value(state, own_key, evaluation, move, 0, workspace)
        elif repeats(state, below, 1, workspace):
            value = 0
        else:
            child = play(state, move)
            scout = alpha + 1 if techniques.scout == 1 and tried > 1 else beta
            value = -best_value(
                child, below, evaluation, depth - 1, one_ply,
                (-scout, -alpha), table, techniques, workspace,
            )  # fmt: skip
            if scout <= value < beta and workspace.stop == 0:
                value = -best_value(
                    child, below, evaluation, depth - 1, one_ply,
                    (-beta, -alpha), table, techniques, workspace,
                )  # fmt: skip
        put_back(techniques.busy, task)
        if workspace.stop != 0 and depth > 1:
            break
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_pv(workspace, 0, move)
                if value >= beta:
                    break
    leave(state, own_key, workspace)
    return best


@helper
def reduction(tried: int, depth: int, techniques: Techniques) -> int:
    """How many plies less deep a move is searched at first."""
    if techniques.lmr > 0 and tried > techniques.lmr and depth >= LMR_LEAST_DEPTH:
        return 1
    return 0
