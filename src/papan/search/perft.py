"""perft: the number of leaves of the full tree to a given depth, a test of move generators."""

from __future__ import annotations

import numpy as np

from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.rules.operations import (
    State,
    count_moves,
    head,
    more,
    moves,
    next_key,
    play,
    repetition_is_forbidden,
    tail,
)
from papan.search.limits import Limit, Stop, run_stoppable
from papan.search.workspace import Workspace, enter, is_forbidden, leave, new_workspace, should_stop


@kernel
def count_leaves(state: State, depth: int, workspace: Workspace) -> int:
    """Returns the number of move sequences of `depth` plies; finished games have none.

    Moves of the last ply are counted, not made. Draws by repetition are ignored.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(state)
    if should_stop(workspace):
        return 0
    workspace.nodes += 1
    count = 0
    rest = moves(state)
    while more(state, rest):
        child = play(state, head(state, rest))
        if depth == 2:
            count += count_moves(child)
        else:
            count += count_leaves(child, depth - 1, workspace)
        rest = tail(state, rest)
    return count


@kernel
def count_allowed(state: State, key: np.uint64, depth: int, ply: int, workspace: Workspace) -> int:
    """Returns the same number as `count_leaves` for a game that forbids some repetitions."""
    if depth == 0:
        return 1
    if should_stop(workspace):
        return 0
    workspace.nodes += 1
    count = 0
    enter(state, key, ply, workspace)
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        child, below = play(state, move), next_key(state, key, move)
        if not is_forbidden(child, below, ply + 1, workspace):
            count += count_allowed(child, below, depth - 1, ply + 1, workspace)
    leave(state, ply, workspace)
    return count


def leaves_below(position: Position, depth: int, stop: Stop) -> int:
    """Returns the number of leaves at `depth` ≥ 0 below a position; a partial count after a
    stop.
    """
    workspace = new_workspace(position)
    stop.watch(workspace, position, instead=True)
    if repetition_is_forbidden(position.state):
        key = np.uint64(position.key)
        return int(count_allowed(position.state, key, depth, 0, workspace))
    return int(count_leaves(position.state, depth, workspace))


def divide(position: Position, depth: int, stop: Stop | None = None) -> dict[str, int]:
    """Returns the number of leaves below each legal move: move → count.

    Moves that are not finished when `stop` is set are left out.

    Raises:
        InvalidLimit: the depth is not a whole number from 1 to 128.
    """
    Limit(depth=depth)  # rejects values that would never count down to 0
    stop = stop or Stop()
    counts: dict[str, int] = {}

    def count() -> None:
        for code in position.codes():
            leaves = leaves_below(position.after(code), depth - 1, stop)
            if stop.is_set():
                return
            counts[position.game.write_move(code)] = leaves

    run_stoppable(count, stop)
    return counts


def perft(position: Position, depth: int) -> int:
    """Returns the number of leaves at `depth`.

    Raises:
        InvalidLimit: the depth is not from 0 to 128.
    """
    return 1 if depth == 0 else sum(divide(position, depth).values())
