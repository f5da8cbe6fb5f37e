"""A match: game pairs between two players, until there are enough or the result is clear."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from papan.arena.pairs import Pair, play_pairs
from papan.arena.score import Tally
from papan.play.conditions import Conditions
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats import Sprt, SprtResult

if TYPE_CHECKING:
    from papan.records.store import Store

Opening = tuple[str, ...]


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
            last = min(2, self.games - 2 * number)
            left = tuple(i for i in range(last) if 2 * number + 1 + i not in known)
            opening = self.openings[number % len(self.openings)] if self.openings else ()
            if left:
                yield Pair(
                    event=self.event,
                    number=number,
                    game=self.game,
                    first=self.first,
                    second=self.second,
                    opening=opening,
                    limit=self.limit,
                    seed=self.seed * 1_000_003 + number,
                    games=left,
                    conditions=self.conditions,
                )


def play_match(
    match: Match,
    on_game: Callable[[Record, Tally], None] | None = None,
    *,
    store: Store | None = None,
    workers: int = 1,
    executor: Executor | None = None,
) -> Tally:
    """Plays a match and returns its result.

    Args:
        match: what to play.
        on_game: told of each finished game and of the result so far.
        store: where games are kept; those that it has of this match are not played again.
        workers: processes on this machine; 1 plays in this process, 0 takes one a processor.
        executor: plays the pairs instead of processes of this machine.
    """
    tally = Tally()
    if store is not None:
        for record in store.find(event=match.event):
            if record.round <= match.games:
                tally.add(record)
    if is_decided(match, tally):
        return tally
    finished = play_pairs(match.pairs(set(tally.points)), workers=workers, executor=executor)
    with closing(finished):
        for _, records in finished:
            for record in records:
                if store is not None:
                    store.add(record)
                tally.add(record)
                if on_game is not None:
                    on_game(record, tally)
            if is_decided(match, tally):
                break
    return tally


def verdict(match: Match, tally: Tally) -> SprtResult | None:
    """How the match's test stands, if it has one; complete pairs alone are looked at."""
    return match.sprt.test(tally.paired) if match.sprt is not None else None


def is_decided(match: Match, tally: Tally) -> bool:
    """Whether the match's test has come to a decision."""
    result = verdict(match, tally)
    return result is not None and result.decision != "continue"
