"""Threads that search one tree together, each with its own workspace, and share a table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from papan.core.game import Position
from papan.search.alphabeta.order import begin_ordering
from papan.search.workspace import Workspace, new_workspace


class HelperThreads:
    """The helper threads of a search.

    All threads do the same work, each in its own workspace, and exchange results through the table.
    """

    def __init__(self, position: Position, helpers: int) -> None:
        self.workspaces = [new_workspace(position) for _ in range(helpers)]
        for workspace in self.workspaces:
            begin_ordering(workspace)

    @contextmanager
    def helping(self, work: Callable[[Workspace], object]) -> Iterator[None]:
        """Runs `work` in all helper threads until the `with` block ends."""
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
        """Returns the number of positions visited by the threads."""
        return sum(int(workspace.nodes) for workspace in self.workspaces)
