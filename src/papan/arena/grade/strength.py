"""Strength of a bot: how far up the ladder of levels it gets, and the results it throws away."""

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

#: The levels that a bot climbs, by name: they stay as they are when others are measured.
LADDER = ("beginner", "easy", "medium", "hard", "expert")

#: Elo difference of a sequential test: a match ends as soon as the bot is known not to be weaker
#: by as much, or not stronger.
DECIDED_ELO = 50.0

#: The score of equals.
EVEN = 0.5

#: Random moves that pairs begin with, so that bots without chance do not replay one game. Both
#: sides play each beginning, so it does not matter which side it favours.
OPENING_PLIES = 2

#: Levels in a row that were too strong, after which those above are left out.
TOO_STRONG = 2


@dataclass(frozen=True)
class LevelResult:
    """A match against a level.

    Attributes:
        level: its name.
        tally: the games in the bot's view.
    """

    level: str
    tally: Tally

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the bot's score, from game pairs."""
        return score_interval(self.tally.counts)

    @property
    def decision(self) -> str:
        """Decision that the interval allows: `stronger`, `weaker` or `undecided`."""
        low, high = self.interval
        return "stronger" if low > EVEN else "weaker" if high < EVEN else "undecided"

    def as_dict(self) -> dict[str, Any]:
        """Games, score and its 95 % interval, in the bot's view."""
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
    """Plays the levels from the lowest on, and adds each result to `results`.

    Args:
        game: what is played.
        spec: the bot.
        limit: what each move may take.
        pairs: game pairs against each level, at the most.
        seed: makes chance repeatable.
        results: is filled in.
        campaign: the workers, and the end.
        on_progress: called after each game with the level as the part.
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
    """The highest level that the bot is stronger than; None if there is none."""
    beaten = [result.level for result in results if result.decision == "stronger"]
    return beaten[-1] if beaten else None


#: Nodes that a proof may take; a position that needs more is left out.
PROOF_NODES = 100_000

#: Positions that are tried to be solved at most, and positions with something to lose that are
#: enough.
MOST_TRIED = 600
ENOUGH = 200

#: Blunders that are shown in a report.
SHOWN = 10


@dataclass(frozen=True)
class Blunder:
    """A move that made less of a position than could be had: `win` or `draw` → `draw` or `loss`."""

    position: str
    kind: str
    move: str
    had: str
    left: str
    best: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The blunder for reports."""
        return {**vars(self), "best": list(self.best)}


@dataclass
class Blunders:
    """Results in the positions in which there was something to lose.

    Attributes:
        wins: positions that were won, and had a move that does not win.
        draws: positions that were drawn, and had a move that loses.
        found: the blunders.
    """

    wins: int = 0
    draws: int = 0
    found: list[Blunder] = field(default_factory=list)

    @property
    def critical(self) -> int:
        """Number of positions with something to lose."""
        return self.wins + self.draws

    def count_thrown(self, had: str) -> int:
        """Number of wins, or draws, that were thrown away."""
        return sum(blunder.had == had for blunder in self.found)

    def as_dict(self) -> dict[str, Any]:
        """Counts and the first blunders."""
        return {
            "critical": self.critical,
            "wins": self.wins,
            "wins_thrown": self.count_thrown("win"),
            "draws": self.draws,
            "draws_thrown": self.count_thrown("draw"),
            "examples": [blunder.as_dict() for blunder in self.found[:SHOWN]],
        }


def judge(answers: Sequence[CheckedMove], blunders: Blunders) -> None:
    """Holds the legal answers against proven values, and adds what comes of it to `blunders`."""
    tried = [answer for answer in answers if answer.move][:MOST_TRIED]
    for answer in tried:
        if blunders.critical >= ENOUGH:
            return
        values = proven_values(answer.case.position)
        if len({_sign(value) for value in values.values()}) < 2:
            continue  # nothing is known, or nothing can be lost
        had = max(values.values())
        if had > 0:
            blunders.wins += 1
        else:
            blunders.draws += 1
        if _sign(values[answer.move]) < _sign(had):
            best = tuple(move for move, value in values.items() if value == had)
            blunders.found.append(_blunder(answer, had, values[answer.move], best))


def _blunder(answer: CheckedMove, had: int, left: int, best: tuple[str, ...]) -> Blunder:
    position, kind = str(answer.case.position), answer.case.kind
    return Blunder(position, kind, answer.move, _WORDS[_sign(had)], _WORDS[_sign(left)], best)


_WORDS = {1: "win", 0: "draw", -1: "loss"}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


@functools.lru_cache(maxsize=4096)
def proven_values(position: Position) -> dict[str, int]:
    """The proven value of each legal move, in the mover's view; empty where that takes too long.

    It is remembered: all bots of a folder are asked about the same positions.
    """
    # Imported here, since it means loading the solvers.
    from papan.solve.solve import can_begin, solve

    if not can_begin(position, PROOF_NODES):
        return {}
    try:
        solution = solve(position, limit=Limit(nodes=PROOF_NODES), every=True)
    except Unsolved:
        return {}
    return {move: int(value) for move, value in solution.values.items()}
