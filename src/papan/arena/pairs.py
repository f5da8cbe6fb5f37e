"""Game pairs: the unit of every match and tournament.

Two players play two games from one opening, once with each side. A pair is plain data: any process
can create the players from their specs and play it. A pair may be played twice if a worker dies;
its results are keyed by event and round, so no game counts twice.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from papan.campaign import Campaign
from papan.core.game import Game, Position
from papan.play.referee import Conditions, PlayedGame, play_game
from papan.players import registry as players
from papan.players.base import Choice, Player
from papan.protocol.guards import Guards
from papan.records.model import LONGEST_SAYING, Record, now
from papan.search.limits import Limit
from papan.usercode import registry as games

#: Called with the index of a game in its pair (0 or 1) and all moves of the game so far.
OnMove = Callable[[int, tuple[str, ...]], None]


@dataclass(frozen=True)
class Pair:
    """Two games between two players.

    Attributes:
        event: name of the match or tournament.
        number: number of the pair in its event, from 0; its games are the rounds 2·number + 1 and
            2·number + 2.
        game: the spec of the game.
        first: the spec of the player that has `x` in the first game.
        second: the spec of the other player.
        opening: moves that are made before the players move.
        limit: limit of each move.
        seed: seed of both players, the same in both games.
        games: indices of the games to play: 0, 1 or both.
        conditions: clocks and early ends of games.
        guards: resource limits of external players.
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
    guards: Guards = field(default_factory=Guards)

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    def round(self, index: int) -> int:
        """Returns the round of game `index` (0 or 1) within the event."""
        return 2 * self.number + 1 + index

    def sides(self, index: int) -> tuple[str, str]:
        """Returns the specs of `x` and `o` in game `index` (0 or 1)."""
        return (self.first, self.second) if index == 0 else (self.second, self.first)

    def play(self, on_move: OnMove | None = None, seats: Seats | None = None) -> Iterator[Record]:
        """Plays the games in order; yields the record of each game.

        Args:
            on_move: called before the first move of each game and after each move, with the index
                of the game (0 or 1) and all its moves so far, including the opening.
            seats: cache of the players; by default the cache of this process.

        Raises:
            UsageError: a spec or an opening move is invalid, or a player does not support the game.
        """
        seats = seats or _SEATS
        start = (seats.game or games.game(self.game)).start().play(*self.opening)
        for index in self.games:
            yield self._game(index, start, on_move, seats)

    def _game(self, index: int, start: Position, on_move: OnMove | None, seats: Seats) -> Record:
        """Plays one of the two games and returns its record."""
        # Seats go by order in the pair, not by side, so that a player keeps its caches in both
        # games.
        here, there = seats.player(self.first, 0), seats.player(self.second, 1)
        moves = list(self.opening)
        for player in (here, there):
            player.guard(self.guards)
            player.expect(self.opening)

        def add_move(position: Position, choice: Choice) -> None:
            moves.append(str(choice.move))
            if on_move is not None:
                on_move(index, tuple(moves))

        if on_move is not None:
            on_move(index, self.opening)
        played = play_game(
            {"x": here, "o": there} if index == 0 else {"x": there, "o": here},
            start,
            self.limit,
            conditions=self.conditions,
            seed=self.seed,
            on_move=add_move,
        )
        return record_of(played, event=self.event, number=self.round(index), opening=self.opening)


def record_of(
    played: PlayedGame, *, event: str = "", number: int = 0, opening: tuple[str, ...] = ()
) -> Record:
    """Returns the record of a game that is round `number` of its event (from 1).

    With an opening, the moves of the record begin at the game's start with the opening.
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


class Seats:
    """A cache of players, so that they need not be created again for each pair.

    Each thread has its own players, since a player plays one game at a time. A spec that plays
    against itself has two players.

    Args:
        game: the game of all pairs, for games without a spec.
    """

    def __init__(self, game: Game | None = None) -> None:
        self.game = game
        self._players: dict[tuple[int, str, int], Player] = {}

    def player(self, spec: str, seat: int) -> Player:
        """Returns this thread's player for a spec on seat 0 or 1."""
        key = threading.get_ident(), spec, seat
        if key not in self._players:
            self._players[key] = players.player(spec)
        return self._players[key]

    def close(self) -> None:
        """Closes all players, which ends their processes and frees their memory."""
        for player in self._players.values():
            player.close()
        self._players.clear()


#: One cache per process, not per pair: a worker plays many pairs, and programs start slowly.
_SEATS = Seats()


def close_players() -> None:
    """Closes the cached players of this process."""
    _SEATS.close()


atexit.register(close_players)


def play_pairs(
    pairs: Iterable[Pair], campaign: Campaign | None = None, seats: Seats | None = None
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each pair with the record of each of its games.

    Args:
        pairs: read lazily; a pair may depend on earlier results.
        campaign: workers, time limit and stop; by default this process plays all pairs.
        seats: cache of the players if this process plays; by default the cache of this process. A
            player that itself plays pairs needs separate seats.

    Raises:
        PapanError: a pair broke `MOST_ATTEMPTS` worker processes.
    """
    campaign = campaign or Campaign()
    campaign.at_end((seats or _SEATS).close)
    yield from campaign.run(Pair.play if seats is None else partial(Pair.play, seats=seats), pairs)
