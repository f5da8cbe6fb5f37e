"""A game in progress: moves, clock, draw offer and end.

The referee, the terminal, the live page and the grading of bots all use this class. It does not
depend on players or users, and does not read the time itself. Each change is a method that succeeds
completely, or raises an exception and changes nothing. `now` is the time in seconds, on any scale
that only increases.

    ask(player, position, limit) → Reply          asks a program for a move
    GameInPlay.take(reply, now)                   … and plays it, or ends the game without a move
    GameInPlay.make(move, now)                    plays a person's move
"""

from __future__ import annotations

import enum
import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from papan.core.game import Game, Outcome, Position
from papan.core.notation import SIDES
from papan.errors import (
    GameOver,
    IllegalMove,
    InvalidGame,
    PapanError,
    PlayerCrash,
    PlayerFailure,
    PlayerFlood,
    PlayerRefusal,
    PlayerTimeout,
    Resigned,
)
from papan.play.clock import Clock
from papan.players.base import Choice, Player
from papan.search.limits import Limit, Now


class Termination(enum.StrEnum):
    """How a game ended, regardless of the winner; the values are used in records."""

    RULES = "rules"
    ILLEGAL_MOVE = "illegal move"
    TIME = "time"
    CRASH = "crash"
    FLOOD = "output flood"
    REFUSAL = "refusal"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"
    UNTERMINATED = "unterminated"


@dataclass(frozen=True)
class Cause:
    """Why a game ended, or why a player gave no legal move in time.

    Attributes:
        termination: kind of the end.
        detail: explanation of a fault; empty without a fault.
        given: an illegal move as the player gave it.
        exit_code: exit status of a program that crashed, −N for signal N; None if unknown.
        error: the exception, for translated messages; None if there is none.
        printed: the last lines that the player's program printed.
    """

    termination: Termination
    detail: str = ""
    given: str = ""
    exit_code: int | None = None
    error: PapanError | None = field(default=None, compare=False, repr=False)
    printed: str = field(default="", compare=False, repr=False)

    @property
    def story(self) -> str:
        """The detail, followed by the last lines that the program printed."""
        return "\n".join(filter(None, (self.detail, self.printed)))

    @classmethod
    def of(cls, error: Exception) -> Cause:
        """Converts the exception that a player raised instead of returning a move."""
        if isinstance(error, Resigned):
            return cls(Termination.RESIGNATION)
        known = error if isinstance(error, PapanError) else None
        if not isinstance(error, PlayerFailure):
            return cls(Termination.CRASH, f"{type(error).__name__}: {_text_of(error)}", error=known)
        kinds = {
            PlayerTimeout: Termination.TIME,
            PlayerFlood: Termination.FLOOD,
            PlayerRefusal: Termination.REFUSAL,
        }
        kind = kinds.get(type(error), Termination.CRASH)
        # Only a crash has an exit status; a timeout or flood has none.
        code = error.exit_code if isinstance(error, PlayerCrash) else None
        return cls(kind, str(error), exit_code=code, error=known)

    @classmethod
    def illegal(cls, move: str, error: PapanError) -> Cause:
        """Returns the cause for a move that the rules reject."""
        return cls(Termination.ILLEGAL_MOVE, str(error), move, error=error)

    @classmethod
    def of_rules(cls, error: InvalidGame) -> Cause:
        """Returns the cause for a failed rule, which is neither player's fault."""
        return cls(Termination.ADJUDICATION, str(error), error=error)


def _text_of(error: Exception) -> str:
    # The class of the exception may be the player's own, and its `__str__` may fail.
    try:
        return str(error)
    except Exception:
        return ""


class Reply(NamedTuple):
    """A program's reply: a legal move in time, or the reason why there is none.

    Attributes:
        seconds: duration of the reply.
        given: the move as the program gave it, legal or not; empty for none.
        choice: the move with the program's evaluation; None for none.
        after: the position after a legal move in time; None for none.
        fault: the reason why there is no legal move in time; None if there is one.
    """

    seconds: float
    given: str = ""
    choice: Choice | None = None
    after: Position | None = None
    fault: Cause | None = None


def get_ready(player: Player, game: Game, seed: int) -> Cause | None:
    """Prepares a player for a game; returns the reason if that fails.

    Raises:
        InvalidSpec: the player does not support the game, which is not a fault during play.
    """
    try:
        player.new_game(game, seed)
    except PlayerFailure as failure:
        return replace(Cause.of(failure), printed=player.printed())
    return None


def ask(
    player: Player,
    position: Position,
    limit: Limit,
    *,
    most: float | None = None,
    now: Now = time.perf_counter,
) -> Reply:
    """Asks a ready player for a move; exceptions of the player become faults.

    Args:
        player: the player.
        position: a position of an unfinished game.
        limit: limit that is passed to the player.
        most: seconds after which the move is too late; None for no limit.
        now: monotonic clock; the time of day could be set back, and the clock decides games.

    Raises:
        InvalidGame: a rule of the game failed, which is not the player's fault.
    """
    choice, text, fault = None, "", None
    began = now()
    try:
        choice = player.choose(position, limit)
        text = str(choice.move or "")
    except InvalidGame:
        raise
    # Players are foreign code: any exception is the player's fault and must not end anything else.
    except Exception as error:
        fault = Cause.of(error)
    seconds = now() - began
    if fault is None and most is not None and seconds > most:
        # A late move is not checked: `given` stays out of the record, legal or not.
        fault = Cause(Termination.TIME, f"{seconds:.3f} s")
    if fault is not None:
        return Reply(seconds, fault=replace(fault, printed=player.printed()))
    try:
        if not text:
            raise IllegalMove("player.no-move", example=position.moves()[0])
        return Reply(seconds, text, choice, position.play(text))
    except PapanError as error:
        fault = replace(Cause.illegal(text, error), printed=player.printed())
        return Reply(seconds, text, choice, fault=fault)


@dataclass
class GameInPlay:
    """A game that is in progress or has ended.

    Attributes:
        start: the first position.
        moves: the moves as they were given.
        seconds: duration of each move; one more after a failed attempt to move.
        clock: remaining time of both sides.
        outcome: result of the game; None while it continues, and after a program's refusal.
        cause: how the game ended; None while it continues.
        offer: side that offered a draw; empty for no offer.
        declined: True after the last offer was declined.
        began: start of the current turn; 0 if not measured.
        positions: the positions from `start` to the current one, one more than moves.
    """

    start: Position
    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    outcome: Outcome | None = None
    cause: Cause | None = None
    offer: str = ""
    declined: bool = False
    began: float = 0.0
    positions: list[Position] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Positions are rebuilt from the moves, because a stored position has no history.
        self.positions = [self.start]
        for move in self.moves:
            self.positions.append(self.position.play(move))
        self._end_by_rules()

    # --- state

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def turn(self) -> str:
        """The side to move."""
        return self.position.side

    @property
    def is_over(self) -> bool:
        """True after the end of the game."""
        return self.cause is not None

    @property
    def result(self) -> str:
        """`x`, `o` or `draw`; empty without an outcome."""
        return "" if self.outcome is None else self.outcome.value

    @property
    def termination(self) -> Termination:
        """The termination of the game; `UNTERMINATED` while it continues."""
        return Termination.UNTERMINATED if self.cause is None else self.cause.termination

    def can_take_back(self, sides: Collection[str]) -> bool:
        """Returns True if one of these sides has made a move."""
        return any(then.side in sides for then in self.positions[:-1])

    # --- moves

    def begin_turn(self, now: float) -> None:
        """Starts the current turn now: the time before does not count for either side."""
        self.began = now
        self.clock.restart(now)

    def make(self, move: str, now: float) -> None:
        """Makes a move for the side to move; ends the game instead if its time is up.

        If a rule of the game raises an exception, the game is unchanged.

        Raises:
            GameOver: the game has ended.
            UsageError: the move cannot be read, or is illegal.
        """
        self._check_going(move)
        if not self.fall_flag(now):
            self._advance(move, self.position.play(move), now)

    def take(self, reply: Reply, now: float) -> None:
        """Plays the move in a program's reply, or ends the game against the program.

        Raises:
            GameOver: the game has ended.
        """
        self._check_going(reply.given)
        if reply.after is not None:
            self._advance(reply.given, reply.after, now)
            return
        assert reply.fault is not None
        # Stored too: records show how long a crash or a loss on time took.
        self.seconds.append(reply.seconds)
        self.forfeit(self.turn, reply.fault)

    def take_back(self, sides: Collection[str], now: float) -> None:
        """Takes back the last move of one of these sides and all later moves, including the end.

        The clocks do not get their time back.

        Raises:
            IndexError: there is no such move; see `can_take_back`.
        """
        if not self.can_take_back(sides):
            raise IndexError("no move to take back")
        # The current position is dropped first: it comes after the move, even if its side matches.
        self.positions.pop()
        while self.turn not in sides:
            self.positions.pop()
        self._go_on(now)

    def reset(self, now: float) -> None:
        """Returns to the start, with full time on the clocks."""
        del self.positions[1:]
        self.clock.reset()
        self._go_on(now)

    # --- end of the game

    def resign(self, side: str) -> None:
        """Ends the game because a side resigns."""
        self.forfeit(side, Cause(Termination.RESIGNATION))

    def offer_draw(self, side: str) -> None:
        """Offers a draw to the other side; a move withdraws the offer."""
        self.offer, self.declined = side, False

    def settle_draw(self, accept: bool) -> None:
        """Ends the game as a draw after an offer, or continues it."""
        self.offer, self.declined = "", not accept
        if accept:
            self.end(Outcome.DRAW, Cause(Termination.AGREEMENT))

    def fall_flag(self, now: float) -> bool:
        """Ends the game if the time of the side to move is up; returns True if so."""
        falls = None if self.is_over else self.clock.flag_falls(self.turn)
        if falls is None or now < falls:
            return False
        # The displayed clock must show zero, regardless of when the fall was noticed.
        self.clock.left[self.turn] = 0.0
        self.forfeit(self.turn, Cause(Termination.TIME))
        return True

    def forfeit(self, side: str, cause: Cause) -> None:
        """Ends the game as a loss of a side; without an outcome if its program refused a
        command, since that says nothing about its strength."""
        refused = cause.termination is Termination.REFUSAL
        self.end(None if refused else Outcome.of_winner(1 - SIDES.index(side)), cause)

    def adjudicate(self, outcome: Outcome, detail: str) -> None:
        """Ends the game by a decision of the referee."""
        self.end(outcome, Cause(Termination.ADJUDICATION, detail))

    def end(self, outcome: Outcome | None, cause: Cause) -> None:
        """Ends the game with an outcome, or none after a refusal, and a cause."""
        self.outcome, self.cause = outcome, cause
        self.offer = ""
        self.clock.stop()

    def _advance(self, move: str, after: Position, now: float) -> None:
        outcome = after.outcome()  # first, because rules may fail here
        # Before the position changes, because `turn` must still be the mover.
        self.clock.press(self.turn, now)
        self.positions.append(after)
        self.moves.append(move)
        self.seconds.append(max(0.0, now - self.began) if self.began else 0.0)
        self.offer, self.declined = "", False
        self.began = now
        if outcome is not None:
            self.end(outcome, Cause(Termination.RULES))

    def _go_on(self, now: float) -> None:
        """Continues the game from the current position, after moves were taken back."""
        plies = len(self.positions) - 1
        del self.moves[plies:], self.seconds[plies:]
        self.outcome = self.cause = None
        self.offer, self.declined = "", False
        self.begin_turn(now)

    def _end_by_rules(self) -> None:
        outcome = self.position.outcome()
        if outcome is not None and self.outcome is None:
            self.end(outcome, Cause(Termination.RULES))

    def _check_going(self, move: str) -> None:
        if self.is_over:
            raise GameOver("game.over", outcome=self.result, move=move)
