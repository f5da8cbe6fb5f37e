"""Game pairs: the unit of every match and tournament.

Two players meet twice from one opening, with the sides exchanged. A pair is a small description
that any process can play: players are made from their specs where the pair is played. Delivery is
at least once; what is known of a pair is keyed by its event and number, so that nothing counts
twice.
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
        number: which pair of the event, from 0; its games are the rounds 2·number + 1 and + 2.
        game: the spec of the game.
        first: the spec of the player that has `x` in the first game.
        second: the spec of the other one.
        opening: moves played before the players are asked.
        limit: what each move may take.
        seed: what the players' chance is seeded with, in both games.
        games: which of the two games to play: 0 and 1.
        conditions: clocks, and when a game ends before the rules end it.
        guards: what players that are programs may take.
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
        """The number, within the event, of one of its games (0 or 1)."""
        return 2 * self.number + 1 + index

    def sides(self, index: int) -> tuple[str, str]:
        """The specs of `x` and `o` in one of its games (0 or 1)."""
        return (self.first, self.second) if index == 0 else (self.second, self.first)

    def play(self, on_move: OnMove | None = None, seats: Seats | None = None) -> Iterator[Record]:
        """Plays the games one after the other.

        Args:
            on_move: called before the first move of each game and after each move, with the game
                (0 or 1) and all its moves so far, those of the opening included.
            seats: the players; by default those of this process.

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

        def moved(position: Position, choice: Choice) -> None:
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
            on_move=moved,
        )
        return record_of(played, event=self.event, number=self.round(index), opening=self.opening)


def record_of(
    played: PlayedGame, *, event: str = "", number: int = 0, opening: tuple[str, ...] = ()
) -> Record:
    """The record of a game: the `number`-th, from 1, of its event.

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


#: Of the process and not of a pair: a worker plays many, and programs take long to start.
_SEATS = Seats()


def close_players() -> None:
    """Lets go of the players of this process, which are kept from pair to pair."""
    _SEATS.close()


atexit.register(close_players)


def play_pairs(
    pairs: Iterable[Pair], campaign: Campaign | None = None, seats: Seats | None = None
) -> Generator[tuple[Pair, Record], None, None]:
    """Plays pairs; yields each game with its pair. In this process it is yielded as soon as it is
    finished, and from workers with the other game of its pair.

    Args:
        pairs: read one by one, as there is room for them; may depend on earlier results.
        campaign: the workers, and the end; by default this process plays all pairs.
        seats: the players if this process plays; by default those of the process. A player that
            plays pairs while it plays one itself has seats of its own for them.

    Raises:
        PapanError: a pair has broken one worker process after the other.
    """
    campaign = campaign or Campaign()
    campaign.at_end((seats or _SEATS).close)
    yield from campaign.run(Pair.play if seats is None else partial(Pair.play, seats=seats), pairs)
