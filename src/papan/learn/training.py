"""Training: batches of self-play with regular measurements; the strongest weights are kept.

A batch is a fixed number of games, so with one worker the same seed gives the same weights after
the same number of games. `papan.learn.learner` describes training with several workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from papan.campaign import Campaign, never
from papan.core.arguments import quoted_value
from papan.core.game import Game
from papan.data_files import reading
from papan.errors import InvalidSpec
from papan.learn.learner import Learner, Team
from papan.learn.self_play import Rules, SelfPlaySettings, TraceTarget, duel
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
from papan.rules.operations import Evaluation
from papan.rules.splitmix import numbers
from papan.search.alphabeta.techniques import Techniques
from papan.search.limits import Stop, run_stoppable
from papan.search.workspace import new_workspace
from papan.stats.counts import Trinomial
from papan.stats.elo import normal_error

#: Plies of a batch: enough that the creation of tables takes a small part of the time.
BATCH_PLIES = 12_000
#: Maximum and minimum number of games in a batch.
MOST_GAMES, LEAST_GAMES = 500, 10
#: λ, the share of random moves, and learning rates. `RATE` is in logits (4 is the inverse of the
#: logistic function's slope at its middle), `MARGIN_RATE` in margins.
DECAY = 0.8
CHANCE = 0.1
RATE, MARGIN_RATE = 4.0, 0.3
#: The random opening is at most 1/OPENING_PART of a game.
OPENING_PART = 6
#: Game pairs of each measurement, their search depth, and maximum number of random plies.
PAIRS, DUEL_DEPTH, DUEL_PLIES = 50, 2, 6
#: Time between measurements as a share of the time limit, and its minimum in seconds.
MEASURED, LEAST_BETWEEN = 0.05, 2.0
#: Time limit of one match of evaluations, as a share of the training's time limit.
DUEL_PART = 0.1
#: Number of measurements in a training with a limit of games.
MEASUREMENTS = 20
#: Score of equally strong evaluations.
EVEN = 0.5
#: Suffix of the checkpoint's file name, after that of the weights.
PART = ".part"

Array = np.ndarray[Any, Any]


_USUAL = TraceTarget(DECAY)


@dataclass(frozen=True)
class TrainingPlan:
    """Settings of a training.

    Attributes:
        seconds: time limit in seconds; None without a limit.
        games: maximum number of games; None without a limit.
        workers: number of processes; 1 is this process.
        seed: seed of all random choices.
        target: technique that computes learning targets (`papan.learn.self_play`).
        depth: search depth of self-play, in plies.
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
        against_best: result against the best weights so far.
        against_fixed: result against the game's own evaluation.
        is_best: True if these weights are kept as the best.
    """

    seconds: float
    games: int
    plies: int
    plies_per_second: float
    error: float
    against_best: Trinomial
    against_fixed: Trinomial
    is_best: bool

    def as_dict(self) -> dict[str, Any]:
        """Returns the measurement for JSON."""
        scores = {"against_best": self.against_best, "against_fixed": self.against_fixed}
        return {**vars(self), **{name: score_facts(counts) for name, counts in scores.items()}}


@dataclass
class Training:
    """A training that is running or finished.

    Attributes:
        game: the rules.
        plan: the settings.
        out: file of the best weights, with the checkpoint next to it; None writes no file.
        start: weights to start from; None starts from zero.
        executor: replaces the local processes. Its attribute `workers`, else `plan.workers`, is the
            number of shares played at a time.
        best: best weights so far.
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
        facts = known or (self.start.facts if self.start else survey(self.game))
        self.learner = Learner(self.game, facts, self.plan.seed, target=self.plan.target)
        self.seconds, self._last = 0.0, (0.0, np.zeros(4))
        self.settings = settings_for(facts, self.plan)
        if self.start is not None:
            self.learner.start_from(self.start)
        self.best = self.start or self.learner.quantise()
        self.is_resumed = part is not None
        if part is not None:
            with reading(self._part, "weights.damaged"):
                self._resume(*part)

    @property
    def games(self) -> int:
        """Number of played games."""
        return int(self.learner.state.totals[0])

    # --- training

    def prepare(self) -> None:
        """Compiles or loads the kernels in advance, so that this time does not count as
        training."""
        self.learner.learn(self.settings._replace(games=0))
        self.duel(self.best.evaluation, self.best.evaluation, 0)
        self.duel(self.best.evaluation, self.game.strongest_evaluation, 0)

    def run(self, stop: Callable[[], bool] = never) -> Iterator[Milestone]:
        """Trains until a limit is reached or `stop` returns True; yields each measurement."""
        self.prepare()
        plan, measured = self.plan, self.seconds
        between = max(LEAST_BETWEEN, MEASURED * (plan.seconds or 0.0))
        with Campaign(plan.workers, self.executor, spent=self.seconds) as campaign:
            team = Team(self.learner, self.settings, campaign.pool)
            while not stop() and not self._is_done():
                before = self._part_done()
                left = None if plan.games is None else plan.games - self.games
                team.learn(left, plan.seconds and plan.seconds - self.seconds)
                self.seconds = campaign.seconds
                due = self.seconds - measured >= between
                # With a limit of games, only games count, so that the run is the same on each
                # machine.
                if self._is_done() or (before < self._part_done() if plan.games else due):
                    milestone = self._measure()
                    self.seconds = measured = campaign.seconds
                    self._write_part()
                    yield milestone
        if not self._is_done():
            self._write_part()
        elif self.out is not None:
            self._part.unlink(missing_ok=True)

    def _part_done(self) -> int:
        """Returns the number of measurements due for the number of games so far."""
        return 0 if self.plan.games is None else MEASUREMENTS * self.games // self.plan.games

    def _is_done(self) -> bool:
        plan = self.plan
        if plan.games is not None and self.games >= plan.games:
            return True
        return plan.seconds is not None and self.seconds >= plan.seconds

    def _measure(self) -> Milestone:
        """Measures the weights and keeps them if they are the strongest."""
        totals, now = self.learner.state.totals.copy(), self.learner.quantise()
        against_best = self.duel(now.evaluation, self.best.evaluation)
        against_fixed = self.duel(now.evaluation, self.game.strongest_evaluation)
        seconds, before = self._last
        plies, positions, errors = (totals - before)[1:]
        milestone = Milestone(
            round(self.seconds, 3),
            int(totals[0]),
            int(totals[1]),
            round(plies / max(self.seconds - seconds, 1e-9)),
            round(float(errors / max(positions, 1)), 5),
            against_best,
            against_fixed,
            bool(against_best.games) and against_best.score >= EVEN,
        )
        self._last = (self.seconds, totals)
        self.history.append(milestone)
        if milestone.is_best:
            self._keep(now, milestone)
        return milestone

    def duel(self, first: Evaluation, second: Evaluation, pairs: int = PAIRS) -> Trinomial:
        """Plays pairs between two evaluations; returns the result of the first one."""
        openings = min(DUEL_PLIES, max(1, int(self.learner.facts.length / OPENING_PART)))
        seed = self.plan.seed + len(self.history) + 1
        # A time limit cuts off long games, so that the training ends in time.
        limit = self.plan.seconds and DUEL_PART * self.plan.seconds
        return match_evaluations(
            self.game, first, second, pairs, openings=openings, seed=seed, seconds=limit
        )

    def _keep(self, now: Weights, milestone: Milestone) -> None:
        training = {
            "seconds": milestone.seconds,
            "games": milestone.games,
            "plies": milestone.plies,
            "seed": self.plan.seed,
            "workers": self.plan.workers,
            "target": repr(self.plan.target),
            "depth": self.plan.depth,
        }
        opponent = {"opponent": type(self.game.strongest_evaluation).__qualname__}
        strength = {**opponent, "depth": DUEL_DEPTH, **score_facts(milestone.against_fixed)}
        self.best = replace(now, training=training, strength=strength)
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
        state = self.learner.state
        header = {
            "format": "papan weights",
            "version": 1,
            "game": name_of(self.game),
            "facts": self.learner.facts.as_dict(),
            "seconds": self.seconds,
            "history": [progress.as_dict() for progress in self.history],
            "best": {
                "training": dict(self.best.training),
                "strength": dict(self.best.strength),
                "spread": self.best.spread,
            },
        }
        arrays = {
            "lessons": state.weights,
            "random": state.random,
            "totals": state.totals,
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
        with reading(self._part, "weights.damaged"):
            facts = Survey.from_dict(header["facts"])
            network = network_of(self.game, facts)
            shape = (network.rows, network.features.weights)
            fine = fits(facts, self.game) and arrays["lessons"].shape == (*shape, 4)
            if not fine or arrays["best"].shape != shape:
                raise ValueError(shape)
        return header, arrays

    def _resume(self, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        state = self.learner.state
        state.weights[:] = arrays["lessons"]
        state.random[:], state.totals[:] = arrays["random"], arrays["totals"]
        self.seconds = float(header["seconds"])
        self._last = (self.seconds, state.totals.copy())
        self.best = build_weights(self.game, {**header, **header["best"]}, arrays["best"])
        self.history = [milestone_of(each) for each in header["history"]]


def match_evaluations(
    game: Game,
    first: Evaluation,
    second: Evaluation,
    pairs: int,
    *,
    openings: int = 2,
    seed: int = 1,
    seconds: float | None = None,
) -> Trinomial:
    """Plays pairs between two evaluations at depth `DUEL_DEPTH`, from random openings.

    Returns:
        The first evaluation's result in the games that ended within `seconds`.
    """
    tally = np.zeros(4, dtype=np.int64)
    rules = Rules(pairs, DUEL_DEPTH, openings, np.uint64(numbers(seed, 1)[0]))
    workspace = new_workspace(game.start())

    def play() -> None:
        duel(game.start_state(), first, second, Techniques(), rules, tally, workspace)

    if pairs > 0:
        run_stoppable(play, Stop.over(workspace, game.start()), seconds)
    else:  # only compiles the kernel
        play()
    return Trinomial(*(int(count) for count in tally[:3]))


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
    return Milestone(**{**facts, **scores})


def settings_for(facts: Survey, plan: TrainingPlan) -> SelfPlaySettings:
    """Returns the settings of a batch for a game."""
    games = max(LEAST_GAMES, min(MOST_GAMES, int(BATCH_PLIES / max(facts.length, 1.0))))
    openings = max(1, int(facts.length / OPENING_PART))
    rate = plan.rate or (MARGIN_RATE if facts.margin else RATE)
    return SelfPlaySettings(games, plan.depth, openings, CHANCE, float(rate), float(facts.margin))
