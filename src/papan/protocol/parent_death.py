"""Worker processes of Papan's own that end at once when the process they work for is gone.

`supervisor` sees to programs that are not Papan's; a worker can see to itself. What it plays with
ends with it: the supervisors of external programs notice its death in turn.
"""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait


def become_worker(alive: Connection | None = None, *, niceness: int = 0) -> None:
    """Makes this process one that ends with the one that started it, in whatever manner.

    Args:
        alive: the reading end of a pipe that nothing is written to; the worker ends when its other
            end is closed, too.
        niceness: by how much the worker's priority is lower.
    """
    # Ctrl-C reaches all processes at a terminal; the first one decides what becomes of the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    watched = [] if alive is None else [alive]
    # A daemon, so that it does not keep a worker that has ended by itself.
    watch = threading.Thread(target=_watch, args=[watched], name="papan-parent", daemon=True)
    watch.start()


def _watch(watched: list[Connection]) -> None:
    parent = parent_process()
    # Whichever comes first: the pipe tells of an end that was meant, the sentinel of a kill.
    wait([*watched, *([] if parent is None else [parent.sentinel])])
    # Not `sys.exit`, which would end this thread only: a pool's worker waits for more work.
    os._exit(0)
