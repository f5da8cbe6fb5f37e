"""Tuning: optimises numbers of a player and its evaluation by playing games.

Simultaneous perturbation (SPSA) changes all parameters at once, each up or down at random. The
player with these values plays a game pair against the player with the opposite changes. Then all
parameters take a step towards the winner. Finally the tuned player plays a match against the
original one from new openings; only a statistically significant gain counts.

Optimisers such as nevergrad or optuna need one number per trial and fit a model to it. A game only
compares two players, and its result is mostly noise, so a model would not help.

Source: Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation", IEEE Transactions on Automatic Control 37(3), 1992; the exponents are those of
Spall, "Implementation of the simultaneous perturbation algorithm", IEEE Transactions on Aerospace
and Electronic Systems 34(3), 1998, section III.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papan.arena.measure import Match, measure
from papan.arena.pairs import Pair, close_players
from papan.arena.score import Tally, points_of_first
from papan.arena.suite import BalancedSuite, opening_at
from papan.campaign import Campaign, never
from papan.core import spec
from papan.core.evaluation_text import parameters_of, write_evaluation
from papan.data_files import read_json, reading
from papan.errors import InvalidSpec, naming
from papan.players import registry as players
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.elo import score_interval
from papan.usercode import registry as games
from papan.whole_files import write_whole

#: Default number of games of a tuning, and of its final match.
DEFAULT_GAMES, FINAL_GAMES = 400, 200
#: Default node limit of each search: unlike time, nodes give the same result on each machine.
DEFAULT_NODES = 1000

#: Exponents of the decay of steps and of perturbations (Spall 1998).
STEP_DECAY, REACH_DECAY = 0.602, 0.101
#: Share of the pairs during which the steps stay small (A in the source).
STABLE = 0.1
#: First step after a pair won 2–0, in units of the perturbation.
FIRST_STEP = 0.5
#: First perturbation as a share of the value, and its minimum for integers and for floats.
REACH, LEAST_WHOLE, LEAST_REAL = 0.25, 1.0, 0.05
#: Number of pairs that the step sizes assume if the number of games is unlimited.
USUAL_PAIRS = 200
#: Maximum size of a tuning file, in bytes.
_LARGEST = 1 << 20
#: Distance between the seeds of the openings for tuning and for the final match.
_FRESH = 1_000_000_007


@dataclass(frozen=True)
class Parameter:
    """A number to tune.

    Attributes:
        name: field of the evaluation, or option of the player.
        start: value before the tuning.
        of_evaluation: True for a field of the evaluation.
        low, high: allowed range; None if unbounded.
    """

    name: str
    start: int | float
    of_evaluation: bool
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> float:
        """First perturbation."""
        least = LEAST_WHOLE if isinstance(self.start, int) else LEAST_REAL
        return max(least, REACH * abs(self.start))

    def within(self, value: float) -> float:
        """Returns the nearest allowed value."""
        low = value if self.low is None else max(self.low, value)
        return low if self.high is None else min(self.high, low)

    def round_value(self, value: float, chance: float = 0.5) -> int | float:
        """Returns the value to play with: an integer if `start` is an integer.

        `chance` (0 … 1) decides between the two nearest integers. With a uniformly random `chance`,
        the mean of many results equals the value.
        """
        if isinstance(self.start, int):
            return int(self.within((value + chance) // 1))
        return float(f"{self.within(value):.4g}")


@dataclass(frozen=True)
class TuningPlan:
    """Settings of a tuning.

    Attributes:
        game: the spec of the game.
        player: the spec of the player.
        evaluation: name of the evaluation whose fields are tuned; empty for none.
        names: parameters to tune; empty for all fields of the evaluation.
        games: maximum number of games; None without a limit.
        seconds: time limit in seconds; None without a limit.
        final: number of games of the final match.
        limit: limit of each move.
        seed: seed of all random choices.
        workers: number of processes; with 1, the same seed gives the same values.
    """

    game: str
    player: str
    evaluation: str = ""
    names: tuple[str, ...] = ()
    games: int | None = None
    seconds: float | None = None
    final: int = 200
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    workers: int = 1

    @property
    def identity(self) -> dict[str, Any]:
        """Settings that must equal those in a file, so that the tuning can continue from it."""
        limit = {"depth": self.limit.depth, "nodes": self.limit.nodes}
        names = {"game": self.game, "player": self.player, "evaluation": self.evaluation}
        return {**names, "limit": limit, "seed": self.seed}


def parameters(plan: TuningPlan) -> tuple[Parameter, ...]:
    """Returns the parameters of a plan.

    Raises:
        InvalidSpec: the game, the player, the evaluation or a parameter is unknown, or the plan has
            no parameters.
    """
    known = {each.name: each for each in (*_of_player(plan), *_of_evaluation(plan))}
    names = plan.names or [name for name, each in known.items() if each.of_evaluation]
    for name in names:
        if name not in known:
            raise spec.unknown("tuning.unknown", name, known)
    if not names:
        raise InvalidSpec("tuning.nothing", text=plan.player, known=", ".join(known) or "-")
    return tuple(known[name] for name in names)


def _of_evaluation(plan: TuningPlan) -> Iterator[Parameter]:
    if not plan.evaluation:
        return
    known = games.game(plan.game).evaluations
    if plan.evaluation not in known:
        raise spec.unknown("spec.unknown-evaluation", plan.evaluation, known)
    if "evaluation" not in spec.options_of(type(players.player(plan.player))):
        raise InvalidSpec("tuning.no-evaluation", text=plan.player)
    for name, value in parameters_of(known[plan.evaluation]).items():
        yield Parameter(name, value, of_evaluation=True)


def _of_player(plan: TuningPlan) -> Iterator[Parameter]:
    player = players.player(plan.player)
    for name, facts in spec.options_of(type(player)).items():
        value = getattr(player, name)
        if type(value) in (int, float):
            yield Parameter(name, value, False, facts["low"], facts["high"])


@dataclass(frozen=True)
class TuningResult:
    """The result of a tuning and of its final match.

    Attributes:
        values: tuned numbers by name.
        before: spec of the player before the tuning.
        tuned: spec with the tuned numbers.
        match: result of the final match from the tuned player's view.
        gained: True if the match shows a gain (see `Tuning.confirm`).
    """

    values: Mapping[str, int | float]
    before: str
    tuned: str
    match: Tally
    gained: bool

    @property
    def use(self) -> str:
        """Spec of the player to use: the tuned one only if the match shows a gain."""
        return self.tuned if self.gained else self.before


@dataclass
class Tuning:
    """A tuning that is running or finished.

    Attributes:
        plan: the settings.
        out: the checkpoint file, written after each pair; None writes no file.
        values: current values of the parameters.
        pairs: number of played pairs.
        seconds: duration so far.

    Raises:
        InvalidSpec: the plan has no parameters, or `out` is damaged or belongs to another tuning.
    """

    plan: TuningPlan
    out: Path | None = None
    values: list[float] = field(init=False)
    pairs: int = field(init=False, default=0)
    seconds: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.parameters = parameters(self.plan)
        self.values = [float(each.start) for each in self.parameters]
        if self.out is not None and self.out.exists():
            self._read(self.out)
        self.is_resumed = self.pairs > 0
        self._moves: dict[int, list[int]] = {}

    @property
    def games(self) -> int:
        """Number of played games."""
        return 2 * self.pairs

    # --- playing

    def spec(self, values: Mapping[str, int | float] | None = None) -> str:
        """Returns the spec of the player with these values; by default with the start values."""
        start = values or {each.name: each.start for each in self.parameters}
        plan, name = self.plan, self.plan.player.partition(":")[0]
        player: Any = players.player(plan.player)
        fields = {each.name: start[each.name] for each in self.parameters if each.of_evaluation}
        for each in self.parameters:
            if not each.of_evaluation:
                setattr(player, each.name, start[each.name])
        if fields:
            written = write_evaluation(games.game(plan.game), plan.evaluation, fields)
            player.evaluation = written
        return spec.canonical(name, player)

    def tuned_values(self) -> dict[str, int | float]:
        """Returns the current values by name, rounded as they are played."""
        pairs = zip(self.parameters, self.values, strict=True)
        return {each.name: each.round_value(value) for each, value in pairs}

    def run(self, stop: Callable[[], bool] = never) -> Iterator[int]:
        """Tunes until a limit is reached or `stop` returns True.

        Yields the number of games after each pair.
        """
        plan = self.plan
        campaign = Campaign(plan.workers, stop=stop, seconds=plan.seconds, spent=self.seconds)
        with closing(campaign.run(play_afresh, self._plan_pairs())) as finished:
            for pair, records in finished:
                points = [points_of_first(record) for record in records]
                # A game without a result counts for no side, so neither does its pair.
                known = [point for point in points if point is not None]
                self._learn(pair.number, known if len(known) == len(points) else [])
                self.seconds = campaign.seconds
                self._write()
                yield self.games

    def _plan_pairs(self) -> Iterator[Pair]:
        """Yields pairs, each created from the current values."""
        most = math.inf if self.plan.games is None else self.plan.games
        number = self.pairs
        while 2 * number < most:
            yield self._pair(number)
            number += 1

    def _pair(self, number: int) -> Pair:
        """Returns a pair between the current values with a perturbation added and subtracted."""
        chance = random.Random(f"{self.plan.seed} {number}")
        moves = [chance.choice((-1, 1)) for _ in self.parameters]
        self._moves[number] = moves
        reach, above, below = self._reach(number), {}, {}
        for each, value, move in zip(self.parameters, self.values, moves, strict=True):
            moved, share = move * reach * each.reach, chance.random()
            above[each.name] = each.round_value(value + moved, share)
            below[each.name] = each.round_value(value - moved, share)
        opening = opening_at(BalancedSuite(self.plan.seed), self.plan.game, number)
        specs = self.spec(above), self.spec(below)
        limit, seed = self.plan.limit, self.plan.seed + number
        return Pair("tune", number, self.plan.game, *specs, opening, limit, seed)

    # --- learning

    def _reach(self, number: int) -> float:
        """Returns the size of a pair's perturbation, relative to the first one."""
        return float((number + 1) ** -REACH_DECAY)

    def _learn(self, number: int, points: list[float]) -> None:
        """Takes a step towards the winner of a pair."""
        stable = STABLE * ((self.plan.games or 2 * USUAL_PAIRS) / 2)
        gain = ((1 + stable) / (number + 1 + stable)) ** STEP_DECAY
        lead = sum(2 * point - 1 for point in points) / 2
        step = FIRST_STEP * gain * lead
        moves = self._moves.pop(number)
        for index, each in enumerate(self.parameters):
            value = self.values[index] + step * moves[index] * each.reach
            self.values[index] = each.within(value)
        self.pairs += 1

    def confirm(self, on_game: Callable[[Tally], None] = lambda tally: None) -> tuple[Tally, bool]:
        """Plays the final match of the tuned player against the original one, from new openings.

        Returns:
            The result, and True if it shows a gain: the 95 % interval of the score lies above one
                half.
        """
        tuned, before = self.spec(self.tuned_values()), self.spec()
        tally = Tally()
        if tuned == before or self.plan.final < 2:
            return tally, False
        pairs = (self.plan.final + 1) // 2
        seed = (self.plan.seed + 1) * _FRESH
        openings = BalancedSuite(seed)
        match = Match(
            self.plan.game, tuned, before, 2 * pairs, self.plan.limit, seed, openings=openings
        )
        campaign = Campaign(self.plan.workers)
        tally = measure(match, lambda record, tally: on_game(tally), campaign=campaign)
        # By pairs, because the two games of a pair are not independent.
        low, _ = score_interval(tally.counts)
        return tally, low > 0.5

    def result(self, match: Tally, gained: bool) -> TuningResult:
        """Returns the result of the tuning, given the return values of `confirm`."""
        values = self.tuned_values()
        return TuningResult(values, self.spec(), self.spec(values), match, gained)

    # --- file

    def _write(self) -> None:
        if self.out is None:
            return
        values = dict(zip((each.name for each in self.parameters), self.values, strict=True))
        report = {"format": "papan tuning", **self.plan.identity, "values": values}
        report |= {"pairs": self.pairs, "seconds": round(self.seconds, 3)}
        report["tuned"] = self.spec(self.tuned_values())
        with naming(self.out):
            write_whole(self.out, json.dumps(report, indent=1) + "\n")

    def _read(self, path: Path) -> None:
        names = [each.name for each in self.parameters]
        with reading(path, "tuning.damaged"):
            report = read_json(path, _LARGEST)
            values = [float(value) for value in report["values"].values()]
            pairs, seconds = int(report["pairs"]), float(report["seconds"])
            known = {key: report[key] for key in self.plan.identity}
        if known != self.plan.identity or list(report["values"]) != names:
            raise InvalidSpec("tuning.other", text=path)
        self.values, self.pairs, self.seconds = values, pairs, seconds


def play_afresh(pair: Pair) -> Iterator[tuple[Record, ...]]:
    """Yields the records of a pair, then closes its players: each pair has other values."""
    try:
        yield tuple(pair.play())
    finally:
        close_players()
