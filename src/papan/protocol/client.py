"""The arbiter's side of UGI: asks a program for moves. Its output is not trusted."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, TypeVar

from papan.core.game import Game, Position
from papan.core.spec import options_of
from papan.errors import InvalidSpec
from papan.protocol.guards import Guards
from papan.protocol.messages import (
    Go,
    Info,
    PositionCommand,
    UgiOption,
    read_bestmove,
    read_info,
    read_option,
    tells_best_line,
)
from papan.protocol.process import Child

T = TypeVar("T")


@dataclass(frozen=True)
class BestMove:
    """A program's reply to `go`.

    Attributes:
        move: the move as written: legal or not, possibly empty or several words.
        info: the latest report about the best line.
    """

    move: str
    info: Info


class Partner(ABC):
    """A connection to a program from its start to `close`, in any protocol.

    Methods that wait raise the exceptions of `Child.lines`.

    Args:
        command: the program and its arguments.
        guards: resource limits of the program.
        name: the program's name in messages; if empty, the command without folders.
    """

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        self.guards = guards
        self.child = Child(command, guards, name)

    @abstractmethod
    def greet(self) -> None:
        """Checks that the program speaks the protocol, and reads its options or commands."""

    @abstractmethod
    def new_game(self, game: Game, seed: int) -> None:
        """Prepares the program for a game."""

    @abstractmethod
    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        """Returns the program's move for the position after some moves.

        Args:
            base: the first known position of the game.
            moves: the moves from `base` on, in the game's notation.
            go: limits of the move.
            deadline: end of the wait, on the clock `time.monotonic`.
        """

    def close(self) -> None:
        """Asks the program to quit, then kills it if necessary."""
        # Most programs quit when asked, and some save data first.
        self.child.send("quit")
        self.child.wait_for_end(self.guards.quit_seconds)
        self.child.close()

    def kill(self) -> None:
        """Kills the program without sending `quit`."""
        self.child.close()


class Client(Partner):
    """A connection in UGI.

    Attributes:
        protocol: name of the protocol, as in its first command.
        wanted: options of the program that the user chose, set before each game.
    """

    protocol: ClassVar[str] = "ugi"

    wanted: Mapping[str, str] = MappingProxyType({})

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        super().__init__(command, guards, name)
        self.options: dict[str, UgiOption] = {}
        #: Game whose start position the program uses for `startpos`; None if unknown.
        self.startpos_game: Game | None = None

    def greet(self) -> None:
        """Sends `ugi`, waits for `ugiok`, and stores the program's options."""
        self.child.send(self.protocol)
        for line in self.child.lines(time.monotonic() + self.guards.start_seconds):
            if (option := read_option(line)) is not None:
                self.options[option.name.lower()] = option
            if line.strip() == f"{self.protocol}ok":
                return

    def new_game(self, game: Game, seed: int) -> None:
        """Sets the options for a game and waits until the program is ready."""
        self._set_game(game)
        self.set_option("seed", seed)
        for name, value in self.wanted.items():
            if not self.set_option(name, value):
                known = ", ".join(option.name for option in self.options.values())
                raise InvalidSpec("player.no-option", text=name, known=known or "–")
        self.child.send(f"{self.protocol}newgame")
        ready_seconds = self.guards.ready_seconds
        deadline = time.monotonic() + ready_seconds
        self.wait_until_ready(deadline, ready_seconds=ready_seconds)

    def set_option(self, name: str, value: object) -> bool:
        """Sets an option if the program has it; returns True if so."""
        option = self.options.get(name.lower())
        if option is not None:
            self.child.send(f"setoption name {option.name} value {value}")
        return option is not None

    def wait_until_ready(self, deadline: float, *, ready_seconds: float | None = None) -> None:
        """Waits until the program has processed everything that was sent, and drops its output.

        `ready_seconds`: see `Child.lines`.
        """
        # Drop lines before and after: an unrequested `bestmove` must not count for the next `go`.
        self.child.drop_lines()
        self.child.send("isready")
        self._wait(
            deadline,
            lambda line: True if line.strip() == "readyok" else None,
            ready_seconds=ready_seconds,
        )
        self.child.drop_lines()

    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        from_start = self.startpos_game == base.game and base == base.game.start()
        line = PositionCommand(None if from_start else str(base), tuple(moves))
        return self.go(line, go, deadline)

    def go(self, line: PositionCommand, go: Go, deadline: float) -> BestMove:
        """Returns the move for a position."""
        self.wait_until_ready(min(deadline, time.monotonic() + self.guards.answer_seconds))
        self.child.send(line.line(), self._go_line(go))
        best = ""

        def read(line: str) -> BestMove | None:
            nonlocal best
            # Keep the text and parse it once at the end: engines write thousands of these lines.
            if tells_best_line(line):
                best = line
            move = read_bestmove(line)
            return None if move is None else BestMove(move, read_info(best) or Info())

        return self._wait(deadline, read)

    def _go_line(self, go: Go) -> str:
        return go.line()

    def _wait(
        self,
        deadline: float,
        read: Callable[[str], T | None],
        *,
        ready_seconds: float | None = None,
    ) -> T:
        """Returns the first result of `read` that is not None."""
        for line in self.child.lines(deadline, ready_seconds=ready_seconds):
            reply = read(line)
            if reply is not None:
                return reply
        raise AssertionError("lines end with an exception")

    def _set_game(self, game: Game) -> None:
        """Sends the game and its options, if the program has matching options.

        Options of the game with their default value are set to the program's own default: a value
        such as 0 rounds may have another meaning for the program.
        """
        self.startpos_game = game
        if self.set_option("game", game.spec):
            return
        is_known = []
        for name, facts in options_of(type(game)).items():
            value, theirs = getattr(game, name), self.options.get(name)
            usual = value == facts["default"]
            is_known.append(
                self.set_option(name, theirs.default if usual and theirs else value) or usual
            )
        if not all(is_known):
            self.startpos_game = None


class UciClient(Client):
    """A connection in UCI, the protocol of programs for chess: UGI with other names of clocks."""

    protocol = "uci"

    def _go_line(self, go: Go) -> str:
        clocks = {"p1time": "wtime", "p2time": "btime", "p1inc": "winc", "p2inc": "binc"}
        return " ".join(clocks.get(word, word) for word in go.line().split())

    def _set_game(self, game: Game) -> None:
        self.startpos_game = game
