"""Tournaments: many players, a format, game pairs for each meeting, and a rating table."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from papan.arena.pairs import Pair, play_pairs
from papan.arena.schedule import Meeting, bracket, gauntlet, round_robin, swiss_round
from papan.arena.score import Tally
from papan.core.game import Displayed
from papan.play.conditions import Conditions
from papan.records.model import UNFINISHED, Record
from papan.search.limits import Limit
from papan.stats import Pairing, RatingTable, connected_groups, rate_tournament

if TYPE_CHECKING:
    from papan.records.store import Store

Opening = tuple[str, ...]

#: A meeting of a knockout that stays level is played so many times; then the better seed goes on.
MOST_REPLAYS = 3


@dataclass(frozen=True)
class Tournament:
    """Who plays what, and how.

    Attributes:
        game: the spec of the game.
        players: their specs, in the order of seeding; each at most once.
        format: one of `FORMATS`.
        pairs: game pairs in each meeting.
        rounds: of a Swiss tournament; 0 takes as many as it needs to find a winner.
        limit: what each move may take.
        seed: makes chance repeatable.
        openings: moves that pairs begin with, one after the other and from the front again.
        conditions: clocks, and when a game ends before the rules end it.
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

    @property
    def event(self) -> str:
        """The name under which its games are kept: the same for the same tournament."""
        text = repr(self) + self.conditions.identity()
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"{self.format} {self.game} {digest[:12]}"

    @property
    def games(self) -> int:
        """How many games it has; of a knockout, in which level meetings are played again, how
        many at the least."""
        count = len(self.players)
        meetings = {
            "round-robin": count * (count - 1) // 2,
            "swiss": self.swiss_rounds * (count // 2),
        }
        return 2 * self.pairs * meetings.get(self.format, count - 1)

    @property
    def swiss_rounds(self) -> int:
        """How many rounds a Swiss tournament has."""
        return self.rounds or max(1, (len(self.players) - 1).bit_length())


@dataclass
class Results(Displayed):
    """What has been played so far.

    Attributes:
        players: in the order of seeding.
        meetings: the result of each meeting in the first player's view, in the order of play.
        byes: who has rested, round by round, where a Swiss tournament has an odd number of players.
    """

    players: tuple[str, ...]
    meetings: list[tuple[Meeting, Tally]] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(tally.games for _, tally in self.meetings)

    def points(self) -> dict[str, float]:
        """Each player's points, one a game won, by seeding; a bye is worth nothing here."""
        points = dict.fromkeys(self.players, 0.0)
        for (first, second), tally in self.meetings:
            own = sum(tally.points.values())
            points[first] += own
            points[second] += tally.games - own
        return points

    def played(self) -> Counter[str]:
        """How many games each player has finished."""
        played = Counter[str]()
        for meeting, tally in self.meetings:
            played.update(dict.fromkeys(meeting, tally.games))
        return played

    def met(self) -> Counter[frozenset[str]]:
        """How often two players have met."""
        return Counter(frozenset(meeting) for meeting, _ in self.meetings)

    def against(self, player: str, other: str) -> tuple[int, int, int]:
        """Wins, draws and losses of one player against another."""
        wins, draws, losses = 0, 0, 0
        for meeting, tally in self.meetings:
            if set(meeting) == {player, other}:
                counts = tally.single
                mine = (counts.wins, counts.losses)
                won, lost = mine if meeting[0] == player else mine[::-1]
                wins, draws, losses = wins + won, draws + counts.draws, losses + lost
        return wins, draws, losses

    def ratings(self) -> RatingTable | None:
        """Bradley–Terry ratings with 95 % intervals; None as long as some players have not been
        compared, directly or over others."""
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
        """Standings, best first, and the crosstable (wins, draws, losses of row against column).

        Best is whoever has the highest rating; before there are ratings, the most points.
        """
        table, points, played = self.ratings(), self.points(), self.played()
        worth = {name: table[name].elo for name in points} if table else points
        standings = [
            {
                "player": name,
                "games": played[name],
                "points": points[name],
                "score": points[name] / played[name] if played[name] else None,
                "elo": table[name].elo if table else None,
                "error": table[name].error if table else None,
            }
            for name in sorted(points, key=lambda name: (-worth[name], -points[name]))
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
    store: Store | None = None,
    workers: int = 1,
    executor: Executor | None = None,
) -> Results:
    """Plays a tournament and returns its results.

    Args:
        tournament: what to play.
        on_game: told of each finished game and of the results so far.
        results: what to fill in, for somebody who wants them even if this is interrupted.
        store: where games are kept; those that it has of this tournament are not played again.
        workers: processes on this machine; 1 plays in this process, 0 takes one a processor.
        executor: plays the pairs instead of processes of this machine.
    """
    results = Results(tournament.players) if results is None else results
    known = _finished(tournament, store) if store is not None else {}
    number = 0
    for meetings in FORMATS[tournament.format](tournament, results):
        planned = _planned(tournament, results, meetings, number)
        number += len(planned)
        for pair, tally in planned:
            for record in _known(pair, known):
                tally.add(record)
        tallies = {pair.number: tally for pair, tally in planned}
        playing = play_pairs(_left(planned, known), workers=workers, executor=executor)
        with closing(playing):
            for pair, records in playing:
                for record in records:
                    if store is not None:
                        store.add(record)
                    tallies[pair.number].add(record)
                    if on_game is not None:
                        on_game(record, results)
    return results


def _finished(tournament: Tournament, store: Store) -> dict[int, Record]:
    """The games that a store has of a tournament, by round, without those broken off."""
    records = store.find(event=tournament.event)
    return {record.round: record for record in records if record.result != UNFINISHED}


def _known(pair: Pair, known: Mapping[int, Record]) -> list[Record]:
    """The games of a pair that are known."""
    rounds = map(pair.round, pair.games)
    return [known[number] for number in rounds if number in known]


def _planned(
    tournament: Tournament, results: Results, meetings: Sequence[Meeting], number: int
) -> list[tuple[Pair, Tally]]:
    """The pairs of a round, numbered from `number` on, each with the tally of its meeting."""
    planned = []
    for first, second in meetings:
        tally = Tally()
        results.meetings.append(((first, second), tally))
        for index in range(tournament.pairs):
            openings = tournament.openings or ((),)
            pair = Pair(
                event=tournament.event,
                number=number,
                game=tournament.game,
                first=first,
                second=second,
                opening=openings[index % len(openings)],
                limit=tournament.limit,
                seed=tournament.seed * 1_000_003 + number,
                conditions=tournament.conditions,
            )
            planned.append((pair, tally))
            number += 1
    return planned


def _left(planned: Sequence[tuple[Pair, Tally]], known: Mapping[int, Record]) -> Iterator[Pair]:
    """The pairs without the games that are known already."""
    for pair, _ in planned:
        games = tuple(index for index in pair.games if pair.round(index) not in known)
        if games:
            yield replace(pair, games=games)


Rounds = Iterator[Sequence[Meeting]]


def _round_robin(tournament: Tournament, results: Results) -> Rounds:
    yield [meeting for meetings in round_robin(tournament.players) for meeting in meetings]


def _gauntlet(tournament: Tournament, results: Results) -> Rounds:
    yield [meeting for meetings in gauntlet(tournament.players) for meeting in meetings]


def _swiss(tournament: Tournament, results: Results) -> Rounds:
    for _ in range(tournament.swiss_rounds):
        meetings, bye = swiss_round(results.points(), results.met(), results.byes)
        results.byes += [bye] if bye else []
        yield meetings


def _knockout(tournament: Tournament, results: Results) -> Rounds:
    field_of = bracket(tournament.players)
    while True:
        meetings = [pairing for pairing in field_of if len(pairing) == 2]
        through: dict[Meeting, str] = {}
        for _ in range(MOST_REPLAYS):
            level = [meeting for meeting in meetings if meeting not in through]
            if level:
                yield level
            through |= _winners(level, results)
        for meeting in meetings:  # still level: the better seed
            through.setdefault(meeting, min(meeting, key=tournament.players.index))
        left = [through[p] if len(p) == 2 else p[0] for p in field_of]
        if len(left) == 1:
            return
        field_of = list(zip(left[::2], left[1::2], strict=True))


def _winners(meetings: Sequence[Meeting], results: Results) -> dict[Meeting, str]:
    """Who has won each of the meetings that were played last; level ones are left out."""
    won = {}
    for meeting, tally in results.meetings[len(results.meetings) - len(meetings) :]:
        own = sum(tally.points.values())
        if 2 * own != tally.games:
            won[meeting] = meeting[0] if 2 * own > tally.games else meeting[1]
    return won


#: Format → the rounds of a tournament; each is asked for when the one before has been played.
FORMATS: dict[str, Callable[[Tournament, Results], Rounds]] = {
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knockout": _knockout,
}
