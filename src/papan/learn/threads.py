"""Threads that run a kernel at the same time, each with its own workspace."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from papan.core.game import Position
from papan.search.limits import Stop, run_stoppable
from papan.search.workspace import Workspace


def run_threads(
    work: Callable[[int], None],
    workspaces: Sequence[Workspace],
    position: Position,
    seconds: float | None = None,
) -> None:
    """Calls `work` with the index of each workspace, each in its own thread; blocks.

    Args:
        work: runs a kernel that ends soon after its workspace is stopped.
        workspaces: the workspaces of the kernels.
        position: position to name in the error for a hanging rule.
        seconds: time limit, after which the workspaces are stopped; None without a limit.

    Raises:
        InvalidGame: a rule of a user's game runs forever.
    """
    stop = Stop()
    for workspace in workspaces:
        workspace.stop = 0
        stop.watch(workspace, position)
    errors: list[BaseException] = []

    def run(index: int) -> None:
        try:
            work(index)
        except BaseException as error:
            errors.append(error)
            stop.set()

    def run_all() -> None:
        # Daemon threads, so that a hanging rule does not keep the program alive.
        helpers = [
            threading.Thread(target=run, args=(index,), name="papan-training", daemon=True)
            for index in range(1, len(workspaces))
        ]
        for helper in helpers:
            helper.start()
        run(0)
        for helper in helpers:
            helper.join()
        if errors:
            raise errors[0]

    run_stoppable(run_all, stop, seconds)
