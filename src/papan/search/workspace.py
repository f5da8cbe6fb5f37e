"""The memory that one searching thread writes to: one record, passed to kernels by its address.

stop, node_limit   a search gives up as soon as `stop` is set, by any thread, or the limit is met
misfit             1 once a move was met that the bounds of its game do not allow; see `fits`
nodes              positions visited, the root included
root               how many keys of the game's history stand in `path` before the root's
path               position keys of the game's earlier positions, of the root, of the nodes below it
seen               how many keys of `path` fall into each slot (key mod 4096): most positions
                   are known not to repeat by one look here
pv, pv_length      row p: the principal variation from ply p on, in columns p … pv_length[p]−1
probes, table_hits how often the transposition table was asked, and knew the position
history_hash       keeps results of different game histories apart; see `history_hash_of`
path_hash          by ply: the same for the path of the search; see `papan.search.path`
path_dependent     counts what makes a result depend on the path by which it was reached: draws
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
from papan.rules.dispatch import helper
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

#: Number of earlier positions of a game that are remembered, the latest ones.
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
    """The record of a game none of whose positions has more than `width` moves. A type of its own
    for each width, so that a row's place is known when the search is compiled."""
    return np.dtype([*_FIELDS, ("ordered", np.int64, (MAX_PLY + 2, width))], align=True)


Workspace = Any  # a numpy record of a `layout`; compiled code sees its address


def new_workspace(position: Position, node_limit: int | None = None) -> Workspace:
    """A workspace for a search from `position`, with the game's history in place."""
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
    """A number to combine with the keys of a transposition table.

    It depends on the positions that have already stood once less than the repetition rule
    allows: the next occurrence of any of them is a draw, or forbidden, so results found under other
    histories may be wrong. In games without that rule, and nearly always where the third occurrence
    is a draw, it is 0. Positions of the search's path that come to stand so often are added by
    `enter_path`.
    """
    if not remembers(position.state):
        return np.uint64(0)
    limit = repetition_threshold(position.state)
    critical = {key for key, times in Counter(position.past).items() if times >= limit - 1}
    combined = functools.reduce(operator.xor, critical, 0)
    # Mixed, since a key combined with itself is 0, whatever the position.
    return np.uint64(numbers(combined, 1)[0] if combined else 0)


def principal_variation(workspace: Workspace) -> list[int]:
    """The moves of the principal variation from the root on."""
    return [int(move) for move in workspace.pv[0, : workspace.pv_length[0]]]


@helper
def should_stop(workspace: Workspace) -> bool:
    """True if the search was asked to stop, or its nodes are used up."""
    if workspace.nodes >= workspace.node_limit:
        workspace.stop = 1
    return workspace.stop != 0


@helper
def fits(state: Any, count: int, move: int, workspace: Workspace) -> bool:
    """True if a move is within the bounds that its game states, `count` others being listed
    before it. If it is not, the search is stopped and fails: it has no room for the move."""
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
    """Makes `move` and the child's principal variation that of the node at `ply`."""
    workspace.pv[ply, ply] = move
    end = max(workspace.pv_length[ply + 1], ply + 1)
    for i in range(ply + 1, end):
        workspace.pv[ply, i] = workspace.pv[ply + 1, i]
    workspace.pv_length[ply] = end


@helper
def end_pv(workspace: Workspace, ply: int, move: int) -> None:
    """Makes `move` alone the principal variation of the node at `ply`."""
    workspace.pv[ply, ply] = move
    workspace.pv_length[ply] = ply + 1


# --- the path, in games whose rules ask which positions stood before -----------------------------
# All of it is compiled to nothing, or to a constant, for other games.


@helper
def repetition_threshold(state: Any) -> int:
    """The occurrence of a position that is a draw or forbidden, in a game where one is."""
    if repetition_is_forbidden(state):
        return 2
    return repetition_limit(state)


@helper
def child_key(state: Any, key: np.uint64, move: int) -> np.uint64:
    """The key after `move` where keys are needed for repetition only; elsewhere any number."""
    if remembers(state):
        return next_key(state, key, move)
    return key


@helper
def enter(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> None:
    """Puts a node, which has that state and key, on the path; `leave` takes it off again."""
    if remembers(state):
        own = known_position_key(state, key)
        workspace.path[workspace.root + ply] = own
        workspace.seen[own & _SLOT_MASK] += 1


@helper
def leave(state: Any, ply: int, workspace: Workspace) -> None:
    """Takes the node at `ply` off the path; `state` is any of the game."""
    if remembers(state):
        workspace.seen[workspace.path[workspace.root + ply] & _SLOT_MASK] -= 1


@helper
def repeats(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> bool:
    """True if `state`, which has that key and would stand at `ply`, makes the game a draw."""
    limit = repetition_limit(state)
    if limit == 0 or not stood(state, known_position_key(state, key), ply, limit - 1, workspace):
        return False
    workspace.path_dependent += 1
    return True


@helper
def repeats_after(state: Any, key: np.uint64, move: int, ply: int, workspace: Workspace) -> bool:
    """True if a move of the node at `ply`, which has that state and key, makes the game a draw."""
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
    """True if no move may lead to `state`, which has that key and would stand at `ply`."""
    if not repetition_is_forbidden(state):
        return False
    return stood(state, known_position_key(state, key), ply, 1, workspace)


@helper
def is_forbidden_after(
    state: Any, key: np.uint64, move: int, ply: int, workspace: Workspace
) -> bool:
    """True if a move of the node at `ply`, which has that state and key, is forbidden because of
    where it leads to."""
    if not repetition_is_forbidden(state):
        return False
    return stood(state, next_position_key(state, key, move), ply + 1, 1, workspace)


@helper
def no_move_is_allowed(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> bool:
    """True if the rule against repetition forbids all moves of `state`.

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
    """True if the position with that `position_key` has stood so often before `ply`; `state` is any
    of the game."""
    if workspace.seen[key & _SLOT_MASK] < times:
        return False
    return occurrences_before(state, key, ply, workspace) >= times


@helper
def occurrences_before(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> int:
    """Number of times that the position with that `position_key` has stood before `ply`, in the
    game and on the path; `state` is any of the game."""
    count = 0
    # Where turns alternate and count, every second position has the other side to move.
    step = 2 if turns_alternate(state) and not repetition_is_forbidden(state) else 1
    index = workspace.root + ply - step
    while index >= 0:
        if workspace.path[index] == key:
            count += 1
        index -= step
    return count


@helper
def watch_return(state: Any, move: int, workspace: Workspace) -> None:
    """Notes that a result hangs on its path if `move` may lead back to an earlier position."""
    if is_reversible(state, move):
        workspace.path_dependent += 1


@helper
def enter_path(state: Any, key: np.uint64, ply: int, workspace: Workspace) -> None:
    """Enters a node, and tells those below it whether its next occurrence would be a draw, or
    forbidden."""
    if not remembers(state):
        return
    own, times = known_position_key(state, key), repetition_threshold(state) - 2
    history_hash = workspace.path_hash[ply]
    often = workspace.seen[own & _SLOT_MASK] >= times
    if often and occurrences_before(state, own, ply, workspace) == times:
        # Turned, since a key combined with itself is 0, whatever the position.
        history_hash ^= (own << _TURN) | (own >> (_WHOLE - _TURN))
    workspace.path_hash[ply + 1] = history_hash
    enter(state, key, ply, workspace)


@helper
def history_hash_at(state: Any, ply: int, workspace: Workspace) -> np.uint64:
    """A number that keeps results apart which depend on the history or the path of the node at
    `ply`."""
    if remembers(state):
        return workspace.history_hash ^ workspace.path_hash[ply]
    return workspace.history_hash
