"""Game pairs: the unit of every match and tournament.

Two players meet twice from one opening, with the sides exchanged. A pair is a small description
that any process can play: the process creates the players from their specs. A pair may be played
twice if a worker dies; its results are keyed by event and number, so no game counts twice.
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

#: Called with a game of a pair (0 or 1) and all its moves so far.
OnMove = Callable[[int, tuple[str, ...]], None]


@dataclass(frozen=True)
class Pair:
    """Two games between two players.

    Attributes:
        event: the match or tournament.
        number: number of the pair in its event, from 0; its games are the rounds 2·number + 1 and
            2·number + 2.
        game: the spec of the game.
        first: the spec of the player that has `x` in the first game.
        second: the spec of the other player.
        opening: moves played before the players move.
        limit: limit of each move.
        seed: seed of both players, the same in both games.
        games: the games to play: 0, 1 or both.
        conditions: clocks, and when a game ends before the rules end it.
        guards: limits of players that are programs.
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
        """Plays the games one after the other; yields the record of each.

        Args:
            on_move: called before the first move of each game and after each move, with the game
                (0 or 1) and all its moves so far, those of the opening included.
            seats: has the players; by default the seats of this process.

        Raises:
            UsageError: a spec or an opening move is wrong, or a player does not play this game.
        """
        seats = seats or _SEATS
        start = (seats.game or games.game(self.game)).start().play(*self.opening)
        for index in self.games:
            yield self._game(index, start, on_move, seats)

    def _game(self, index: int, start: Position, on_move: OnMove | None, seats: Seats) -> Record:
        """One of the two games."""
        # By order in the pair and not by side, so that a player keeps what it has prepared.
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
    """Returns the record of a game, of round `number` of its event (from 1).

    With an opening, the record starts at the game's start and begins with the opening's moves.
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
    """Players that are kept from pair to pair; two of a kind where one plays itself, and others in
    each thread: a player plays one game at a time.

    Args:
        game: the game of all pairs, for games that no spec names.
    """

    def __init__(self, game: Game | None = None) -> None:
        self.game = game
        self._players: dict[tuple[int, str, int], Player] = {}

    def player(self, spec: str, seat: int) -> Player:
        """Returns the player of a spec on seat 0 or 1, for this thread."""
        key = threading.get_ident(), spec, seat
        if key not in self._players:
            self._players[key] = players.player(spec)
        return self._players[key]

    def close(self) -> None:
        """Closes all players, which ends their processes and frees their memory."""
        for player in self._players.values():
            player.close()
        self._players.clear()


#: Of the process and not of a pair: a worker plays many, and programs take long to start.
_SEATS = Seats()


def close_players() -> None:
    """Closes the players of this process, which are kept from pair to pair."""
    _SEATS.close()


atexit.register(close_players)


def play_pairs(
    pairs: Iterable[Pair], campaign: Campaign | None = None, seats: Seats | None = None
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each pair with the record of each of its games.

    Args:
        pairs: read one by one; may depend on earlier results.
        campaign: workers, time limit and stop; by default this process plays all pairs.
        seats: has the players if this process plays; by default the seats of this process. A player
            that plays pairs inside a pair needs other seats.

    Raises:
        PapanError: a pair has broken `MOST_ATTEMPTS` worker processes.
    """
    campaign = campaign or Campaign()
    campaign.at_end((seats or _SEATS).close)
    yield from campaign.run(Pair.play if seats is None else partial(Pair.play, seats=seats), pairs)
