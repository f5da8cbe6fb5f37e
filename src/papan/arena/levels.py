"""Levels that are measured: strengths found by playing, each 70–80 % against the one below.

Strengths are numbered by steps: the higher, the more a level searches and the less it errs. From
step 0 on, the next level is the step that scores three in four against the level before: it is
looked for by matches of game pairs from random openings, each ended as soon as it is clear that
the step is too low or too high. That is done three times, each time with more games, and what was
found before is moved where the further games say so.

All that is decided hangs on the results of pairs in their order, which are kept: a measurement
that was ended takes the same way again, without the games, and goes on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path

from papan.arena.best import CANDIDATES, compare
from papan.arena.level_search import BATCH, TOP, LevelSearch, guess, pairs_of
from papan.arena.measure import Match, measure
from papan.arena.openings import Opening, numbered_openings
from papan.arena.score import Tally
from papan.campaign import Campaign, never
from papan.core.game import Game
from papan.data_files import reading
from papan.learn import choice
from papan.play.referee import Conditions
from papan.players import level_file, registry
from papan.players.level_file import MOST_LEVELS, Comparison, GameLevels, MeasuredLevel, Strength
from papan.search.chances import usual_lead
from papan.search.result import winning_chance
from papan.stats.elo import score_error
from papan.stats.ratings import Pairing, rate_tournament

#: Number of steps that roughly double the strength.
DOUBLING = 8
#: Positions and temperature of the lowest step, and their growth over `DOUBLING` steps.
_NODES = {"mcts": (32, 1.6), "engine": (64, 2.5)}
_NOISE, _CALMER = 0.5, 0.6
#: Less noise than this is none.
_QUIET = 0.004
#: Game pairs between neighbours at the most, in the last pass; the earlier ones end before.
PAIRS = 48
_PASSES = (0.25, 0.5, 1.0)
#: Random moves that pairs begin with.
_OPENING_PLIES = 2
#: A game that is longer is a draw.
_MOST_PLIES = 300
#: The mean of a game's levels.
MEAN_ELO = 1500.0
#: The part of the time that is left for what plays best, its games, and the time of a move.
_BEST_PART, _BEST_PAIRS, _BEST_SECONDS = 0.1, 10, 0.05


class Ended(Exception):
    """The time of a measurement is up, or it was stopped."""


@dataclass(frozen=True)
class LevelPlan:
    """Settings of a measurement.

    Attributes:
        seconds: when it ends; None without a limit of time.
        pairs: game pairs between neighbours, at the most.
        seed: where chance starts from.
        workers: number of processes that play; 1 is this one.
        best: False if it is not measured what plays best.
    """

    seconds: float | None = None
    pairs: int = PAIRS
    seed: int = 0
    workers: int = 1
    best: bool = True


@dataclass(frozen=True)
class LevelProgress:
    """The state of a measurement after a batch of games.

    Attributes:
        stage: which pass, from 1.
        level: the level that is looked for, from 2.
        score: its score so far against the level below.
        games: the games of this match; `total` those of all.
    """

    stage: int
    level: int
    score: float
    games: int
    total: int


@dataclass
class LevelMeasurement:
    """The search for a game's levels.

    Attributes:
        game: what is played.
        plan: the settings.
        path: the file that is written after each batch of games.
        results: who met → the points of pairs, in half points, two digits a pair.
        chain: the steps of the levels, the lowest first, of the last pass that was finished.
        complete: True when the last pass is finished.
        best: what was measured of the engine and the tree search.
    """

    game: Game
    plan: LevelPlan
    path: Path
    results: dict[str, str] = field(default_factory=dict)
    chain: list[int] = field(default_factory=lambda: [0])
    complete: bool = False
    best: list[Comparison] = field(default_factory=list)
    is_resumed: bool = False

    def __post_init__(self) -> None:
        if self.path.is_file():
            before = level_file.read(self.path, self.game)
            same = before.facts.get("seed") == self.plan.seed
            if same and before.facts.get("scale") == self.scale and before.results:
                self.results, self.best = dict(before.results), list(before.best)
                with reading(self.path, "levels.damaged"):
                    self.chain = [int(step) for step in before.facts.get("rungs", [])]
                    if not all(0 <= step <= TOP for step in self.chain):
                        raise ValueError(self.chain)
                self.is_resumed = True

    @cached_property
    def search(self) -> str:
        """The search of the levels: the engine where an evaluation was learnt, else simulations."""
        known = winning_chance(choice.strongest(self.game), 0.0) is not None
        return "engine" if known else "mcts"

    @cached_property
    def scale(self) -> float:
        """The lead that is usual in random games, in points of the evaluation."""
        if self.search == "mcts":
            return 8.0
        return usual_lead(self.game, choice.strongest(self.game))

    def strength(self, step: int) -> Strength:
        """The strength of a step."""
        least, growth = _NODES[self.search]
        nodes = round(least * growth ** (step / DOUBLING))
        noise = _NOISE * _CALMER ** (step / DOUBLING)
        return Strength(self.search, nodes, round(noise, 4) if noise > _QUIET else 0.0, self.scale)

    @property
    def games(self) -> int:
        """Number of games played so far."""
        return sum(map(len, self.results.values()))

    def prepare(self) -> None:
        """Compiles what plays, so that it takes none of the time."""
        players = [registry.player(self.strength(step).spec) for step in (0, TOP)]
        names = CANDIDATES if self.plan.best else ()
        for player in [*players, *map(registry.player, names)]:
            player.new_game(self.game, 0)
            player.close()

    def run(self, stop: Callable[[], bool] = never) -> Iterator[LevelProgress]:
        """Looks for the levels; yields after each batch of games, which is in the file by then.

        Raises:
            UsageError: the file cannot be written.
        """
        plan = self.plan
        part = 1.0 - _BEST_PART if plan.best else 1.0
        seconds = None if plan.seconds is None else part * plan.seconds
        with suppress(Ended), Campaign(plan.workers, stop=stop, seconds=seconds) as campaign:
            for progress in self._passes(campaign):
                self.levels().write(self.path, self.game)
                yield progress
            self.complete = True
        if plan.best and not stop():
            rest = Campaign(stop=stop, seconds=plan.seconds, spent=campaign.seconds)
            self._measure_best(rest.is_over)
        self.levels().write(self.path, self.game)

    def _passes(self, campaign: Campaign) -> Iterator[LevelProgress]:
        before: list[int] = []
        for number, part in enumerate(_PASSES, start=1):
            goal = max(BATCH, round(part * self.plan.pairs))
            chain = [0]
            while len(chain) < MOST_LEVELS:
                search = LevelSearch(partial(self.play, campaign), chain[-1], goal)
                for score, games in search.run(guess(chain, before)):
                    yield LevelProgress(number, len(chain) + 1, score, games, self.games)
                if search.step is None:
                    break
                chain.append(search.step)
                if len(chain) > len(self.chain):
                    self.chain = list(chain)
            self.chain = before = chain

    def play(self, campaign: Campaign, low: int, high: int, count: int) -> str:
        """Returns the results of the first `count` pairs of two steps; plays those that are
        missing.

        Raises:
            Ended: the campaign is over before all of them are played.
        """
        name = f"{self.search} {low}-{high}"
        halves = self.results.get(name, "")
        tally = Tally({number: int(half) / 2 for number, half in enumerate(halves, start=1)})
        match = Match(
            self.game.spec,
            self.strength(high).spec,
            self.strength(low).spec,
            2 * count,
            seed=self.plan.seed,
            openings=self.openings,
            conditions=Conditions(most_plies=_MOST_PLIES),
        )
        try:
            measure(match, tally=tally, campaign=campaign)
        finally:
            self.results[name] = halves = _halves(tally)
        if len(halves) < 2 * count:
            raise Ended
        return halves[: 2 * count]

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        """The openings of the pairs of any two steps."""
        count = max(BATCH, self.plan.pairs)
        return numbered_openings(self.game, _OPENING_PLIES, count, self.plan.seed)

    def _measure_best(self, stop: Callable[[], bool]) -> None:
        """Compares the engine and the tree search, where that was not done."""
        digest = level_file.evaluation_digest(self.game)
        if any(comparison.evaluation == digest for comparison in self.best):
            return
        pairs = min(_BEST_PAIRS, self.plan.pairs)
        self.best = [compare(self.game, _BEST_SECONDS, pairs, seed=self.plan.seed, stop=stop)]

    def levels(self) -> GameLevels:
        """The levels that were found so far, with what was measured of them."""
        names = [f"{number}" for number in range(len(self.chain))]
        tallies = [self._tally(low, high) for low, high in pairwise(self.chain)]
        pairings = [
            Pairing(names[number + 1], names[number], *_trinomial(digits))
            for number, digits in enumerate(tallies)
        ]
        table = rate_tournament(pairings, level=MEAN_ELO) if pairings else None
        levels = []
        for number, step in enumerate(self.chain):
            below = tallies[number - 1] if number else ""
            above = tallies[number] if number < len(tallies) else ""
            level = MeasuredLevel(
                self.strength(step),
                round(table[names[number]].elo, 1) if table else MEAN_ELO,
                round(table[names[number]].error, 1) if table else 0.0,
                len(below) + len(above),
            )
            if below:
                counts = pairs_of(below)
                error = round(score_error(counts), 4)
                level = replace(level, score=round(counts.score, 4), score_error=error)
            levels.append(level)
        facts = {
            "seed": self.plan.seed,
            "scale": self.scale,
            "games": self.games,
            "rungs": self.chain,
            "evaluation": level_file.evaluation_digest(self.game),
        }
        return GameLevels(tuple(levels), self.complete, facts, self.results, tuple(self.best))

    def _tally(self, low: int, high: int) -> str:
        return self.results.get(f"{self.search} {low}-{high}", "")


def _halves(tally: Tally) -> str:
    """Returns the results of a match in half points of the stronger step, one digit a game.

    It ends before the first pair that is missing: a later start plays the others."""
    played = itertools.takewhile(tally.points.__contains__, itertools.count(1))
    halves = "".join(f"{round(2 * tally.points[number])}" for number in played)
    return halves[: len(halves) // 2 * 2]


def _trinomial(digits: str) -> tuple[int, int, int]:
    """Wins, draws and losses."""
    return digits.count("2"), digits.count("1"), digits.count("0")
