"""Running analyses: a position that an engine searches, and a game reviewed move by move.

Each browser has one of each kind; a new one replaces the old one. An engine that analyses a
position stops when others wait for a move; the results so far are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from papan.errors import PapanError
from papan.solve.known_values import ProvenStanding
from papan.web.engines.compilation import Compilation
from papan.web.engines.engine_pool import EnginePool, Stages
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import TooBusy
from papan.web.http.subscriptions import Subscriptions

#: Maximum number of browsers with stored analyses, and of stored positions in total.
MOST_KEPT = 300
MOST_POSITIONS = 3000

#: Number of shown lines, and maximum number of moves for a search of all moves.
SHOWN_LINES = 3
MOST_VALUED = 64
#: Time of the search of all moves, in seconds.
VALUING_SECONDS = 1.0

#: Minimum interval between updates of a page, in seconds.
PACE = 0.2

#: Minimum time of a search, in seconds.
LEAST = 0.1

#: Time of a search slice in seconds, also while others wait.
SLICE = 1.0

#: Time without a request of the page after which others go first, in seconds.
ATTENTION = 5.0

#: Time for each position of a review, and for the whole review, in seconds.
REVIEW_SECONDS = 0.25
REVIEW_BUDGET = 45.0
REVIEW_LEAST = 0.06

#: Time limit of proofs, for the moves of a position and for a whole game, in seconds.
PROVING_SECONDS = 1.5
HISTORY_SECONDS = 10.0


@dataclass(frozen=True)
class AnalysisQuestion:
    """A position to analyse, with its history.

    Attributes:
        game: the spec of the game.
        start: the first position line; empty for the start of the game.
        moves: the moves since then.
        lines: number of lines.
        seconds: time of the engine.
    """

    game: str
    start: str
    moves: tuple[str, ...]
    lines: int = SHOWN_LINES
    seconds: float = 1.0

    @property
    def place(self) -> tuple[str, str, tuple[str, ...]]:
        """The position with its history, without lines and time."""
        return self.game, self.start, self.moves

    def same_place(self, other: AnalysisQuestion) -> bool:
        """True if both have the same position and history."""
        return self.place == other.place

    def task(self, seconds: float) -> EngineRequest:
        """The search task for the pool."""
        player = f"engine:lines={self.lines}" if self.lines > 1 else "engine"
        return EngineRequest(
            "assess", self.game, self.start, self.moves, player=player, seconds=seconds
        )


@dataclass
class PositionAnalysis:
    """The analysis of one position.

    Attributes:
        question: the position.
        side: the side to move.
        result: the best result so far, in the form of `papan search --json`, with values in points
            (`chances.in_points`); empty at first.
        values: results of a search of all moves; empty at first.
        proofs: proven values of moves, in the form of `papan values --json`; empty at first.
        problem: the error, if the analysis failed.
        work: the running task; None after its end.
        left: remaining time of the engine in seconds, without waiting.
        seen: time of the last request of the page, in seconds of the monotonic clock.
        stages: the stages of its tasks.
    """

    question: AnalysisQuestion
    side: str = "x"
    result: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    proofs: Mapping[str, Any] = field(default_factory=dict)
    problem: PapanError | None = None
    work: asyncio.Task[None] | None = None
    left: float = 0.0
    seen: float = field(default_factory=time.monotonic)
    stages: Stages = field(default_factory=Stages)

    @property
    def compilation(self) -> Compilation | None:
        """The compilation that the analysis waits for; None if it does not."""
        return self.stages.compilation if self.running else None

    @property
    def running(self) -> bool:
        """True while the engine searches."""
        return self.work is not None

    @property
    def ended(self) -> bool:
        """True if the engine has no time left or the value is proven."""
        known = bool((self.result and self.result["proven"]) or self.left <= LEAST)
        return self.problem is not None or (known and not self.running)

    def take(self, result: Mapping[str, Any]) -> None:
        """Stores a result of the search for the best lines, if it is better."""
        self.result = at_the_same_turn(self.side, self.result, result)

    def take_values(self, result: Mapping[str, Any]) -> None:
        """Stores a result of the search of all moves, if it is better, including its first
        lines."""
        self.values = at_the_same_turn(self.side, self.values, result)
        self.take({**self.values, "lines": self.values["lines"][: self.question.lines]})


def at_the_same_turn(
    side: str, kept: Mapping[str, Any], result: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Returns the result to keep of two: the deeper one, if its leaves have `x` to move.

    A search of odd depth evaluates positions after a move of `side`, a search of even depth after a
    move of the other side. The right to move has a value, so these values are not comparable. The
    kept values have `x` to move at the leaves, whichever side moves at the root. Proven results and
    the first result are always kept.

    Args:
        side: the side to move at the root.
        kept: the result so far; empty for none.
        result: the new result.
    """
    if not kept or result["proven"]:
        return result
    is_turn = result["depth"] % 2 == (0 if side == "x" else 1)
    was_turn = kept["depth"] % 2 == (0 if side == "x" else 1)
    deeper = result["depth"] >= kept["depth"] or not was_turn
    return result if is_turn and deeper and not kept["proven"] else kept


async def best_result(
    pool: EnginePool, task: EngineRequest, session: str, side: str
) -> Mapping[str, Any]:
    """Returns the best result of a search task with `side` to move (`at_the_same_turn`).

    Raises:
        PapanError: The engine failed, or too many tasks wait.
    """
    kept: Mapping[str, Any] = {}

    def on_progress(result: Mapping[str, Any]) -> None:
        nonlocal kept
        kept = at_the_same_turn(side, kept, result)

    on_progress(await pool.run(task, session, on_progress))
    return kept


@dataclass(frozen=True)
class MoveVerdict:
    """The value of one position of a game.

    Attributes:
        value: the value for `x`, in the unit of the game.
        best: the best move; empty if the game is over.
        proven: true if the value is proven.
    """

    value: float
    best: str
    proven: bool


@dataclass
class GameReview:
    """The review of a game, position by position.

    Attributes:
        question: the game with all of its moves.
        sides: the side to move in each position.
        verdicts: values by ply; None if unknown.
        standings: proven results by ply.
        work: the running task; None after its end.
    """

    question: AnalysisQuestion
    sides: tuple[str, ...]
    verdicts: list[MoveVerdict | None] = field(default_factory=list)
    standings: dict[int, ProvenStanding] = field(default_factory=dict)
    work: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.verdicts = [None] * (len(self.question.moves) + 1)

    @property
    def running(self) -> bool:
        """True while positions are searched."""
        return self.work is not None

    @property
    def useful(self) -> bool:
        """True if the review is complete or running."""
        return self.running or None not in self.verdicts

    def take_over(self, other: GameReview) -> None:
        """Copies the results of positions that both games share."""
        mine, theirs = self.question, other.question
        if (mine.game, mine.start) != (theirs.game, theirs.start):
            return
        pairs = zip(mine.moves, theirs.moves, strict=False)
        common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        self.verdicts[: common + 1] = other.verdicts[: common + 1]
        self.standings = {
            ply: standing for ply, standing in other.standings.items() if ply <= common
        }


class AnalysisJobs:
    """All running analyses.

    Args:
        pool: the engine pool.
        subscriptions: notified of new results under `topic(session)`.
        tablebases: files of tablebases for proven values.
    """

    def __init__(
        self, pool: EnginePool, subscriptions: Subscriptions, tablebases: tuple[str, ...] = ()
    ) -> None:
        self.pool, self.subscriptions, self.tablebases = pool, subscriptions, tablebases
        self._analyses: OrderedDict[str, PositionAnalysis] = OrderedDict()
        self._earlier: OrderedDict[Any, PositionAnalysis] = OrderedDict()
        self._reviews: OrderedDict[str, GameReview] = OrderedDict()

    @staticmethod
    def topic(session: str) -> str:
        """Returns the topic of a browser's analyses in the subscriptions."""
        return f"analysis:{session}"

    def find_analysis(self, session: str, question: AnalysisQuestion) -> PositionAnalysis | None:
        """Returns the browser's analysis of a position: the running one or an earlier one."""
        analysis = self._analyses.get(session)
        if analysis is not None:
            analysis.seen = time.monotonic()
        if analysis is not None and analysis.question.same_place(question):
            return analysis
        return self._earlier.get((session, question.place))

    def find_review(self, session: str, question: AnalysisQuestion) -> GameReview | None:
        """Returns the browser's review of this game, if there is one."""
        review = self._reviews.get(session)
        return review if review is not None and review.question.same_place(question) else None

    def begin_analysis(
        self, session: str, question: AnalysisQuestion, side: str
    ) -> PositionAnalysis:
        """Starts the analysis of a position with `side` to move; earlier results are kept."""
        _end(self._analyses.get(session))
        analysis = PositionAnalysis(question, side, left=question.seconds)
        if (known := self.find_analysis(session, question)) is not None:
            analysis.values, analysis.proofs = known.values, known.proofs
            analysis.result = known.result if known.question.lines == question.lines else {}
        self._keep(self._analyses, session, analysis)
        self._remember(session, analysis)
        analysis.work = asyncio.create_task(self._look(session, analysis))
        return analysis

    def begin_review(
        self, session: str, question: AnalysisQuestion, sides: tuple[str, ...]
    ) -> GameReview:
        """Starts the review of a game; results of positions shared with the previous game are kept.
        A running or finished review is not started again."""
        known = self._reviews.get(session)
        if known is not None and known.question.same_place(question) and known.useful:
            return known
        _end(known)
        review = GameReview(question, sides)
        if known is not None:
            review.take_over(known)
        self._keep(self._reviews, session, review)
        review.work = asyncio.create_task(self._review_game(session, review))
        return review

    def stop(self, session: str) -> None:
        """Stops the analyses of a browser; results are kept."""
        _end(self._analyses.get(session))
        _end(self._reviews.get(session))
        self.subscriptions.notify(self.topic(session))

    async def close(self) -> None:
        """Stops all analyses."""
        jobs: list[PositionAnalysis | GameReview] = [
            *self._analyses.values(),
            *self._reviews.values(),
        ]
        works = [each.work for each in jobs if each.work is not None]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)

    # --- parts

    def _keep(
        self, kept: OrderedDict[str, Any], session: str, job: PositionAnalysis | GameReview
    ) -> None:
        """Stores an analysis; the oldest one is dropped if there are too many."""
        kept.pop(session, None)
        kept[session] = job
        while len(kept) > MOST_KEPT:
            _end(kept.popitem(last=False)[1])

    def _remember(self, session: str, analysis: PositionAnalysis) -> None:
        """Stores the results of a position for later requests of the browser."""
        place = (session, analysis.question.place)
        self._earlier.pop(place, None)
        self._earlier[place] = analysis
        while len(self._earlier) > MOST_POSITIONS:
            self._earlier.popitem(last=False)

    async def _look(self, session: str, analysis: PositionAnalysis) -> None:
        """Values all moves, lets the review run, then searches for the best lines in slices until
        the time is up or the value is proven."""
        notify = _Paced(lambda: self.subscriptions.notify(self.topic(session)))
        analysis.stages = Stages(notify)
        try:
            if not analysis.values:
                await self._value_moves(session, analysis, notify)
            await self._await_review(session)
            if not analysis.proofs and not analysis.result.get("proven"):
                await self._prove_moves(session, analysis, notify)
            while analysis.left > LEAST and not analysis.result.get("proven"):
                if await self._slice(session, analysis, notify):
                    break
        except PapanError as error:
            analysis.problem = None if analysis.result else error
        finally:
            notify.cancel()
            if analysis.work is asyncio.current_task():
                analysis.work = None
            self.subscriptions.notify(self.topic(session))

    async def _slice(
        self, session: str, analysis: PositionAnalysis, notify: Callable[[], None]
    ) -> bool:
        """Searches until the end or until others wait; returns true at the end."""
        began: float | None = None

        def on_progress(result: Mapping[str, Any]) -> None:
            nonlocal began
            began = began or time.monotonic()
            analysis.take(result)
            notify()

        task = analysis.question.task(analysis.left)
        running = self.pool.run(task, session, on_progress, stages=analysis.stages)
        asked = asyncio.ensure_future(running)
        try:
            while True:
                done, _ = await asyncio.wait((asked,), timeout=PACE)
                if done:
                    analysis.take(asked.result())
                    return True
                if self._is_left(session, analysis):
                    return True
                used = time.monotonic() - began if began else 0.0
                if used > SLICE and self.pool.load > self.pool.processes:
                    return False
        finally:
            analysis.left -= time.monotonic() - began if began else 0.0
            if not asked.done():
                asked.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asked

    async def _value_moves(
        self, session: str, analysis: PositionAnalysis, notify: Callable[[], None]
    ) -> None:
        """Values all moves in one short search, which also provides the first lines."""

        def on_progress(result: Mapping[str, Any]) -> None:
            analysis.take_values(result)
            notify()

        task = replace(analysis.question, lines=MOST_VALUED).task(VALUING_SECONDS)
        result = await self.pool.run(task, session, on_progress, stages=analysis.stages)
        analysis.take_values(result)

    async def _prove_moves(
        self, session: str, analysis: PositionAnalysis, notify: Callable[[], None]
    ) -> None:
        """Proves the values of moves with a tablebase or the solver, as far as possible."""
        searched = analysis.question.task(PROVING_SECONDS)
        task = replace(searched, kind="values", tablebases=self.tablebases)
        with contextlib.suppress(PapanError):  # the analysis continues without proofs
            analysis.proofs = await self.pool.run(task, session, stages=analysis.stages)
            notify()

    async def _await_review(self, session: str) -> None:
        """Waits until the values of the browser's game are known, without its proofs."""
        review = self._reviews.get(session)
        while review is not None and review.work is not None and None in review.verdicts:
            await asyncio.wait((review.work,), timeout=PACE)

    def _is_left(self, session: str, analysis: PositionAnalysis) -> bool:
        """True if the page of an analysis is closed and others wait."""
        waited = time.monotonic() - analysis.seen > ATTENTION
        watched = self.subscriptions.watched(self.topic(session))
        return waited and not watched and self.pool.load > self.pool.processes

    async def _review_game(self, session: str, review: GameReview) -> None:
        """Searches the positions of a game one by one."""
        plies = len(review.question.moves)
        seconds = max(REVIEW_LEAST, min(REVIEW_SECONDS, REVIEW_BUDGET / (plies + 1)))
        try:
            for ply, task in enumerate(_tasks(review.question, seconds)):
                if review.verdicts[ply] is None:
                    result = await self._patiently(task, session, review.sides[ply])
                    review.verdicts[ply] = _verdict(result, review.sides[ply])
                    self.subscriptions.notify(self.topic(session))
            if len(review.standings) <= plies:
                await self._prove_game(session, review)
        except PapanError:
            pass  # the page shows the results so far, and leaves the rest open
        finally:
            if review.work is asyncio.current_task():
                review.work = None
            self.subscriptions.notify(self.topic(session))

    async def _prove_game(self, session: str, review: GameReview) -> None:
        """Proves the result of each ply with a tablebase or the solver, as far as possible."""

        def on_progress(result: Mapping[str, Any]) -> None:
            review.standings[result["ply"]] = result["standing"]
            self.subscriptions.notify(self.topic(session))

        question = review.question
        searched = question.task(HISTORY_SECONDS)
        task = replace(searched, kind="history", tablebases=self.tablebases)
        await self.pool.run(task, session, on_progress)

    async def _patiently(self, task: EngineRequest, session: str, side: str) -> Mapping[str, Any]:
        """Returns the best result of a task, however long the queue."""
        while True:
            try:
                return await best_result(self.pool, task, session, side)
            except TooBusy:
                await asyncio.sleep(1)


def _end(job: PositionAnalysis | GameReview | None) -> None:
    """Stops the running task of an analysis."""
    if job is not None and job.work is not None:
        job.work.cancel()
        job.work = None


def _tasks(question: AnalysisQuestion, seconds: float) -> Iterator[EngineRequest]:
    """Returns a task for each position of a game, including the first."""
    for ply in range(len(question.moves) + 1):
        yield replace(question, moves=question.moves[:ply], lines=1).task(seconds)


def _verdict(result: Mapping[str, Any], side: str) -> MoveVerdict:
    sign = 1 if side == "x" else -1
    return MoveVerdict(sign * result["score"], result["move"] or "", bool(result["proven"]))


class _Paced:
    """A call with a minimum interval: a call that comes too early is delayed, and the last call is
    never lost."""

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
        """Cancels a delayed call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
