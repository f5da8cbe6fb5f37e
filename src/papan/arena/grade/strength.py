"""Strength of a bot: the highest level that it beats, and its blunders."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from papan.arena.grade.move_checks import CheckedMove
from papan.arena.measure import Match, measure
from papan.arena.openings import random_openings
from papan.arena.score import Tally
from papan.campaign import Campaign, CampaignProgress, OnProgress
from papan.core.game import Game, Position
from papan.errors import Unsolved
from papan.protocol.guards import Guards
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.elo import score_interval
from papan.stats.sprt import Sprt

#: Levels that a bot plays against. They are fixed: `papan levels` does not change them.
LADDER = ("beginner", "easy", "medium", "hard", "expert")

#: Elo bounds (±) of the sequential test that ends a match.
DECIDED_ELO = 50.0

#: Score of equal players.
EVEN = 0.5

#: Number of random moves of an opening, so that deterministic bots do not repeat one game. Both
#: sides play each opening, so it does not matter which side it favours.
OPENING_PLIES = 2

#: Number of consecutive lost levels after which higher levels are skipped.
TOO_STRONG = 2


@dataclass(frozen=True)
class LevelResult:
    """A match against a level.

    Attributes:
        level: name of the level.
        tally: the games from the bot's view.
    """

    level: str
    tally: Tally

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the bot's score, from game pairs."""
        return score_interval(self.tally.counts)

    @property
    def decision(self) -> str:
        """Result of the interval test: `stronger`, `weaker` or `undecided`."""
        low, high = self.interval
        return "stronger" if low > EVEN else "weaker" if high < EVEN else "undecided"

    def as_dict(self) -> dict[str, Any]:
        """Returns games, score and 95 % interval from the bot's view."""
        single = self.tally.single
        low, high = self.interval
        return {
            "level": self.level,
            "games": self.tally.games,
            "wins": single.wins,
            "draws": single.draws,
            "losses": single.losses,
            "score": single.score,
            "low": low,
            "high": high,
            "decision": self.decision,
            "terminations": dict(self.tally.terminations),
        }


def climb(
    game: Game,
    spec: str,
    limit: Limit,
    *,
    pairs: int,
    seed: int,
    guards: Guards,
    results: list[LevelResult],
    campaign: Campaign,
    on_progress: OnProgress,
) -> None:
    """Plays matches against the levels, lowest level first, and adds each result to `results`.

    Args:
        game: the game.
        spec: the bot.
        limit: limit of each move.
        pairs: maximum number of game pairs against each level.
        seed: seed of all random choices.
        guards: resource limits of the bot's program.
        results: updated in place.
        campaign: workers, time limit and stop.
        on_progress: called after each game, with the level as the part.
    """
    lost = 0
    openings = random_openings(game, OPENING_PLIES, pairs, seed)
    for level in LADDER:
        if lost == TOO_STRONG:
            return
        test = Sprt(-DECIDED_ELO, DECIDED_ELO)
        match = Match(
            game.spec,
            spec,
            level,
            2 * pairs,
            limit=limit,
            seed=seed,
            openings=openings,
            sprt=test,
            guards=guards,
        )

        def count(record: Record, tally: Tally, level: str = level) -> None:
            on_progress(CampaignProgress(level, tally.games, 2 * pairs))

        tally = measure(match, count, campaign=campaign)
        results.append(LevelResult(level, tally))
        lost = 0 if results[-1].decision == "stronger" else lost + 1


def highest_beaten(results: Sequence[LevelResult]) -> str | None:
    """Returns the highest level that the bot beats; None if it beats none."""
    beaten = [result.level for result in results if result.decision == "stronger"]
    return beaten[-1] if beaten else None


#: Node limit of a proof; positions that need more are skipped.
PROOF_NODES = 100_000

#: Maximum number of positions to solve, and the number of critical positions that is enough.
MOST_TRIED = 600
ENOUGH = 200

#: Maximum number of blunders in a report.
SHOWN = 10


@dataclass(frozen=True)
class Blunder:
    """A move that loses value: from `win` or `draw` (`had`) to `draw` or `loss` (`left`)."""

    position: str
    kind: str
    move: str
    had: str
    left: str
    best: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Returns the blunder for reports."""
        return {**vars(self), "best": list(self.best)}


@dataclass
class Blunders:
    """Results in critical positions: those in which some moves are worse than others.

    Attributes:
        wins: number of won critical positions.
        draws: number of drawn critical positions.
        errors: the blunders.
    """

    wins: int = 0
    draws: int = 0
    errors: list[Blunder] = field(default_factory=list)

    @property
    def critical(self) -> int:
        """Number of critical positions."""
        return self.wins + self.draws

    def count_thrown(self, had: str) -> int:
        """Returns the number of lost wins (`had="win"`) or draws (`had="draw"`)."""
        return sum(blunder.had == had for blunder in self.errors)

    def as_dict(self) -> dict[str, Any]:
        """Returns counts and the first blunders."""
        return {
            "critical": self.critical,
            "wins": self.wins,
            "wins_thrown": self.count_thrown("win"),
            "draws": self.draws,
            "draws_thrown": self.count_thrown("draw"),
            "examples": [blunder.as_dict() for blunder in self.errors[:SHOWN]],
        }


def judge(answers: Sequence[CheckedMove], blunders: Blunders) -> None:
    """Compares the legal moves with proven values and adds the results to `blunders`."""
    tried = [answer for answer in answers if answer.move][:MOST_TRIED]
    for answer in tried:
        if blunders.critical >= ENOUGH:
            return
        values = proven_values(answer.case.position)
        if len({_sign(value) for value in values.values()}) < 2:
            continue  # not proven, or not critical
        had = max(values.values())
        if had > 0:
            blunders.wins += 1
        else:
            blunders.draws += 1
        if _sign(values[answer.move]) < _sign(had):
            best = tuple(move for move, value in values.items() if value == had)
            blunders.errors.append(_blunder(answer, had, values[answer.move], best))


def _blunder(answer: CheckedMove, had: int, left: int, best: tuple[str, ...]) -> Blunder:
    position, kind = str(answer.case.position), answer.case.kind
    return Blunder(position, kind, answer.move, _WORDS[_sign(had)], _WORDS[_sign(left)], best)


_WORDS = {1: "win", 0: "draw", -1: "loss"}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


@functools.lru_cache(maxsize=4096)
def proven_values(position: Position) -> dict[str, int]:
    """Returns the proven value of each legal move from the mover's view; empty without a proof.

    Cached, since all bots of a folder get the same positions.
    """
    # Imported here, since the solvers take long to load.
    from papan.solve.solve import can_begin, solve

    if not can_begin(position, PROOF_NODES):
        return {}
    try:
        solution = solve(position, limit=Limit(nodes=PROOF_NODES), every=True)
    except Unsolved:
        return {}
    return {move: int(value) for move, value in solution.values.items()}
