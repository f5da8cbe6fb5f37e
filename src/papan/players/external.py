"""External players: programs that speak UGI, UCI or GTP, and functions in Python files.

    ugi:./mybot --fast        uci:stockfish        gtp:gtp-rhino -l 5        python:path/to/bot.py

The text after the first colon is the command or the path. A word `option.NAME=VALUE` of a command
sets an option of a program that speaks UGI or UCI. The program starts with its first game
and runs until `close` or until a failure; after a failure the next game starts it again.
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
from papan.protocol.client import BestMove, Client, Partner, UciClient
from papan.protocol.gtp import GtpClient
from papan.protocol.guards import Guards
from papan.protocol.process import without_folders
from papan.rules import operations as rules
from papan.search.limits import Limit

#: Seconds added to the referee's time limit, so that the referee's clock decides about moves at the
#: last moment, not this timeout.
_GRACE = 0.05
#: Prefix of a word of a command that is an option of the program, not an argument.
_OPTION = "option."


@dataclass
class Trail:
    """The moves of a game up to the current position, as far as this player saw them.

    Attributes:
        base: the game's start, or the first position that the player saw.
        moves: the moves from `base` on.
        end: the position after these moves.
    """

    base: Position
    moves: list[str]
    end: Position

    @classmethod
    def to(cls, position: Position, known: Sequence[str] = ()) -> Trail:
        """Returns a trail to a position.

        The trail begins at the game's start if the position lies on the known line or one move off
        it; otherwise it begins at the position itself.

        Args:
            position: the end of the trail.
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
        """Appends a move; ignores an illegal one."""
        try:
            self.end = self.end.play(move)
        except PapanError:
            return
        self.moves.append(move)

    def reach(self, position: Position) -> bool:
        """Returns True if the trail ends at a position, after one more move if necessary."""
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
        text: the part of the spec after the colon.
        guards: resource limits of the program.
        client: the connection to the program; None while the program does not run.
    """

    #: A valid spec, for error messages.
    example: ClassVar[str]
    limits_processor_time: ClassVar[bool] = False

    #: Class of the program's protocol.
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
        """Returns the program and its arguments; an empty list if the spec is invalid."""

    def wanted(self) -> dict[str, str]:
        """Returns the options that the program is to be given, by name; none by default."""
        return {}

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self._trail = None
        if self._unready is not None:
            raise self._unready
        try:
            with self._running_client() as client:
                client.new_game(game, seed)
        except PlayerTimeout as late:
            # Raised again without waiting: a tournament would wait a minute for each of its games.
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
        """Returns known moves from the game's start: those of the trail (which helps after a
        takeback), or those of the opening."""
        if self._trail is not None and self._trail.base == position.game.start():
            return tuple(self._trail.moves)
        return self._opening

    def printed(self) -> str:
        return self._printed if self.client is None else self.client.child.printed()

    def title(self) -> str:
        """Returns the program's name for messages, without folders."""
        return without_folders(self.text)

    def close(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    @contextmanager
    def _running_client(self) -> Iterator[Partner]:
        """Yields the program's client; starts the program if necessary.

        Any exception kills the program, since its state is unknown then.
        """
        try:
            if self.client is None:
                self.client = self.partner(self.command(), self.guards, self.title())
                if isinstance(self.client, Client):
                    self.client.wanted = self.wanted()
                self.client.greet()
            yield self.client
        except BaseException:
            if self.client is not None:
                self._printed = self.printed()
                self.client.kill()
                self.client = None
            raise


def choice_of(answer: BestMove) -> Choice:
    """Returns a program's move as a choice; its score counts only if the pv begins with the
    move."""
    info = answer.info
    if info.pv[:1] != (answer.move,):
        return Choice(answer.move)
    return Choice(answer.move, info.score, info.depth, info.nodes, info.pv)


@dataclass
class UgiPlayer(ExternalPlayer):
    """A program that speaks UGI."""

    name = "ugi"
    example = "ugi:./mybot --fast"

    def command(self) -> list[str]:
        return [word for word in self._words() if not word.startswith(_OPTION)]

    def wanted(self) -> dict[str, str]:
        """Returns the program's options in the spec, by name."""
        chosen = (word.removeprefix(_OPTION) for word in self._words() if word.startswith(_OPTION))
        return {name: value for name, _, value in (text.partition("=") for text in chosen)}

    def _words(self) -> list[str]:
        try:
            return [] if "\0" in self.text else shlex.split(self.text)
        except ValueError:  # unclosed quotation mark
            return []


@dataclass
class UciPlayer(UgiPlayer):
    """A program that speaks UCI, the protocol of programs for chess."""

    name = "uci"
    example = "uci:stockfish option.UCI_LimitStrength=true option.UCI_Elo=1700"
    partner = UciClient


@dataclass
class GtpPlayer(UgiPlayer):
    """A program that speaks GTP, the Go Text Protocol.

    The program gets the board size and all moves from the game's start.
    """

    name = "gtp"
    example = "gtp:gtp-rhino -l 5"
    partner = GtpClient


@dataclass
class PythonPlayer(ExternalPlayer):
    """A function `choose(position, limit)` in a Python file, in a process of its own."""

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
        # -P: files in the current folder must not shadow Python's modules.
        child = [sys.executable, "-P", "-m", "papan.players.python_bot"]
        return [*child, self.text] if self.text and "\0" not in self.text else []
