"""Tournaments: game pairs among many players, in a format.

A tournament is a plain description that goes on where it was broken off, as a match does
(`papan.arena.measure`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from papan.arena.measure import known_games, missing_games, pair_of, play_and_keep
from papan.arena.openings import Opening
from papan.arena.pairs import Pair
from papan.arena.schedule import FORMATS, Meeting
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.core.game import Displayed
from papan.play.referee import Conditions
from papan.protocol.guards import Guards
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.ratings import Pairing, RatingTable, connected_groups, rate_tournament

if TYPE_CHECKING:
    from papan.records.store import Store

#: A pair of a tournament and the tally of its meeting.
Planned = tuple[Pair, Tally]


@dataclass(frozen=True)
class Tournament:
    """Description of a tournament.

    Attributes:
        game: the spec of the game.
        players: their specs, in the order of seeding; each at most once.
        format: one of `FORMATS`.
        pairs: number of game pairs of each meeting.
        rounds: number of rounds of a Swiss tournament; 0 is as many as find a winner.
        limit: limit of each move.
        seed: seed of all random choices.
        openings: openings of the pairs of a meeting, used in turn.
        conditions: clocks, and when a game ends before the rules end it.
        guards: limits of players that are programs; not part of the tournament's identity.
    """

    game: str
    players: tuple[str, ...]
    format: str = "round-robin"
    pairs: int = 10
    rounds: int = 0
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    openings: tuple[Opening, ...] = ()
    conditions: Conditions = field(default_factory=Conditions, repr=False)
    guards: Guards = field(default_factory=Guards, repr=False)

    @property
    def event(self) -> str:
        """Name of the games in a store: the same for equal tournaments."""
        text = repr(self) + self.conditions.identity()
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"{self.format} {self.game} {digest[:12]}"

    @property
    def games(self) -> int:
        """Number of games; in a knockout the minimum, since drawn meetings are replayed."""
        count = len(self.players)
        meetings = {
            "round-robin": count * (count - 1) // 2,
            "swiss": self.swiss_rounds * (count // 2),
        }
        return 2 * self.pairs * meetings.get(self.format, count - 1)

    @property
    def swiss_rounds(self) -> int:
        """Number of rounds of a Swiss tournament."""
        return self.rounds or max(1, (len(self.players) - 1).bit_length())


@dataclass
class Results(Displayed):
    """Results of the finished games of a tournament.

    Attributes:
        players: in the order of seeding.
        meetings: the result of each meeting from the first player's view, in the order of play.
        byes: the player with a bye in each round, if a Swiss tournament has an odd number of them.
    """

    players: tuple[str, ...]
    meetings: list[tuple[Meeting, Tally]] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, tournament: Tournament, store: Store) -> Results:
        """Returns the results of the games that a store has of a tournament."""
        results, known = cls(tournament.players), known_games(tournament.event, store)
        for planned in _rounds(tournament, results, known):
            # The next round may depend on games that are missing in this one.
            if any(missing_games([pair for pair, _ in planned], known)):
                break
        return results

    @property
    def games(self) -> int:
        """Number of counted games."""
        return sum(tally.games for _, tally in self.meetings)

    def points(self) -> dict[str, float]:
        """Returns the points of each player, in the order of seeding; a bye counts 0."""
        points = dict.fromkeys(self.players, 0.0)
        for (first, second), tally in self.meetings:
            own = sum(tally.points.values())
            points[first] += own
            points[second] += tally.games - own
        return points

    def game_counts(self) -> Counter[str]:
        """Returns the number of finished games of each player."""
        played = Counter[str]()
        for meeting, tally in self.meetings:
            played.update(dict.fromkeys(meeting, tally.games))
        return played

    def meeting_counts(self) -> Counter[frozenset[str]]:
        """Returns the number of meetings of each two players."""
        return Counter(frozenset(meeting) for meeting, _ in self.meetings)

    def against(self, player: str, other: str) -> tuple[int, int, int]:
        """Returns wins, draws and losses of one player against another."""
        wins, draws, losses = 0, 0, 0
        for meeting, tally in self.meetings:
            if set(meeting) == {player, other}:
                counts = tally.single
                mine = (counts.wins, counts.losses)
                won, lost = mine if meeting[0] == player else mine[::-1]
                wins, draws, losses = wins + won, draws + counts.draws, losses + lost
        return wins, draws, losses

    def ratings(self) -> RatingTable | None:
        """Returns Bradley–Terry ratings with 95 % intervals; None if some players are not compared,
        directly or through others."""
        pairings = [
            Pairing(first, second, tally.single.wins, tally.single.draws, tally.single.losses)
            for (first, second), tally in self.meetings
            if tally.games
        ]
        seen = {name for pairing in pairings for name in pairing[:2]}
        if seen != set(self.players) or len(connected_groups(pairings)) != 1:
            return None
        return rate_tournament(pairings)

    def as_dict(self) -> dict[str, Any]:
        """Returns standings and crosstable (wins, draws, losses of row against column).

        Standings are in the order of ratings, or of points as long as there are no ratings.
        """
        table, points, played = self.ratings(), self.points(), self.game_counts()
        values = {name: table[name].elo for name in points} if table else points
        standings = [
            {
                "player": name,
                "games": played[name],
                "points": points[name],
                "score": points[name] / played[name] if played[name] else None,
                "elo": table[name].elo if table else None,
                "error": table[name].error if table else None,
            }
            for name in sorted(points, key=lambda name: (-values[name], -points[name]))
        ]
        crosstable = {
            name: {other: list(self.against(name, other)) for other in points if other != name}
            for name in points
        }
        return {"games": self.games, "standings": standings, "crosstable": crosstable}


def play_tournament(
    tournament: Tournament,
    on_game: Callable[[Record, Results], None] | None = None,
    *,
    results: Results | None = None,
    on_known: Callable[[Record], None] | None = None,
    store: Store | None = None,
    campaign: Campaign | None = None,
) -> Results:
    """Plays the missing games of a tournament and returns its results.

    Args:
        tournament: the description.
        on_game: called with each finished game and the results so far.
        results: filled in, so that the caller has them after an interruption.
        on_known: called with each game that the store has, when its round begins.
        store: keeps the games, and has those that are known already.
        campaign: workers, time limit and stop; by default this process plays all pairs.
    """
    results = Results(tournament.players) if results is None else results
    known = known_games(tournament.event, store)
    for planned in _rounds(tournament, results, known, on_known):
        tallies = {pair.number: tally for pair, tally in planned}
        left = missing_games([pair for pair, _ in planned], known)
        with closing(play_and_keep(left, store, campaign)) as playing:
            for pair, record in playing:
                tallies[pair.number].add(record)
                if on_game is not None:
                    on_game(record, results)
        if campaign is not None and campaign.is_over():
            break
    return results


def _rounds(
    tournament: Tournament,
    results: Results,
    known: Mapping[int, Record],
    on_known: Callable[[Record], None] | None = None,
) -> Iterator[list[Planned]]:
    """Yields the pairs of each round and counts its known games. The next round needs the results
    of this one."""
    number = 0
    for meetings in FORMATS[tournament.format](tournament, results):
        planned = list[Planned]()
        for meeting in meetings:
            tally = Tally()
            results.meetings.append((meeting, tally))
            for index in range(tournament.pairs):
                planned.append((pair_of(tournament, number, meeting, index), tally))
                number += 1
        for pair, tally in planned:
            for round in map(pair.round, pair.games):
                if round in known:
                    tally.add(known[round])
                    if on_known is not None:
                        on_known(known[round])
        yield planned
