"""Results of matches, counted by game and by pair, and ladders of all players in a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Displayed
from papan.errors import UsageError
from papan.play.table import Termination
from papan.records.model import UNFINISHED, Record
from papan.stats.counts import Counts, Pentanomial, Trinomial
from papan.stats.elo import elo_difference, los, normalised_elo
from papan.stats.ratings import Skill, play_ladder

_POINTS = {"x": 1.0, "draw": 0.5, "o": 0.0}


def points_of_first(record: Record) -> float | None:
    """Returns the points of the first player of a pair: 1, ½ or 0; None for an unfinished game.

    The first player has `x` in the odd rounds of its event.
    """
    points = _POINTS.get(record.result)
    if points is None:
        return None
    return points if record.round % 2 == 1 else 1.0 - points


def is_finished(record: Record) -> bool:
    """Returns True if a game need not be played again: it has a result, or ended by a refusal."""
    return record.result != UNFINISHED or record.termination == Termination.REFUSAL


@dataclass
class Tally(Displayed):
    """The result of a match from the first player's view.

    Games are counted once, in any order.

    Attributes:
        points: round → points of the first player.
        terminations: termination → number of games.
        without_result: rounds of the games that ended by a refusal; they do not count.
    """

    points: dict[int, float] = field(default_factory=dict)
    terminations: Counter[str] = field(default_factory=Counter)
    without_result: set[int] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Counts a game, unless its round was already counted.

        A pair is played twice if its worker died, so duplicates occur.
        """
        if not is_finished(record) or record.round in self.rounds:
            return
        self.terminations[record.termination] += 1
        points = points_of_first(record)
        if points is None:
            self.without_result.add(record.round)
        else:
            self.points[record.round] = points

    @property
    def rounds(self) -> set[int]:
        """Rounds of the finished games, with or without a result."""
        return self.without_result.union(self.points)

    @property
    def games(self) -> int:
        """Number of counted games."""
        return len(self.points)

    @property
    def single(self) -> Trinomial:
        """Wins, draws and losses."""
        return Trinomial.from_scores(self.points.values())

    @property
    def paired(self) -> Pentanomial:
        """Results of the pairs with both games counted."""
        # The first game of a pair has an odd round, the second the next one.
        firsts = [number for number in self.points if number % 2 == 1 and number + 1 in self.points]
        return Pentanomial.from_scores((self.points[n], self.points[n + 1]) for n in firsts)

    @property
    def counts(self) -> Counts:
        """Results by pair if every game belongs to a complete pair, else by game."""
        paired = self.paired
        return paired if paired.games == self.games and paired.units else self.single

    def as_dict(self) -> dict[str, Any]:
        """Returns counts, score in [0, 1], Elo difference and its error.

        `error` is half the width of the 95 % interval from wins, draws and losses. `pair_error` is
        the same from game pairs, which are independent even if the two games of a pair are not.
        """
        single = self.single
        report = {
            "games": self.games,
            "wins": single.wins,
            "draws": single.draws,
            "losses": single.losses,
            "terminations": dict(self.terminations),
            "score": single.score if self.games else None,
        }
        return report | (self._strength() if self.games else _NO_STRENGTH)

    def _strength(self) -> dict[str, Any]:
        elo, of_pairs = elo_difference(self.single), elo_difference(self.counts)
        normalised = normalised_elo(self.counts)
        return {
            "elo": elo.value,
            "error": elo.error,
            "elo_bound": elo.bound,
            "pairs": list(self.paired.frequencies),
            "pair_error": of_pairs.error,
            "normalised_elo": normalised.value,
            "normalised_error": normalised.error,
            "los": los(self.counts),
        }


_NO_STRENGTH: dict[str, Any] = dict.fromkeys(
    (
        "elo",
        "error",
        "elo_bound",
        "pairs",
        "pair_error",
        "normalised_elo",
        "normalised_error",
        "los",
    )
)


def ladders(records: Iterable[Record]) -> dict[str, dict[str, Skill]]:
    """Returns the players of each game, sorted by their cautious skill estimate, best first.

    Unfinished games and games of a player against itself do not count.

    Raises:
        UsageError: the rating library is not installed.
    """
    games: dict[str, list[tuple[str, str, float]]] = {}
    for record in records:
        if record.result != UNFINISHED and record.x != record.o:
            games.setdefault(record.game, []).append((record.x, record.o, _POINTS[record.result]))
    try:
        standings_of = {game: play_ladder(played) for game, played in sorted(games.items())}
    except ModuleNotFoundError:
        raise UsageError("ladder.missing", text="papan[ladder]") from None
    return {game: _sort_standings(standings) for game, standings in standings_of.items()}


def _sort_standings(standings: dict[str, Skill]) -> dict[str, Skill]:
    order = sorted(standings.items(), key=lambda item: (-item[1].cautious, item[0]))
    return dict(order)
