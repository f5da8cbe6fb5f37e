"""Players that are programs: any that speaks UGI or GTP, and functions in Python files.

    ugi:./mybot --fast             gtp:gtp-rhino -l 5             python:path/to/bot.py

Everything after the first colon is the command, or the path. The program runs from the first game
that it plays until `close`, or until it fails; after a failure the next game starts it anew.
"""

from __future__ import annotations

import shlex
import sys
import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

from papan.core.game import Game, Position
from papan.errors import InvalidSpec, PapanError, PlayerTimeout
from papan.players.base import Choice, Player
from papan.players.ugi_limits import go_of
from papan.protocol.client import BestMove, Client, Partner
from papan.protocol.gtp_client import GtpClient
from papan.protocol.guards import Guards
from papan.protocol.process import without_folders
from papan.rules import operations as rules
from papan.search.limits import Limit

#: The program is waited for so much longer than the referee allows, in seconds: about a move that
#: comes at the last moment the referee's clock decides, not this one.
_GRACE = 0.05


@dataclass
class Trail:
    """The way of a game to the position at hand, as far as it was seen from here.

    Attributes:
        base: the first position that was seen, or the game's start.
        moves: those made since then.
        end: where they lead.
    """

    base: Position
    moves: list[str]
    end: Position

    @classmethod
    def to(cls, position: Position, known: Sequence[str] = ()) -> Trail:
        """The trail from the game's start to a position on a way that is known, or one move beside
        it; from the position itself where it is neither.

        Args:
            position: where the trail leads.
            known: moves from the game's start.
        """
        start = position.game.start()
        trail = cls(start, [], start)
        for move in known:
            if trail.reach(position):
                return trail
            trail.add(move)
        return trail if trail.reach(position) else cls(position, [], position)

    def add(self, move: str) -> None:
        """Goes on by a move, if it is legal."""
        try:
            self.end = self.end.play(move)
        except PapanError:
            return
        self.moves.append(move)

    def reach(self, position: Position) -> bool:
        """Goes on to a position that is here already, or one move away; returns whether it is."""
        if position == self.end:
            return True
        for code in self.end.codes():
            if rules.play(self.end.state, code) == position.state:
                self.add(self.end.game.write_move(code))
                return position == self.end
        return False


@dataclass
class ExternalPlayer(Player):
    """A player in another process.

    Attributes:
        text: what stands after the colon of the spec.
        guards: what the program may take.
        client: the program, while it runs.
    """

    #: A good spec, for error messages.
    example: ClassVar[str]
    #: The protocol that the program speaks.
    partner: ClassVar[type[Partner]] = Client

    text: str = ""
    guards: Guards = field(default_factory=Guards, repr=False, compare=False)

    client: Partner | None = field(init=False, repr=False, compare=False, default=None)
    _printed: str = field(init=False, repr=False, compare=False, default="")
    _unready: PlayerTimeout | None = field(init=False, repr=False, compare=False, default=None)
    _trail: Trail | None = field(init=False, repr=False, compare=False, default=None)
    _opening: tuple[str, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        if not self.command():
            raise InvalidSpec("player.command", text=self.spec, example=self.example)

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(text)

    @property
    def spec(self) -> str:
        return f"{self.name}:{self.text}"

    def guard(self, guards: Guards) -> None:
        self.guards = guards

    def expect(self, opening: tuple[str, ...]) -> None:
        self._opening = opening

    @abstractmethod
    def command(self) -> list[str]:
        """The program and its arguments; nothing if the text does not tell."""

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._trail = None
        if self._unready is not None:
            raise self._unready
        try:
            with self._running_client() as client:
                client.new_game(game, seed)
        except PlayerTimeout as late:
            # Not waited for again: a tournament would take a minute for each of its games.
            self._unready = late
            raise

    def choose(self, position: Position, limit: Limit) -> Choice:
        most = limit.most_seconds(position.side)
        seconds = self.guards.move_seconds if most is None else most + _GRACE
        deadline = time.monotonic() + seconds
        if self._trail is None or not self._trail.reach(position):
            self._trail = Trail.to(position, self._known_moves(position))
        trail = self._trail
        with self._running_client() as client:
            answer = client.answer(trail.base, trail.moves, go_of(limit), deadline)
        trail.add(answer.move)
        return choice_of(answer)

    def _known_moves(self, position: Position) -> Sequence[str]:
        """Moves of the game at hand, from its start: those seen before one was taken back, or those
        of the opening."""
        if self._trail is not None and self._trail.base == position.game.start():
            return tuple(self._trail.moves)
        return self._opening

    def printed(self) -> str:
        return self._printed if self.client is None else self.client.child.printed()

    def title(self) -> str:
        """The name of the program in messages, without folders."""
        return without_folders(self.text)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    @contextmanager
    def _running_client(self) -> Iterator[Partner]:
        """The program's client; started if need be, and killed if something goes wrong inside,
        since its state is not known then."""
        try:
            if self.client is None:
                self.client = self.partner(self.command(), self.guards, self.title())
                self.client.greet()
            yield self.client
        except BaseException:
            if self.client is not None:
                self._printed = self.printed()
                self.client.kill()
                self.client = None
            raise


def choice_of(answer: BestMove) -> Choice:
    """The choice of a program. Its opinion counts only if it is about that move."""
    info = answer.info
    if info.pv[:1] != (answer.move,):
        return Choice(answer.move)
    return Choice(answer.move, info.score, info.depth, info.nodes, info.pv)


@dataclass
class UgiPlayer(ExternalPlayer):
    """Any program that speaks UGI."""

    name = "ugi"
    example = "ugi:./mybot --fast"

    def command(self) -> list[str]:
        try:
            return [] if "\0" in self.text else shlex.split(self.text)
        except ValueError:  # a quotation that does not end
            return []


@dataclass
class GtpPlayer(UgiPlayer):
    """Any program that speaks GTP, the Go Text Protocol, and knows the game: it is told the size of
    the board, and the moves from the game's start."""

    name = "gtp"
    example = "gtp:gtp-rhino -l 5"
    partner = GtpClient


@dataclass
class PythonPlayer(ExternalPlayer):
    """A function `choose(position, limit)` in a Python file, run in a process of its own."""

    name = "python"
    example = "python:path/to/bot.py"

    @classmethod
    def from_text(cls, text: str) -> Self:
        player = super().from_text(text)
        if not Path(text).is_file():
            raise InvalidSpec("player.no-file", text=text)
        return player

    def title(self) -> str:
        return Path(self.text).name

    def command(self) -> list[str]:
        # -P keeps files that lie about here from being taken for modules of Python.
        child = [sys.executable, "-P", "-m", "papan.players.python_bot"]
        return [*child, self.text] if self.text and "\0" not in self.text else []
