"""Worker processes: a pool that replaces dead workers, and workers that end with their parent.

External programs that a worker has started end with it: their supervisors
(`papan.protocol.supervisor`) notice its death.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

T = TypeVar("T")


def become_worker(alive: Connection | None = None, *, niceness: int = 0) -> None:
    """Makes this process end as soon as its parent process has ended or was killed.

    Args:
        alive: the reading end of a pipe that nothing is written to; this process also ends when
            the other end is closed.
        niceness: by how much the priority of this process is lower.
    """
    # Ctrl-C reaches all processes at a terminal; the parent decides when its workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    watched = [] if alive is None else [alive]
    # A daemon thread does not keep a worker alive that has ended by itself.
    watch = threading.Thread(target=_watch, args=[watched], name="papan-parent", daemon=True)
    watch.start()


def _watch(watched: list[Connection]) -> None:
    parent = parent_process()
    # The pipe is closed on purpose; the sentinel also notices that the parent was killed.
    wait([*watched, *([] if parent is None else [parent.sentinel])])
    # `sys.exit` would end this thread only: a pool's worker waits for more work.
    os._exit(0)


class WorkerPool:
    """Processes on this machine, started at the first task, or the workers of an executor.

    All processes are replaced when one has died. The end of a `with` statement waits for the tasks
    under way; after an exception it ends them at once.

    Args:
        count: number of workers; 0 is one for each processor. With an executor, its number.
        executor: does the tasks instead of processes of this machine.
    """

    def __init__(self, count: int = 1, executor: Executor | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self.executor = executor
        self._processes: ProcessPoolExecutor | None = None
        self._pipe: tuple[Connection, ...] = ()

    @property
    def is_here(self) -> bool:
        """True if there is only one worker and no executor: this process does the tasks."""
        return self.executor is None and self.count == 1

    def submit(self, work: Callable[..., T], *args: Any) -> Future[T]:
        """Calls a function in a worker; function and arguments are picklable."""
        if self.executor is not None:
            return self.executor.submit(work, *args)
        try:
            return self._start().submit(work, *args)
        except BrokenProcessPool:
            # A pool stays broken once one of its processes has died.
            self.terminate()
            return self._start().submit(work, *args)

    def close(self) -> None:
        """Ends the processes after their tasks under way; the next task starts new processes."""
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)
        self._close_pipe()
        self._processes = None

    def terminate(self) -> None:
        """Ends the processes in the middle of their tasks; the next task starts new processes."""
        self._close_pipe()
        self.close()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.terminate()

    def _start(self) -> ProcessPoolExecutor:
        if self._processes is None:
            # The processes that hold the other end of this pipe see at once that it was closed,
            # even if this process did not live to close it.
            self._pipe = Pipe(duplex=False)
            self._processes = ProcessPoolExecutor(
                self.count,
                # Forked workers would inherit the threads' locks of searches under way.
                mp_context=get_context("spawn"),
                initializer=become_worker,
                initargs=self._pipe[:1],
            )
        return self._processes

    def _close_pipe(self) -> None:
        for end in reversed(self._pipe):
            end.close()
        self._pipe = ()
