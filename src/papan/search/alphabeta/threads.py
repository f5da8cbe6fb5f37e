"""Threads that search one tree together, each in a workspace of its own, over a shared table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from papan.core.game import Position
from papan.search.alphabeta.order import begin_ordering
from papan.search.workspace import Workspace, new_workspace


class HelperThreads:
    """The helping threads of a search: each does the same work in a workspace of its own, and
    what it finds reaches the others through the table."""

    def __init__(self, position: Position, helpers: int) -> None:
        self.workspaces = [new_workspace(position) for _ in range(helpers)]
        for workspace in self.workspaces:
            begin_ordering(workspace)

    @contextmanager
    def helping(self, work: Callable[[Workspace], object]) -> Iterator[None]:
        """Has the threads do this work until the block is left."""
        threads = [
            threading.Thread(target=work, args=(workspace,), name="papan-helper", daemon=True)
            for workspace in self.workspaces
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for workspace in self.workspaces:
                workspace.stop = 1
            for thread in threads:
                thread.join()
            for workspace in self.workspaces:
                workspace.stop = 0

    def nodes(self) -> int:
        """Number of positions visited by the threads."""
        return sum(int(workspace.nodes) for workspace in self.workspaces)
