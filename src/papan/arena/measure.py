"""Measuring how two players compare: game pairs until there are enough or the result is clear.

Levels, tuning, grading, the sources' reproduction and `papan match` all measure here. A match is a
plain description that goes on where it was broken off: its name is made from all that it depends
on, and its games are found in a store by that name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from papan.arena.openings import Opening
from papan.arena.pairs import Pair, Seats, play_pairs
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.play.referee import Conditions
from papan.protocol.guards import Guards
from papan.records.model import UNFINISHED, Record
from papan.search.limits import Limit
from papan.stats.sprt import Sprt, SprtResult

if TYPE_CHECKING:
    from papan.arena.event import Tournament
    from papan.records.store import Store

#: A prime distance between the seeds of events, since the pairs of an event have consecutive seeds.
_SEEDS_OF_AN_EVENT = 1_000_003


@dataclass(frozen=True)
class Match:
    """Description of a match between two players.

    Attributes:
        game: the spec of the game.
        first: the spec of the player that has `x` in games 1, 3, 5, …
        second: the spec of the other player.
        games: maximum number of games.
        limit: limit of each move.
        seed: seed of all random choices; both games of a pair have the same seed.
        openings: openings of the pairs, used in turn.
        sprt: test whose decision ends the match; None plays all games.
        conditions: clocks, and when a game ends before the rules end it.
        guards: limits of players that are programs; not part of the match's identity.
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
        """Name of the games in a store: the same for equal matches. It does not depend on the
        number of games, so that a match can be extended."""
        parts = (self.game, self.first, self.second, self.limit, self.seed, self.openings)
        text = repr(parts)
        if conditions := self.conditions.identity():
            text = f"{text[:-1]}, {conditions})"
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"match {self.first} – {self.second} {digest[:12]}"

    def pairs(self, known: Collection[int] = ()) -> Iterator[Pair]:
        """Yields the pairs in their order, without games whose rounds are in `known`."""
        for number in range((self.games + 1) // 2):
            pair = pair_of(self, number, (self.first, self.second), number)
            # An odd number of games leaves half a pair at the end.
            games = (0, 1)[: self.games - 2 * number]
            yield from missing_games([replace(pair, games=games)], known)


def measure(
    match: Match,
    on_game: Callable[[Record, Tally], None] | None = None,
    *,
    tally: Tally | None = None,
    on_known: Callable[[Record], None] | None = None,
    store: Store | None = None,
    campaign: Campaign | None = None,
    seats: Seats | None = None,
) -> Tally:
    """Plays the missing games of a match and returns its result.

    Args:
        match: the players, the game and the openings.
        on_game: called with each finished game and the result so far.
        tally: counts finished games, and has those that are known already; by default a new one.
        on_known: called before with each game that the store has.
        store: keeps the games, and has those that are known already.
        campaign: workers, time limit and stop; by default this process plays all pairs.
        seats: see `play_pairs`.

    Returns:
        The tally. It lacks games only if the match's test was decided or the campaign is over.
    """
    tally = Tally() if tally is None else tally
    for record in known_games(match.event, store).values():
        # The store may have more of them: the number of games is not part of the event's name.
        if record.round <= match.games:
            tally.add(record)
            if on_known is not None:
                on_known(record)
    if is_decided(match, tally):
        return tally
    playing = play_and_keep(match.pairs(tally.points), store, campaign, seats)
    with closing(playing):
        for _, record in playing:
            tally.add(record)
            if on_game is not None:
                on_game(record, tally)
            # Pairs under way are cancelled: more games would not change the decision.
            if is_decided(match, tally):
                break
    return tally


def verdict(match: Match, tally: Tally) -> SprtResult | None:
    """Returns the state of the match's test, on complete pairs only; None if it has no test."""
    return match.sprt.test(tally.paired) if match.sprt is not None else None


def is_decided(match: Match, tally: Tally) -> bool:
    """Returns True once the match's test is decided."""
    result = verdict(match, tally)
    return result is not None and result.decision != "continue"


def play_and_keep(
    pairs: Iterable[Pair],
    store: Store | None,
    campaign: Campaign | None,
    seats: Seats | None = None,
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each pair with its record, which the store has by then."""
    with closing(play_pairs(pairs, campaign, seats)) as finished:
        for pair, record in finished:
            # Stored before it is counted, so that a game that was shown is never lost.
            if store is not None:
                store.add(record)
            yield pair, record


def known_games(event: str, store: Store | None) -> dict[int, Record]:
    """Returns the games that a store has of an event, by round, without those broken off."""
    records = [] if store is None else store.find(event=event)
    return {record.round: record for record in records if record.result != UNFINISHED}


def pair_of(event: Match | Tournament, number: int, meeting: tuple[str, str], index: int) -> Pair:
    """Returns a pair of an event.

    Args:
        event: the event.
        number: number of the pair in the event.
        meeting: the two players.
        index: number of the pair in their meeting; each meeting starts with the first opening.
    """
    first, second = meeting
    # Without openings each pair has the empty opening.
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


def missing_games(pairs: Iterable[Pair], known: Collection[int]) -> Iterator[Pair]:
    """Yields the pairs without the games whose rounds are known already."""
    for pair in pairs:
        games = tuple(index for index in pair.games if pair.round(index) not in known)
        if games:
            yield replace(pair, games=games)
