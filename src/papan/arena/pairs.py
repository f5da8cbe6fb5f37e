"""Game pairs: the unit of every match and tournament.

Two players meet twice from one opening, with the sides exchanged. A pair is a small description
that any process can play: players are made from their specs where the pair is played. Delivery is
at least once; what is known of a pair is keyed by its event and number, so that nothing counts
twice.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from papan.arena.workers import Workers
from papan.core import registry as games
from papan.errors import PapanError
from papan.play.conditions import Conditions
from papan.play.referee import PlayedGame, play_game
from papan.players import registry as players
from papan.players.base import Player
from papan.records.model import LONGEST_SAYING, Record, now
from papan.search.limits import Limit

#: A pair that has broken so many worker processes is given up.
MOST_ATTEMPTS = 3

#: So many pairs wait for each worker, so that none is ever idle.
WAITING = 2

Finished = tuple["Pair", tuple[Record, ...]]


@dataclass(frozen=True)
class Pair:
    """Two games between two players.

    Attributes:
        event: the match or tournament.
        number: which pair of the event, from 0; its games are the rounds 2·number + 1 and + 2.
        game: the spec of the game.
        first: the spec of the player that has `x` in the first game.
        second: the spec of the other one.
        opening: moves played before the players are asked.
        limit: what each move may take.
        seed: what the players' chance is seeded with, in both games.
        games: which of the two games to play: 0 and 1.
        conditions: clocks, and when a game ends before the rules end it.
    """

    event: str
    number: int
    game: str
    first: str
    second: str
    opening: tuple[str, ...] = ()
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    games: tuple[int, ...] = (0, 1)
    conditions: Conditions = field(default_factory=Conditions)

    def round(self, index: int) -> int:
        """The number, within the event, of one of its games (0 or 1)."""
        return 2 * self.number + 1 + index

    def play(self) -> Iterator[Record]:
        """Plays the games one after the other.

        Raises:
            UsageError: a spec or an opening move is wrong, or a player does not play this game.
        """
        position = games.game(self.game).start()
        for move in self.opening:
            position = position.play(move)
        for index in self.games:
            here, there = _SEATS.player(self.first, 0), _SEATS.player(self.second, 1)
            table = {"x": here, "o": there} if index == 0 else {"x": there, "o": here}
            played = play_game(
                table, position, self.limit, conditions=self.conditions, seed=self.seed
            )
            yield record_of(
                played, event=self.event, number=self.round(index), opening=self.opening
            )


def play_pair(pair: Pair) -> tuple[Record, ...]:
    """The records of a pair's games, played now and here."""
    return tuple(pair.play())


def record_of(
    played: PlayedGame, *, event: str = "", number: int = 0, opening: tuple[str, ...] = ()
) -> Record:
    """What is kept of a game: the `number`-th, from 1, of its event.

    With an opening, the record begins at the game's start and has the opening's moves in front.
    """
    start = played.start
    at_start = bool(opening) or start == start.game.start()
    return Record(
        game=start.game.spec,
        x=played.players["x"],
        o=played.players["o"],
        moves=opening + played.moves,
        result=played.outcome.value if played.outcome else "*",
        termination=played.termination.value,
        start="" if at_start else str(start),
        detail=played.detail[:LONGEST_SAYING],
        given=played.given[:LONGEST_SAYING],
        exit_code=played.exit_code,
        time_control=played.time_control,
        seconds=played.seconds,
        seed=played.seed,
        event=event,
        round=number,
        played=now(),
    )


class _Seats:
    """The players of this process, kept from pair to pair; two of a kind where one plays itself,
    and others in each thread: a player plays one game at a time."""

    def __init__(self) -> None:
        self._players: dict[tuple[int, str, int], Player] = {}

    def player(self, spec: str, seat: int) -> Player:
        """The player of a spec on one of two seats, for this thread."""
        key = threading.get_ident(), spec, seat
        if key not in self._players:
            self._players[key] = players.player(spec)
        return self._players[key]

    def close(self) -> None:
        """Lets go of all players, their processes and their memory."""
        for player in self._players.values():
            player.close()
        self._players.clear()


_SEATS = _Seats()
atexit.register(_SEATS.close)


def play_pairs(
    pairs: Iterable[Pair], *, workers: int = 1, executor: Executor | None = None
) -> Generator[Finished, None, None]:
    """Plays pairs and yields what is finished as soon as it is: each pair with the records of
    its games, or, played in this process, of one game at a time.

    Args:
        pairs: read one by one, as there is room for them; may depend on earlier results.
        workers: processes on this machine; 1 plays in this process, 0 takes one a processor.
            Those of an executor, roughly: twice as many pairs are handed over in advance.
        executor: plays the pairs instead of processes of this machine.

    Raises:
        PapanError: a pair has broken one worker process after the other.
    """
    if executor is None and workers == 1:
        return _play_here(pairs)
    return _Crowd(executor, workers or os.cpu_count() or 1).play(iter(pairs))


def _play_here(pairs: Iterable[Pair]) -> Generator[Finished, None, None]:
    try:
        for pair in pairs:
            for record in pair.play():
                yield pair, (record,)
    finally:
        _SEATS.close()


class _Crowd:
    """An executor that is kept supplied with pairs, and pairs that are sent again when the
    worker that had them has died."""

    def __init__(self, executor: Executor | None, workers: int) -> None:
        self.given, self.workers = executor, workers
        self.own: Workers | None = None
        self.running: dict[Future[tuple[Record, ...]], Pair] = {}
        self.attempts: dict[tuple[str, int], int] = {}

    def play(self, pairs: Iterator[Pair]) -> Generator[Finished, None, None]:
        """Yields each pair with its records, in the order they are finished."""
        try:
            while True:
                while len(self.running) < WAITING * self.workers:
                    pair = next(pairs, None)
                    if pair is None:
                        break
                    self._send(pair)
                if not self.running:
                    return
                done = wait(self.running, return_when=FIRST_COMPLETED).done
                for future in sorted(done, key=_has_failed):
                    pair = self.running.pop(future)
                    try:
                        yield pair, future.result()
                    except BrokenProcessPool:
                        self._send(pair)
        finally:
            self._end()

    def _send(self, pair: Pair) -> None:
        name = pair.event, pair.number
        self.attempts[name] = self.attempts.get(name, 0) + 1
        if self.attempts[name] > MOST_ATTEMPTS:
            raise PapanError("arena.gives-up", text=f"{pair.first} – {pair.second}")
        try:
            future = self._executor().submit(play_pair, pair)
        except BrokenProcessPool:
            self._abandon()
            future = self._executor().submit(play_pair, pair)
        self.running[future] = pair

    def _executor(self) -> Executor:
        if self.given is not None:
            return self.given
        if self.own is None:
            self.own = Workers(self.workers)
        return self.own.pool

    def _end(self) -> None:
        """Ends the workers: with pairs that nobody waits for any more in the middle of them."""
        for future in self.running:
            future.cancel()
        if self.running:
            self._abandon()
        elif self.own is not None:
            self.own.finish()

    def _abandon(self) -> None:
        if self.own is not None:
            self.own.abandon()
            self.own = None


def _has_failed(future: Future[tuple[Record, ...]]) -> bool:
    """Whether a future that is done has no result: those that have one are yielded first, as a
    failure may be the end of everything."""
    return future.cancelled() or future.exception() is not None
