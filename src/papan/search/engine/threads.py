"""The helping threads of a search: Lazy SMP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from papan.search.algorithm import Task
from papan.search.ordering import begin_ordering
from papan.search.workspace import Workspace, new_workspace

#: From this depth on a search is long enough for helping threads.
HELPERS_DEPTH = 5


class HelperThreads:
    """The helping threads of a search: each does the same work in a workspace of its own, and
    what it finds reaches the others through the table."""

    def __init__(self, task: Task, helpers: int) -> None:
        self.workspaces = [new_workspace(task.position) for _ in range(helpers)]
        for workspace in self.workspaces:
            begin_ordering(workspace)

    @contextmanager
    def helping(self, work: Callable[[Workspace], object]) -> Iterator[None]:
        """Has the crew do this work until the block is left."""
        threads = [
            threading.Thread(target=work, args=(workspace,), name="papan-crew")
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
        """Positions visited by the crew."""
        return sum(int(workspace.nodes) for workspace in self.workspaces)
