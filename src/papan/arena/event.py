"""Tournaments: game pairs among several players, in a format such as round-robin or Swiss.

A tournament is plain data. An interrupted tournament continues from its store, like a match
(`papan.arena.measure`). A meeting is a tuple (first, second); the tournament decides how many game
pairs a meeting has. The meetings of round-robin and gauntlet are known in advance; Swiss and
knockout depend on the results.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from papan.arena.measure import known_games, missing_games, pair_of, play_and_keep
from papan.arena.pairs import Pair
from papan.arena.score import Tally
from papan.arena.suite import Openings
from papan.campaign import Campaign
from papan.core.game import Displayed
from papan.play.referee import Conditions
from papan.protocol.guards import Guards
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.ratings import Pairing, RatingTable, connected_groups, rate_tournament

if TYPE_CHECKING:
    from papan.records.store import Store

Meeting = tuple[str, str]

#: Maximum number of times that a drawn knockout meeting is played; then the better seed advances.
MOST_REPLAYS = 3


def round_robin(players: Sequence[str]) -> list[list[Meeting]]:
    """Returns the rounds of a round-robin tournament, by the circle method.

    Each two players meet once, and a player has at most one meeting a round. With an odd number of
    players, one player has a bye in each round.
    """
    circle: list[str | None] = [*players, None] if len(players) % 2 else [*players]
    half = len(circle) // 2
    rounds = []
    for number in range(len(circle) - 1):
        opposite = zip(circle[:half], reversed(circle[half:]), strict=True)
        meetings = [(a, b) for a, b in opposite if a is not None and b is not None]
        rounds.append([(b, a) for a, b in meetings] if number % 2 else meetings)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def gauntlet(players: Sequence[str]) -> list[list[Meeting]]:
    """Returns the rounds of a gauntlet: the first player meets one other player in each round."""
    hero, *others = players
    return [[(hero, other)] for other in others]


def swiss_round(
    points: Mapping[str, float], met: Mapping[frozenset[str], int], rested: Sequence[str] = ()
) -> tuple[list[Meeting], str | None]:
    """Returns a Swiss round: players with similar scores meet, with as few rematches as possible.

    Args:
        points: score of each player so far, in seeding order.
        met: number of meetings of each two players.
        rested: players who already had a bye.

    Returns:
        The meetings, and the player with the bye if the number of players is odd, else None.
    """
    order = sorted(points, key=lambda name: -points[name])  # stable: seeding breaks ties
    bye = None
    if len(order) % 2:
        bye = next((name for name in reversed(order) if name not in rested), order[-1])
        order.remove(bye)
    return _pair_up(order, met), bye


def _pair_up(order: list[str], met: Mapping[frozenset[str], int]) -> list[Meeting]:
    """Pairs neighbours in a ranking, with as few rematches as possible.

    The search tries partners in ranking order and backtracks. It starts without rematches and
    allows one more earlier meeting after each failure.
    """
    for allowed in itertools.count():
        meetings = _match(tuple(order), met, allowed)
        if meetings is not None:
            return meetings
    raise AssertionError("unreachable")


def _match(
    order: tuple[str, ...], met: Mapping[frozenset[str], int], allowed: int
) -> list[Meeting] | None:
    """Returns meetings whose players met at most `allowed` times before; None if impossible."""
    if not order:
        return []
    first, *others = order
    for index, second in enumerate(others):
        if met.get(frozenset((first, second)), 0) > allowed:
            continue
        rest = _match((*others[:index], *others[index + 1 :]), met, allowed)
        if rest is not None:
            return [(first, second), *rest]
    return None


def bracket(players: Sequence[str]) -> list[Meeting | tuple[str]]:
    """Returns the first round of a knockout in bracket order.

    Seeds are placed so that the best two can only meet in the final and the best four only in the
    semi-finals. If the number of players is not a power of two, the best seeds have byes: tuples of
    one name.
    """
    size = 1 << max(0, (len(players) - 1).bit_length())
    seats = [0]
    while len(seats) < size:
        seats = [seat for s in seats for seat in (s, 2 * len(seats) - 1 - s)]
    named = [players[seat] if seat < len(players) else None for seat in seats]
    meetings: list[Meeting | tuple[str]] = []
    for a, b in zip(named[::2], named[1::2], strict=True):
        meetings.append((a, b) if a is not None and b is not None else ((a or b or ""),))
    return meetings


Rounds = Iterator[Sequence[Meeting]]


def _round_robin(tournament: Tournament, results: Results) -> Rounds:
    yield [meeting for meetings in round_robin(tournament.players) for meeting in meetings]


def _gauntlet(tournament: Tournament, results: Results) -> Rounds:
    yield [meeting for meetings in gauntlet(tournament.players) for meeting in meetings]


def _swiss(tournament: Tournament, results: Results) -> Rounds:
    for _ in range(tournament.swiss_rounds):
        meetings, bye = swiss_round(results.points(), results.meeting_counts(), results.byes)
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
        for meeting in meetings:  # still drawn: the better seed advances
            through.setdefault(meeting, min(meeting, key=tournament.players.index))
        left = [through[p] if len(p) == 2 else p[0] for p in field_of]
        if len(left) == 1:
            return
        field_of = list(zip(left[::2], left[1::2], strict=True))


def _winners(meetings: Sequence[Meeting], results: Results) -> dict[Meeting, str]:
    """Returns the winners of the latest meetings, without the drawn ones."""
    won = {}
    for meeting, tally in results.meetings[len(results.meetings) - len(meetings) :]:
        own = sum(tally.points.values())
        if 2 * own != tally.games:
            won[meeting] = meeting[0] if 2 * own > tally.games else meeting[1]
    return won


#: Format → function that yields the rounds; a round is requested after the previous one was played.
FORMATS: dict[str, Callable[[Tournament, Results], Rounds]] = {
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knockout": _knockout,
}


#: A pair of a tournament, and the tally of its meeting.
Planned = tuple[Pair, Tally]


@dataclass(frozen=True)
class Tournament:
    """Description of a tournament.

    Attributes:
        game: the spec of the game.
        players: specs of the players in seeding order, without duplicates.
        format: one of `FORMATS`.
        pairs: number of game pairs of each meeting.
        rounds: number of rounds of a Swiss tournament; 0 plays enough rounds to find a winner.
        limit: limit of each move.
        seed: seed of all random choices.
        openings: openings of the pairs of a meeting, used in turn; by default the start position.
        conditions: clocks and early ends of games.
        guards: resource limits of external players; not part of the tournament's identity.
    """

    game: str
    players: tuple[str, ...]
    format: str = "round-robin"
    pairs: int = 10
    rounds: int = 0
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    openings: Openings = ()
    conditions: Conditions = field(default_factory=Conditions, repr=False)
    guards: Guards = field(default_factory=Guards, repr=False)

    @property
    def event(self) -> str:
        """Name of the games in a store; equal tournaments have the same name."""
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
        players: specs of the players in seeding order.
        meetings: result of each meeting from the first player's view, in playing order.
        byes: player with a bye in each round of a Swiss tournament with an odd number of players.
    """

    players: tuple[str, ...]
    meetings: list[tuple[Meeting, Tally]] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, tournament: Tournament, store: Store) -> Results:
        """Returns the results of a tournament's games in a store."""
        results, known = cls(tournament.players), known_games(tournament.event, store)
        for planned in _rounds(tournament, results, known):
            # The next round may depend on missing games of this round.
            if any(missing_games([pair for pair, _ in planned], known)):
                break
        return results

    @property
    def games(self) -> int:
        """Number of counted games."""
        return sum(tally.games for _, tally in self.meetings)

    def points(self) -> dict[str, float]:
        """Returns the points of each player in seeding order; a bye counts 0."""
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
        """Returns the number of meetings of each pair of players."""
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
        """Returns Bradley–Terry ratings with 95 % intervals.

        Returns None if some players are not connected by games, directly or through other players.
        """
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
        """Returns standings and crosstable (wins, draws, losses of the row against the column).

        Standings are sorted by rating, or by points if there are no ratings yet.
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
        results: updated in place, so that the caller has the results after an interruption.
        on_known: called with each game that is already in the store, at the start of its round.
        store: store to continue from; finished games are added to it.
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
    """Yields the pairs of each round after counting the games in `known`.

    The caller must play a round before it asks for the next round, which depends on the results.
    """
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
