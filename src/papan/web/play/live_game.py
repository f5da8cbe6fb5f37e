"""A live game: the game, its seats, and the allowed actions of each visitor.

Pure logic without HTTP, store and clock. Each method changes the game completely, or raises
`Refused` and changes nothing. Times are seconds since the epoch, so that clocks survive a restart
of the server.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from papan.core.game import Outcome, Position
from papan.core.notation import SIDES
from papan.play.table import Cause, GameInPlay, Termination
from papan.records.model import LONGEST_SAYING, UNFINISHED, Record, now
from papan.web.http.allowed import PROGRAMS
from papan.web.http.refusals import Refused

#: Paces of programs: minimum interval between two moves in seconds.
PACES: Mapping[str, float] = {"slow": 2.5, "steady": 0.9, "quick": 0.2}


def other(side: str) -> str:
    """Returns the opponent of a side."""
    return "o" if side == "x" else "x"


@dataclass
class Seat:
    """One side of the table.

    Attributes:
        name: the name for people.
        player: the spec of a program; empty for a person.
        session: the browser of the player; empty for programs and before a person joins.
    """

    name: str
    player: str = ""
    session: str = ""

    @property
    def public(self) -> str:
        """The player in public records, without commands and paths."""
        program = self.player.partition(":")[0] in PROGRAMS
        return self.name if program or not self.player else self.player

    @property
    def is_open(self) -> bool:
        """True until a person joins."""
        return not self.player and not self.session


class Preparation(NamedTuple):
    """The start or first compilation of a program.

    Attributes:
        done: number of compiled parts.
        parts: number of parts; 0 while nothing is compiled.
        until: estimated end, from the rate of this compilation; None while unknown.
    """

    done: int = 0
    parts: int = 0
    until: float | None = None

    def left(self, now: float) -> float | None:
        """Estimated seconds to the end, negative after the estimated end; None while unknown."""
        return None if self.until is None else self.until - now


def seconds_left(left: float) -> int:
    """Returns the remaining seconds to show, at least 1.

    A compilation that is late by some seconds is expected to need the same time again.
    """
    return max(1, math.ceil(abs(left)))


@dataclass
class LiveGame:
    """A game between visitors and programs.

    Attributes:
        id: its address.
        kind: one of `KINDS`.
        game: the spec of the game.
        owner: the browser that created it.
        seats: the players of `x` and `o`.
        table: moves, clock, offer and ending.
        start: the first position line; empty for the start of the game.
        hint: the requested hint for the current position.
        values: the requested proven values of the current position, in the form of `papan values
            --json`.
        token: the secret of the invitation to the open seat.
        seed: the seed of programs.
        next: the id of the rematch.
        request: the open request of one person to the other, `undo` or `hints`; empty for none.
        requested_by: the side that made the request.
        hints: true if both people agreed to hints.
        pace: the pace of a game between programs, one of `PACES`; empty while paused.
        once: true if a paused program shall make one move.
        preparing: progress of the compilation that the side to move is waiting for; None
            otherwise. It is not stored: after a restart the program is prepared again.
        version: increases with every change.
    """

    id: str
    kind: str
    game: str
    owner: str
    seats: dict[str, Seat]
    table: GameInPlay
    start: str = ""
    hint: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    token: str = ""
    seed: int = 0
    next: str = ""
    request: str = ""
    requested_by: str = ""
    hints: bool = False
    pace: str = "steady"
    once: bool = False
    preparing: Preparation | None = None
    version: int = 0

    # --- queries

    @property
    def position(self) -> Position:
        """The current position."""
        return self.table.position

    @property
    def moves(self) -> list[str]:
        """The moves that were made."""
        return self.table.moves

    @property
    def turn(self) -> str:
        """The side to move."""
        return self.table.turn

    @property
    def over(self) -> bool:
        """True once the game has ended."""
        return self.table.is_over

    @property
    def waiting(self) -> bool:
        """True until all people have joined."""
        return any(seat.is_open for seat in self.seats.values())

    @property
    def going(self) -> bool:
        """True while moves can be made."""
        return not self.over and not self.waiting

    @property
    def rests(self) -> bool:
        """True while a game between programs is paused."""
        return self.kind == "watch" and not (self.pace or self.once)

    @property
    def thinker(self) -> Seat | None:
        """The program to move; None for a person."""
        seat = self.seats[self.turn]
        return seat if self.going and seat.player else None

    def sides_of(self, session: str) -> list[str]:
        """Returns the sides of a browser; none for spectators."""
        return [side for side in SIDES if session and self.seats[side].session == session]

    def side_for(self, session: str) -> str:
        """Returns the side for which a browser acts: the side to move if it plays both.

        Raises:
            Refused: The browser does not play.
        """
        sides = self.sides_of(session)
        if not sides:
            raise Refused("web.refused.spectator")
        return self.turn if self.turn in sides else sides[0]

    def can_undo(self, session: str) -> bool:
        """True if a browser may undo its last move, or request it."""
        going = self.kind in ("solo", "shared") or self.going
        return going and self.table.can_take_back(self.sides_of(session))

    def has_hints(self) -> bool:
        """True if hints are allowed: against a program, or if both people agreed."""
        return self.kind == "solo" or self.hints

    def flag_falls(self) -> float | None:
        """The time at which the side to move loses on time; None while no clock runs."""
        return self.table.clock.flag_falls(self.turn) if self.going else None

    # --- actions of people and programs

    def play(self, session: str, move: str, now: float) -> None:
        """Makes a move for the browser to move.

        Raises:
            Refused: It is not the browser's turn, or the game is over.
            UsageError: The move is illegal.
        """
        self._check_going(session)
        if self.turn not in self.sides_of(session):
            raise Refused("web.refused.turn")
        self.make(move, now)

    def make(self, move: str, now: float) -> None:
        """Makes a move for the side to move.

        Raises:
            UsageError: The move is illegal.
        """
        self.table.make(move, now)
        self._forget_position()
        self.once = False
        self._changed()

    def undo(self, session: str, now: float) -> None:
        """Undoes the last move of the browser's side and all later moves; against another person
        elsewhere, requests it.

        Raises:
            Refused: There is no such move, or the game is over for both.
        """
        if not self.can_undo(session):
            raise Refused("web.refused.undo")
        if self.kind == "link":
            self._ask(session, "undo")
        else:
            self._take_back(self.sides_of(session), now)

    def _take_back(self, sides: Iterable[str], now: float) -> None:
        self.table.take_back([*sides], now)
        self._forget_position()
        self._changed()

    def _forget_position(self) -> None:
        """Clears hints and values of the last position."""
        self.hint = self.request = ""
        self.values = {}
        self.preparing = None

    def want_hints(self, session: str) -> None:
        """Allows hints once both people agree; at one screen, one agreement is enough."""
        self._check_going(session)
        if self.kind == "link":
            self._ask(session, "hints")
        else:
            self.hints = True
            self._changed()

    def _ask(self, session: str, request: str) -> None:
        """Makes a request to the other person, one at a time."""
        self._check_going(session)
        if self.request:
            raise Refused("web.refused.asked")
        self.request, self.requested_by = request, self.side_for(session)
        self._changed()

    def answer_request(self, session: str, grant: bool, now: float) -> None:
        """Grants or declines the request of the other person.

        Raises:
            Refused: There is no request for this browser.
        """
        self._check_going(session)
        request = self.request
        if not request or other(self.requested_by) not in self.sides_of(session):
            raise Refused("web.refused.no-request")
        self.request = ""
        if grant and request == "undo":
            self._take_back(self.requested_by, now)
        else:
            self.hints = self.hints or grant
            self._changed()

    def set_pace(self, session: str, pace: str, once: bool = False) -> None:
        """Sets the pace of a game between programs, pauses it, or plays one move.

        Raises:
            Refused: Another browser controls the game, or the pace does not exist.
        """
        if self.kind != "watch" or session != self.owner:
            raise Refused("web.refused.pace")
        if pace and pace not in PACES:
            raise Refused("web.refused.form")
        self.pace, self.once = pace, once
        self._changed()

    def resign(self, session: str) -> None:
        """Resigns for the browser's side."""
        self._check_going(session)
        self.table.resign(self.side_for(session))
        self._changed()

    def offer_draw(self, session: str) -> None:
        """Offers a draw to the other side."""
        self._check_going(session)
        if self.table.offer:
            raise Refused("web.refused.offered")
        self.table.offer_draw(self.side_for(session))
        self._changed()

    def answer_draw(self, session: str, accept: bool) -> None:
        """Accepts or declines the draw offer."""
        self._check_going(session)
        offer = self.table.offer
        if not offer or other(offer) not in self.sides_of(session):
            raise Refused("web.refused.no-offer")
        self.settle_draw(accept)

    def settle_draw(self, accept: bool) -> None:
        """Ends the game as a draw, or continues."""
        self.table.settle_draw(accept)
        self._changed()

    def reset(self, session: str, now: float) -> None:
        """Restarts a game that concerns only one browser.

        Raises:
            Refused: Another person plays, or the browser does not play.
        """
        mine = session == self.owner if self.kind == "watch" else bool(self.sides_of(session))
        if self.kind == "link" or not mine:
            raise Refused("web.refused.reset")
        self.table.reset(now)
        self._forget_position()
        # With the same seed, a program would play the same game again.
        self.seed += 1
        self._changed()

    def show_hint(self, move: str) -> None:
        """Marks a move in the current position."""
        self.hint = move
        self._changed()

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Shows the proven values of moves in the current position."""
        self.values = values
        self._changed()

    def sit(self, session: str, name: str, token: str, now: float) -> None:
        """Takes the open seat.

        Raises:
            Refused: There is no open seat, the token is wrong, or the name is invalid.
        """
        seat = next((seat for seat in self.seats.values() if seat.is_open), None)
        if seat is None:
            raise Refused("web.refused.taken")
        # Compared in constant time, so that the time reveals nothing about the token.
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            raise Refused("web.refused.token")
        if self.sides_of(session):
            raise Refused("web.refused.yourself")
        check_names(
            [other_seat.name for other_seat in self.seats.values() if other_seat is not seat], name
        )
        # The first turn starts now, so that waiting does not count as time of a move.
        seat.session, seat.name = session, name
        self.table.begin_turn(now)
        self._changed()

    def prepare(self, preparation: Preparation) -> None:
        """Stops the clock while the program to move is compiled, or updates the progress, which is
        no change of the game."""
        if self.preparing is None:
            self.table.clock.hold()
            self._changed()
        self.preparing = preparation

    def begin(self, now: float) -> None:
        """Starts the clock of the program to move after its compilation."""
        self.table.begin_turn(now)
        self.preparing = None
        self._changed()

    def fall_flag(self, now: float) -> bool:
        """Ends the game if the side to move is out of time; returns true if so."""
        fallen = self.table.fall_flag(now)
        if fallen:
            self._changed()
        return fallen

    def forfeit(self, cause: Cause) -> None:
        """Ends the game with a loss of the program to move, or without a winner if a rule failed or
        the program refused a command."""
        if cause.termination in (Termination.ADJUDICATION, Termination.REFUSAL):
            self.table.end(Outcome.DRAW, cause)
        else:
            self.table.forfeit(self.turn, cause)
        self._changed()

    def record(self) -> Record:
        """Returns the game for the store of records."""
        table = self.table
        return Record(
            game=self.game,
            x=self.seats["x"].public,
            o=self.seats["o"].public,
            moves=tuple(table.moves),
            result=table.result or UNFINISHED,
            termination=table.termination.value,
            start=self.start,
            given=table.cause.given[:LONGEST_SAYING] if table.cause else "",
            seconds=tuple(round(seconds, 3) for seconds in table.seconds),
            seed=self.seed,
            played=now(),
            id=self.id,
        )

    def _check_going(self, session: str) -> None:
        """Raises `Refused` for spectators, and before the start or after the end."""
        self.side_for(session)
        if self.waiting:
            raise Refused("web.refused.waiting")
        if self.over:
            raise Refused("web.refused.over")

    def _changed(self) -> None:
        self.version += 1


#: Maximum characters in the name of a person.
LONGEST_NAME = 24


def check_names(taken: Iterable[str], name: str) -> str:
    """Returns a valid name of a person.

    Raises:
        Refused: The name is blank, too long, unprintable, or in use.
    """
    name = " ".join(name.split())
    if not name:
        raise Refused("web.name.blank")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused("web.name.long", most=LONGEST_NAME)
    if name.casefold() in (known.casefold() for known in taken):
        raise Refused("web.name.same", text=name)
    return name


def new_game_id() -> str:
    """Returns an address that cannot be guessed."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """Returns the secret of an invitation."""
    return secrets.token_urlsafe(12)
