"""Analyses under way: a position that an engine looks at, and a game looked at move by move.

Each browser has one of either kind; a new one takes the place of the one before. An engine that
looks at a position gives way to those who wait for a move: its findings so far stay.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from papan.errors import PapanError
from papan.web.live.subscriptions import Subscriptions
from papan.web.workers.engine_pool import EnginePool
from papan.web.workers.engine_worker import EngineRequest
from papan.web.workers.fair_queue import TooBusy

#: Browsers whose analyses are remembered.
MOST_KEPT = 300

#: Pages hear of news at most once in this time, in seconds.
PACE = 0.2

#: Less thought than this is not worth asking for, in seconds.
LEAST = 0.1

#: An engine at work is left alone for so long, however many wait, in seconds.
SLICE = 1.0

#: An analysis that was not looked at for so long gives way to others for good, in seconds.
ATTENTION = 15.0

#: The thought about each position of a game, and about all of them together, in seconds.
SWEEP_SECONDS = 0.25
SWEEP_BUDGET = 45.0
SWEEP_LEAST = 0.06


@dataclass(frozen=True)
class AnalysisQuestion:
    """A position to be analysed, with its past.

    Attributes:
        game: the spec of the game.
        start: the position line that it starts from; empty for the start.
        moves: what was played since.
        lines: how many ways to go on are asked for.
        seconds: how long the engine may look.
    """

    game: str
    start: str
    moves: tuple[str, ...]
    lines: int = 1
    seconds: float = 1.0

    def same_place(self, other: AnalysisQuestion) -> bool:
        """True if both ask about one position with one past."""
        mine, theirs = (self.game, self.start, self.moves), (other.game, other.start, other.moves)
        return mine == theirs

    def task(self, seconds: float) -> EngineRequest:
        """The search that the pool is asked for."""
        player = f"engine:lines={self.lines}" if self.lines > 1 else "engine"
        return EngineRequest(
            "search", self.game, self.start, self.moves, player=player, seconds=seconds
        )


@dataclass
class PositionAnalysis:
    """An engine's look at one position.

    Attributes:
        question: what it looks at.
        found: the best result so far, as `papan search --json` prints it; empty at first.
        problem: why it ended without one.
        work: what goes on; None when it has ended.
        left: how long the engine may still look, in seconds; waiting for it does not count.
        seen: when it was looked at, in seconds of the monotonic clock.
    """

    question: AnalysisQuestion
    found: Mapping[str, Any] = field(default_factory=dict)
    problem: PapanError | None = None
    work: asyncio.Task[None] | None = None
    left: float = 0.0
    seen: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> bool:
        """True while the engine looks."""
        return self.work is not None

    def take(self, found: Mapping[str, Any]) -> None:
        """Keeps a result if it is news: a search that was begun again is shallow at first."""
        if found["depth"] >= self.found.get("depth", 0) or found["proven"]:
            self.found = found


@dataclass(frozen=True)
class MoveVerdict:
    """An engine's opinion of one position of a game.

    Attributes:
        value: `x`'s view, in the game's own unit.
        best: the move it would make; empty where the game is over.
        proven: whether the value is certain.
    """

    value: float
    best: str
    proven: bool


@dataclass
class GameAnalysis:
    """A look at each position of a game, one after the other.

    Attributes:
        question: the game, with all of its moves.
        sides: who moves in each of its positions.
        verdicts: what was found, by ply; None where nothing is known yet.
        work: what goes on; None when it has ended.
    """

    question: AnalysisQuestion
    sides: tuple[str, ...]
    verdicts: list[MoveVerdict | None] = field(default_factory=list)
    work: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.verdicts = [None] * (len(self.question.moves) + 1)

    @property
    def running(self) -> bool:
        """True while positions are looked at."""
        return self.work is not None

    @property
    def values(self) -> list[float | None]:
        """The value of each position, `x`'s view."""
        return [None if verdict is None else verdict.value for verdict in self.verdicts]


class AnalysisJobs:
    """All analyses under way.

    Args:
        pool: where engines look.
        subscriptions: hear of news, under `topic(session)`.
    """

    def __init__(self, pool: EnginePool, subscriptions: Subscriptions) -> None:
        self.pool, self.subscriptions = pool, subscriptions
        self._studies: OrderedDict[str, PositionAnalysis] = OrderedDict()
        self._sweeps: OrderedDict[str, GameAnalysis] = OrderedDict()

    @staticmethod
    def topic(session: str) -> str:
        """The topic of a browser's analyses in the subscriptions."""
        return f"study:{session}"

    def study(self, session: str, question: AnalysisQuestion) -> PositionAnalysis | None:
        """The browser's study, if it is about that position."""
        found = self._studies.get(session)
        if found is not None:
            found.seen = time.monotonic()
        return found if found is not None and found.question.same_place(question) else None

    def sweep(self, session: str, question: AnalysisQuestion) -> GameAnalysis | None:
        """The browser's sweep, if it is through that game."""
        found = self._sweeps.get(session)
        return found if found is not None and found.question.same_place(question) else None

    def begin(self, session: str, question: AnalysisQuestion) -> PositionAnalysis:
        """Begins to look at a position."""
        _end(self._studies.get(session))
        study = PositionAnalysis(question, left=question.seconds)
        self._keep(self._studies, session, study)
        study.work = asyncio.create_task(self._look(session, study))
        return study

    def begin_sweep(
        self, session: str, question: AnalysisQuestion, sides: tuple[str, ...]
    ) -> GameAnalysis:
        """Begins to look at each position of a game."""
        _end(self._sweeps.get(session))
        sweep = GameAnalysis(question, sides)
        self._keep(self._sweeps, session, sweep)
        sweep.work = asyncio.create_task(self._go_through(session, sweep))
        return sweep

    def stop(self, session: str) -> None:
        """Ends what goes on for a browser; what was found stays."""
        _end(self._studies.get(session))
        _end(self._sweeps.get(session))
        self.subscriptions.notify(self.topic(session))

    async def close(self) -> None:
        """Ends everything."""
        found: list[PositionAnalysis | GameAnalysis] = [
            *self._studies.values(),
            *self._sweeps.values(),
        ]
        works = [each.work for each in found if each.work is not None]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)

    # --- parts

    def _keep(
        self, kept: OrderedDict[str, Any], session: str, found: PositionAnalysis | GameAnalysis
    ) -> None:
        """Remembers an analysis; of too many, the one begun longest ago is forgotten."""
        kept.pop(session, None)
        kept[session] = found
        while len(kept) > MOST_KEPT:
            _end(kept.popitem(last=False)[1])

    async def _look(self, session: str, study: PositionAnalysis) -> None:
        """Searches in slices until the time is up or the value proven."""
        tell = _Paced(lambda: self.subscriptions.notify(self.topic(session)))
        try:
            while study.left > LEAST and not study.found.get("proven"):
                if await self._slice(session, study, tell):
                    break
        except PapanError as error:
            study.problem = None if study.found else error
        finally:
            tell.cancel()
            if study.work is asyncio.current_task():
                study.work = None
            self.subscriptions.notify(self.topic(session))

    async def _slice(self, session: str, study: PositionAnalysis, tell: Callable[[], None]) -> bool:
        """Searches until the end, or until somebody else waits; returns whether it was the end."""
        began: float | None = None

        def on_progress(found: Mapping[str, Any]) -> None:
            nonlocal began
            began = began or time.monotonic()
            study.take(found)
            tell()

        task = study.question.task(study.left)
        asked = asyncio.ensure_future(self.pool.run(task, session, on_progress))
        try:
            while True:
                done, _ = await asyncio.wait((asked,), timeout=PACE)
                if done:
                    study.take(asked.result())
                    return True
                if self._is_left(session, study):
                    return True
                used = time.monotonic() - began if began else 0.0
                if used > SLICE and self.pool.load > self.pool.processes:
                    return False
        finally:
            study.left -= time.monotonic() - began if began else 0.0
            if not asked.done():
                asked.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asked

    def _is_left(self, session: str, study: PositionAnalysis) -> bool:
        """True if an analysis is not looked at any more, while others wait."""
        waited = time.monotonic() - study.seen > ATTENTION
        watched = self.subscriptions.watched(self.topic(session))
        return waited and not watched and self.pool.load > self.pool.processes

    async def _go_through(self, session: str, sweep: GameAnalysis) -> None:
        """Looks at one position after the other."""
        plies = len(sweep.question.moves)
        seconds = max(SWEEP_LEAST, min(SWEEP_SECONDS, SWEEP_BUDGET / (plies + 1)))
        try:
            for ply, task in enumerate(_tasks(sweep.question, seconds)):
                found = await self._patiently(task, session)
                sweep.verdicts[ply] = _verdict(found, sweep.sides[ply])
                self.subscriptions.notify(self.topic(session))
        except PapanError:
            pass  # what was found until then is shown, with a gap behind it
        finally:
            if sweep.work is asyncio.current_task():
                sweep.work = None
            self.subscriptions.notify(self.topic(session))

    async def _patiently(self, task: EngineRequest, session: str) -> Mapping[str, Any]:
        """The pool's answer, however long the queue."""
        while True:
            try:
                return await self.pool.run(task, session)
            except TooBusy:
                await asyncio.sleep(1)


def _end(found: PositionAnalysis | GameAnalysis | None) -> None:
    """Ends an analysis, if there is one under way."""
    if found is not None and found.work is not None:
        found.work.cancel()
        found.work = None


def _tasks(question: AnalysisQuestion, seconds: float) -> Iterator[EngineRequest]:
    """A task for each position of a game, the first one included."""
    for ply in range(len(question.moves) + 1):
        moves = question.moves[:ply]
        yield EngineRequest(
            "search", question.game, question.start, moves, player="engine", seconds=seconds
        )


def _verdict(found: Mapping[str, Any], side: str) -> MoveVerdict:
    sign = 1 if side == "x" else -1
    return MoveVerdict(sign * found["score"], found["move"] or "", bool(found["proven"]))


class _Paced:
    """A call that is made now, or later if the last one was just before: never too often, and the
    last one is never lost."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        if self._timer is None:
            wait = max(0.0, self._last + PACE - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._now)

    def _now(self) -> None:
        self._timer, self._last = None, time.monotonic()
        self._call()

    def cancel(self) -> None:
        """Forgets a call that is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
