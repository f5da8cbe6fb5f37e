"""Events: game pairs among players, in a format, until there are enough or the result is clear.

A match is an event of two, a tournament one of many. Both are plain descriptions, and both go on
where they were broken off: the name of an event is made from all that it depends on, and games are
found in a store by it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from papan.arena.openings import Opening
from papan.arena.pairs import Pair, play_pairs
from papan.arena.schedule import FORMATS, Meeting
from papan.arena.score import Tally
from papan.core.game import Displayed
from papan.play.referee import Conditions
from papan.protocol.guards import Guards
from papan.records.model import UNFINISHED, Record
from papan.search.limits import Limit
from papan.stats.ratings import Pairing, RatingTable, connected_groups, rate_tournament
from papan.stats.sprt import Sprt, SprtResult

if TYPE_CHECKING:
    from papan.records.store import Store

#: A prime, by which the seeds of events are kept apart: pairs are seeded one after the other.
_SEEDS_OF_AN_EVENT = 1_000_003

#: A pair of an event and the tally of its meeting.
Planned = tuple[Pair, Tally]


@dataclass(frozen=True)
class Match:
    """Two players, what they play, and how often.

    Attributes:
        game: the spec of the game.
        first: the spec of the player that has `x` in games 1, 3, 5, …
        second: the spec of the other one.
        games: how many games at the most.
        limit: what each move may take.
        seed: makes chance repeatable; both games of a pair are seeded alike.
        openings: moves that pairs begin with, one after the other and from the front again.
        sprt: ends the match as soon as this test is decided.
        conditions: clocks, and when a game ends before the rules end it.
        guards: what players that are programs may take; not part of what makes a match the same.
    """

    game: str
    first: str
    second: str
    games: int
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    openings: tuple[Opening, ...] = ()
    sprt: Sprt | None = None
    conditions: Conditions = field(default_factory=Conditions)
    guards: Guards = field(default_factory=Guards)

    @property
    def event(self) -> str:
        """The name under which its games are kept: the same for the same match, however often
        and in how many goes it is played. The number of games is not part of it, so that a
        match can be made longer."""
        parts = (self.game, self.first, self.second, self.limit, self.seed, self.openings)
        text = repr(parts)
        if conditions := self.conditions.identity():
            text = f"{text[:-1]}, {conditions})"
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"match {self.first} – {self.second} {digest[:12]}"

    def pairs(self, known: Collection[int] = ()) -> Iterator[Pair]:
        """The pairs in their order, without the games whose rounds are known already."""
        for number in range((self.games + 1) // 2):
            pair = _pair(self, number, (self.first, self.second), number)
            # An odd number of games leaves half a pair at the end.
            games = (0, 1)[: self.games - 2 * number]
            yield from _left([replace(pair, games=games)], known)


@dataclass(frozen=True)
class Tournament:
    """Many players, what they play, and in which format.

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
        guards: what players that are programs may take; not part of what makes a tournament the
            same.
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
        """The name under which its games are kept: the same for the same tournament."""
        text = repr(self) + self.conditions.identity()
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"{self.format} {self.game} {digest[:12]}"

    @property
    def games(self) -> int:
        """Number of games; the least there can be in a knockout, where level meetings are played
        again."""
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
    """Results of the games of a tournament so far.

    Attributes:
        players: in the order of seeding.
        meetings: the result of each meeting in the first player's view, in the order of play.
        byes: who has rested, round by round, where a Swiss tournament has an odd number of players.
    """

    players: tuple[str, ...]
    meetings: list[tuple[Meeting, Tally]] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, tournament: Tournament, store: Store) -> Results:
        """The results of the games that a store has of a tournament; none are played."""
        results, known = cls(tournament.players), _known(tournament.event, store)
        for planned in _rounds(tournament, results, known):
            # The next round may depend on the games that this one lacks.
            if any(_left([pair for pair, _ in planned], known)):
                break
        return results

    @property
    def games(self) -> int:
        """Number of games that were counted."""
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
        """Number of finished games of each player."""
        played = Counter[str]()
        for meeting, tally in self.meetings:
            played.update(dict.fromkeys(meeting, tally.games))
        return played

    def met(self) -> Counter[frozenset[str]]:
        """Number of meetings of each two players."""
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

        Best is the player with the highest rating; before there are ratings, the most points.
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


def play_match(
    match: Match,
    on_game: Callable[[Record, Tally], None] | None = None,
    *,
    on_known: Callable[[Record], None] | None = None,
    store: Store | None = None,
    workers: int = 1,
    executor: Executor | None = None,
) -> Tally:
    """Plays a match and returns its result.

    Args:
        match: what to play.
        on_game: called with each finished game and the result so far.
        on_known: called before with each game that the store has.
        store: where games are kept; those that it has of this match are not played again.
        workers: processes on this machine; 1 plays in this process, 0 takes one a processor.
        executor: plays the pairs instead of processes of this machine.
    """
    tally = Tally()
    for record in _known(match.event, store).values():
        # The store may have more of them: the number of games is not part of the event's name.
        if record.round <= match.games:
            tally.add(record)
            if on_known is not None:
                on_known(record)
    if is_decided(match, tally):
        return tally
    playing = _play(match.pairs(tally.points), store, workers, executor)
    with closing(playing):
        for _, record in playing:
            tally.add(record)
            if on_game is not None:
                on_game(record, tally)
            # Pairs under way are given up: more games would not change a decision.
            if is_decided(match, tally):
                break
    return tally


def verdict(match: Match, tally: Tally) -> SprtResult | None:
    """State of the match's test, on complete pairs only; None if it has no test."""
    return match.sprt.test(tally.paired) if match.sprt is not None else None


def is_decided(match: Match, tally: Tally) -> bool:
    """True once the match's test has come to a decision."""
    result = verdict(match, tally)
    return result is not None and result.decision != "continue"


def play_tournament(
    tournament: Tournament,
    on_game: Callable[[Record, Results], None] | None = None,
    *,
    results: Results | None = None,
    on_known: Callable[[Record], None] | None = None,
    store: Store | None = None,
    workers: int = 1,
    executor: Executor | None = None,
) -> Results:
    """Plays a tournament and returns its results.

    Args:
        tournament: what to play.
        on_game: called with each finished game and the results so far.
        results: filled in, for callers that want them even if this is interrupted.
        on_known: called with each game that the store has, when its round begins.
        store: where games are kept; those that it has of this tournament are not played again.
        workers: processes on this machine; 1 plays in this process, 0 takes one a processor.
        executor: plays the pairs instead of processes of this machine.
    """
    results = Results(tournament.players) if results is None else results
    known = _known(tournament.event, store)
    for planned in _rounds(tournament, results, known, on_known):
        tallies = {pair.number: tally for pair, tally in planned}
        left = _left([pair for pair, _ in planned], known)
        with closing(_play(left, store, workers, executor)) as playing:
            for pair, record in playing:
                tallies[pair.number].add(record)
                if on_game is not None:
                    on_game(record, results)
    return results


def _play(
    pairs: Iterable[Pair], store: Store | None, workers: int, executor: Executor | None
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each game with its pair once it is kept."""
    with closing(play_pairs(pairs, workers=workers, executor=executor)) as finished:
        for pair, records in finished:
            for record in records:
                # Kept before it is counted, so that nothing that was shown is lost.
                if store is not None:
                    store.add(record)
                yield pair, record


def _known(event: str, store: Store | None) -> dict[int, Record]:
    """The games that a store has of an event, by round, without those broken off."""
    records = [] if store is None else store.find(event=event)
    return {record.round: record for record in records if record.result != UNFINISHED}


def _rounds(
    tournament: Tournament,
    results: Results,
    known: Mapping[int, Record],
    on_known: Callable[[Record], None] | None = None,
) -> Iterator[list[Planned]]:
    """The pairs of each round, with known games counted; a round is asked for when the one before
    has been played."""
    number = 0
    for meetings in FORMATS[tournament.format](tournament, results):
        planned = list[Planned]()
        for meeting in meetings:
            tally = Tally()
            results.meetings.append((meeting, tally))
            for index in range(tournament.pairs):
                planned.append((_pair(tournament, number, meeting, index), tally))
                number += 1
        for pair, tally in planned:
            for round in map(pair.round, pair.games):
                if round in known:
                    tally.add(known[round])
                    if on_known is not None:
                        on_known(known[round])
        yield planned


def _pair(event: Match | Tournament, number: int, meeting: Meeting, index: int) -> Pair:
    """A pair of an event.

    Args:
        event: the event.
        number: which pair of it.
        meeting: the two players.
        index: which pair of their meeting: each meeting has the openings from the first one on.
    """
    first, second = meeting
    # Without openings each pair begins with the empty one.
    openings = event.openings or ((),)
    return Pair(
        event=event.event,
        number=number,
        game=event.game,
        first=first,
        second=second,
        opening=openings[index % len(openings)],
        limit=event.limit,
        seed=event.seed * _SEEDS_OF_AN_EVENT + number,
        conditions=event.conditions,
        guards=event.guards,
    )


def _left(pairs: Iterable[Pair], known: Collection[int]) -> Iterator[Pair]:
    """The pairs without the games whose rounds are known already."""
    for pair in pairs:
        games = tuple(index for index in pair.games if pair.round(index) not in known)
        if games:
            yield replace(pair, games=games)
