"""Analyses under way: a position that an engine looks at, and a game looked at move by move.

Each browser has one of either kind; a new one takes the place of the one before. An engine that
looks at a position gives way to those who wait for a move: its findings so far stay.
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
from papan.web.engines.engine_pool import EnginePool
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http.refusals import TooBusy
from papan.web.http.subscriptions import Subscriptions

#: Browsers whose analyses are remembered, and positions of all of them that were looked at.
MOST_KEPT = 300
MOST_POSITIONS = 3000

#: Lines of an engine that are shown, and moves that are valued one by one: the most that it takes.
SHOWN_LINES = 3
MOST_VALUED = 64
#: The thought about all moves of a position together, in seconds.
VALUING_SECONDS = 1.0

#: Pages hear of news at most once in this time, in seconds.
PACE = 0.2

#: Less thought than this is not worth asking for, in seconds.
LEAST = 0.1

#: An engine at work is left alone for so long, however many wait, in seconds.
SLICE = 1.0

#: An analysis that was not looked at for so long gives way to others for good, in seconds.
ATTENTION = 5.0

#: The thought about each position of a game, and about all of them together, in seconds.
REVIEW_SECONDS = 0.25
REVIEW_BUDGET = 45.0
REVIEW_LEAST = 0.06

#: What proving may take, of the moves of a position and of a whole game, in seconds.
PROVING_SECONDS = 1.5
HISTORY_SECONDS = 10.0


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
    lines: int = SHOWN_LINES
    seconds: float = 1.0

    @property
    def place(self) -> tuple[str, str, tuple[str, ...]]:
        """The position with its past, whatever is asked about it."""
        return self.game, self.start, self.moves

    def same_place(self, other: AnalysisQuestion) -> bool:
        """True if both ask about one position with one past."""
        return self.place == other.place

    def task(self, seconds: float) -> EngineRequest:
        """The search that the pool is asked for."""
        player = f"engine:lines={self.lines}" if self.lines > 1 else "engine"
        return EngineRequest(
            "assess", self.game, self.start, self.moves, player=player, seconds=seconds
        )


@dataclass
class PositionAnalysis:
    """An engine's look at one position.

    Attributes:
        question: what it looks at.
        side: who moves there.
        result: the best result so far, as `papan search --json` prints it, with values in points
            (`chances.in_points`); empty at first.
        values: what was found of each move, in a search of all of them; empty at first.
        proofs: what is proven of each move, as `papan values --json` prints it; empty at first.
        problem: why it ended without one.
        work: what goes on; None when it has ended.
        left: how long the engine may still look, in seconds; waiting for it does not count.
        seen: when it was looked at, in seconds of the monotonic clock.
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

    @property
    def running(self) -> bool:
        """True while the engine looks."""
        return self.work is not None

    @property
    def ended(self) -> bool:
        """True if there is nothing more to be found in the time that was given."""
        known = bool((self.result and self.result["proven"]) or self.left <= LEAST)
        return self.problem is not None or (known and not self.running)

    def take(self, result: Mapping[str, Any]) -> None:
        """Keeps a result of the search for the best lines, if it is news."""
        self.result = at_the_same_turn(self.side, self.result, result)

    def take_values(self, result: Mapping[str, Any]) -> None:
        """Keeps a result of the search of all moves, if it is news: its first lines, too."""
        self.values = at_the_same_turn(self.side, self.values, result)
        self.take({**self.values, "lines": self.values["lines"][: self.question.lines]})


def at_the_same_turn(
    side: str, kept: Mapping[str, Any], result: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The result to be kept of two: the deeper one, if what it values is `x`'s turn.

    A search of odd depth values positions after a move of `side`, one of even depth after one of
    the other; the right to move is worth something, so that values of both do not compare. Those
    that are kept are of positions where `x` moves, whoever moves at the root. What is proven, and
    the first result of all, is always kept.

    Args:
        side: who moves at the root.
        kept: the result so far; empty for none.
        result: another one.
    """
    if not kept or result["proven"]:
        return result
    is_turn = result["depth"] % 2 == (0 if side == "x" else 1)
    was_turn = kept["depth"] % 2 == (0 if side == "x" else 1)
    deeper = result["depth"] >= kept["depth"] or not was_turn
    return result if is_turn and deeper and not kept["proven"] else kept


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
class GameReview:
    """A look at each position of a game, one after the other.

    Attributes:
        question: the game, with all of its moves.
        sides: who moves in each of its positions.
        verdicts: what was found, by ply; None where nothing is known yet.
        standings: what is proven, by ply.
        work: what goes on; None when it has ended.
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
        """True while positions are looked at."""
        return self.work is not None

    @property
    def useful(self) -> bool:
        """True if nothing is missing, or will soon."""
        return self.running or None not in self.verdicts

    def take_over(self, other: GameReview) -> None:
        """Takes over what is known of positions that both games have."""
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
    """All analyses under way.

    Args:
        pool: where engines look.
        subscriptions: hear of news, under `topic(session)`.
        tablebases: files of tablebases, whose values are shown.
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
        """The topic of a browser's analyses in the subscriptions."""
        return f"analysis:{session}"

    def find_analysis(self, session: str, question: AnalysisQuestion) -> PositionAnalysis | None:
        """The browser's analysis of that position: the one under way, or one of those before."""
        analysis = self._analyses.get(session)
        if analysis is not None:
            analysis.seen = time.monotonic()
        if analysis is not None and analysis.question.same_place(question):
            return analysis
        return self._earlier.get((session, question.place))

    def find_review(self, session: str, question: AnalysisQuestion) -> GameReview | None:
        """The browser's review, if it is through that game."""
        review = self._reviews.get(session)
        return review if review is not None and review.question.same_place(question) else None

    def begin_analysis(
        self, session: str, question: AnalysisQuestion, side: str
    ) -> PositionAnalysis:
        """Begins to look at a position, where `side` moves; what is known of it already stays."""
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
        """Begins to look at each position of a game; those it has in common with the game before
        are known. One that is under way, or has ended, is not begun again."""
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
        """Ends what goes on for a browser; what was found stays."""
        _end(self._analyses.get(session))
        _end(self._reviews.get(session))
        self.subscriptions.notify(self.topic(session))

    async def close(self) -> None:
        """Ends everything."""
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
        """Remembers an analysis; of too many, the one begun longest ago is forgotten."""
        kept.pop(session, None)
        kept[session] = job
        while len(kept) > MOST_KEPT:
            _end(kept.popitem(last=False)[1])

    def _remember(self, session: str, analysis: PositionAnalysis) -> None:
        """Remembers what is found of a position for when the browser comes back to it."""
        place = (session, analysis.question.place)
        self._earlier.pop(place, None)
        self._earlier[place] = analysis
        while len(self._earlier) > MOST_POSITIONS:
            self._earlier.popitem(last=False)

    async def _look(self, session: str, analysis: PositionAnalysis) -> None:
        """Values all moves, lets the game be looked at, then searches for the best lines in
        slices, until the time is up or the value proven."""
        notify = _Paced(lambda: self.subscriptions.notify(self.topic(session)))
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
        """Searches until the end, or until somebody else waits; returns whether it was the end."""
        began: float | None = None

        def on_progress(result: Mapping[str, Any]) -> None:
            nonlocal began
            began = began or time.monotonic()
            analysis.take(result)
            notify()

        task = analysis.question.task(analysis.left)
        asked = asyncio.ensure_future(self.pool.run(task, session, on_progress))
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
        """Values all moves in one short search, which finds the first lines as well."""

        def on_progress(result: Mapping[str, Any]) -> None:
            analysis.take_values(result)
            notify()

        task = replace(analysis.question, lines=MOST_VALUED).task(VALUING_SECONDS)
        analysis.take_values(await self.pool.run(task, session, on_progress))

    async def _prove_moves(
        self, session: str, analysis: PositionAnalysis, notify: Callable[[], None]
    ) -> None:
        """Values all moves for certain, as far as a tablebase or the solver can."""
        searched = analysis.question.task(PROVING_SECONDS)
        task = replace(searched, kind="values", tablebases=self.tablebases)
        with contextlib.suppress(PapanError):  # the engine goes on without
            analysis.proofs = await self.pool.run(task, session)
            notify()

    async def _await_review(self, session: str) -> None:
        """Waits until the browser's game has been looked at, but not until it is proven."""
        review = self._reviews.get(session)
        while review is not None and review.work is not None and None in review.verdicts:
            await asyncio.wait((review.work,), timeout=PACE)

    def _is_left(self, session: str, analysis: PositionAnalysis) -> bool:
        """True if an analysis is not looked at any more, while others wait."""
        waited = time.monotonic() - analysis.seen > ATTENTION
        watched = self.subscriptions.watched(self.topic(session))
        return waited and not watched and self.pool.load > self.pool.processes

    async def _review_game(self, session: str, review: GameReview) -> None:
        """Looks at one position after the other."""
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
            pass  # what was found until then is shown, with a gap behind it
        finally:
            if review.work is asyncio.current_task():
                review.work = None
            self.subscriptions.notify(self.topic(session))

    async def _prove_game(self, session: str, review: GameReview) -> None:
        """Finds who stood how for certain at each ply, as far as a tablebase or the solver can."""

        def on_progress(result: Mapping[str, Any]) -> None:
            review.standings[result["ply"]] = result["standing"]
            self.subscriptions.notify(self.topic(session))

        question = review.question
        searched = question.task(HISTORY_SECONDS)
        task = replace(searched, kind="history", tablebases=self.tablebases)
        await self.pool.run(task, session, on_progress)

    async def _patiently(self, task: EngineRequest, session: str, side: str) -> Mapping[str, Any]:
        """The pool's answer, however long the queue, at the turn at which all are valued."""
        kept: Mapping[str, Any] = {}

        def on_progress(result: Mapping[str, Any]) -> None:
            nonlocal kept
            kept = at_the_same_turn(side, kept, result)

        while True:
            try:
                on_progress(await self.pool.run(task, session, on_progress))
                return kept
            except TooBusy:
                await asyncio.sleep(1)


def _end(job: PositionAnalysis | GameReview | None) -> None:
    """Ends an analysis, if there is one under way."""
    if job is not None and job.work is not None:
        job.work.cancel()
        job.work = None


def _tasks(question: AnalysisQuestion, seconds: float) -> Iterator[EngineRequest]:
    """A task for each position of a game, the first one included."""
    for ply in range(len(question.moves) + 1):
        moves = question.moves[:ply]
        yield EngineRequest(
            "assess", question.game, question.start, moves, player="engine", seconds=seconds
        )


def _verdict(result: Mapping[str, Any], side: str) -> MoveVerdict:
    sign = 1 if side == "x" else -1
    return MoveVerdict(sign * result["score"], result["move"] or "", bool(result["proven"]))


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
