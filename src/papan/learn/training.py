"""Training: batches of self-play with regular measurements; the strongest weights are kept.

A batch is a fixed number of games, so with one worker the same seed gives the same weights after
the same number of games. `papan.learn.learner` describes training with several workers.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from papan.campaign import never
from papan.core.arguments import quoted_value
from papan.core.game import Game
from papan.data_files import reading
from papan.errors import InvalidSpec
from papan.learn.learner import Learner, Team
from papan.learn.matches import EvaluationMatch, MatchRules
from papan.learn.race import SHARE, Race, variants
from papan.learn.self_play import SelfPlaySettings, TraceTarget
from papan.learn.survey import Survey, survey
from papan.learn.weights import (
    Weights,
    build_weights,
    fits,
    name_of,
    network_of,
    read_arrays,
    write_arrays,
)
from papan.rules.operations import MAX_PLY, Evaluation
from papan.stats.counts import Pentanomial, Trinomial
from papan.stats.elo import normal_error
from papan.stats.sprt import Sprt

#: Plies of the first batch, and maximum and minimum number of its games. The tables that play are
#: created for each batch, which takes about as long as playing the first one.
BATCH_PLIES = 12_000
MOST_GAMES, LEAST_GAMES = 500, 10
#: A batch grows to this share of all games, at most by the factor MOST_GROWTH.
BATCH_SHARE, MOST_GROWTH = 0.05, 8
#: λ, the share of random moves, and learning rates. `RATE` is in logits (4 is the inverse of the
#: logistic function's slope at its middle), `MARGIN_RATE` in margins.
DECAY = 0.8
CHANCE = 0.1
RATE, MARGIN_RATE = 4.0, 0.3
#: The random opening of self-play and matches is at most 1/OPENING_PART of a game, and at most
#: OPENING_PLIES plies.
OPENING_PART, OPENING_PLIES = 6, 6
#: A measurement follows when the number of games has grown by this factor, and at the end. The
#: weights of shorter intervals hardly differ in strength.
GROWTH = 1.5
#: Time of the matches of a measurement, as shares of that of the self-play since the last one:
#: against the best weights, and against the game's own evaluation. It is counted in visited
#: positions, so that a match is the same on each machine.
BEST_SHARE, FIXED_SHARE = 0.2, 0.05
#: Positions that a search visits in the time of learning from one: 20 to 70, by the tables' size.
LEARNING_NODES = 30
#: Number of games that should fit into the share of a match, and maximum number of positions per
#: move (about 10 ms).
MATCH_GAMES, MOST_NODES = 400, 20_000
#: Number of pairs between two tests of a match, and maximum number against the game's evaluation.
PAIRS, FIXED_PAIRS = 10, 50
#: Score of equally strong evaluations.
EVEN = 0.5
#: New weights replace the best ones if this test accepts H1.
GATE = Sprt(0.0, 15.0)
#: Trainings with fewer plies or seconds have the fewest features, without a race.
RACE_PLIES, RACE_SECONDS = 100_000, 20.0
#: Number of measurements in a row without better weights after which self-play searches one ply
#: deeper. Deeper searches gain where learning has stalled, and cost where more games still help.
STALLED = 2
#: Time limit of one match of evaluations, as a share of the training's time limit.
DUEL_PART = 0.1
#: Version of the checkpoint's format, and suffix of its file name, after that of the weights.
CHECKPOINT, PART = 2, ".part"

Array = np.ndarray[Any, Any]


_USUAL = TraceTarget(DECAY)


@dataclass(frozen=True)
class TrainingPlan:
    """Settings of a training.

    Attributes:
        seconds: time limit in seconds; None without a limit.
        games: maximum number of games; None without a limit.
        workers: number of threads.
        seed: seed of all random choices.
        target: technique that computes learning targets (`papan.learn.self_play`).
        depth: search depth of self-play at first, in plies.
        rate: learning rate; 0 for the default.
    """

    seconds: float | None = None
    games: int | None = None
    workers: int = 1
    seed: int = 0
    target: Any = _USUAL
    depth: int = 1
    rate: float = 0.0


@dataclass(frozen=True)
class Milestone:
    """A measurement during a training.

    Attributes:
        seconds: duration so far, including measurements.
        games, plies: numbers of games and plies so far.
        plies_per_second: speed of self-play and learning since the previous measurement.
        error: mean absolute error of the learned values since the previous measurement.
        nodes: positions per move in the matches.
        against_best: result against the best weights, of all measurements of the same test.
        pairs: the same in pairs, by half points (0 … 4).
        llr: log likelihood ratio of the test that decides about the best weights.
        decision: "H1" if these weights are stronger than the best ones, "H0" if they are not, and
            "continue" if the test goes on at the next measurement.
        against_fixed: result against the game's own evaluation.
        is_best: True if the test shows that these weights are stronger than the best ones, which
            they replace.
    """

    seconds: float
    games: int
    plies: int
    plies_per_second: float
    error: float
    nodes: int
    against_best: Trinomial
    pairs: Pentanomial
    llr: float
    decision: str
    against_fixed: Trinomial
    is_best: bool

    def as_dict(self) -> dict[str, Any]:
        """Returns the measurement for JSON."""
        scores = {"against_best": self.against_best, "against_fixed": self.against_fixed}
        facts = {name: score_facts(counts) for name, counts in scores.items()}
        return {**vars(self), **facts, "pairs": self.pairs.frequencies}


@dataclass
class Training:
    """A training that is running or finished.

    Attributes:
        game: the rules.
        plan: the settings.
        out: file of the best weights, with the checkpoint next to it; None writes no file.
        start: weights to start from; None starts from zero.
        executor: replaces the threads. Its attribute `workers`, else `plan.workers`, is the
            number of shares played at a time.
        best: best weights so far.
        has_kept: True if the training has kept weights. The first ones need no decision: at the
            end, also of a stopped training, those that scored at least one half are kept.
        history: measurements so far.

    Raises:
        InvalidSpec: `start` or the checkpoint is damaged or belongs to another game.
    """

    game: Game
    plan: TrainingPlan
    out: Path | None = None
    start: Weights | None = None
    executor: Executor | None = None
    best: Weights = field(init=False)
    history: list[Milestone] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        part = self._read_part()
        known = None if part is None else Survey.from_dict(part[0]["facts"])
        known = known or (self.start.facts if self.start else None)
        facts, *richer = [known] if known else variants(survey(self.game))
        richer = richer if _is_long(self.plan, facts) else []
        plan = self.plan
        self.threads = 1 if self.executor else plan.workers
        self.learner = Learner(
            self.game, facts, plan.seed, target=plan.target, threads=self.threads
        )
        self.seconds, self._last = 0.0, (0.0, np.zeros(5))
        self.settings = settings_for(facts, plan)
        if self.start is not None:
            self.learner.start_from(self.start)
        self.best = self.start or self.learner.quantise()
        self.is_resumed, self.has_kept = part is not None, False
        self._race = Race(self.learner, richer, self.settings) if richer else None
        if part is not None:
            with reading(self._part, "weights.damaged"):
                self._resume(*part)

    @property
    def games(self) -> int:
        """Number of played games."""
        return self.learner.games

    @property
    def depth(self) -> int:
        """Search depth of self-play in plies."""
        runs = itertools.groupby(self.history, key=lambda milestone: milestone.is_best)
        stalled = any(not best and len(list(run)) >= STALLED for best, run in runs)
        return min(self.plan.depth + stalled, MAX_PLY)

    # --- training

    def prepare(self) -> None:
        """Compiles or loads the kernels in advance, so that this time does not count as
        training."""
        if self._race is not None:
            self._race.prepare()
        for learner in self._race.learners if self._race else (self.learner,):
            learner.learn(self.settings._replace(games=0))
            learned = learner.quantise().evaluation
            for opponent in (learned, self.game.strongest_evaluation):
                self._match(learned, opponent, 1).play(0)

    def run(self, stop: Callable[[], bool] = never) -> Iterator[Milestone]:
        """Trains until a limit is reached or `stop` returns True; yields each measurement."""
        self.prepare()
        self._choose_features(stop)
        team = None
        if self.executor is not None:
            team = Team(self.learner, self.settings, self.executor, self.plan.workers)
            team.prepare()
        began = time.perf_counter() - self.seconds
        while not stop() and (self._is_due() or not self._is_done()):
            if self._is_due():
                milestone = self._measure(stop)
                self.seconds = time.perf_counter() - began
                if milestone is None:
                    break
                self._last = (self.seconds, self.learner.totals.sum(axis=0))
                self._write_part()
                yield milestone
            else:
                self._learn(team)
                self.seconds = time.perf_counter() - began
        if self._is_due() or not self._is_done():
            self._write_part()
        elif self.out is not None:
            self._part.unlink(missing_ok=True)
        # After the checkpoint, with which an undecided test goes on against the earlier weights.
        is_first = self.start is None and not self.has_kept
        if is_first and self.history and is_even(self.history[-1].against_best):
            self._keep(self.learner.quantise(), self.history[-1])

    def _choose_features(self, stop: Callable[[], bool]) -> None:
        """Lets all kinds of features learn for a while, and goes on with the best one."""
        if self._race is None:
            return
        plan, began = self.plan, time.perf_counter()
        games = plan.games and max(1, round(SHARE * plan.games))
        self.learner = self._race.run(games, plan.seconds and SHARE * plan.seconds, stop)
        # The first measurement is against nothing learned, as without a race.
        learned, self._race = self.learner.quantise(), None
        self.best = replace(learned, values=np.zeros_like(learned.values))
        self.seconds += time.perf_counter() - began

    def _is_due(self) -> bool:
        """Returns True if the next step is a measurement: after enough games, and at the end."""
        # The number of games decides, so that a run is the same on each machine.
        measured = self.history[-1].games if self.history else 0
        due = self.games >= GROWTH * max(measured, 1)
        return due or (self._is_done() and (self.games > measured or not self.history))

    def _learn(self, team: Team | None) -> None:
        """Plays a batch in each thread, or a share in each worker of a team."""
        plan = self.plan
        left = None if plan.games is None else plan.games - self.games
        seconds = plan.seconds and plan.seconds - self.seconds
        settings = self.settings._replace(depth=self.depth)
        if team is None:
            self.learner.learn(settings._replace(games=self._batch(left)), seconds)
        else:
            team.settings = settings
            team.learn(left, seconds)

    def _batch(self, left: int | None) -> int:
        """Returns the number of games of each thread in the next batch."""
        usual = self.settings.games
        games = min(max(usual, int(BATCH_SHARE * self.games)), MOST_GROWTH * usual)
        return games if left is None else min(games, math.ceil(left / self.threads))

    def _is_done(self) -> bool:
        plan = self.plan
        if plan.games is not None and self.games >= plan.games:
            return True
        return plan.seconds is not None and self.seconds >= plan.seconds

    # --- measurements

    def _measure(self, stop: Callable[[], bool]) -> Milestone | None:
        """Measures the weights and keeps them if the test shows that they are stronger.

        Returns None if `stop` returned True during the matches, which then do not count.
        """
        now, totals = self.learner.quantise(), self.learner.totals.sum(axis=0)
        _, _, positions, _, visited = totals - self._last[1]
        work = visited + LEARNING_NODES * positions
        nodes = self._nodes(BEST_SHARE * work)
        test = self._match(now.evaluation, self.best.evaluation, nodes)
        for _ in self._parts(test, BEST_SHARE * work, stop):
            if GATE.test(self._counts(test)[1]).decision != "continue":
                break
        fixed = self._match(now.evaluation, self.game.strongest_evaluation, nodes)
        for _ in self._parts(fixed, FIXED_SHARE * work, stop):
            if fixed.pairs.units >= FIXED_PAIRS:
                break
        if stop():
            return None
        milestone = self._milestone(totals, nodes, test, fixed)
        self.history.append(milestone)
        if milestone.is_best:
            self._keep(now, milestone)
        return milestone

    def _milestone(
        self, totals: Array, nodes: int, test: EvaluationMatch, fixed: EvaluationMatch
    ) -> Milestone:
        seconds, before = self._last
        plies, positions, errors, _ = (totals - before)[1:]
        games, pairs = self._counts(test)
        result = GATE.test(pairs)
        return Milestone(
            round(self.seconds, 3),
            int(totals[0]),
            int(totals[1]),
            round(plies / max(self.seconds - seconds, 1e-9)),
            round(float(errors / max(positions, 1)), 5),
            nodes,
            games,
            pairs,
            round(result.llr, 3),
            result.decision,
            fixed.games,
            result.decision == "H1",
        )

    def _counts(self, test: EvaluationMatch) -> tuple[Trinomial, Pentanomial]:
        """Returns the results against the best weights, with those of an undecided test."""
        games, pairs = test.games, test.pairs
        if self.history and self.history[-1].decision == "continue":
            return games + self.history[-1].against_best, pairs + self.history[-1].pairs
        return games, pairs

    def _nodes(self, budget: float) -> int:
        """Returns the positions per move with which a match of the usual length fits a budget."""
        plies = MATCH_GAMES * max(self.learner.facts.length, 1.0)
        return int(min(max(budget / plies, 1), MOST_NODES))

    def _match(self, first: Evaluation, second: Evaluation, nodes: int) -> EvaluationMatch:
        openings = min(OPENING_PLIES, max(1, int(self.learner.facts.length / OPENING_PART)))
        seed, threads = self.plan.seed + len(self.history) + 1, self.threads
        rules = MatchRules(0, nodes, openings)
        return EvaluationMatch(self.game, first, second, rules, seed=seed, threads=threads)

    def _parts(
        self, match: EvaluationMatch, budget: float, stop: Callable[[], bool]
    ) -> Iterator[None]:
        """Plays a match in parts until it has visited `budget` positions, its time is up, or `stop`
        returns True."""
        limit = self.plan.seconds and DUEL_PART * self.plan.seconds
        began = time.perf_counter()
        while not stop():
            visited = match.visited
            match.play(PAIRS, limit and limit - (time.perf_counter() - began))
            yield
            # A match that was ended by its time limit or consists of finished games stands still.
            if not visited < match.visited < budget:
                return

    def _keep(self, now: Weights, milestone: Milestone) -> None:
        """Keeps weights, with the facts of a measurement, as the best."""
        training = {
            "seconds": milestone.seconds,
            "games": milestone.games,
            "plies": milestone.plies,
            "seed": self.plan.seed,
            "workers": self.plan.workers,
            "target": repr(self.plan.target),
            "depth": self.depth,
        }
        opponent = {"opponent": type(self.game.strongest_evaluation).__qualname__}
        strength = {**opponent, "nodes": milestone.nodes, **score_facts(milestone.against_fixed)}
        self.best, self.has_kept = replace(now, training=training, strength=strength), True
        if self.out is not None:
            self.best.write(self.out)

    # --- checkpoint

    @property
    def _part(self) -> Path:
        assert self.out is not None
        return self.out.with_name(self.out.name + PART)

    def _write_part(self) -> None:
        if self.out is None:
            return
        learner = self.learner
        header = {
            "format": "papan weights",
            "version": 1,
            "checkpoint": CHECKPOINT,
            "game": name_of(self.game),
            "facts": learner.facts.as_dict(),
            "seconds": self.seconds,
            "measured": self._last[0],
            "history": [progress.as_dict() for progress in self.history],
            "best": {
                "training": dict(self.best.training),
                "strength": dict(self.best.strength),
                "spread": self.best.spread,
            },
        }
        arrays: dict[str, Array] = {
            "learned": learner.weights,
            "random": learner.random,
            "totals": learner.totals,
            "measured": self._last[1],
            "best": self.best.values,
        }
        write_arrays(self._part, header, arrays)

    def _read_part(self) -> tuple[dict[str, Any], dict[str, Array]] | None:
        if self.out is None or not self._part.is_file():
            return None
        header, arrays = read_arrays(self._part)
        if header.get("game") != name_of(self.game):
            other, name = header.get("game"), name_of(self.game)
            raise InvalidSpec(
                "weights.other-game", text=self._part, found=quoted_value(other), game=name
            )
        if header.get("checkpoint") != CHECKPOINT:
            raise InvalidSpec("weights.old-part", text=self._part)
        with reading(self._part, "weights.damaged"):
            facts = Survey.from_dict(header["facts"])
            network = network_of(self.game, facts)
            shape = (network.rows, network.features.weights)
            fine = fits(facts, self.game) and arrays["learned"].shape == (*shape, 4)
            if not fine or arrays["best"].shape != shape:
                raise ValueError(shape)
        return header, arrays

    def _resume(self, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        learner = self.learner
        learner.weights[:] = arrays["learned"]
        # Another number of threads continues with the random numbers of the first one.
        learner.random[:1] = arrays["random"][:1]
        if arrays["random"].shape == learner.random.shape:
            learner.random[:] = arrays["random"]
        learner.totals[0] = arrays["totals"].sum(axis=0)
        self.seconds = float(header["seconds"])
        self._last = (float(header["measured"]), arrays["measured"])
        self.best = build_weights(self.game, {**header, **header["best"]}, arrays["best"])
        self.history = [milestone_of(each) for each in header["history"]]
        self.has_kept = any(milestone.is_best for milestone in self.history)


def _is_long(plan: TrainingPlan, facts: Survey) -> bool:
    """Returns True if a race of features can be decided in its share of a training."""
    if plan.games is not None and plan.games * facts.length < RACE_PLIES:
        return False
    return plan.seconds is None or plan.seconds >= RACE_SECONDS


def is_even(counts: Trinomial) -> bool:
    """Returns True if games were played, and the first player scored at least one half."""
    return counts.units > 0 and counts.score >= EVEN


def score_facts(counts: Trinomial) -> dict[str, Any]:
    """Returns a result for JSON; score and error are 0 without games."""
    score, error = (counts.score, normal_error(counts)) if counts.games else (0.0, 0.0)
    result = {"wins": counts.wins, "draws": counts.draws, "losses": counts.losses}
    return {**result, "games": counts.games, "score": round(score, 4), "error": round(error, 4)}


def milestone_of(facts: Mapping[str, Any]) -> Milestone:
    """Returns the measurement from the result of `Milestone.as_dict`."""

    def counts(name: str) -> Trinomial:
        return Trinomial(*(int(facts[name][key]) for key in ("wins", "draws", "losses")))

    scores = {name: counts(name) for name in ("against_best", "against_fixed")}
    pairs = Pentanomial(*map(int, facts["pairs"]))
    return Milestone(**{**facts, **scores, "pairs": pairs})


def settings_for(facts: Survey, plan: TrainingPlan) -> SelfPlaySettings:
    """Returns the settings of a batch for a game."""
    games = max(LEAST_GAMES, min(MOST_GAMES, int(BATCH_PLIES / max(facts.length, 1.0))))
    openings = max(1, int(facts.length / OPENING_PART))
    rate = plan.rate or (MARGIN_RATE if facts.margin else RATE)
    return SelfPlaySettings(games, plan.depth, openings, CHANCE, float(rate), float(facts.margin))
