"""Worker processes of this machine, which end at once when they are told to, or are left alone.

What a worker plays with lives and dies with it: the supervisors of external programs see to that.
"""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection, wait


class Workers:
    """A pool of processes.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        # Whoever holds the other end of this pipe sees at once that it was closed, even if this
        # process did not live to close it.
        read, self._alive = Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(
            count,
            mp_context=get_context("spawn"),
            initializer=_become_worker,
            initargs=(read,),
        )
        self._read = read

    def finish(self) -> None:
        """Waits for what is being done, and ends the processes."""
        self.pool.shutdown(wait=True, cancel_futures=True)
        self._close()

    def abandon(self) -> None:
        """Ends the processes in the middle of whatever they do."""
        self._close()
        self.pool.shutdown(wait=True, cancel_futures=True)

    def _close(self) -> None:
        self._alive.close()
        self._read.close()


def _become_worker(alive: Connection) -> None:
    """Leaves Ctrl-C, which reaches all processes at the terminal, to the first one, and ends
    when that one says so or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_when_told, args=[alive], name="papan-alive", daemon=True).start()


def _end_when_told(alive: Connection) -> None:
    """Ends this worker as soon as the process that it works for has closed the pipe or is gone,
    however that happened: workers of a pool would wait for more work for ever."""
    parent = parent_process()
    wait([alive] if parent is None else [alive, parent.sentinel])
    os._exit(0)
