"""The pool of engine processes, with a fair queue.

The queue is fair to addresses and, within an address, to browsers. The more tasks wait, the less
time each gets. A process that dies or exceeds its time is replaced; its task fails with a message.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import signal
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Generic, Protocol, TypeVar

from papan.errors import PapanError
from papan.web.engines import engine_worker
from papan.web.engines.compilation import Compilation, PartCounts
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import EngineFailed, TooBusy
from papan.web.http.security import Asker, Askers

#: Maximum queued tasks: of one browser, of one address (perhaps a whole class), and in total.
MOST_OF_BROWSER = 4
MOST_OF_ADDRESS = 240
MOST_WAITING = 600


class Asked(Protocol):
    """A task and the browser that requested it."""

    @property
    def asker(self) -> Asker:
        """The browser that waits for the task."""


J = TypeVar("J", bound=Asked)


class FairQueue(Generic[J]):
    """The queued tasks.

    Turns are round-robin: first the address served longest ago among those with the fewest running
    tasks, then its browser served longest ago. A visitor with a thousand sessions gets the share of
    one address. All requests of an address without a cookie count as one browser, because each of
    them would be a new one.
    """

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(self._waiting_at, self._addresses))

    def __iter__(self) -> Iterator[J]:
        for browsers in self._addresses.values():
            for jobs in browsers.values():
                yield from jobs

    def _waiting_at(self, address: str) -> int:
        return sum(map(len, self._addresses.get(address, {}).values()))

    def add(self, job: J) -> None:
        """Adds a task at the end of its browser's tasks.

        Raises:
            TooBusy: Too many tasks are queued.
        """
        address, name = job.asker.address, job.asker.name
        mine = self._addresses.get(address, OrderedDict()).get(name, deque())
        if (
            len(mine) >= MOST_OF_BROWSER
            or self._waiting_at(address) >= MOST_OF_ADDRESS
            or len(self) >= MOST_WAITING
        ):
            raise TooBusy("web.thinking.busy")
        self._addresses.setdefault(address, OrderedDict()).setdefault(name, deque()).append(job)

    def drop(self, job: J) -> None:
        """Removes a task if it is still queued."""
        browsers = self._addresses.get(job.asker.address, OrderedDict())
        jobs = browsers.get(job.asker.name, deque())
        if job in jobs:
            jobs.remove(job)
            self._tidy(job.asker)

    def take(self, running: Collection[J], processes: int) -> J | None:
        """Returns the next task in fair order; None if no task may start.

        Args:
            running: running tasks.
            processes: number of processes. Browsers without a cookie leave one process to others.
        """
        at, of = Counter(job.asker.address for job in running), Counter(j.asker for j in running)
        for address in sorted(self._addresses, key=lambda address: at[address]):
            browsers = self._addresses[address]
            for name in sorted(browsers, key=lambda name: of[Asker(address, name)]):
                asker = Asker(address, name)
                if address and not name and of[asker] >= max(1, processes - 1):
                    continue
                job = browsers[name].popleft()
                browsers.move_to_end(name)
                self._addresses.move_to_end(address)
                self._tidy(asker)
                return job
        return None

    def crowd(self, asker: Asker, running: Collection[J]) -> int:
        """Returns the number of shares of which a browser gets one.

        Addresses share equally, and so do the browsers of each address.
        """
        askers = {asker, *(job.asker for job in (*running, *self))}
        of = Counter(each.address for each in askers)
        return len(of) * of[asker.address]

    def _tidy(self, asker: Asker) -> None:
        """Removes a browser and an address without queued tasks."""
        browsers = self._addresses[asker.address]
        if not browsers[asker.name]:
            del browsers[asker.name]
        if not browsers:
            del self._addresses[asker.address]


#: Maximum time of a task, in seconds.
LONGEST = 60.0

#: Maximum time of a compilation without another compiled part, in seconds.
PREPARATION = 120.0

#: Tolerance of a process beyond the time of its task, in seconds.
GRACE = 3.0

#: Minimum time of a task when many wait, in seconds.
LEAST = 0.05

#: Players that are compiled at the start, in this order; levels share most of their code.
WARM_PLAYERS = ("level:4", "engine", "level:8")
#: Default algorithm of the page of trees.
WARM_TREE = "alphabeta"


class Stages:
    """The stages of a task before its search.

    Args:
        on_part: called after each change of `compilation`.

    Attributes:
        begun: set when a process starts the task.
        ready: set when its code is compiled.
        compilation: the compilation that the task waits for: its own, or another one that keeps a
            process busy; None if nothing is compiled.
    """

    def __init__(self, on_part: Callable[[], None] | None = None) -> None:
        self.begun, self.ready = asyncio.Event(), asyncio.Event()
        self.compilation: Compilation | None = None
        self._on_part = on_part

    def compile(self, compilation: Compilation | None) -> None:
        """Sets the compilation."""
        self.compilation = compilation
        if self._on_part is not None:
            self._on_part()


@dataclass
class EngineJob:
    """A task that is queued or running."""

    number: int
    task: EngineRequest
    asker: Asker
    answer: asyncio.Future[Mapping[str, Any]]
    on_progress: Callable[[Mapping[str, Any]], None] | None = None
    stages: Stages | None = None
    cancelled: bool = False


@dataclass
class EngineProcess:
    """A process of the pool, as the server sees it."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    inbox: asyncio.Queue[tuple[str, int, Any] | None] = field(default_factory=asyncio.Queue)
    job: EngineJob | None = None
    compilation: Compilation | None = None
    to_warm: deque[EngineRequest] = field(default_factory=deque)
    #: Players that answered without compiled code, to be compiled next.
    to_compile: deque[EngineRequest] = field(default_factory=deque)

    @classmethod
    def start(cls, warm: list[EngineRequest]) -> EngineProcess:
        """Starts a process, and a thread that waits for its messages."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=engine_worker.main,
            args=(theirs, engine_worker.NICENESS),
            name="papan-thinking",
            daemon=True,
        )
        with _without_interrupts():
            process.start()
        theirs.close()
        helper = cls(process, ours, to_warm=deque(warm))
        loop = asyncio.get_running_loop()
        threading.Thread(target=helper._listen, args=(loop,), daemon=True).start()
        return helper

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # raised if the event loop is closed
            while True:
                try:
                    said = self.pipe.recv()
                except (EOFError, OSError):
                    loop.call_soon_threadsafe(self.inbox.put_nowait, None)
                    return
                loop.call_soon_threadsafe(self.inbox.put_nowait, said)

    def tell(self, what: str, number: int, content: Any = None) -> None:
        """Sends a message to the process; a dead process is noticed elsewhere."""
        with contextlib.suppress(OSError):
            self.pipe.send((what, number, content))

    def end(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.join()
        with contextlib.suppress(OSError):
            self.pipe.close()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Starts processes inside that ignore Ctrl-C: the server handles it and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class EnginePool:
    """A pool of engine processes.

    Args:
        processes: number of processes.
        warm: tasks that each process compiles in advance.
        needed: number of these tasks, from the first on, before the pool is `ready`.
        askers: addresses of browsers.
    """

    def __init__(
        self,
        processes: int,
        warm: list[EngineRequest],
        needed: int | None = None,
        askers: Askers | None = None,
    ) -> None:
        self.processes = processes
        self.warm = warm
        self.needed = len(warm) if needed is None else needed
        self.warmed = 0
        self._part_counts = PartCounts()
        self._numbers = itertools.count(1)
        self._askers = askers or Askers()
        self._waiting: FairQueue[EngineJob] = FairQueue()
        self._running: list[EngineJob] = []
        self._changed = asyncio.Condition()
        self._serving: list[asyncio.Task[None]] = []
        self._helpers: dict[int, EngineProcess] = {}

    async def start(self) -> None:
        """Starts the processes."""
        self._serving = [
            asyncio.create_task(self._serve(number)) for number in range(self.processes)
        ]

    async def close(self) -> None:
        """Stops the processes; queued tasks fail."""
        for serving in self._serving:
            serving.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        for job in [*self._running, *self._waiting]:
            job.answer.cancel()

    @property
    def progress(self) -> tuple[int, int]:
        """Finished and total steps of the preparation."""
        return min(self.warmed, self.needed), self.needed

    @property
    def ready(self) -> bool:
        """True once the compiled code of the needed tasks is loaded."""
        return self.warmed >= self.needed

    @property
    def running_processes(self) -> list[multiprocessing.process.BaseProcess]:
        """The live processes."""
        found = [helper.process for helper in self._helpers.values()]
        return [process for process in found if process.is_alive()]

    @property
    def load(self) -> int:
        """Number of queued and running tasks."""
        return len(self._running) + len(self._waiting)

    async def changes(self) -> AsyncIterator[tuple[int, int]]:
        """Yields `progress` after each change, until the pool is ready."""
        while True:
            yield self.progress
            if self.ready:
                return
            async with self._changed:
                await self._changed.wait()

    async def run(
        self,
        task: EngineRequest,
        session: str,
        on_progress: Callable[[Mapping[str, Any]], None] | None = None,
        *,
        stages: Stages | None = None,
    ) -> Mapping[str, Any]:
        """Runs a task when it is the browser's turn. Cancelling this call stops the task.

        Args:
            task: the task.
            session: the browser.
            on_progress: called with each better result.
            stages: events of the task.

        Raises:
            TooBusy: Too many tasks are queued.
            EngineFailed: The process died or exceeded its time.
            PapanError: The task is invalid, or its player failed.
        """
        answer = asyncio.get_running_loop().create_future()
        asker = self._askers.of(session)
        job = EngineJob(next(self._numbers), task, asker, answer, on_progress, stages)
        self._waiting.add(job)
        await self._notify()
        try:
            return await job.answer
        finally:
            job.cancelled = True
            self._waiting.drop(job)
            # Shielded, so that a second cancellation still stops the process.
            await asyncio.shield(self._notify())

    async def prepare(self, task: EngineRequest) -> None:
        """Runs a task of the kinds `warm` or `board` when no other task waits; its result is only
        compiled code."""
        if self._helpers:
            self._add_compilation(next(iter(self._helpers.values())), task)
            await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _serve(self, number: int) -> None:
        """Keeps one process alive and gives it tasks."""
        first = number == 0
        helper = self._helpers[number] = EngineProcess.start(self.warm)
        try:
            while True:
                if not helper.process.is_alive():
                    helper.end()
                    helper = self._helpers[number] = EngineProcess.start(list(helper.to_warm))
                job = await self._next(helper, first=first)
                if job is not None:
                    await self._work(helper, job)
                else:
                    await self._warm_up(helper, first=first)
        finally:
            helper.end()

    async def _next(self, helper: EngineProcess, *, first: bool) -> EngineJob | None:
        """Waits for a task; returns None if there is time for preparation instead.

        The first process compiles; the others wait and then load the compiled code.
        """
        async with self._changed:
            while True:
                job = self._waiting.take(self._running, self.processes)
                if job is not None:
                    self._running.append(job)
                    return job
                if self._may_prepare(helper, first=first):
                    return None
                await self._changed.wait()

    def _may_prepare(self, helper: EngineProcess, *, first: bool) -> bool:
        """True if a process may compile now. Another one stays free for moves, and players that
        answered without compiled code come first."""
        helpers = self._helpers.values()
        others = [each.job for each in helpers if each is not helper and each.job is not None]
        preparing = sum(job not in self._running for job in others)
        if preparing and preparing >= self.processes - 1:
            return False
        if helper.to_compile:
            return True
        is_due = bool(helper.to_warm) and (first or self.ready)
        return is_due and not any(each.to_compile for each in helpers)

    async def _warm_up(self, helper: EngineProcess, *, first: bool) -> None:
        """Runs one step of the preparation."""
        is_step = first and not helper.to_compile
        job = EngineJob(
            next(self._numbers),
            (helper.to_compile or helper.to_warm).popleft(),
            Asker("", ""),
            asyncio.get_running_loop().create_future(),
        )
        # Read, so that asyncio does not warn; a failed preparation fails again in use.
        job.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        await self._attend(helper, job)
        self.warmed += is_step
        await self._notify()

    async def _work(self, helper: EngineProcess, job: EngineJob) -> None:
        try:
            if not job.cancelled:
                job.task = self._cut(job)
                await self._attend(helper, job)
                if _was_plain(job):
                    self._compile_next(helper, job.task)
        finally:
            self._running.remove(job)
            await self._notify()

    def _compile_next(self, helper: EngineProcess, task: EngineRequest) -> None:
        """Compiles the player of a task next, unless a process does or will."""
        self._add_compilation(helper, EngineRequest("warm", task.game, player=task.player))

    def _add_compilation(self, helper: EngineProcess, task: EngineRequest) -> None:
        """Adds a task to the compilations of a process, unless a process does it or will."""
        jobs = [each.job.task for each in self._helpers.values() if each.job is not None]
        if task not in itertools.chain(jobs, *(each.to_compile for each in self._helpers.values())):
            helper.to_compile.append(task)

    def _cut(self, job: EngineJob) -> EngineRequest:
        """Returns the task with less time if many browsers wait."""
        task, others = job.task, self._waiting.crowd(job.asker, self._running)
        crowd = max(1.0, others / self.processes)
        return replace(task, seconds=max(LEAST, min(task.seconds, LONGEST) / crowd))

    async def _attend(self, helper: EngineProcess, job: EngineJob) -> None:
        """Gives a task to a process and sets its result."""
        helper.tell("task", job.number, job.task)
        helper.job, helper.compilation = job, None
        if job.stages is not None:
            job.stages.compile(None)  # those of other tasks are over
            job.stages.begun.set()
        loop = asyncio.get_running_loop()
        deadline, is_ready = loop.time() + PREPARATION, False
        stopping = asyncio.create_task(self._stop_when_cancelled(helper, job))
        try:
            while not job.answer.done() or job.answer.cancelled():
                said = await asyncio.wait_for(helper.inbox.get(), deadline - loop.time())
                if said is None:
                    raise EngineFailed("web.thinking.died")
                what, number, content = said
                # A message of an earlier task, which was stopped too late.
                if number != job.number:
                    continue
                if what == "begin":
                    deadline = loop.time() + job.task.seconds + GRACE
                    self._end_compilation(helper, job)
                    if job.stages is not None and not job.cancelled:
                        job.stages.ready.set()
                    is_ready = True
                elif what == "compiled":
                    self._note_part(helper, job, content)
                    if not is_ready:  # a busy machine is slow, but has not failed
                        deadline = loop.time() + PREPARATION
                elif _settle(job, what, content):
                    return
        except TimeoutError:
            helper.end()
            _fail(job, EngineFailed("web.thinking.late"))
        except EngineFailed as error:
            helper.end()
            _fail(job, error)
        finally:
            stopping.cancel()
            helper.job = None
            self._end_compilation(helper, job)

    def _note_part(self, helper: EngineProcess, job: EngineJob, done: int) -> None:
        """Stores the number of compiled parts of a task."""
        if helper.compilation is None:
            helper.compilation = self._part_counts.begin(_kind_of_parts(job.task))
        helper.compilation.note(done, time.time())
        for stages in self._stages_behind(job):
            stages.compile(helper.compilation)

    def _end_compilation(self, helper: EngineProcess, job: EngineJob) -> None:
        if helper.compilation is not None:
            self._part_counts.remember(_kind_of_parts(job.task), helper.compilation)
            helper.compilation = None
            for stages in self._stages_behind(job):
                stages.compile(None)

    def _stages_behind(self, job: EngineJob) -> list[Stages]:
        """Returns the stages of a task; for a preparation, those of all queued tasks, since it
        keeps them waiting."""
        is_preparation = job not in self._running
        jobs = self._waiting if is_preparation else [job]
        return [each.stages for each in jobs if each.stages is not None and not each.cancelled]

    async def _stop_when_cancelled(self, helper: EngineProcess, job: EngineJob) -> None:
        """Stops the task in the process when its result is no longer needed."""
        async with self._changed:
            await self._changed.wait_for(lambda: job.cancelled)
        helper.tell("stop", job.number)


def _settle(job: EngineJob, what: str, content: Any) -> bool:
    """Handles a message of a process about a task; returns true for the last message."""
    if what == "progress":
        if job.on_progress is not None and not job.cancelled:
            job.on_progress(content)
        return False
    if what == "failed":
        _fail(job, content)
    elif not job.answer.done():
        job.answer.set_result(content)
    return True


def _kind_of_parts(task: EngineRequest) -> str:
    """Returns the kind of tasks that compile about the same number of parts."""
    kind = "move" if task.kind == "warm" else task.kind
    return f"{kind} {task.player.partition(':')[0]}"


def _was_plain(job: EngineJob) -> bool:
    """True if a task was answered without compiled code of its player."""
    answer = job.answer
    is_there = answer.done() and not answer.cancelled() and answer.exception() is None
    return is_there and bool(answer.result().get("plain"))


def _fail(job: EngineJob, error: PapanError) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def warm_tasks(games: list[str]) -> list[EngineRequest]:
    """Returns the tasks of the preparation: first the strongest player of each game, then the
    others, then the recording of trees."""
    players = [EngineRequest("warm", game, player=name) for name in WARM_PLAYERS for game in games]
    trees = [EngineRequest("tree", game, player=WARM_TREE, depth=1, nodes=1000) for game in games]
    return players + trees
