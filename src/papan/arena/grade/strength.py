"""How far up the ladder of levels a bot gets: matches of game pairs, ended when decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from papan.arena.event import Match, play_match
from papan.arena.score import Tally
from papan.core.game import Game
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.elo import score_interval
from papan.stats.sprt import Sprt

#: The levels that a bot climbs; `perfect` takes three seconds a move and is nobody's measure.
LADDER = ("beginner", "easy", "medium", "hard", "expert")

#: A match ends as soon as a sequential test knows that the bot is not weaker by so many Elo, or
#: not stronger by as many.
DECIDED_ELO = 50.0

#: The score of equals.
EVEN = 0.5

#: Pairs begin with so many random moves, so that bots without chance do not replay one game. Both
#: sides play each beginning, so it does not matter which side it favours.
OPENING_PLIES = 2

#: After so many levels that were too strong, one after the other, those above are left out.
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
        """What the interval says."""
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
    results: list[LevelResult],
    workers: int = 1,
    on_game: Callable[[str, int], None],
) -> None:
    """Plays the levels from the lowest on, and adds each result to `results`.

    Args:
        game: what is played.
        spec: the bot.
        limit: what each move may take.
        pairs: game pairs against each level, at the most.
        seed: makes chance repeatable.
        results: is filled in.
        workers: processes; 1 plays in this one.
        on_game: told of the level and how many games against it are finished.
    """
    lost = 0
    openings = _openings(game, pairs, Random(seed))
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
        )

        def told(record: Record, tally: Tally, level: str = level) -> None:
            on_game(level, tally.games)

        tally = play_match(match, told, workers=workers)
        results.append(LevelResult(level, tally))
        lost = 0 if results[-1].decision == "stronger" else lost + 1


def reached(results: Sequence[LevelResult]) -> str | None:
    """The highest level that the bot is stronger than; None if there is none."""
    beaten = [result.level for result in results if result.decision == "stronger"]
    return beaten[-1] if beaten else None


def _openings(game: Game, count: int, chance: Random) -> tuple[tuple[str, ...], ...]:
    """Beginnings of random moves after which the game goes on; none where it is too short."""
    found: list[tuple[str, ...]] = []
    for _ in range(2 * count):
        steps = list(game.start().random_walk(chance, OPENING_PLIES))
        moves = tuple(move for move, _ in steps)
        if steps and steps[-1][1].outcome() is None and moves not in found:
            found.append(moves)
    return tuple(found[:count])
