"""The memory that one search thread writes to: a record that kernels receive by address.

stop, node_limit   any thread may set `stop`; the search stops then, or when the limit is reached
misfit             1 after a move outside the limits that its game states; see `fits`
nodes              positions visited, including the root
root               number of keys of the game's history before the root's key in `path`
path               position keys: the game's earlier positions, the root, the nodes below it
seen               number of keys of `path` in each slot (key mod 4096); for most positions one
                   lookup shows that they do not repeat
pv, pv_length      row p: the principal variation from ply p on, in columns p … pv_length[p]−1
probes, table_hits number of probes of the transposition table, and of those that found an entry
history_hash       separates results of different game histories; see `history_hash_of`
path_hash          by ply: the same for the path below the root; see `enter_path`
path_dependent     number of events that make a result depend on the path to its position: draws
                   by repetition, and moves that may lead back to earlier positions
killers, history, ordered
                    see `papan.search.alphabeta.order`
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.rules.dispatch import end_at_limit, helper
from papan.rules.operations import (
    MAX_PLY,
    head,
    is_reversible,
    largest_move,
    more,
    most_moves,
    moves,
    next_key,
    remembers,
    repetition_is_forbidden,
    repetition_limit,
    tail,
    turns_alternate,
)
from papan.rules.repetition import known_position_key, next_position_key
from papan.rules.splitmix import numbers

#: Number of earlier positions of a game that are kept; older ones are ignored.
HISTORY = 4096
SEEN_SLOTS = 4096
HISTORY_MOVES = 4096  # columns of `history`; larger move numbers share them
_SLOT_MASK = np.uint64(SEEN_SLOTS - 1)
_WHOLE = np.uint64(64)  # bits of a key
_TURN = np.uint64(21)

_FIELDS: list[Any] = [
    ("stop", np.int64),
    ("node_limit", np.int64),
    ("misfit", np.int64),
    ("nodes", np.int64),
    ("root", np.int64),
    ("probes", np.int64),
    ("table_hits", np.int64),
    ("history_hash", np.uint64),
    ("path_hash", np.uint64, (MAX_PLY + 2,)),
    ("path_dependent", np.int64),
    ("path", np.uint64, (HISTORY + MAX_PLY + 2,)),
    ("seen", np.uint16, (SEEN_SLOTS,)),
    ("pv_length", np.int32, (MAX_PLY + 2,)),
    ("pv", np.int32, (MAX_PLY + 2, MAX_PLY + 2)),
    ("killers", np.int32, (MAX_PLY + 2, 2)),
    ("history", np.int32, (2, HISTORY_MOVES)),
]


@functools.cache
def layout(width: int) -> np.dtype[np.void]:
    """Returns the record type for a game whose positions have at most `width` moves.

    Each width has its own type, so that the offset of a row is a compile-time constant.
    """
    return np.dtype([*_FIELDS, ("ordered", np.int64, (MAX_PLY + 2, width))], align=True)


Workspace = Any  # a numpy record of a `layout`; compiled code sees its address


def new_workspace(position: Position, node_limit: int | None = None) -> Workspace:
    """Returns a workspace for a search from `position`, filled with the game's history."""
    workspace = np.zeros(1, layout(int(most_moves(position.state)))).view(np.recarray)[0]
    workspace.node_limit = node_limit or np.iinfo(np.int64).max
    past = position.past[-HISTORY:]
    workspace.root = len(past)
    for index, key in enumerate(past):
        workspace.path[index] = key
        workspace.seen[key % SEEN_SLOTS] += 1
    workspace.history_hash = history_hash_of(position)
    return workspace


def history_hash_of(position: Position) -> np.uint64:
    """Returns a number to combine with the keys of a transposition table.

    It depends on the earlier positions whose next occurrence is a draw or forbidden. Results found
    under other histories may then be wrong. The number is 0 in games without a repetition rule, and
    nearly always if only the third occurrence is a draw. `enter_path` adds such positions of the
    search path.
    """
    if not remembers(position.state):
        return np.uint64(0)
    limit = repetition_threshold(position.state)
    critical = {key for key, times in Counter(position.past).items() if times >= limit - 1}
    combined = functools.reduce(operator.xor, critical, 0)
    # Mixed, because the XOR of a key with itself would be 0 for every position.
    return np.uint64(numbers(combined, 1)[0] if combined else 0)


def principal_variation(workspace: Workspace) -> list[int]:
    """Returns the moves of the principal variation from the root."""
    return [int(move) for move in workspace.pv[0, : workspace.pv_length[0]]]


@helper
def should_stop(workspace: Workspace) -> bool:
    """Returns whether the search must stop: by request, or because its node limit is reached."""
    if workspace.nodes >= workspace.node_limit:
        end_at_limit(workspace)
    return workspace.stop != 0


@helper
def fits(state: Any, count: int, move: int, workspace: Workspace) -> bool:
    """Returns whether a move is within the limits that its game states.

    `count` moves of the node are listed already. If the move does not fit, the search stops and
    fails, because there is no memory for the move.
    """
    if count < most_moves(state) and 0 <= move <= largest_move(state):
        return True
    workspace.misfit = 1
    workspace.stop = 1
    return False


@helper
def start_pv(workspace: Workspace, ply: int) -> None:
    """Empties the principal variation of a node."""
    workspace.pv_length[ply] = ply


@helper
def extend_pv(workspace: Workspace, ply: int, move: int) -> None:
    """Sets the principal variation of the node at `ply`: `move`, then that of the child."""
    workspace.pv[ply, ply] = move
    end = max(workspace.pv_length[ply + 1], ply + 1)
    for i in range(ply + 1, end):
        workspace.pv[ply, i] = workspace.pv[ply + 1, i]
    workspace.pv_length[ply] = end


@helper
def end_pv(workspace: Workspace, ply: int, move: int) -> None:
    """Sets the principal variation of the node at `ply` to `move` alone."""
    workspace.pv[ply, ply] = move
    workspace.pv_length[ply] = ply + 1


# --- the path, in games with a repetition rule ----------------------------------------------------
# For other games all of it compiles to nothing, or to a constant.


@helper
def repetition_threshold(state: Any) -> int:
    """Returns the occurrence of a position that is a draw or forbidden, in games with such a
    rule.
    """
    if repetition_is_forbidden(state):
        return 2
    return repetition_limit(state)


@helper
def child_key(state: Any, key: np.uint64, move: int) -> np.uint64:
    """Returns the key after `move` if the repetition rule needs it; otherwise an arbitrary
    number.
    """
    if remembers(state):
        return next_key(state, key, move)
    return key


@helper
def enter(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> None:
    """Adds a node with a state and key to the path; `leave` removes it."""
    if remembers(state):
        own = known_position_key(state, key)
        workspace.path[workspace.root + ply] = own
        workspace.seen[own & _SLOT_MASK] += 1


@helper
def leave(state: Any, ply: int, workspace: Workspace) -> None:
    """Removes the node at `ply` from the path; `state` is any state of the game."""
    if remembers(state):
        workspace.seen[workspace.path[workspace.root + ply] & _SLOT_MASK] -= 1


@helper
def repeats(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> bool:
    """Returns whether `state`, with this key at `ply`, makes the game a draw by repetition."""
    limit = repetition_limit(state)
    if limit == 0 or not stood(state, known_position_key(state, key), ply, limit - 1, workspace):
        return False
    workspace.path_dependent += 1
    return True


@helper
def repeats_after(state: Any, key: np.uint64, move: int, ply: int, workspace: Workspace) -> bool:
    """Returns whether a move of the node at `ply` makes the game a draw by repetition."""
    limit = repetition_limit(state)
    if limit == 0:
        return False
    below = next_position_key(state, key, move)
    if not stood(state, below, ply + 1, limit - 1, workspace):
        return False
    workspace.path_dependent += 1
    return True


@helper
def is_forbidden(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> bool:
    """Returns whether `state`, with this key at `ply`, is a forbidden repetition."""
    if not repetition_is_forbidden(state):
        return False
    return stood(state, known_position_key(state, key), ply, 1, workspace)


@helper
def is_forbidden_after(
    state: Any, key: np.uint64, move: int, ply: int, workspace: Workspace
) -> bool:
    """Returns whether a move of the node at `ply` leads to a forbidden repetition."""
    if not repetition_is_forbidden(state):
        return False
    return stood(state, next_position_key(state, key, move), ply + 1, 1, workspace)


@helper
def no_move_is_allowed(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> bool:
    """Returns whether the repetition rule forbids all moves of `state`.

    The state has the key `key` and the ply `ply`, and is not on the path yet.
    """
    if not repetition_is_forbidden(state):
        return False
    enter(state, key, ply, workspace)
    all_forbidden = True
    rest = moves(state)
    while all_forbidden and more(state, rest):
        below = next_position_key(state, key, head(state, rest))
        all_forbidden = stood(state, below, ply + 1, 1, workspace)
        rest = tail(state, rest)
    leave(state, ply, workspace)
    return all_forbidden


@helper
def stood(state: Any, key: np.uint64, ply: int, times: int, workspace: Workspace) -> bool:
    """Returns whether a position occurred at least `times` times before `ply`.

    `key` is its `position_key`; `state` is any state of the game.
    """
    if workspace.seen[key & _SLOT_MASK] < times:
        return False
    return occurrences_before(state, key, ply, workspace) >= times


@helper
def occurrences_before(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> int:
    """Returns how often a position occurred before `ply`, in the game and on the path.

    `key` is its `position_key`; `state` is any state of the game.
    """
    count = 0
    # If turns alternate, only every second position has the same side to move.
    step = 2 if turns_alternate(state) and not repetition_is_forbidden(state) else 1
    index = workspace.root + ply - step
    while index >= 0:
        if workspace.path[index] == key:
            count += 1
        index -= step
    return count


@helper
def watch_return(state: Any, move: int, workspace: Workspace) -> None:
    """Marks the result as path-dependent if `move` may lead back to an earlier position."""
    if is_reversible(state, move):
        workspace.path_dependent += 1


@helper
def enter_path(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> None:
    """Adds a node to the path and its path hash.

    The hash changes if the next occurrence of the position is a draw or forbidden.
    """
    if not remembers(state):
        return
    own, times = known_position_key(state, key), repetition_threshold(state) - 2
    history_hash = workspace.path_hash[ply]
    often = workspace.seen[own & _SLOT_MASK] >= times
    if often and occurrences_before(state, own, ply, workspace) == times:
        # Rotated, because the XOR of a key with itself would be 0 for every position.
        history_hash ^= (own << _TURN) | (own >> (_WHOLE - _TURN))
    workspace.path_hash[ply + 1] = history_hash
    enter(state, key, ply, workspace)


@helper
def history_hash_at(state: Any, ply: int, workspace: Workspace) -> np.uint64:
    """Returns a number to combine with the keys of the table for the node at `ply`.

    It separates results with different histories or paths.
    """
    if remembers(state):
        return workspace.history_hash ^ workspace.path_hash[ply]
    return workspace.history_hash
