"""The referee of one game: owns rules, board, clock and result, and trusts no player."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from papan.arena.adjudication import settled
from papan.arena.conditions import Conditions, time_control
from papan.core.game import Outcome, Position
from papan.errors import PapanError, PlayerCrash, PlayerFailure, PlayerFlood, PlayerTimeout
from papan.players.base import Choice, Player
from papan.players.clock import Clocks, allowance, longest
from papan.search.limits import Limit


class Termination(enum.Enum):
    """How a game ended, apart from who won."""

    RULES = "rules"
    ILLEGAL_MOVE = "illegal move"
    TIME = "time"
    CRASH = "crash"
    FLOOD = "output flood"
    RESIGNATION = "resignation"
    ADJUDICATION = "adjudication"
    UNTERMINATED = "unterminated"


@dataclass(frozen=True)
class Ending:
    """How a game ended, in detail.

    Attributes:
        termination: the kind of it.
        detail: what exactly went wrong, for people; nothing where nothing did.
        given: an illegal move as the player gave it.
        exit_code: the exit status of a program that crashed, −N for signal N; None if unknown.
    """

    termination: Termination
    detail: str = ""
    given: str = ""
    exit_code: int | None = None

    @classmethod
    def of_failure(cls, failure: PlayerFailure) -> Ending:
        """How a game ends whose player has failed to give a move."""
        kinds = {
            PlayerTimeout: Termination.TIME,
            PlayerFlood: Termination.FLOOD,
            PlayerCrash: Termination.CRASH,
        }
        code = failure.exit_code if isinstance(failure, PlayerCrash) else None
        return cls(kinds.get(type(failure), Termination.CRASH), str(failure), exit_code=code)


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played.

    Attributes:
        start: the position it started from.
        players: the specs of the players by side, `x` and `o`.
        moves: in the game's notation.
        outcome: who won; None if the game was broken off.
        termination: how it ended.
        detail: what exactly went wrong, for people; nothing where nothing did.
        seconds: the time each move took.
        seed: what the players were seeded with.
        given: an illegal move as the player gave it.
        exit_code: the exit status of a program that crashed, −N for signal N; None if unknown.
        time_control: what the players had to keep to, as a record has it.
    """

    start: Position
    players: Mapping[str, str]
    moves: tuple[str, ...]
    outcome: Outcome | None
    termination: Termination
    detail: str = ""
    seconds: tuple[float, ...] = ()
    seed: int = 0
    given: str = ""
    exit_code: int | None = None
    time_control: str = ""


class Resigned(Exception):
    """Raised by a player instead of a move."""


def play_game(
    players: Mapping[str, Player],
    start: Position,
    limit: Limit | None = None,
    *,
    conditions: Conditions | None = None,
    seed: int = 0,
    on_move: Callable[[Position, Choice], None] | None = None,
) -> PlayedGame:
    """Plays one game to its end.

    Args:
        players: who plays `x` and who plays `o`.
        start: the position to start from.
        limit: what each move may take.
        conditions: clocks, and when the game ends before the rules end it.
        seed: makes chance repeatable.
        on_move: called after each move with the new position and the choice.

    Raises:
        InvalidSpec: a player does not play this game.
    """
    table = _Table(players, start, limit or Limit(), conditions or Conditions(), seed, on_move)
    return table.play()


class _Fault(Exception):
    """Raised where the side to move, or to get ready, loses."""

    def __init__(self, side: str, ending: Ending) -> None:
        super().__init__(ending)
        self.side, self.ending = side, ending


@dataclass
class _Table:
    """A game under way."""

    players: Mapping[str, Player]
    start: Position
    limit: Limit
    conditions: Conditions
    seed: int
    on_move: Callable[[Position, Choice], None] | None
    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    left: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        clock = self.conditions.clock
        self.left = {} if clock is None else dict.fromkeys("xo", clock.total)

    def play(self) -> PlayedGame:
        try:
            self._get_ready()
            position = self.start
            while (outcome := position.outcome()) is None:
                verdict = settled(position, len(self.moves), self.conditions)
                if verdict is not None:
                    outcome, detail = verdict
                    return self._result(outcome, Ending(Termination.ADJUDICATION, detail))
                position = self._move(position)
        except _Fault as fault:
            winner = Outcome.of_winner(0 if fault.side == "o" else 1)
            return self._result(winner, fault.ending)
        return self._result(outcome, Ending(Termination.RULES))

    def _get_ready(self) -> None:
        for number, side in enumerate("xo"):
            try:
                self.players[side].new_game(self.start.game, 2 * self.seed + number)
            except PlayerFailure as failure:
                raise _Fault(side, Ending.of_failure(failure)) from failure

    def _move(self, position: Position) -> Position:
        """Has the side to move choose; returns the position that its move leads to."""
        limit = allowance(position, self.limit, self._clocks(), self.conditions.margin)
        most = longest(limit, position.side)
        began = time.perf_counter()
        try:
            choice, given = self._choice(position, limit)
        finally:
            self.seconds.append(time.perf_counter() - began)
        if most is not None and self.seconds[-1] > most:
            late = Ending(Termination.TIME, f"{self.seconds[-1]:.3f} s")
            raise _Fault(position.side, late)
        self._press_clock(position.side)
        try:
            following = position.play(given)
        except PapanError as error:
            illegal = Ending(Termination.ILLEGAL_MOVE, str(error), given)
            raise _Fault(position.side, illegal) from error
        self.moves.append(given)
        if self.on_move is not None:
            self.on_move(following, choice)
        return following

    def _clocks(self) -> Clocks | None:
        """What the clocks show; None if there are none."""
        if self.conditions.clock is None:
            return None
        return Clocks(dict(self.left), dict.fromkeys("xo", self.conditions.clock.increment))

    def _press_clock(self, side: str) -> None:
        """Takes the last move's time off its side's clock, and adds the increment."""
        if self.conditions.clock is not None:
            self.left[side] += self.conditions.clock.increment - self.seconds[-1]

    def _choice(self, position: Position, limit: Limit) -> tuple[Choice, str]:
        """What the side to move has chosen, and its move as text, legal or not."""
        try:
            choice = self.players[position.side].choose(position, limit)
            return choice, str(choice.move)
        except Resigned:
            ending = Ending(Termination.RESIGNATION)
        except PlayerFailure as failure:
            ending = Ending.of_failure(failure)
        except Exception as error:
            ending = Ending(Termination.CRASH, f"{type(error).__name__}: {error}")
        raise _Fault(position.side, ending)

    def _result(self, outcome: Outcome, ending: Ending) -> PlayedGame:
        return PlayedGame(
            start=self.start,
            players={side: player.spec for side, player in self.players.items()},
            moves=tuple(self.moves),
            outcome=outcome,
            termination=ending.termination,
            detail=ending.detail,
            seconds=tuple(self.seconds),
            seed=self.seed,
            given=ending.given,
            exit_code=ending.exit_code,
            time_control=time_control(self.limit, self.conditions),
        )
