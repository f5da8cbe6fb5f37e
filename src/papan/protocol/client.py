"""The arbiter's side of UGI: asks a program for moves and believes nothing else that it says."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from papan.core.game import Game, Position
from papan.core.spec import options_of
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
    """Answer of a program to `go`.

    Attributes:
        move: as it is written, legal or not; it may be empty, or several words.
        info: what it last said about its best line.
    """

    move: str
    info: Info


class Partner(ABC):
    """A conversation with a program, from its start to `close`, in whichever protocol. All that
    waits raises the exceptions of `Child.lines`.

    Args:
        command: the program and its arguments.
        guards: what it may take.
        name: the program's name in messages; the command without folders if empty.
    """

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        self.guards = guards
        self.child = Child(command, guards, name)

    @abstractmethod
    def greet(self) -> None:
        """Finds out that the program speaks the protocol, and what it can do."""

    @abstractmethod
    def new_game(self, game: Game, seed: int) -> None:
        """Has the program prepare for a game."""

    @abstractmethod
    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        """The program's move for the position after moves.

        Args:
            base: the first position that is known of the game.
            moves: those made since then, in the game's notation.
            go: what the move may take.
            deadline: when it comes too late, by `time.monotonic`.
        """

    def close(self) -> None:
        """Asks the program to leave, and sees to it that it does."""
        # Most programs end by themselves, and may have something to save.
        self.child.send("quit")
        self.child.wait_for_end(self.guards.quit_seconds)
        self.child.close()

    def kill(self) -> None:
        """Ends the program without a word."""
        self.child.close()


class Client(Partner):
    """A conversation in UGI."""

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        super().__init__(command, guards, name)
        self.options: dict[str, UgiOption] = {}
        #: The game whose start is what the program takes for `startpos`; None if that is unknown.
        self.knows: Game | None = None

    def greet(self) -> None:
        """Exchanges `ugi` and `ugiok`, and notes the program's options."""
        self.child.send("ugi")
        for line in self.child.lines(time.monotonic() + self.guards.start_seconds):
            if (option := read_option(line)) is not None:
                self.options[option.name.lower()] = option
            if line.strip() == "ugiok":
                return

    def new_game(self, game: Game, seed: int) -> None:
        """Has the program prepare for a game: sets its options and waits until it is ready."""
        self._set_game(game)
        self.set_option("seed", seed)
        self.child.send("uginewgame")
        ready_seconds = self.guards.ready_seconds
        deadline = time.monotonic() + ready_seconds
        self.wait_until_ready(deadline, ready_seconds=ready_seconds)

    def set_option(self, name: str, value: object) -> bool:
        """Sets an option if the program has it; returns whether it has."""
        option = self.options.get(name.lower())
        if option is not None:
            self.child.send(f"setoption name {option.name} value {value}")
        return option is not None

    def wait_until_ready(self, deadline: float, *, ready_seconds: float | None = None) -> None:
        """Returns when the program has done everything that was sent, and drops what it wrote until
        then. `ready_seconds`: see `lines` of the process."""
        # Before and after: a `bestmove` that comes without `go` is no answer to the next one.
        self.child.drop_lines()
        self.child.send("isready")
        self._wait(
            deadline,
            lambda line: True if line.strip() == "readyok" else None,
            ready_seconds=ready_seconds,
        )
        self.child.drop_lines()

    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        from_start = self.knows == base.game and base == base.game.start()
        line = PositionCommand(None if from_start else str(base), tuple(moves))
        return self.go(line, go, deadline)

    def go(self, line: PositionCommand, go: Go, deadline: float) -> BestMove:
        """The move for a position."""
        self.wait_until_ready(min(deadline, time.monotonic() + self.guards.answer_seconds))
        self.child.send(line.line(), go.line())
        best = ""

        def read(line: str) -> BestMove | None:
            nonlocal best
            # Kept as text and read once at the end: engines write thousands of these.
            if tells_best_line(line):
                best = line
            move = read_bestmove(line)
            return None if move is None else BestMove(move, read_info(best) or Info())

        return self._wait(deadline, read)

    def _wait(
        self,
        deadline: float,
        read: Callable[[str], T | None],
        *,
        ready_seconds: float | None = None,
    ) -> T:
        """The first result of `read` on a line that means something to it."""
        for line in self.child.lines(deadline, ready_seconds=ready_seconds):
            reply = read(line)
            if reply is not None:
                return reply
        raise AssertionError("lines end with an exception")

    def _set_game(self, game: Game) -> None:
        """Tells the program which game is played, as far as it has options for that.

        Options of the game that stand at their default go back to what the program says is its
        own: 0 rounds, say, would mean something else to it.
        """
        self.knows = game
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
            self.knows = None
