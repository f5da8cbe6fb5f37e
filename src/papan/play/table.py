"""A game under way: the moves made, the clock, the offer of a draw, and the ending.

The referee, the terminal, the live page and the examiner of bots all play on this one object. It
knows neither players nor people, makes no sound and has no time of its own: each change is a
method that either does all of it or raises and changes nothing. `now` is the time in seconds, on
any scale that only goes forward.

    ask(player, position, limit) → Reply          a program is asked for a move
    GameInPlay.take(reply, now)                   … and moves, or loses if it gave none
    GameInPlay.make(move, now)                    a person moves
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
    PlayerTimeout,
    Resigned,
)
from papan.play.clock import Clock
from papan.players.base import Choice, Player
from papan.search.limits import Limit, Now


class Termination(enum.StrEnum):
    """Manner in which a game ended, apart from who won; the text is that of records."""

    RULES = "rules"
    ILLEGAL_MOVE = "illegal move"
    TIME = "time"
    CRASH = "crash"
    FLOOD = "output flood"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"
    UNTERMINATED = "unterminated"


@dataclass(frozen=True)
class Cause:
    """Reason why a game ended, or why a player gave no legal move in time.

    Attributes:
        termination: the kind of it.
        detail: what exactly went wrong, for people; nothing where nothing did.
        given: an illegal move as the player gave it.
        exit_code: the exit status of a program that crashed, −N for signal N; None if unknown.
        error: what was raised, so that it can be explained in any language; None for others.
        printed: the last lines that the program behind the player has printed.
    """

    termination: Termination
    detail: str = ""
    given: str = ""
    exit_code: int | None = None
    error: PapanError | None = field(default=None, compare=False, repr=False)
    printed: str = field(default="", compare=False, repr=False)

    @property
    def story(self) -> str:
        """The detail, and below it the last lines that the program has printed."""
        return "\n".join(filter(None, (self.detail, self.printed)))

    @classmethod
    def of(cls, error: Exception) -> Cause:
        """The cause that an exception is which a participant has raised instead of a move."""
        if isinstance(error, Resigned):
            return cls(Termination.RESIGNATION)
        known = error if isinstance(error, PapanError) else None
        if not isinstance(error, PlayerFailure):
            return cls(Termination.CRASH, f"{type(error).__name__}: {_text_of(error)}", error=known)
        kinds = {PlayerTimeout: Termination.TIME, PlayerFlood: Termination.FLOOD}
        kind = kinds.get(type(error), Termination.CRASH)
        # Known only where a program has ended, not where it was late or wrote too much.
        code = error.exit_code if isinstance(error, PlayerCrash) else None
        return cls(kind, str(error), exit_code=code, error=known)

    @classmethod
    def illegal(cls, move: str, error: PapanError) -> Cause:
        """The cause that a move is which the rules refuse."""
        return cls(Termination.ILLEGAL_MOVE, str(error), move, error=error)

    @classmethod
    def of_rules(cls, error: InvalidGame) -> Cause:
        """The cause that a rule is which has failed: nobody's fault, and nobody's win."""
        return cls(Termination.ADJUDICATION, str(error), error=error)


def _text_of(error: Exception) -> str:
    # An exception class may be the player's own, and fail as the player did.
    try:
        return str(error)
    except Exception:
        return ""


class Reply(NamedTuple):
    """Outcome of asking a program for a move: a legal one in time, or the reason for none.

    Attributes:
        seconds: how long it took.
        given: the move as the program gave it, legal or not; empty if there was none.
        choice: the move with the program's opinion; None if there was none.
        after: the position after a legal move in time.
        fault: the reason for no legal move in time; None where there is one.
    """

    seconds: float
    given: str = ""
    choice: Choice | None = None
    after: Position | None = None
    fault: Cause | None = None


def get_ready(player: Player, game: Game, seed: int) -> Cause | None:
    """Has a player begin a game; returns the reason if it could not.

    Raises:
        InvalidSpec: the player does not play this game, which is no fault in play.
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
    """Asks a player that is ready for a move. Raises nothing of the player's own.

    Args:
        player: whose turn it is.
        position: an unfinished game.
        limit: passed on to the player.
        most: after how many seconds a move comes too late; None takes one at any time.
        now: the clock. Never set back, unlike the time of day: it decides games.

    Raises:
        InvalidGame: a rule of the game has failed, which is no player's fault.
    """
    choice, text, fault = None, "", None
    began = now()
    try:
        choice = player.choose(position, limit)
        text = str(choice.move or "")
    except InvalidGame:
        raise
    # A player is somebody's program: whatever it raises is its own fault, and ends nothing else.
    except Exception as error:
        fault = Cause.of(error)
    seconds = now() - began
    if fault is None and most is not None and seconds > most:
        # Too late is not looked at: `given` stays out of the record, legal or not.
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
    """A game under way, or just ended.

    Attributes:
        start: the position it started from.
        moves: those made, as they were given.
        seconds: how long each move took; one more where the last attempt was no move.
        clock: the time that is left.
        outcome: who won; None while the game goes on.
        cause: how it ended; None while the game goes on.
        offer: the side that has offered a draw; empty for no offer.
        declined: True if the last offer was turned down.
        began: when the turn under way began; 0 if no time was taken.
        positions: from `start` to the position at hand, one more than moves.
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
        # Played again and not kept: a position has its past, which no stored form of it has.
        self.positions = [self.start]
        for move in self.moves:
            self.positions.append(self.position.play(move))
        self._end_by_rules()

    # --- what there is to know

    @property
    def position(self) -> Position:
        """The position at hand."""
        return self.positions[-1]

    @property
    def turn(self) -> str:
        """The side to move."""
        return self.position.side

    @property
    def is_over(self) -> bool:
        """True once the game has ended, in whatever manner."""
        return self.outcome is not None

    @property
    def result(self) -> str:
        """`x`, `o` or `draw`; empty while the game goes on."""
        return "" if self.outcome is None else self.outcome.value

    @property
    def termination(self) -> Termination:
        """The manner in which the game ended; `UNTERMINATED` while it goes on."""
        return Termination.UNTERMINATED if self.cause is None else self.cause.termination

    def can_take_back(self, sides: Collection[str]) -> bool:
        """True if one of these sides has made a move."""
        return any(then.side in sides for then in self.positions[:-1])

    # --- moves

    def begin_turn(self, now: float) -> None:
        """Begins the turn under way now: the time before is on no side's clock."""
        self.began = now
        self.clock.restart(now)

    def make(self, move: str, now: float) -> None:
        """Makes a move for the side whose turn it is; one that comes after its flag has fallen
        ends the game instead.

        Raises:
            GameOver: the game has ended.
            UsageError: the move cannot be read, or is not legal.

        What the rules of a game raise leaves it as it was.
        """
        self._check_going(move)
        if not self.fall_flag(now):
            self._advance(move, self.position.play(move), now)

    def take(self, reply: Reply, now: float) -> None:
        """Makes the move that a program was asked for, or ends the game against it.

        Raises:
            GameOver: the game has ended.
        """
        self._check_going(reply.given)
        if reply.after is not None:
            self._advance(reply.given, reply.after, now)
            return
        assert reply.fault is not None
        # Kept too, since how long a crash or a loss on time took is looked for in records.
        self.seconds.append(reply.seconds)
        self.forfeit(self.turn, reply.fault)

    def take_back(self, sides: Collection[str], now: float) -> None:
        """Takes back the last move of one of these sides and all that came after it, the ending
        included. Clocks do not get their time back.

        Raises:
            IndexError: there is no such move; see `can_take_back`.
        """
        if not self.can_take_back(sides):
            raise IndexError("no move to take back")
        # The last position is the one after the move: it is dropped even if its side is wanted.
        self.positions.pop()
        while self.turn not in sides:
            self.positions.pop()
        self._go_on(now)

    def reset(self, now: float) -> None:
        """Goes back to the start, with all the time on the clocks."""
        del self.positions[1:]
        self.clock.reset()
        self._go_on(now)

    # --- endings

    def resign(self, side: str) -> None:
        """Gives the game up for a side."""
        self.forfeit(side, Cause(Termination.RESIGNATION))

    def offer_draw(self, side: str) -> None:
        """Offers a draw to the other side; a move withdraws the offer."""
        self.offer, self.declined = side, False

    def settle_draw(self, accept: bool) -> None:
        """Ends the game drawn as it was offered, or goes on with it."""
        self.offer, self.declined = "", not accept
        if accept:
            self.end(Outcome.DRAW, Cause(Termination.AGREEMENT))

    def fall_flag(self, now: float) -> bool:
        """Ends the game if the time of the side to move is up; returns True if it did."""
        falls = None if self.is_over else self.clock.flag_falls(self.turn)
        if falls is None or now < falls:
            return False
        # A clock that is shown after the game stands at zero, however late it was looked at.
        self.clock.left[self.turn] = 0.0
        self.forfeit(self.turn, Cause(Termination.TIME))
        return True

    def forfeit(self, side: str, cause: Cause) -> None:
        """Ends the game against a side."""
        self.end(Outcome.of_winner(1 - SIDES.index(side)), cause)

    def adjudicate(self, outcome: Outcome, detail: str) -> None:
        """Ends the game by the word of a referee."""
        self.end(outcome, Cause(Termination.ADJUDICATION, detail))

    def end(self, outcome: Outcome, cause: Cause) -> None:
        """Ends the game."""
        self.outcome, self.cause = outcome, cause
        self.offer = ""
        self.clock.stop()

    def _advance(self, move: str, after: Position, now: float) -> None:
        outcome = after.outcome()  # first of all: rules may fail there
        # Before the position changes: it is the mover's clock that is pressed.
        self.clock.press(self.turn, now)
        self.positions.append(after)
        self.moves.append(move)
        self.seconds.append(max(0.0, now - self.began) if self.began else 0.0)
        self.offer, self.declined = "", False
        self.began = now
        if outcome is not None:
            self.end(outcome, Cause(Termination.RULES))

    def _go_on(self, now: float) -> None:
        """Makes the game one that goes on from the position at hand."""
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
