"""Tournament formats as pure functions of the players' names.

A meeting is a tuple (first, second); the tournament decides how many game pairs a meeting has. The
meetings of round-robin and gauntlet are known in advance; Swiss and knockout depend on the results.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.arena.event import Results, Tournament

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
