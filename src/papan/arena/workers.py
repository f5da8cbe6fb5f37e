"""Processes that do an event's tasks: kept supplied, replaced when they die, ended at once.

Delivery is at least once: a task whose worker has died is sent again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import Pipe, get_context
from typing import Any, Generic, TypeVar

from papan.protocol.parent_death import become_worker

#: Worker processes that a task may break before it is given up.
MOST_ATTEMPTS = 3

#: Tasks that are sent ahead for each worker, so that none is ever idle.
WAITING = 2

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers:
    """A pool of processes on this machine, which end at once when they are abandoned.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        # The processes that hold the other end of this pipe see at once that it was closed, even
        # if this process did not live to close it.
        read, self._alive = Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(
            count,
            # Forked workers would inherit the threads' locks of searches under way.
            mp_context=get_context("spawn"),
            initializer=become_worker,
            initargs=(read,),
        )
        self._read = read

    def finish(self) -> None:
        """Waits for the tasks under way, and ends the processes."""
        self.pool.shutdown(wait=True, cancel_futures=True)
        self._close()

    def abandon(self) -> None:
        """Ends the processes in the middle of their tasks."""
        self._close()
        self.pool.shutdown(wait=True, cancel_futures=True)

    def _close(self) -> None:
        self._alive.close()
        self._read.close()


class Supply(Generic[Task, Result]):
    """An executor that is kept supplied with tasks.

    Args:
        work: does one task; picklable.
        workers: processes on this machine; 0 takes one a processor. Those of an executor, roughly.
        executor: does the tasks instead of processes of this machine.
        attempts: worker processes that a task may break before it is given up.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        *,
        workers: int,
        executor: Executor | None = None,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        self.work, self.given, self.most_attempts = work, executor, attempts
        self.count = workers or os.cpu_count() or 1
        self._own: Workers | None = None
        self._running: dict[Future[Result], tuple[Task, int]] = {}

    def run(self, tasks: Iterator[Task]) -> Generator[tuple[Task, Result | None], None, None]:
        """Yields each task with its result, in the order they are finished; None is the result of
        one that was given up.

        Args:
            tasks: read one by one, as there is room for them.
        """
        try:
            while True:
                while len(self._running) < WAITING * self.count:
                    # The default is no task; None never is one.
                    task = next(tasks, None)
                    if task is None:
                        break
                    self._send(task, 1)
                if not self._running:
                    return
                done = wait(self._running, return_when=FIRST_COMPLETED).done
                for future in sorted(done, key=_has_failed):
                    task, attempt = self._running.pop(future)
                    try:
                        yield task, future.result()
                    except BrokenProcessPool:
                        if attempt == self.most_attempts:
                            yield task, None
                        else:
                            self._send(task, attempt + 1)
        finally:
            self._end()

    def _send(self, task: Task, attempt: int) -> None:
        try:
            future = self._executor().submit(self.work, task)
        except BrokenProcessPool:
            # A pool stays broken once one of its processes has died.
            self._abandon()
            future = self._executor().submit(self.work, task)
        self._running[future] = task, attempt

    def _executor(self) -> Executor:
        if self.given is not None:
            return self.given
        if self._own is None:
            self._own = Workers(self.count)
        return self._own.pool

    def _end(self) -> None:
        """Ends the workers, in the middle of tasks whose results are not wanted any more."""
        for future in self._running:
            future.cancel()
        if self._running:
            self._abandon()
        elif self._own is not None:
            self._own.finish()

    def _abandon(self) -> None:
        if self._own is not None:
            self._own.abandon()
            self._own = None


def _has_failed(future: Future[Any]) -> bool:
    """True if a future that is done has no result: those that have one are yielded first, since a
    failure may be the end of everything."""
    return future.cancelled() or future.exception() is not None
