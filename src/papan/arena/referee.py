"""The referee of one game: owns rules, board, clock and result, and trusts no player."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from papan.errors import PapanError, UsageError
from papan.games.base import Outcome, Position
from papan.players.base import Choice, Player
from papan.search.limits import Limit

#: A player's clock shows so much more than its limit before the game is forfeited, in seconds:
#: what the machine, not the player, may take.
MARGIN = 0.25


class Termination(enum.Enum):
    """How a game ended, apart from who won."""

    RULES = "rules"
    ILLEGAL_MOVE = "illegal move"
    TIME = "time"
    CRASH = "crash"
    RESIGNATION = "resignation"
    UNTERMINATED = "unterminated"


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played.

    Attributes:
        start: the position it started from.
        players: the specs of the players by side, `x` and `o`.
        moves: in the game's notation.
        outcome: who won; None if the game was broken off.
        termination: how it ended.
        detail: what exactly went wrong (an illegal move as it was given, an error), or nothing.
        seconds: the time each move took.
        seed: what the players were seeded with.
    """

    start: Position
    players: Mapping[str, str]
    moves: tuple[str, ...]
    outcome: Outcome | None
    termination: Termination
    detail: str = ""
    seconds: tuple[float, ...] = ()
    seed: int = 0


class Resigned(Exception):
    """Raised by a player instead of a move."""


def play_game(
    players: Mapping[str, Player],
    start: Position,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    on_move: Callable[[Position, Choice], None] | None = None,
) -> PlayedGame:
    """Plays one game to its end.

    Args:
        players: who plays `x` and who plays `o`.
        start: the position to start from.
        limit: what each move may take.
        seed: makes chance repeatable.
        on_move: called after each move with the new position and the choice.

    Raises:
        InvalidSpec: a player does not play this game.
    """
    for number, side in enumerate("xo"):
        players[side].new_game(start.game, 2 * seed + number)
    return _Table(players, start, limit or Limit(), seed, on_move).play()


@dataclass
class _Table:
    """A game under way."""

    players: Mapping[str, Player]
    start: Position
    limit: Limit
    seed: int
    on_move: Callable[[Position, Choice], None] | None

    def play(self) -> PlayedGame:
        position, moves, seconds = self.start, list[str](), list[float]()
        while (outcome := position.outcome()) is None:
            began = time.perf_counter()
            fault, choice, following = self._move(position)
            seconds.append(time.perf_counter() - began)
            if fault is None and self._too_late(seconds[-1]):
                fault = (Termination.TIME, f"{seconds[-1]:.3f} s")
            if fault is not None:
                winner = Outcome.of_winner(0 if position.side == "o" else 1)
                return self._result(moves, winner, fault, seconds)
            assert choice is not None and following is not None
            moves.append(choice.move)
            position = following
            if self.on_move is not None:
                self.on_move(position, choice)
        return self._result(moves, outcome, (Termination.RULES, ""), seconds)

    def _move(
        self, position: Position
    ) -> tuple[tuple[Termination, str] | None, Choice | None, Position | None]:
        """A fault, or a choice and the position that it leads to."""
        try:
            choice = self.players[position.side].choose(position, self.limit)
        except Resigned:
            return (Termination.RESIGNATION, ""), None, None
        except Exception as error:
            return (Termination.CRASH, f"{type(error).__name__}: {error}"), None, None
        try:
            return None, choice, position.play(choice.move)
        except (UsageError, PapanError) as error:
            return (Termination.ILLEGAL_MOVE, str(error)), None, None

    def _too_late(self, seconds: float) -> bool:
        return self.limit.seconds is not None and seconds > self.limit.seconds + MARGIN

    def _result(
        self,
        moves: list[str],
        outcome: Outcome,
        ending: tuple[Termination, str],
        seconds: list[float],
    ) -> PlayedGame:
        names = {side: player.spec for side, player in self.players.items()}
        return PlayedGame(
            self.start, names, tuple(moves), outcome, *ending, tuple(seconds), self.seed
        )
