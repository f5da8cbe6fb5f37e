"""Long runs: workers process jobs until no job is left, the time is up, or the run is stopped.

Matches, tournaments, levels, tuning, grading, training and `papan reproduce` are campaigns:

- Plan: an iterator of jobs, read lazily, so that a job may depend on earlier results.
- Workers: this process, local processes, or those of an executor (`papan.workers`).
- Checkpoint: the caller stores each result before it reads the next one. A resumed plan omits
  stored jobs.
- End: a stop or the time limit cancels the running jobs; finished jobs are kept.

Each job is done at least once: if its worker dies, another worker repeats it.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

from papan.errors import PapanError
from papan.workers import WorkerPool

#: Number of worker processes that a job may break before it counts as lost.
MOST_ATTEMPTS = 3

#: Number of jobs sent in advance to each worker, so that no worker is idle.
WAITING = 2

#: Seconds between two checks of the time limit while no job finishes.
_POLL_SECONDS = 0.5

Job = TypeVar("Job")
Result = TypeVar("Result")


class CampaignProgress(NamedTuple):
    """The progress of a campaign.

    Attributes:
        part: name of the current part.
        done: number of finished steps of that part.
        total: number of steps of that part.
    """

    part: str
    done: int
    total: int


#: Called after each step of a campaign.
OnProgress = Callable[[CampaignProgress], None]


def ignore(progress: CampaignProgress) -> None:
    """Does nothing with the progress."""


def never() -> bool:
    """Returns False: never stops the campaign."""
    return False


@contextmanager
def undivided() -> Iterator[None]:
    """Puts off Ctrl-C until the end of the `with` block, so that its steps are all done or none.

    Signals reach only the main thread; other threads are not affected.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, _: late.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if late:
            signal.raise_signal(signal.SIGINT)


def raise_lost(job: object) -> Iterable[Any]:
    """Ends the campaign because a job is lost.

    Raises:
        PapanError: always; the message names the job.
    """
    raise PapanError("arena.gives-up", text=f"{job}")


class Campaign:
    """The workers, the time limit and the stop of a long run.

    Inside a `with` statement the workers are reused by all calls of `run`. The time starts at the
    construction.

    Args:
        workers: number of workers; 0 starts one per processor. With 1 and without an executor, this
            process does the jobs.
        executor: replaces local processes.
        stop: polled between jobs and while workers are busy; True ends the campaign.
        seconds: time limit in seconds; None without a limit.
        spent: duration of earlier runs of the same campaign in seconds.
    """

    def __init__(
        self,
        workers: int = 1,
        executor: Executor | None = None,
        *,
        stop: Callable[[], bool] = never,
        seconds: float | None = None,
        spent: float = 0.0,
    ) -> None:
        self.pool = WorkerPool(workers, executor)
        self.stop, self.most_seconds = stop, seconds
        self._began = time.perf_counter() - spent
        self._is_entered = False
        self._cleanups: dict[Callable[[], object], None] = {}

    @property
    def seconds(self) -> float:
        """Duration in seconds, including earlier runs."""
        return time.perf_counter() - self._began

    def is_over(self) -> bool:
        """Returns True if the campaign was stopped or the time is up."""
        return self.stop() or (self.most_seconds is not None and self.seconds >= self.most_seconds)

    def __enter__(self) -> Campaign:
        self._is_entered = True
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._close()
        self.pool.__exit__(kind)

    def _close(self) -> None:
        for clean_up in self._cleanups:
            clean_up()
        self._cleanups.clear()

    def at_end(self, clean_up: Callable[[], object]) -> None:
        """Registers a function to call once, at the end of the `with` statement or else of
        `run`."""
        self._cleanups[clean_up] = None

    def run(
        self,
        work: Callable[[Job], Iterable[Result]],
        jobs: Iterable[Job],
        *,
        attempts: int = MOST_ATTEMPTS,
        give_up: Callable[[Job], Iterable[Result]] = raise_lost,
    ) -> Generator[tuple[Job, Result], None, None]:
        """Yields each job with each of its results, in the order in which the jobs finish.

        Args:
            work: does a job and yields its results. In this process each result is passed on
                immediately; a worker sends all results of a job together.
            jobs: read lazily, when a worker needs the next one.
            attempts: number of worker processes that a job may break before it counts as lost.
            give_up: returns the results of a lost job, or raises an exception.
        """
        left = iter(jobs)
        try:
            if not self.pool.is_here:
                yield from self._run_elsewhere(partial(_collect, work), left, attempts, give_up)
                return
            while (job := self._next(left)) is not None:
                for result in work(job):
                    yield job, result
        finally:
            if not self._is_entered:
                self._close()
                self.pool.close()

    def _next(self, jobs: Iterator[Job]) -> Job | None:
        return None if self.is_over() else next(jobs, None)

    def _run_elsewhere(
        self,
        work: Callable[[Job], tuple[Result, ...]],
        jobs: Iterator[Job],
        attempts: int,
        give_up: Callable[[Job], Iterable[Result]],
    ) -> Generator[tuple[Job, Result], None, None]:
        running: dict[Future[tuple[Result, ...]], tuple[Job, int]] = {}
        try:
            while True:
                # Read new jobs only as needed: a job may depend on results yielded below.
                while len(running) < WAITING * self.pool.count:
                    job = self._next(jobs)
                    if job is None:
                        break
                    running[self.pool.submit(work, job)] = job, 1
                if not running or self.is_over():
                    return
                done = wait(running, _POLL_SECONDS, FIRST_COMPLETED).done
                for future in sorted(done, key=_has_failed):
                    job, attempt = running.pop(future)
                    try:
                        results: Iterable[Result] = future.result()
                    except BrokenProcessPool:
                        if attempt < attempts:
                            running[self.pool.submit(work, job)] = job, attempt + 1
                            continue
                        results = give_up(job)
                    for result in results:
                        yield job, result
        finally:
            self._end(running)

    def _end(self, running: Collection[Future[Any]]) -> None:
        """Cancels the running jobs and kills their workers."""
        for future in running:
            future.cancel()
        if running:
            self.pool.terminate()


def _collect(work: Callable[[Job], Iterable[Result]], job: Job) -> tuple[Result, ...]:
    return tuple(work(job))


def _has_failed(future: Future[Any]) -> bool:
    """Returns True if a finished future has no result.

    Futures with results are processed first, since a failure may end the campaign.
    """
    return future.cancelled() or future.exception() is not None
