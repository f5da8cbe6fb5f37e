"""A live game: who sits where, what was played, whose clock runs, what is offered.

Pure logic: no HTTP, no database, no time of its own. Every change goes through a method that
either does all of it or raises `Refused` and changes nothing. Times are seconds since the epoch,
so that a clock goes on when the server was restarted.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

from papan.core import registry
from papan.core.game import Position
from papan.errors import UsageError
from papan.records.model import BY_RULES, UNFINISHED, Record, now

SIDES = ("x", "o")

#: Who plays: a person and a program; two people at one screen; two by a link; two programs.
KINDS = ("solo", "shared", "link", "watch")

#: Players that start a program or read a file.
PROGRAMS = ("ugi", "python")

RESIGNATION = "resignation"
AGREEMENT = "agreement"
TIME = "time"
CRASH = "crash"


class Refused(UsageError):
    """Something that a visitor of a game may not do, or not now."""


def other(side: str) -> str:
    """The opponent of a side."""
    return "o" if side == "x" else "x"


@dataclass
class Seat:
    """One side of the table.

    Attributes:
        name: who sits here, for people.
        player: the spec of a program; empty for a person.
        session: the browser that plays; empty for a program, or while nobody has come.
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
        """Whether a person is still awaited."""
        return not self.player and not self.session


@dataclass
class Clock:
    """How much time each side has left.

    Attributes:
        initial: what each side begins with, in seconds; 0 for a game without clock.
        increment: what a move earns.
        left: for `x` and `o`, not counting the turn under way.
        since: when the turn under way began; None while no clock runs.
    """

    initial: float = 0.0
    increment: float = 0.0
    left: dict[str, float] = field(default_factory=dict)
    since: float | None = None

    def __post_init__(self) -> None:
        if not self.left:
            self.left = dict.fromkeys(SIDES, self.initial)

    def now_left(self, side: str, turn: str, now: float) -> float:
        """What a side has left, in seconds; 0 when its time is up."""
        used = now - self.since if self.since is not None and side == turn else 0.0
        return max(0.0, self.left[side] - max(0.0, used))

    def press(self, side: str, now: float) -> None:
        """Ends a side's turn; from the first move on, the other side's clock runs."""
        if self.since is not None:
            self.left[side] = self.now_left(side, side, now) + self.increment
        self.since = now if self.initial else None


@dataclass
class LiveGame:
    """A live game.

    Attributes:
        id: its address.
        kind: one of `KINDS`.
        game: the spec of the game.
        owner: the browser that set it up.
        seats: who plays `x` and `o`.
        start: the position line it started from; empty for the game's start.
        moves: what was played.
        seconds: how long each move took.
        clock: the time that is left.
        result: `x`, `o`, `draw`, or empty while the game goes on.
        termination: how it ended, as records say it.
        offer: the side that has offered a draw.
        declined: whether the last offer was turned down.
        hint: the move that was asked for, for the position at hand.
        token: who knows it may take the open seat.
        seed: what programs are seeded with.
        next: the live of the return game.
        began: when the turn under way began.
        version: grows with every change.
    """

    id: str
    kind: str
    game: str
    owner: str
    seats: dict[str, Seat]
    start: str = ""
    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    result: str = ""
    termination: str = ""
    offer: str = ""
    declined: bool = False
    hint: str = ""
    token: str = ""
    seed: int = 0
    next: str = ""
    began: float = 0.0
    version: int = 0
    positions: list[Position] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        if not self.positions:
            position = registry.game(self.game).position(self.start)
            self.positions = [position]
            for move in self.moves:
                position = position.play(move)
                self.positions.append(position)

    # --- what there is to know

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[-1]

    @property
    def turn(self) -> str:
        """The side to move."""
        return self.position.side

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.result)

    @property
    def waiting(self) -> bool:
        """Whether a person is still awaited."""
        return any(seat.is_open for seat in self.seats.values())

    @property
    def going(self) -> bool:
        """Whether moves can be made."""
        return not self.over and not self.waiting

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
        """Whether a browser may take back its last move."""
        own = self.sides_of(session)
        past = self.positions[:-1]
        return self.kind in ("solo", "shared") and any(then.side in own for then in past)

    def flag_falls(self) -> float | None:
        """When the time of the side to move is up; None while no clock runs."""
        if not self.going or self.clock.since is None:
            return None
        return self.clock.since + self.clock.left[self.turn]

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
        if self.tell_time(now):
            return
        side, after = self.turn, self.position.play(move)
        self.clock.press(side, now)
        self.positions.append(after)
        self.moves.append(move)
        self.seconds.append(round(max(0.0, now - self.began), 3) if self.began else 0.0)
        self.offer, self.hint, self.declined = "", "", False
        self.began = now
        outcome = after.outcome()
        if outcome is not None:
            self._end(outcome.value, BY_RULES)
        self._changed()

    def undo(self, session: str, now: float) -> None:
        """Takes back the last move of the browser's side, and what came after it.

        Raises:
            Refused: there is none, or moves of this game cannot be taken back.
        """
        if not self.can_undo(session):
            raise Refused("web.refused.undo")
        own = self.sides_of(session)
        while True:
            self.positions.pop()
            self.moves.pop()
            self.seconds.pop()
            if self.turn in own:
                break
        self.result = self.termination = self.offer = self.hint = ""
        self.began = now
        if self.clock.since is not None:
            self.clock.since = now
        self._changed()

    def resign(self, session: str) -> None:
        """Gives the game up for the browser's side."""
        self._check_going(session)
        self._end(other(self.side_for(session)), RESIGNATION)
        self._changed()

    def offer_draw(self, session: str) -> None:
        """Offers a draw to the other side."""
        self._check_going(session)
        if self.offer:
            raise Refused("web.refused.offered")
        self.offer, self.declined = self.side_for(session), False
        self._changed()

    def answer_draw(self, session: str, accept: bool) -> None:
        """Accepts or declines the draw that is offered."""
        self._check_going(session)
        if not self.offer or other(self.offer) not in self.sides_of(session):
            raise Refused("web.refused.no-offer")
        self.settle_draw(accept)

    def settle_draw(self, accept: bool) -> None:
        """Ends the game drawn, or goes on with it."""
        self.offer, self.declined = "", not accept
        if accept:
            self._end("draw", AGREEMENT)
        self._changed()

    def reset(self, session: str, now: float) -> None:
        """Goes back to the start, in games that concern nobody else.

        Raises:
            Refused: somebody else plays too, or the browser does not play.
        """
        mine = session == self.owner if self.kind == "watch" else bool(self.sides_of(session))
        if self.kind == "link" or not mine:
            raise Refused("web.refused.reset")
        self.positions = self.positions[:1]
        self.moves, self.seconds = [], []
        self.clock = Clock(self.clock.initial, self.clock.increment)
        self.result = self.termination = self.offer = self.hint = ""
        self.seed += 1
        self.began = now
        self._changed()

    def show_hint(self, move: str) -> None:
        """Marks a move for the position at hand."""
        self.hint = move
        self._changed()

    def sit(self, session: str, name: str, token: str, now: float) -> None:
        """Takes the open seat.

        Raises:
            Refused: there is none, the token is wrong, or the name is not fit.
        """
        seat = next((seat for seat in self.seats.values() if seat.is_open), None)
        if seat is None:
            raise Refused("web.refused.taken")
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            raise Refused("web.refused.token")
        if self.sides_of(session):
            raise Refused("web.refused.yourself")
        check_names(
            [other_seat.name for other_seat in self.seats.values() if other_seat is not seat], name
        )
        seat.session, seat.name = session, name
        self.began = now
        self._changed()

    def tell_time(self, now: float) -> bool:
        """Ends the game if the time of the side to move is up; returns whether it did."""
        falls = self.flag_falls()
        if falls is None or now < falls:
            return False
        self.clock.left[self.turn] = 0.0
        self._end(other(self.turn), TIME)
        self._changed()
        return True

    def fail(self) -> None:
        """Ends the game against the program whose turn it is."""
        self._end(other(self.turn), CRASH)
        self._changed()

    def record(self) -> Record:
        """The game as the store of records keeps it."""
        return Record(
            game=self.game,
            x=self.seats["x"].public,
            o=self.seats["o"].public,
            moves=tuple(self.moves),
            result=self.result or UNFINISHED,
            termination=self.termination or "unterminated",
            start=self.start,
            seconds=tuple(self.seconds),
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

    def _end(self, result: str, termination: str) -> None:
        self.result, self.termination = result, termination
        self.clock.since = None
        self.offer = ""

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
    """An address that nobody can guess."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """What an invitation carries."""
    return secrets.token_urlsafe(12)
