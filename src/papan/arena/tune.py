"""Tuning: numbers of a player, and of the evaluation that it plays by, set by playing.

Simultaneous perturbation (SPSA): all numbers are moved at once, each up or down by chance, and the
player that has them so meets the one that has them the other way, in a pair of games from a random
opening. All of them then take a step towards the winner. One pair tells about all numbers together,
however many there are. In the end the tuned player meets the one it began as, from openings that
were not seen before: only a gain that is clear of chance counts.

Libraries that minimise (nevergrad, optuna) want a number for each trial and bring a model of it;
results of games are pairwise, nearly all noise, and need the steps alone.

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
from papan.arena.openings import Opening, random_opening
from papan.arena.pairs import Pair, close_players
from papan.arena.score import Tally, points_of_first
from papan.campaign import Campaign
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

#: Exponents of the decay of steps and of perturbations (Spall 1998).
STEP_DECAY, REACH_DECAY = 0.602, 0.101
#: The part of the pairs that steps are kept small for (A of the source).
STABLE = 0.1
#: The first step after a pair that was won 2–0, in perturbations.
FIRST_STEP = 0.5
#: A number is moved up and down by this part of itself at first, and by this much at least: whole
#: ones, and others.
REACH, LEAST_WHOLE, LEAST_REAL = 0.25, 1.0, 0.05
#: Random moves that each pair begins with.
OPENING_PLIES = 4
#: Pairs that a tuning without a number of games is laid out for.
USUAL_PAIRS = 200
#: Largest file of a tuning, in bytes.
_LARGEST = 1 << 20
#: Openings of the last match are drawn this far from those of the tuning.
_FRESH = 1_000_000_007


@dataclass(frozen=True)
class Parameter:
    """A number that is tuned.

    Attributes:
        name: the field of the evaluation, or the option of the player.
        start: its value before.
        of_evaluation: True for a field of the evaluation.
        low, high: the range that is allowed; None without a bound.
    """

    name: str
    start: int | float
    of_evaluation: bool
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> float:
        """The distance by which it is moved up and down at first."""
        least = LEAST_WHOLE if isinstance(self.start, int) else LEAST_REAL
        return max(least, REACH * abs(self.start))

    def within(self, value: float) -> float:
        """The nearest value that is allowed."""
        low = value if self.low is None else max(self.low, value)
        return low if self.high is None else min(self.high, low)

    def round_value(self, value: float, chance: float = 0.5) -> int | float:
        """The value as it is played: a whole number where the first one was; `chance` (0 … 1)
        decides between the two next to it, so that in the mean it is the value."""
        if isinstance(self.start, int):
            return int(self.within((value + chance) // 1))
        return float(f"{self.within(value):.4g}")


@dataclass(frozen=True)
class TuningPlan:
    """Settings of a tuning.

    Attributes:
        game: the spec of the game.
        player: the spec of the player.
        evaluation: the name of the evaluation whose fields are tuned; empty for none.
        names: the numbers to tune; empty for all fields of the evaluation.
        games: number of games; None without a limit.
        seconds: time; None without a limit.
        final: games of the last match.
        limit: what each move may take.
        seed: where chance starts from.
        workers: processes that play; with one, the same seed gives the same numbers.
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
        """The settings that a file must agree with to go on from it."""
        limit = {"depth": self.limit.depth, "nodes": self.limit.nodes}
        names = {"game": self.game, "player": self.player, "evaluation": self.evaluation}
        return {**names, "limit": limit, "seed": self.seed}


def parameters(plan: TuningPlan) -> tuple[Parameter, ...]:
    """The numbers that a plan names.

    Raises:
        InvalidSpec: there is no such game, player, evaluation or number, or none is named.
    """
    known = {each.name: each for each in (*_of_player(plan), *_of_evaluation(plan))}
    wanted = plan.names or [name for name, each in known.items() if each.of_evaluation]
    for name in wanted:
        if name not in known:
            raise spec.unknown("tuning.unknown", name, known)
    if not wanted:
        raise InvalidSpec("tuning.nothing", text=plan.player, known=", ".join(known) or "-")
    return tuple(known[name] for name in wanted)


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


@dataclass
class Tuning:
    """A tuning under way.

    Attributes:
        plan: its settings.
        out: where it is kept, so that it can go on; None to keep it in memory alone.
        values: the numbers as they are now.
        pairs: pairs that were played.
        seconds: the time that they took.

    Raises:
        InvalidSpec: the plan names nothing to tune, or `out` is of another one or damaged.
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
        """Number of games that were played."""
        return 2 * self.pairs

    # --- what is played

    def spec(self, values: Mapping[str, int | float] | None = None) -> str:
        """The spec of the player with these numbers; by default those it began with."""
        given = values or {each.name: each.start for each in self.parameters}
        plan, name = self.plan, self.plan.player.partition(":")[0]
        player: Any = players.player(plan.player)
        fields = {each.name: given[each.name] for each in self.parameters if each.of_evaluation}
        for each in self.parameters:
            if not each.of_evaluation:
                setattr(player, each.name, given[each.name])
        if fields:
            written = write_evaluation(games.game(plan.game), plan.evaluation, fields)
            player.evaluation = written
        return spec.canonical(name, player)

    def tuned_values(self) -> dict[str, int | float]:
        """The numbers as they are now, rounded."""
        pairs = zip(self.parameters, self.values, strict=True)
        return {each.name: each.round_value(value) for each, value in pairs}

    def run(self, stop: Callable[[], bool] = lambda: False) -> Iterator[int]:
        """Tunes until the plan is done or `stop` says so; yields the number of games after each
        pair."""
        plan = self.plan
        campaign = Campaign(plan.workers, stop=stop, seconds=plan.seconds, spent=self.seconds)
        with closing(campaign.run(play_afresh, self._plan_pairs())) as finished:
            for pair, records in finished:
                points = [points_of_first(record) for record in records]
                self._learn(pair.number, [point for point in points if point is not None])
                self.seconds = campaign.seconds
                self._write()
                yield self.games

    def _plan_pairs(self) -> Iterator[Pair]:
        """Yields the pairs; each has the numbers as they are when it is asked for."""
        most = math.inf if self.plan.games is None else self.plan.games
        number = self.pairs
        while 2 * number < most:
            yield self._pair(number)
            number += 1

    def _pair(self, number: int) -> Pair:
        """The pair of that number, between the two sides of the numbers as they are now."""
        chance = random.Random(f"{self.plan.seed} {number}")
        moves = [chance.choice((-1, 1)) for _ in self.parameters]
        self._moves[number] = moves
        reach, above, below = self._reach(number), {}, {}
        for each, value, move in zip(self.parameters, self.values, moves, strict=True):
            moved, share = move * reach * each.reach, chance.random()
            above[each.name] = each.round_value(value + moved, share)
            below[each.name] = each.round_value(value - moved, share)
        opening = self._opening(self.plan.seed * _FRESH + number)
        specs = self.spec(above), self.spec(below)
        limit, seed = self.plan.limit, self.plan.seed + number
        return Pair("tune", number, self.plan.game, *specs, opening, limit, seed)

    def _opening(self, seed: int) -> Opening:
        return random_opening(games.game(self.plan.game), OPENING_PLIES, random.Random(seed))

    # --- what is learnt

    def _reach(self, number: int) -> float:
        """The part of the first perturbation that is left."""
        return float((number + 1) ** -REACH_DECAY)

    def _learn(self, number: int, points: list[float]) -> None:
        """Takes a step towards the side that has won a pair."""
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
        """The last match, of the tuned player against the one before, from fresh openings; and
        True if a gain is shown: the whole 95 % interval of the score is above one half."""
        tuned, before = self.spec(self.tuned_values()), self.spec()
        tally = Tally()
        if tuned == before or self.plan.final < 2:
            return tally, False
        pairs = (self.plan.final + 1) // 2
        seed = (self.plan.seed + 1) * _FRESH
        openings = tuple(self._opening(seed - number) for number in range(pairs))
        match = Match(
            self.plan.game, tuned, before, 2 * pairs, self.plan.limit, seed, openings=openings
        )
        campaign = Campaign(self.plan.workers)
        tally = measure(match, lambda record, tally: on_game(tally), campaign=campaign)
        # Of pairs, whose two games are not independent.
        low, _ = score_interval(tally.counts)
        return tally, low > 0.5

    # --- the file

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
    """Yields the records of a pair. Its players are closed: the next pair has others."""
    try:
        yield tuple(pair.play())
    finally:
        close_players()
