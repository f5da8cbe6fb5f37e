"""A live game: a game in play, who sits where, and what each visitor may do.

Pure logic: no HTTP, no database, no time of its own. Every change goes through a method that
either does all of it or raises `Refused` and changes nothing. Times are seconds since the epoch,
so that a clock goes on when the server was restarted.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from papan.core.game import Outcome, Position
from papan.core.notation import SIDES
from papan.play.table import Cause, GameInPlay, Termination
from papan.records.model import LONGEST_SAYING, UNFINISHED, Record, now
from papan.web.http.public import PROGRAMS
from papan.web.http.refusals import Refused

#: What one person can ask of the other: to take back a move, to let both have hints.
REQUESTS = ("undo", "hints")

#: How quickly programs move: the least time between two moves, in seconds.
PACES: Mapping[str, float] = {"slow": 2.5, "steady": 0.9, "quick": 0.2}


def other(side: str) -> str:
    """The opponent of a side."""
    return "o" if side == "x" else "x"


@dataclass
class Seat:
    """One side of the table.

    Attributes:
        name: who sits here, for people.
        player: the spec of a program; empty for a person.
        session: the browser that plays; empty for a program, and until a person has come.
    """

    name: str
    player: str = ""
    session: str = ""

    @property
    def public(self) -> str:
        """The player for records that anybody may read: they see no commands and no paths."""
        program = self.player.partition(":")[0] in PROGRAMS
        return self.name if program or not self.player else self.player

    @property
    def is_open(self) -> bool:
        """True while a person is still awaited."""
        return not self.player and not self.session


class Preparation(NamedTuple):
    """A program that is being compiled, which is done once only.

    Attributes:
        until: when that will be over, as far as it can be foretold.
        seconds: how long it takes altogether.
    """

    until: float
    seconds: float

    def left(self, now: float) -> float:
        """Seconds that are left; never none while it lasts, however long that is."""
        return max(1.0, self.until - now)


@dataclass
class LiveGame:
    """A game in play between visitors and programs.

    Attributes:
        id: its address.
        kind: one of `KINDS`.
        game: the spec of the game.
        owner: the browser that set it up.
        seats: who plays `x` and `o`.
        table: moves, clock, offer and ending.
        start: the position line it started from; empty for the game's start.
        hint: the move that was asked for, for the position at hand.
        values: what is proven of the moves of the position at hand, as `papan values --json` prints
            it, if that was asked for.
        token: the secret of the invitation to the open seat.
        seed: what programs are seeded with.
        next: the id of the return game.
        request: what one person has asked of the other, one of `REQUESTS`; empty for nothing.
        requested_by: the side that has asked.
        hints: whether hints are given in a game between people: both have agreed.
        pace: how quickly programs move that are looked at, one of `PACES`; empty while they rest.
        once: whether programs that rest are to make one move.
        preparing: when the program whose turn it is will be compiled, as far as that can be
            foretold, and how long it takes altogether; None while it thinks, and for people. It
            is not kept when the server stops: the program is asked anew then.
        version: grows with every change.
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

    # --- what there is to know

    @property
    def position(self) -> Position:
        """The position at hand."""
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
        """True while a person is still awaited."""
        return any(seat.is_open for seat in self.seats.values())

    @property
    def going(self) -> bool:
        """True while moves can be made."""
        return not self.over and not self.waiting

    @property
    def rests(self) -> bool:
        """True while the programs that are looked at make no moves."""
        return self.kind == "watch" and not (self.pace or self.once)

    @property
    def thinker(self) -> Seat | None:
        """The program whose turn it is; None if it is a person's."""
        seat = self.seats[self.turn]
        return seat if self.going and seat.player else None

    def sides_of(self, session: str) -> list[str]:
        """The sides that a browser plays; none for those who look on."""
        return [side for side in SIDES if session and self.seats[side].session == session]

    def side_for(self, session: str) -> str:
        """The side for which a browser acts now: the one to move if it plays both.

        Raises:
            Refused: it plays none.
        """
        sides = self.sides_of(session)
        if not sides:
            raise Refused("web.refused.spectator")
        return self.turn if self.turn in sides else sides[0]

    def can_undo(self, session: str) -> bool:
        """True if a browser may take back its last move, or ask the other one for it."""
        going = self.kind in ("solo", "shared") or self.going
        return going and self.table.can_take_back(self.sides_of(session))

    def has_hints(self) -> bool:
        """True if hints are given: against a program, or where both people have agreed."""
        return self.kind == "solo" or self.hints

    def flag_falls(self) -> float | None:
        """When the time of the side to move is up; None while no clock runs."""
        return self.table.clock.flag_falls(self.turn) if self.going else None

    # --- what people and programs do

    def play(self, session: str, move: str, now: float) -> None:
        """Makes a move for the browser whose turn it is.

        Raises:
            Refused: it is not its turn, or the game is over.
            UsageError: the move is not legal.
        """
        self._check_going(session)
        if self.turn not in self.sides_of(session):
            raise Refused("web.refused.turn")
        self.make(move, now)

    def make(self, move: str, now: float) -> None:
        """Makes a move for the side whose turn it is.

        Raises:
            UsageError: the move is not legal.
        """
        self.table.make(move, now)
        self._forget_position()
        self.once = False
        self._changed()

    def undo(self, session: str, now: float) -> None:
        """Takes back the last move of the browser's side, and what came after it; where another
        person plays elsewhere, asks for it.

        Raises:
            Refused: there is none, or the game is over for both.
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
        """Forgets what was asked for and found out about the position before."""
        self.hint = self.request = ""
        self.values = {}
        self.preparing = None

    def want_hints(self, session: str) -> None:
        """Lets both people have hints, as soon as both agree: those at one screen do when one of
        them says so."""
        self._check_going(session)
        if self.kind == "link":
            self._ask(session, "hints")
        else:
            self.hints = True
            self._changed()

    def _ask(self, session: str, request: str) -> None:
        """Asks the other person for something, one thing at a time."""
        self._check_going(session)
        if self.request:
            raise Refused("web.refused.asked")
        self.request, self.requested_by = request, self.side_for(session)
        self._changed()

    def answer_request(self, session: str, grant: bool, now: float) -> None:
        """Grants what the other person has asked for, or does not.

        Raises:
            Refused: nothing was asked of this browser.
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
        """Lets programs that play each other go on at some pace, rest, or make one move more.

        Raises:
            Refused: somebody else looks after them, or there is no such pace.
        """
        if self.kind != "watch" or session != self.owner:
            raise Refused("web.refused.pace")
        if pace and pace not in PACES:
            raise Refused("web.refused.form")
        self.pace, self.once = pace, once
        self._changed()

    def resign(self, session: str) -> None:
        """Gives the game up for the browser's side."""
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
        """Accepts or declines the draw that is offered."""
        self._check_going(session)
        offer = self.table.offer
        if not offer or other(offer) not in self.sides_of(session):
            raise Refused("web.refused.no-offer")
        self.settle_draw(accept)

    def settle_draw(self, accept: bool) -> None:
        """Ends the game drawn, or goes on with it."""
        self.table.settle_draw(accept)
        self._changed()

    def reset(self, session: str, now: float) -> None:
        """Goes back to the start, in games that concern only one browser.

        Raises:
            Refused: somebody else plays too, or the browser does not play.
        """
        mine = session == self.owner if self.kind == "watch" else bool(self.sides_of(session))
        if self.kind == "link" or not mine:
            raise Refused("web.refused.reset")
        self.table.reset(now)
        self._forget_position()
        # A program that is seeded alike would play the same game again.
        self.seed += 1
        self._changed()

    def show_hint(self, move: str) -> None:
        """Marks a move for the position at hand."""
        self.hint = move
        self._changed()

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Shows what is proven of the moves of the position at hand."""
        self.values = values
        self._changed()

    def sit(self, session: str, name: str, token: str, now: float) -> None:
        """Takes the open seat.

        Raises:
            Refused: there is none, the token is wrong, or the name is not fit.
        """
        seat = next((seat for seat in self.seats.values() if seat.is_open), None)
        if seat is None:
            raise Refused("web.refused.taken")
        # In the same time wherever they differ, so that the time tells nothing about the token.
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            raise Refused("web.refused.token")
        if self.sides_of(session):
            raise Refused("web.refused.yourself")
        check_names(
            [other_seat.name for other_seat in self.seats.values() if other_seat is not seat], name
        )
        # The turn of the one who has waited begins now, so that waiting is on no record.
        seat.session, seat.name = session, name
        self.table.begin_turn(now)
        self._changed()

    def prepare(self, preparation: Preparation) -> None:
        """Says that the program whose turn it is has to be compiled first: on nobody's clock."""
        self.table.clock.hold()
        self.preparing = preparation
        self._changed()

    def begin(self, now: float) -> None:
        """Lets the program whose turn it is think from now on, after it was compiled."""
        self.table.begin_turn(now)
        self.preparing = None
        self._changed()

    def fall_flag(self, now: float) -> bool:
        """Ends the game if the time of the side to move is up; returns True if it did."""
        fallen = self.table.fall_flag(now)
        if fallen:
            self._changed()
        return fallen

    def forfeit(self, cause: Cause) -> None:
        """Ends the game against the program whose turn it is; drawn where a rule has failed."""
        if cause.termination is Termination.ADJUDICATION:
            self.table.end(Outcome.DRAW, cause)
        else:
            self.table.forfeit(self.turn, cause)
        self._changed()

    def record(self) -> Record:
        """The game as the store of records keeps it."""
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
        """Refuses those who only look on, and whatever comes before the start or after the end."""
        self.side_for(session)
        if self.waiting:
            raise Refused("web.refused.waiting")
        if self.over:
            raise Refused("web.refused.over")

    def _changed(self) -> None:
        self.version += 1


#: Characters in the name of a person.
LONGEST_NAME = 24


def check_names(taken: Iterable[str], name: str) -> str:
    """Returns a person's name if it is fit.

    Raises:
        Refused: it is blank, too long, unprintable, or somebody else's.
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
    """An address that cannot be guessed."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """The secret of an invitation."""
    return secrets.token_urlsafe(12)
