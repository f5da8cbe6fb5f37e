"""Measured levels of a game: each level scores 70–80 % against the level below.

Strengths are numbered by steps: a higher step searches more and errs less. Level 1 is step 0. Each
next level is the step that scores about 75 % against the level below. Matches of game pairs from
balanced random openings find this step; a match ends as soon as the step is clearly too low or too
high. Three passes, each with more games, correct the levels.

All decisions depend only on the results of the pairs in their order, which the file keeps. So a
resumed measurement repeats its decisions without playing, and continues.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from papan.arena.best import candidates_of, compare_all
from papan.arena.level_search import BATCH, LevelSearch, guess, pairs_of
from papan.arena.measure import Match, measure
from papan.arena.openings import Opening
from papan.arena.score import Tally
from papan.arena.suite import suite_of
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
#: Nodes of step 0, their growth factor over `DOUBLING` steps, and the highest step, for each
#: search: 23,000 simulations or 3,800,000 nodes.
_NODES = {"mcts": (32, 1.6, 112), "engine": (64, 2.5, 96)}
_NOISE, _CALMER = 0.5, 0.6  # temperature of step 0, and its factor over `DOUBLING` steps
#: Noise below this value counts as 0.
_QUIET = 0.004
#: Maximum number of game pairs between two levels; for each pass the share of it, and the width of
#: steps to which a level is found.
PAIRS = 48
_PASSES = ((0.25, 4), (0.5, 2), (1.0, 1))
#: Kind of the openings; a file with games from other openings is not continued.
_OPENINGS = "balanced"
#: Length in plies after which a game is a draw.
_MOST_PLIES = 300
#: Mean Elo of the levels of a game.
MEAN_ELO = 1500.0
#: Comparison of the best players: share of the time limit, game pairs, and seconds per move.
_BEST_PART, _BEST_PAIRS, _BEST_SECONDS = 0.1, 10, 0.05


class Ended(Exception):
    """Signals that the time limit was reached or the measurement was stopped."""


@dataclass(frozen=True)
class LevelPlan:
    """Settings of a measurement.

    Attributes:
        seconds: time limit in seconds; None without a limit.
        pairs: maximum number of game pairs between two levels.
        seed: seed of all random choices.
        workers: number of processes; 1 is this process, 0 starts one per processor.
        best: True also compares the candidates for the strongest player.
        search: name of the search of the levels; None for the usual one.
        nodes: maximum number of nodes or simulations per move of a level; None for the usual one.
    """

    seconds: float | None = None
    pairs: int = PAIRS
    seed: int = 0
    workers: int = 1
    best: bool = True
    search: str | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class LevelProgress:
    """The state of a measurement after a batch of games.

    Attributes:
        stage: number of the pass, from 1.
        level: number of the level under search, from 2.
        score: score of the current step against the level below.
        games: number of games of the current match.
        total: number of games of the whole measurement.
    """

    stage: int
    level: int
    score: float
    games: int
    total: int


@dataclass
class LevelMeasurement:
    """A measurement of a game's levels.

    Attributes:
        game: the game.
        plan: the settings.
        path: the level file, written after each batch of games.
        results: search and two steps → half points of the higher step, one digit a game.
        chain: steps of the levels, the lowest first, after the last finished pass.
        complete: True after the last pass.
        best: comparisons of the candidates for the strongest player.
        is_resumed: True if it continues an earlier measurement.
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
            before = level_file.read_levels(self.path, self.game)
            same = all(before.facts.get(name) == fact for name, fact in self._identity().items())
            if same and before.results:
                self.results, self.best = dict(before.results), list(before.best)
                with reading(self.path, "levels.damaged"):
                    chain = [int(step) for step in before.facts.get("rungs", [])]
                    if min(chain, default=0) < 0:
                        raise ValueError(chain)
                # Earlier versions had higher steps.
                self.chain = [step for step in chain if step <= self.top]
                self.is_resumed = True

    @cached_property
    def search(self) -> str:
        """Name of the search of all levels; usually the engine if an evaluation was trained, else
        tree search."""
        if self.plan.search:
            return self.plan.search
        known = winning_chance(choice.strongest(self.game), 0.0) is not None
        return "engine" if known else "mcts"

    @cached_property
    def scale(self) -> float:
        """Typical lead in random games, in points of the evaluation."""
        if self.search == "mcts":
            return 8.0
        return usual_lead(self.game, choice.strongest(self.game))

    @property
    def top(self) -> int:
        """The highest step."""
        least, growth, highest = _NODES[self.search]
        if self.plan.nodes is None:
            return highest
        return min(highest, int(DOUBLING * math.log(self.plan.nodes / least, growth)))

    def strength(self, step: int) -> Strength:
        """Returns the strength of a step."""
        least, growth, _ = _NODES[self.search]
        nodes = round(least * growth ** (step / DOUBLING))
        noise = _NOISE * _CALMER ** (step / DOUBLING)
        return Strength(self.search, nodes, round(noise, 4) if noise > _QUIET else 0.0, self.scale)

    def _identity(self) -> dict[str, Any]:
        """Returns the facts that must equal those in a file, so that it can be continued."""
        return {"seed": self.plan.seed, "scale": self.scale, "openings": _OPENINGS}

    @property
    def games(self) -> int:
        """Number of games played so far."""
        return sum(map(len, self.results.values()))

    def prepare(self) -> None:
        """Compiles the players in advance, so that compiling does not count as measuring time."""
        players = [registry.player(self.strength(step).spec) for step in (0, self.top)]
        names = candidates_of(self.game) if self.plan.best else ()
        for player in [*players, *map(registry.player, names)]:
            player.new_game(self.game, 0)
            player.close()

    def run(self, stop: Callable[[], bool] = never) -> Iterator[LevelProgress]:
        """Searches for the levels; yields after each batch of games, when the file is up to date.

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
        for number, (part, width) in enumerate(_PASSES, start=1):
            goal = max(BATCH, round(part * self.plan.pairs))
            chain = [0]
            while len(chain) < MOST_LEVELS:
                play = partial(self.play, campaign)
                search = LevelSearch(play, chain[-1], self.top, goal, width)
                for score, games in search.run(guess(chain, before, self.top)):
                    yield LevelProgress(number, len(chain) + 1, score, games, self.games)
                if search.step is None:
                    break
                chain.append(search.step)
                if len(chain) > len(self.chain):
                    self.chain = list(chain)
            self.chain = before = chain

    def play(self, campaign: Campaign, low: int, high: int, count: int) -> str:
        """Returns the results of the first `count` pairs between two steps; plays missing pairs
        first.

        Raises:
            Ended: the campaign ended before all pairs were played.
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
        """Openings of the pairs, the same for all steps."""
        count = max(BATCH, self.plan.pairs)
        return suite_of(self.game, self.plan.seed, count)

    def _measure_best(self, stop: Callable[[], bool]) -> None:
        """Compares the candidates, unless the file already has a comparison."""
        digest = level_file.evaluation_digest(self.game)
        if any(comparison.evaluation == digest for comparison in self.best):
            return
        pairs = min(_BEST_PAIRS, self.plan.pairs)
        found = compare_all(self.game, _BEST_SECONDS, pairs, seed=self.plan.seed, stop=stop)
        self.best = list(found)

    def levels(self) -> GameLevels:
        """Returns the current state of the levels."""
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
            **self._identity(),
            "games": self.games,
            "rungs": self.chain,
            "evaluation": level_file.evaluation_digest(self.game),
        }
        return GameLevels(tuple(levels), self.complete, facts, self.results, tuple(self.best))

    def _tally(self, low: int, high: int) -> str:
        return self.results.get(f"{self.search} {low}-{high}", "")


def _halves(tally: Tally) -> str:
    """Returns the results of a match in half points of the stronger step, one digit a game.

    The text ends before the first missing pair; a resumed measurement plays the missing pairs.
    """
    played = itertools.takewhile(tally.points.__contains__, itertools.count(1))
    halves = "".join(f"{round(2 * tally.points[number])}" for number in played)
    return halves[: len(halves) // 2 * 2]


def _trinomial(digits: str) -> tuple[int, int, int]:
    """Returns wins, draws and losses."""
    return digits.count("2"), digits.count("1"), digits.count("0")
