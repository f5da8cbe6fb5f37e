"""Worker processes: a pool that replaces dead workers, and workers that end with their parent.

External programs of a worker end with it, because their supervisors (`papan.protocol.supervisor`)
notice its death.
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
        alive: reading end of a pipe to which nothing is written; this process also ends when the
            other end is closed.
        niceness: amount by which the priority of this process is lowered.
    """
    # Ctrl-C reaches all processes of a terminal, but the parent decides when its workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    watched = [] if alive is None else [alive]
    # A daemon thread, so that it does not keep a finished worker alive.
    watch = threading.Thread(target=_watch, args=[watched], name="papan-parent", daemon=True)
    watch.start()


def _watch(watched: list[Connection]) -> None:
    parent = parent_process()
    # The pipe signals a deliberate close; the sentinel also signals a killed parent.
    wait([*watched, *([] if parent is None else [parent.sentinel])])
    # `sys.exit` would end only this thread, and the worker would wait for more tasks.
    os._exit(0)


class WorkerPool:
    """Local processes, started with the first task, or the workers of an executor.

    All processes are replaced after one has died. The end of a `with` statement waits for the
    running tasks; after an exception it kills them.

    Args:
        count: number of workers; 0 starts one per processor. With an executor, its number of
            workers.
        executor: replaces local processes.
    """

    def __init__(self, count: int = 1, executor: Executor | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self.executor = executor
        self._processes: ProcessPoolExecutor | None = None
        self._pipe: tuple[Connection, ...] = ()

    @property
    def is_here(self) -> bool:
        """True if this process does the tasks: one worker and no executor."""
        return self.executor is None and self.count == 1

    def submit(self, work: Callable[..., T], *args: Any) -> Future[T]:
        """Calls a function in a worker; function and arguments must be picklable."""
        if self.executor is not None:
            return self.executor.submit(work, *args)
        try:
            return self._start().submit(work, *args)
        except BrokenProcessPool:
            # A pool stays broken after one of its processes has died.
            self.terminate()
            return self._start().submit(work, *args)

    def close(self) -> None:
        """Ends the processes after their running tasks; the next task starts new processes."""
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)
        self._close_pipe()
        self._processes = None

    def terminate(self) -> None:
        """Kills the processes during their tasks; the next task starts new processes."""
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
            # The workers notice the closed pipe even if this process dies before it closes the
            # pipe.
            self._pipe = Pipe(duplex=False)
            self._processes = ProcessPoolExecutor(
                self.count,
                # Forked workers would inherit locks that threads of running searches hold.
                mp_context=get_context("spawn"),
                initializer=become_worker,
                initargs=self._pipe[:1],
            )
        return self._processes

    def _close_pipe(self) -> None:
        for end in reversed(self._pipe):
            end.close()
        self._pipe = ()
