"""The memory of a search: none, a transposition table, or a table shared by mirrored positions.

Source: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms",
Artificial Intelligence 87, 1996, figure 2: each entry has a lower and an upper bound and a best
move.
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
    """A memory that stores nothing."""


class Mirrored(NamedTuple):
    """A table in which a position and its mirror images share an entry.

    Attributes:
        table: the table.
        plies: largest ply with shared entries; −1 for none. Below it, computing all images costs
            more than it saves.
    """

    table: Table
    plies: int


class ProbeResult(NamedTuple):
    """What the memory contains about a node before its search.

    Attributes:
        answered: 1 if `value` ends the search of the node.
        value: the node's value, if `answered` is 1.
        alpha: lower end of the window, narrowed by the entry.
        beta: upper end of the window, narrowed by the entry.
        lower: known lower bound of the value at exactly this depth.
        upper: known upper bound of the value at exactly this depth.
        move: the move to try first, or −1.
        key: the key of the node's entry.
        symmetry: the symmetry that maps the node to the position with that key; 0 for identity.
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
    """The smallest depth whose search equals that of `depth`, so that more positions share an
    entry.

    Default: at most the number of plies that the game can still last.
    """


@operation
def key_below(memory: Any, state: State, key: np.uint64, move: int) -> Any:
    """The key after `move` of a node with `key`; an arbitrary number if no key is needed."""


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
    """The entry of a node. If `answered` is 1, the node's principal variation is set."""


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
    """Stores the result of a node.

    Args:
        known: the result of `recall`.
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
    return depth  # without entries to share this is faster


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
    # Uses only bounds of exactly this depth, so that a search returns the values of plain minimax.
    if entry.depth != depth:
        return ProbeResult(0, 0, alpha, beta, -INFINITY, INFINITY, entry.move, key, 0)
    answered = entry.lower >= beta or entry.upper <= alpha or entry.lower == entry.upper
    if answered and (ply > 0 or entry.move >= 0):  # the root needs a move
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
    # Results of interrupted searches, and results that depend on the path to the node (a draw by
    # repetition below it), are not valid for other searches.
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
    # The history hash refers to positions as they occurred, not to their mirror images.
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
        if known.answered == 1:  # the variation holds the mirror image's move
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
    if move >= 0:  # −1 after an interrupted search
        move = transform_move(state, move, known.symmetry)
    keep(memory.table, state, known, depth, ply, (value, move), before, workspace)


@helper
def least_image(state: State, own_key: np.uint64) -> tuple[Any, int]:
    """Returns the smallest key of a position's mirror images, and the symmetry that leads to it."""
    least, symmetry = own_key, 0
    for index in range(1, symmetry_count(state)):
        mirrored = rules.key(transform(state, index))
        if mirrored < least:
            least, symmetry = mirrored, index
    return least, symmetry


@helper
def turned_back(state: State, move: int, symmetry: int) -> int:
    """Returns the move of `state` that a symmetry maps to `move`; −1 if there is none."""
    rest = moves(state)
    while more(state, rest):
        mine = head(state, rest)
        rest = tail(state, rest)
        if transform_move(state, mine, symmetry) == move:
            return mine
    return -1
