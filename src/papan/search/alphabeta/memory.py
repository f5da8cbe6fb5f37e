"""The memory of a search: nothing, a transposition table, or one that knows mirrored positions.

Source: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms",
Artificial Intelligence 87, 1996, figure 2: a lower and an upper bound of every position are kept,
and its best move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules import operations as rules
from papan.rules.bits import NONE
from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    head,
    is_symmetric,
    max_plies_left,
    more,
    moves,
    next_key,
    symmetry_count,
    tail,
    transform,
    transform_move,
)
from papan.search.table import Entry, Table, probe, store
from papan.search.workspace import Workspace, child_key, end_pv, history_hash_at


class NoMemory(NamedTuple):
    """A memory that keeps nothing."""


class Mirrored(NamedTuple):
    """A table in which a position and its mirror images share an entry.

    Attributes:
        table: where the entries are.
        plies: entries are shared down to this ply; −1 for none. Deeper, looking at all images
            costs more than it finds.
    """

    table: Table
    plies: int


class ProbeResult(NamedTuple):
    """Facts that the memory has of a node before it is searched.

    Attributes:
        answered: 1 if nothing is left to search, because `value` says enough.
        value: the answer.
        alpha: the window, narrowed by what is known.
        beta: the same.
        lower: the bounds known of the value at just this depth.
        upper: the same.
        move: the move to try first, or −1.
        key: the key that the node is known by.
        symmetry: the symmetry that leads to the position with that key; 0 for itself.
    """

    answered: int
    value: int
    alpha: int
    beta: int
    lower: int
    upper: int
    move: int
    key: Any
    symmetry: int


# --- the operations of a memory ------------------------------------------------------------------


@operation
def useful_depth(memory: Any, state: State, depth: int) -> int:
    """The least depth that searches the same as `depth`, so that more positions share an entry;
    default: not more plies than the game can last."""


@operation
def key_below(memory: Any, state: State, key: np.uint64, move: int) -> Any:
    """The key after `move`, of a node with `key`; any number where none is needed."""


@operation
def recall(
    memory: Any,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> ProbeResult:
    """The facts known of a node. One that is answered has its principal variation set."""


@operation
def keep(
    memory: Any,
    state: State,
    known: ProbeResult,
    depth: int,
    ply: int,
    best: tuple[int, int],
    before: tuple[int, int],
    workspace: Workspace,
) -> None:
    """Stores what a node was found to be worth.

    Args:
        known: what `recall` said.
        best: the best value and its move.
        before: `nodes` and `path_dependent` of the workspace when the node was entered.
    """


@useful_depth.register(tuple)
def _(memory: Any, state: State, depth: int) -> int:
    return min(depth, max_plies_left(state))


@key_below.register(tuple)
def _(memory: Any, state: State, key: np.uint64, move: int) -> Any:
    return next_key(state, key, move)


# --- nothing -------------------------------------------------------------------------------------


@useful_depth.register(NoMemory)
def _(memory: NoMemory, state: State, depth: int) -> int:
    return depth  # no entries to share, and one question less at each node


@key_below.register(NoMemory)
def _(memory: NoMemory, state: State, key: np.uint64, move: int) -> Any:
    return child_key(state, key, move)


@recall.register(NoMemory)
def _(
    memory: NoMemory,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> ProbeResult:
    return ProbeResult(0, 0, window[0], window[1], -INFINITY, INFINITY, -1, key, 0)


@keep.register(NoMemory)
def _(
    memory: NoMemory,
    state: State,
    known: ProbeResult,
    depth: int,
    ply: int,
    best: tuple[int, int],
    before: tuple[int, int],
    workspace: Workspace,
) -> None:
    return None


# --- a table -------------------------------------------------------------------------------------


@recall.register(Table)
def _(
    memory: Table,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> ProbeResult:
    alpha, beta = window
    entry = probe(memory, state, key, ply, workspace)
    if entry.hit == 0:
        return ProbeResult(0, 0, alpha, beta, -INFINITY, INFINITY, -1, key, 0)
    # Bounds of exactly this depth only, so that a search returns the values of plain minimax.
    if entry.depth != depth:
        return ProbeResult(0, 0, alpha, beta, -INFINITY, INFINITY, entry.move, key, 0)
    answered = entry.lower >= beta or entry.upper <= alpha or entry.lower == entry.upper
    if answered and (ply > 0 or entry.move >= 0):  # the root has to have a move
        if entry.move >= 0:
            end_pv(workspace, ply, entry.move)
        value = entry.lower if entry.lower >= beta else entry.upper
        return ProbeResult(1, value, alpha, beta, entry.lower, entry.upper, entry.move, key, 0)
    alpha, beta = max(alpha, entry.lower), min(beta, entry.upper)
    return ProbeResult(0, 0, alpha, beta, entry.lower, entry.upper, entry.move, key, 0)


@keep.register(Table)
def _(
    memory: Table,
    state: State,
    known: ProbeResult,
    depth: int,
    ply: int,
    best: tuple[int, int],
    before: tuple[int, int],
    workspace: Workspace,
) -> None:
    value, move = best
    nodes, path_dependent = before
    # A result that hangs on the path by which the node was reached (a draw by repetition below
    # it), or of a search cut short, is not for others.
    if workspace.stop != 0 or workspace.path_dependent != path_dependent:
        return
    lower = max(known.lower, value) if value > known.alpha else known.lower
    upper = min(known.upper, value) if value < known.beta else known.upper
    entry = Entry(1, depth, lower, upper, move)
    store(memory, state, known.key, ply, entry, workspace.nodes - nodes, workspace)


# --- a table of mirrored positions ---------------------------------------------------------------


@recall.register(Mirrored)
def _(
    memory: Mirrored,
    state: State,
    key: np.uint64,
    evaluation: Evaluation,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> ProbeResult:
    least, symmetry = key, 0
    # A salt tells of positions as they stood, not of their mirror images.
    if (
        ply <= memory.plies
        and is_symmetric(evaluation)
        and history_hash_at(state, ply, workspace) == NONE
    ):
        least, symmetry = least_image(state, key)
    known = recall(memory.table, state, least, evaluation, depth, ply, window, workspace)
    move = known.move
    if symmetry > 0 and move >= 0:
        move = turned_back(state, move, symmetry)
        if known.answered == 1:  # the variation has the mirror image's move
            end_pv(workspace, ply, move)
    return ProbeResult(
        known.answered,
        known.value,
        known.alpha,
        known.beta,
        known.lower,
        known.upper,
        move,
        least,
        symmetry,
    )


@keep.register(Mirrored)
def _(
    memory: Mirrored,
    state: State,
    known: ProbeResult,
    depth: int,
    ply: int,
    best: tuple[int, int],
    before: tuple[int, int],
    workspace: Workspace,
) -> None:
    value, move = best
    if move >= 0:  # a search that was stopped may have found none
        move = transform_move(state, move, known.symmetry)
    keep(memory.table, state, known, depth, ply, (value, move), before, workspace)


@helper
def least_image(state: State, own_key: np.uint64) -> tuple[Any, int]:
    """The least key among a position's mirror images, and the symmetry that leads there."""
    least, symmetry = own_key, 0
    for index in range(1, symmetry_count(state)):
        mirrored = rules.key(transform(state, index))
        if mirrored < least:
            least, symmetry = mirrored, index
    return least, symmetry


@helper
def turned_back(state: State, move: int, symmetry: int) -> int:
    """The move of `state` that looks like `move` under a symmetry; −1 if there is none."""
    rest = moves(state)
    while more(state, rest):
        mine = head(state, rest)
        rest = tail(state, rest)
        if transform_move(state, mine, symmetry) == move:
            return mine
    return -1
