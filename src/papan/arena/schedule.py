"""Schedules: the formats of tournaments, as pure functions on the players' names.

A meeting is (first, second); how many game pairs it has is the tournament's affair. Round-robin
and gauntlet are known from the start; Swiss and knockout ask for the results so far.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.arena.event import Results, Tournament

Meeting = tuple[str, str]

#: Times that a meeting of a knockout that stays level is played; then the better seed goes on.
MOST_REPLAYS = 3


def round_robin(players: Sequence[str]) -> list[list[Meeting]]:
    """Meetings of all players with each other, in rounds without one twice (the circle method).

    Returns:
        Rounds of meetings; with an odd number of players one of them rests in each round.
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
    """The first player meets each of the others, one a round."""
    hero, *others = players
    return [[(hero, other)] for other in others]


def swiss_round(
    points: Mapping[str, float], met: Mapping[frozenset[str], int], rested: Sequence[str] = ()
) -> tuple[list[Meeting], str | None]:
    """A round of a Swiss tournament: players of like scores meet, as few as possible once more.

    Args:
        points: the score of each player so far, in the order of seeding.
        met: how often two players have met.
        rested: who has had a bye already.

    Returns:
        The meetings, and who rests if the number of players is odd.
    """
    order = sorted(points, key=lambda name: -points[name])  # stable: seeding breaks ties
    bye = None
    if len(order) % 2:
        bye = next((name for name in reversed(order) if name not in rested), order[-1])
        order.remove(bye)
    return _pair_up(order, met), bye


def _pair_up(order: list[str], met: Mapping[frozenset[str], int]) -> list[Meeting]:
    """Meetings of neighbours in a ranking with as few repeated ones as possible.

    The search backtracks over partners in the order of the ranking, first allowing no meeting to
    be repeated, then one more each time until it succeeds.
    """
    for allowed in itertools.count():
        meetings = _match(tuple(order), met, allowed)
        if meetings is not None:
            return meetings
    raise AssertionError("unreachable")


def _match(
    order: tuple[str, ...], met: Mapping[frozenset[str], int], allowed: int
) -> list[Meeting] | None:
    """Meetings in which no two players have met more than `allowed` times before."""
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
    """The first round of a knockout, in the order of the bracket.

    Seeds are placed so that the best two can only meet in the final, the best four in the
    semi-finals. Places left over by a number of players that is no power of two are byes: the
    best seeds stand alone.
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
        for meeting in meetings:  # still level: the better seed
            through.setdefault(meeting, min(meeting, key=tournament.players.index))
        left = [through[p] if len(p) == 2 else p[0] for p in field_of]
        if len(left) == 1:
            return
        field_of = list(zip(left[::2], left[1::2], strict=True))


def _winners(meetings: Sequence[Meeting], results: Results) -> dict[Meeting, str]:
    """Winners of the meetings that were played last; level ones are left out."""
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
