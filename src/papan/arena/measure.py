"""Comparing two players: plays game pairs until the result is clear or a limit is reached.

Levels, tuning, grading, `papan reproduce` and `papan match` all use this module. A match is plain
data. Its name is derived from all its settings, so that an interrupted match finds its games in a
store and continues.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from papan.arena.pairs import Pair, Seats, play_pairs
from papan.arena.score import Tally, is_finished
from papan.arena.suite import Openings, opening_at
from papan.campaign import Campaign, undivided
from papan.play.referee import Conditions
from papan.protocol.guards import Guards
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.sprt import Sprt, SprtResult

if TYPE_CHECKING:
    from papan.arena.event import Tournament
    from papan.records.store import Store

#: Distance between the seeds of two events: a prime, since the pairs of an event use consecutive
#: seeds.
_SEEDS_OF_AN_EVENT = 1_000_003


@dataclass(frozen=True)
class Match:
    """Description of a match between two players.

    Attributes:
        game: the spec of the game.
        first: the spec of the player with `x` in the odd games (1, 3, 5, …).
        second: the spec of the other player.
        games: maximum number of games.
        limit: limit of each move.
        seed: seed of all random choices; both games of a pair use the same seed.
        openings: openings of the pairs, used in turn; by default the start position.
        sprt: sequential test whose decision ends the match; None plays all games.
        conditions: clocks and early ends of games.
        guards: resource limits of external players; not part of the match's identity.
    """

    game: str
    first: str
    second: str
    games: int
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    openings: Openings = ()
    sprt: Sprt | None = None
    conditions: Conditions = field(default_factory=Conditions)
    guards: Guards = field(default_factory=Guards)

    @property
    def event(self) -> str:
        """Name of the games in a store; equal matches have the same name.

        The name does not depend on the number of games, so that a match can be extended.
        """
        parts = (self.game, self.first, self.second, self.limit, self.seed, self.openings)
        text = repr(parts)
        if conditions := self.conditions.identity():
            text = f"{text[:-1]}, {conditions})"
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"match {self.first} – {self.second} {digest[:12]}"

    def pairs(self, known: Collection[int] = ()) -> Iterator[Pair]:
        """Yields the pairs in order, without the games whose rounds are in `known`."""
        for number in range((self.games + 1) // 2):
            pair = pair_of(self, number, (self.first, self.second), number)
            # With an odd number of games, the last pair has one game.
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
        tally: updated in place, may already have results; by default a new tally.
        on_known: called first, with each game that is already in the store.
        store: store to continue from; finished games are added to it.
        campaign: workers, time limit and stop; by default this process plays all pairs.
        seats: see `play_pairs`.

    Returns:
        The tally. Games are missing only if the sequential test decided or the campaign ended.
    """
    tally = Tally() if tally is None else tally
    for record in known_games(match.event, store).values():
        # The store may have later rounds: the name does not depend on the number of games.
        if record.round <= match.games:
            tally.add(record)
            if on_known is not None:
                on_known(record)
    if is_decided(match, tally):
        return tally
    playing = play_and_keep(match.pairs(tally.rounds), store, campaign, seats)
    with closing(playing):
        for _, record in playing:
            tally.add(record)
            if on_game is not None:
                on_game(record, tally)
            # Closing cancels the running pairs: more games would not change the decision.
            if is_decided(match, tally):
                break
    return tally


def verdict(match: Match, tally: Tally) -> SprtResult | None:
    """Returns the state of the sequential test on complete pairs; None without a test."""
    return match.sprt.test(tally.paired) if match.sprt is not None else None


def is_decided(match: Match, tally: Tally) -> bool:
    """Returns True if the match's sequential test has decided."""
    result = verdict(match, tally)
    return result is not None and result.decision != "continue"


def play_and_keep(
    pairs: Iterable[Pair],
    store: Store | None,
    campaign: Campaign | None,
    seats: Seats | None = None,
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each pair with its record after adding the record to the store.

    Ctrl-C waits until the caller asks for the next one: a stored game also counts.
    """
    with closing(play_pairs(pairs, campaign, seats)) as finished:
        for pair, record in finished:
            with undivided():
                # Store before yielding, so that no game is lost that was shown to the user.
                if store is not None:
                    store.add(record)
                yield pair, record


def known_games(event: str, store: Store | None) -> dict[int, Record]:
    """Returns the finished games of an event in a store, by round."""
    records = [] if store is None else store.find(event=event)
    return {record.round: record for record in records if is_finished(record)}


def pair_of(event: Match | Tournament, number: int, meeting: tuple[str, str], index: int) -> Pair:
    """Returns a pair of an event.

    Args:
        event: the event.
        number: number of the pair in the event.
        meeting: the two players.
        index: number of the pair in its meeting; each meeting starts with the first opening.
    """
    first, second = meeting
    return Pair(
        event=event.event,
        number=number,
        game=event.game,
        first=first,
        second=second,
        opening=opening_at(event.openings, event.game, index),
        limit=event.limit,
        seed=event.seed * _SEEDS_OF_AN_EVENT + number,
        conditions=event.conditions,
        guards=event.guards,
    )


def missing_games(pairs: Iterable[Pair], known: Collection[int]) -> Iterator[Pair]:
    """Yields the pairs without the games whose rounds are in `known`."""
    for pair in pairs:
        games = tuple(index for index in pair.games if pair.round(index) not in known)
        if games:
            yield replace(pair, games=games)
