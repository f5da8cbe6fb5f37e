"""Players that are programs: any that speaks UGI, and functions in Python files.

    ugi:./mybot --fast             python:path/to/bot.py

Everything after the first colon is the command, or the path. The program runs from the first game
that it plays until `close`, or until it fails; after a failure the next game starts it anew.
"""

from __future__ import annotations

import shlex
import sys
import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Self

from papan.core.game import Game, Position
from papan.errors import InvalidSpec, PapanError
from papan.kernel import operations as rules
from papan.players.base import Choice, Player
from papan.players.ugi_limits import go_of
from papan.protocol.client import BestMove, Client
from papan.protocol.guards import Guards
from papan.protocol.messages import PositionCommand
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
    def to(cls, position: Position) -> Trail:
        """The trail to the first position that is seen of a game."""
        start = position.game.start()
        trail = cls(start, [], start)
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

    text: str = ""
    guards: Guards = field(default_factory=Guards, repr=False, compare=False)

    client: Client | None = field(init=False, repr=False, compare=False, default=None)
    _trail: Trail | None = field(init=False, repr=False, compare=False, default=None)

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

    @abstractmethod
    def command(self) -> list[str]:
        """The program and its arguments; nothing if the text does not tell."""

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._trail = None
        with self._started() as client:
            client.new_game(game, seed)

    def choose(self, position: Position, limit: Limit) -> Choice:
        most = limit.most_seconds(position.side)
        seconds = self.guards.move_seconds if most is None else most + _GRACE
        deadline = time.monotonic() + seconds
        if self._trail is None or not self._trail.reach(position):
            self._trail = Trail.to(position)
        with self._started() as client:
            answer = client.go(self._line(client), go_of(limit), deadline)
        self._trail.add(answer.move)
        return choice_of(answer)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    @contextmanager
    def _started(self) -> Iterator[Client]:
        """The program's client; started if need be, and killed if something goes wrong inside,
        since its state is not known then."""
        try:
            if self.client is None:
                self.client = Client(self.command(), self.guards)
                self.client.greet()
            yield self.client
        except BaseException:
            if self.client is not None:
                self.client.kill()
                self.client = None
            raise

    def _line(self, client: Client) -> PositionCommand:
        """The position at hand in the words of the protocol."""
        assert self._trail is not None
        base = self._trail.base
        from_start = client.knows == base.game and base == base.game.start()
        return PositionCommand(None if from_start else str(base), tuple(self._trail.moves))


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
class PythonPlayer(ExternalPlayer):
    """A function `choose(position, limit)` in a Python file, run in a process of its own."""

    name = "python"
    example = "python:path/to/bot.py"

    def command(self) -> list[str]:
        # -P keeps files that lie about here from being taken for modules of Python.
        child = [sys.executable, "-P", "-m", "papan.players.python_bot"]
        return [*child, self.text] if self.text and "\0" not in self.text else []
