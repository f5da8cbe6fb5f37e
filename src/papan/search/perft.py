"""perft: counting the leaves of the complete tree to a depth, a test of move generators."""

from __future__ import annotations

from papan.core.game import Position
from papan.kernel.compiler import kernel
from papan.kernel.operations import State, count_moves, head, more, moves, play, tail
from papan.search.limits import Limit, Stop, run_stoppable
from papan.search.workspace import Workspace, new_workspace, should_stop


@kernel
def count_leaves(state: State, depth: int, workspace: Workspace) -> int:
    """The number of move sequences of `depth` plies; finished games have none.

    The last ply is counted without making its moves. Repetition is not looked at.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(state)
    if should_stop(workspace):
        return 0
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


def divide(position: Position, depth: int, stop: Stop | None = None) -> dict[str, int]:
    """The leaves below each legal move: move → count. Moves not finished when `stop` was thrown
    are left out.

    Raises:
        InvalidLimit: the depth is no whole number from 1 to 128.
    """
    Limit(depth=depth)  # refuses what would never come down to 0
    stop = stop or Stop()
    workspace = new_workspace(position)
    stop.watch(workspace)
    counts: dict[str, int] = {}

    def count() -> None:
        for code in position.codes():
            leaves = count_leaves(position.after(code).state, depth - 1, workspace)
            if stop.is_set():
                return
            counts[position.game.write_move(code)] = int(leaves)

    run_stoppable(count, stop)
    return counts


def perft(position: Position, depth: int) -> int:
    """The number of leaves at `depth`.

    Raises:
        InvalidLimit: the depth is not from 0 to 128.
    """
    return 1 if depth == 0 else sum(divide(position, depth).values())
