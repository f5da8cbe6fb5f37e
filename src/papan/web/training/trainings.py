"""Training and measuring from the pages: one task at a time, in a process of its own.

The results are in the files of the game (`papan.learn.weights`), also those of a stopped task. The
progress is in memory, so that it survives a reload of the page, but not a restart of the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from papan.arena.levels import LevelPlan
from papan.core.game import Game
from papan.errors import PapanError
from papan.learn.training import TrainingPlan
from papan.players.level_file import measured_levels
from papan.web.http.refusals import Refused
from papan.web.http.subscriptions import Subscriptions
from papan.web.training.training_worker import Died, TrainingProcess, TrainingTask

#: Time of a training and of a measurement of levels, in seconds.
TRAINING_SECONDS, LEVEL_SECONDS = 60.0, 120.0

#: Maximum number of tasks whose progress is kept.
MOST_KEPT = 50

#: Seconds that a task has to save its results when the server closes.
_CLOSING_SECONDS = 2.0

TRAINING, LEVELS = "train", "levels"
KINDS = (TRAINING, LEVELS)

PREPARING, RUNNING, STOPPING = "preparing", "running", "stopping"
DONE, STOPPED, FAILED = "done", "stopped", "failed"


@dataclass
class TrainingJob:
    """A training or a measurement of levels.

    Attributes:
        kind: `train` or `levels`.
        game: the spec of the game.
        seconds: time limit in seconds.
        state: its state.
        ready: time at which it began after its preparation, in seconds of the monotonic clock.
        spent: duration of earlier runs that it continues, in seconds.
        progress: measurements of the training, or the newest state of the measurement of levels.
        result: the result, in the form of `training_worker.train` or `measure_levels`; empty
            before.
        problem: the error, if it failed.
    """

    kind: str
    game: str
    seconds: float
    state: str = PREPARING
    ready: float = 0.0
    spent: float = 0.0
    progress: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)
    problem: PapanError | None = None

    @property
    def over(self) -> bool:
        """True once the process has ended."""
        return self.state in (DONE, STOPPED, FAILED)

    @property
    def elapsed(self) -> float:
        """Elapsed time in seconds, at most the time limit."""
        if not self.ready:
            return 0.0
        return min(self.seconds, self.spent + time.monotonic() - self.ready)

    def take(self, what: str, content: Any) -> None:
        """Stores a message of the process."""
        if what == "ready":
            self.ready, self.spent = time.monotonic(), content
            self.state = RUNNING if self.state == PREPARING else self.state
        elif what == "progress":
            self.progress = [*(self.progress if self.kind == TRAINING else ()), content]
        elif what == "done":
            self.result = content
            self.state = STOPPED if self.state == STOPPING else DONE
        else:
            self.state, self.problem = FAILED, content


class Trainings:
    """The tasks of the server.

    Args:
        subscriptions: notified under `TOPIC`.

    Attributes:
        running: the running task; None without one.
    """

    TOPIC = "training"

    def __init__(self, subscriptions: Subscriptions) -> None:
        self.subscriptions = subscriptions
        self.running: TrainingJob | None = None
        self._jobs: OrderedDict[tuple[str, str], TrainingJob] = OrderedDict()
        self._process: TrainingProcess | None = None
        self._work: asyncio.Task[None] | None = None

    def find(self, game: str, kind: str) -> TrainingJob | None:
        """Returns the newest task of a kind about a game; None without one."""
        return self._jobs.get((game, kind))

    def begin(self, game: Game, kind: str) -> TrainingJob:
        """Starts a task.

        Raises:
            Refused: Another task is running.
        """
        if self.running is not None:
            raise Refused("web.training.busy")
        plan = TrainingPlan(TRAINING_SECONDS) if kind == TRAINING else _level_plan(game)
        job = TrainingJob(kind, game.spec, plan.seconds or 0.0)
        self._jobs.pop((game.spec, kind), None)
        self._jobs[game.spec, kind] = self.running = job
        while len(self._jobs) > MOST_KEPT:
            self._jobs.popitem(last=False)
        self._process = TrainingProcess(TrainingTask(game.spec, plan))
        self._work = asyncio.create_task(self._run(job, self._process))
        return job

    def stop(self) -> None:
        """Stops the running task; finished measurements are kept.

        Raises:
            Refused: No task is running.
        """
        job, process = self.running, self._process
        if job is None or process is None:
            raise Refused("web.training.over")
        if job.state == PREPARING:
            process.kill()  # it does not listen while it compiles
        else:
            process.stop()
        job.state = STOPPING
        self.subscriptions.notify(self.TOPIC)

    async def close(self) -> None:
        """Stops the running task."""
        work, process = self._work, self._process
        if work is None or process is None or work.done():
            return
        process.stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(work), _CLOSING_SECONDS)
        process.kill()
        await asyncio.gather(work, return_exceptions=True)

    async def _run(self, job: TrainingJob, process: TrainingProcess) -> None:
        """Runs a task to its end."""
        loop = asyncio.get_running_loop()

        def take(what: str, content: Any) -> None:
            job.take(what, content)
            if job.over:
                self._end(job)
            self.subscriptions.notify(self.TOPIC)

        def on_message(what: str, content: Any) -> None:
            loop.call_soon_threadsafe(take, what, content)

        try:
            await asyncio.to_thread(process.run, on_message)
        except Died as error:
            job.state = STOPPED if job.state == STOPPING else FAILED
            job.problem = error if job.state == FAILED else None
        finally:
            self._end(job)
            self.subscriptions.notify(self.TOPIC)

    def _end(self, job: TrainingJob) -> None:
        """Allows the next task, unless it has begun already."""
        if self.running is job:
            self.running = None


def _level_plan(game: Game) -> LevelPlan:
    """Returns the settings of a measurement; after a complete one, it gets another seed."""
    seed = 0
    with contextlib.suppress(PapanError):
        known = measured_levels(game)
        if known is not None and known.complete:
            seed = int(known.facts.get("seed", 0)) + 1
    return LevelPlan(LEVEL_SECONDS, seed=seed)
