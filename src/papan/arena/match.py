"""A match: games between two players, in pairs with colours swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from papan.arena.referee import PlayedGame, play_game
from papan.games.base import Game, Outcome
from papan.players.base import Player
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats import Trinomial, elo_difference, los


@dataclass(frozen=True)
class Match:
    """Two players and how often they meet.

    Attributes:
        game: what is played.
        first: the player that has `x` in games 1, 3, 5, …
        second: the other one.
        games: how many games.
        limit: what each move may take.
        seed: games 1 and 2, 3 and 4, … are seeded alike.
    """

    game: Game
    first: Player
    second: Player
    games: int
    limit: Limit = field(default_factory=Limit)
    seed: int = 0

    def play(self) -> Iterator[PlayedGame]:
        """The games, one after the other, as they are finished."""
        for number in range(self.games):
            players = {"x": self.first, "o": self.second}
            if number % 2 == 1:
                players = {"x": self.second, "o": self.first}
            seed = self.seed * 1_000_003 + number // 2
            yield play_game(players, self.game.start(), self.limit, seed=seed)


@dataclass
class Tally:
    """The result of a match, in the first player's view, growing game by game."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    terminations: Counter[str] = field(default_factory=Counter)

    def add(self, played: PlayedGame, side: str) -> None:
        """Counts a game in which the first player had `side`."""
        self.terminations[played.termination.value] += 1
        if played.outcome is Outcome.DRAW:
            self.draws += 1
        elif played.outcome is not None and played.outcome.winner == side:
            self.wins += 1
        elif played.outcome is not None:
            self.losses += 1

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    def as_dict(self) -> dict[str, Any]:
        """Counts, score in [0, 1], Elo difference and the error of its 95 % interval."""
        counts = Trinomial(wins=self.wins, draws=self.draws, losses=self.losses)
        estimate = elo_difference(counts) if self.games else None
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "terminations": dict(self.terminations),
            "score": counts.score if self.games else None,
            "elo": estimate.value if estimate else None,
            "error": estimate.error if estimate else None,
            "elo_bound": estimate.bound if estimate else None,
            "los": los(counts) if self.games else None,
        }


def play_match(
    match: Match, on_game: Callable[[int, PlayedGame, Tally], None] | None = None
) -> Tally:
    """Plays a match and tells `on_game` of each finished game: its number from 0, the game, the
    tally so far."""
    tally = Tally()
    for number, played in enumerate(match.play()):
        tally.add(played, "x" if number % 2 == 0 else "o")
        if on_game is not None:
            on_game(number, played, tally)
    return tally


def record_of(played: PlayedGame, event: str = "", number: int = 0) -> Record:
    """What is kept of a game: the `number`-th, from 1, of its event."""
    start = played.start
    return Record(
        game=start.game.spec,
        x=played.players["x"],
        o=played.players["o"],
        moves=played.moves,
        result=played.outcome.value if played.outcome else "*",
        termination=played.termination.value,
        start="" if start == start.game.start() else str(start),
        detail=played.detail,
        seconds=played.seconds,
        seed=played.seed,
        event=event,
        round=number,
        played=datetime.now(UTC).isoformat(timespec="seconds"),
    )
