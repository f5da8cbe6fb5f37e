"""The program's side of UGI: a game and a thinker that obey an arbiter.

One thread reads commands and another one searches, so that `stop` and `isready` work at any time.
Only `quit` and the end of the input end the server. An invalid line gets the reply `info string
error …` and changes nothing.
"""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Protocol, TypeVar

from papan.core import spec
from papan.core.game import Game, Outcome, Position
from papan.errors import PapanError, UsageError
from papan.protocol.messages import (
    Go,
    Info,
    PositionCommand,
    UgiOption,
    error_line,
    read_go,
    read_position,
    read_setoption,
)
from papan.usercode import registry

T = TypeVar("T")

#: Maximum length of a line in bytes: enough for a game of 100,000 moves.
LONGEST_LINE = 1 << 20
#: Maximum number of quoted characters of an invalid line.
_QUOTED = 80
#: Seconds to wait for a running search after `quit`.
_LAST_WORDS_SECONDS = 2.0
#: Reply to `go` in a finished game.
NO_MOVE = "none"

_RESULTS = {Outcome.X_WINS: "p1win", Outcome.O_WINS: "p2win", Outcome.DRAW: "draw", None: "none"}


class Thought(Protocol):
    """A search for one move."""

    def run(self, on_info: Callable[[Info], None]) -> str:
        """Searches; returns the move."""

    def stop(self) -> None:
        """Stops the search soon. Any thread may call it, even before `run`."""


class Thinker(ABC):
    """Finds the moves of a server, for any game and independent of the protocol."""

    def options(self, game: Game) -> list[UgiOption]:
        """Returns the options of the thinker with their current values."""
        return []

    def set_option(self, game: Game, name: str, value: str) -> None:
        """Sets one of `options(game)`.

        Raises:
            UsageError: the value is not allowed.
        """

    def prepare(self, game: Game) -> None:
        """Does slow preparations that do not depend on the position, such as compiling."""

    def forget(self) -> None:
        """Clears all state for a new game."""

    @abstractmethod
    def begin(self, position: Position, go: Go) -> Thought:
        """Returns a search for the best move of an unfinished game; `run` starts it."""


class Server:
    """A connection to an arbiter.

    Args:
        thinker: finds the moves.
        game: the initial game.
        write: sends a line to the arbiter; called by two threads, but never at the same time.
        name: name of the program.
        author: author of the program.
        find_game: returns the game that the arbiter names. The default does not load files, since
            the arbiter is not trusted.
    """

    def __init__(
        self,
        thinker: Thinker,
        game: Game,
        write: Callable[[str], None],
        *,
        name: str,
        author: str,
        find_game: Callable[[str], Game] = registry.known_game,
    ) -> None:
        self._find_game = find_game
        self.thinker, self.name, self.author = thinker, name, author
        self.position = game.start()
        self._line = PositionCommand()
        self._write_line, self._writing = write, threading.Lock()
        self._thinking: _Thinking | None = None
        self._commands: Mapping[str, Callable[[str], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "uginewgame": self._uginewgame,
            "position": self._position,
            "query": self._query,
            "go": self._go,
            "stop": self._stop,
        }

    @property
    def game(self) -> Game:
        """The current game."""
        return self.position.game

    def serve(self, lines: Iterable[str]) -> None:
        """Processes commands until `quit` or the end of the lines."""
        try:
            for line in lines:
                if line.split()[:1] == ["quit"]:
                    break
                self.obey(line)
        finally:
            self._stop("")
            if self._thinking is not None:
                self._thinking.thread.join(_LAST_WORDS_SECONDS)

    def obey(self, line: str) -> None:
        """Processes one line; errors become replies, not exceptions."""
        command, _, rest = line.strip().partition(" ")
        if not command:
            return
        try:
            if command not in self._commands:
                raise UsageError("ugi.unknown", text=command[:_QUOTED])
            self._commands[command](rest.strip())
        except Exception as error:  # any error: the server must process the next command
            self._complain(error)

    # --- the commands

    def _ugi(self, rest: str) -> None:
        self.write(f"id name {self.name}")
        self.write(f"id author {self.author}")
        for option in self._options():
            self.write(option.line())
        self.write("ugiok")

    def _isready(self, rest: str) -> None:
        if not self._busy:
            self.thinker.prepare(self.game)
        self.write("readyok")

    def _setoption(self, rest: str) -> None:
        name, value = read_setoption(rest)
        self._refuse_if_busy("setoption")
        known = {option.name.lower(): option.name for option in self._options()}
        key = known.get(name.lower())
        if key is None:
            raise UsageError("ugi.option", text=name[:_QUOTED], known=", ".join(known.values()))
        if key == "game":
            self._play(self._find_game(value))
        elif key in spec.options_of(type(self.game)):
            self._play(change_option(self.game, key, value))
        else:
            self.thinker.set_option(self.game, key, value)

    def _uginewgame(self, rest: str) -> None:
        self._refuse_if_busy("uginewgame")
        self.thinker.forget()

    def _position(self, rest: str) -> None:
        line = read_position(rest)
        known = self._line
        grown = line.fen == known.fen and line.moves[: len(known.moves)] == known.moves
        if grown:
            position, new = self.position, line.moves[len(known.moves) :]
        else:
            position, new = self.game.position(line.fen or ""), line.moves
        for move in new:
            position = position.play(move)
        self.position, self._line = position, line

    def _query(self, rest: str) -> None:
        what, _, argument = rest.partition(" ")
        answers: dict[str, Callable[[], str]] = {
            "p1turn": lambda: _word(self.position.side == "x"),
            "gameover": lambda: _word(self.position.outcome() is not None),
            "result": lambda: _RESULTS[self.position.outcome()],
            "islegal": lambda: _word(argument.strip() in self.position.moves()),
            "fen": lambda: str(self.position),
            "legalmoves": lambda: " ".join(self.position.moves()),
        }
        if what not in answers:
            raise UsageError("ugi.query", text=what[:_QUOTED], known=", ".join(answers))
        self.write(f"response {answers[what]()}".rstrip())

    def _go(self, rest: str) -> None:
        self._refuse_if_busy("go")
        go, wrong = read_go(rest)
        for words in wrong:
            self._complain(UsageError("ugi.ignored", text=words[:_QUOTED]))
        if self.position.outcome() is not None:
            self.write(f"bestmove {NO_MOVE}")
            return
        thought = self.thinker.begin(self.position, go)
        self._thinking = _Thinking(self, thought, self.position, go.infinite)
        self._thinking.thread.start()

    def _stop(self, rest: str) -> None:
        if self._thinking is not None:
            self._thinking.stop()

    # --- what they share

    def write(self, line: str) -> None:
        """Sends a line to the arbiter; thread-safe."""
        with self._writing, contextlib.suppress(OSError):  # if it is gone, the input ends too
            self._write_line(line)

    def _complain(self, error: Exception) -> None:
        text = error if isinstance(error, PapanError) else f"{type(error).__name__}: {error}"
        self.write(error_line(text))

    def _options(self) -> list[UgiOption]:
        return [
            UgiOption("game", "string", self.game.spec),
            *declare_options(self.game),
            *self.thinker.options(self.game),
        ]

    def _play(self, game: Game) -> None:
        """Switches to another game."""
        self.position, self._line = game.start(), PositionCommand()

    @property
    def _busy(self) -> bool:
        return self._thinking is not None and not self._thinking.done

    def _refuse_if_busy(self, command: str) -> None:
        if self._busy:
            raise UsageError("ugi.busy", text=command)
        if self._thinking is not None:
            self._thinking.thread.join()
            self._thinking = None


class _Thinking:
    """A search, its thread, and the event that allows it to reply."""

    def __init__(
        self, server: Server, thought: Thought, position: Position, infinite: bool
    ) -> None:
        self.server, self.thought, self.position = server, thought, position
        self.done = False
        self._may_reply = threading.Event()
        if not infinite:
            self._may_reply.set()
        self.thread = threading.Thread(target=self._run, name="papan-ugi", daemon=True)

    def stop(self) -> None:
        """Stops the search; its move is sent."""
        self.thought.stop()
        self._may_reply.set()

    def _run(self) -> None:
        try:
            move = self.thought.run(lambda info: self.server.write(info.line()))
        except Exception as error:  # any error: the arbiter still needs a move
            self.server.write(error_line(f"{type(error).__name__}: {error}"))
            move = self.position.moves()[0]
        # With `infinite`, wait for `stop`: an earlier reply would count for the next `go`.
        self._may_reply.wait()
        self.done = True
        self.server.write(f"bestmove {move}")


def declare_options(instance: Any) -> list[UgiOption]:
    """Returns the options of a game or another dataclass as UGI options."""
    return [
        _declare_option(name, getattr(instance, name), facts)
        for name, facts in spec.options_of(type(instance)).items()
    ]


def _declare_option(name: str, value: Any, facts: Mapping[str, Any]) -> UgiOption:
    if facts["choices"]:
        return UgiOption(name, "combo", str(value), choices=facts["choices"])
    if isinstance(value, bool):
        return UgiOption(name, "check", _word(value))
    if isinstance(value, int):
        return UgiOption(name, "spin", str(value), facts["low"], facts["high"])
    return UgiOption(name, "string", str(value))


def change_option(instance: T, name: str, value: str) -> T:
    """Returns a copy of a game or another dataclass with one option changed.

    Raises:
        InvalidSpec: the value is not allowed.
    """
    _, options_text = spec.split(spec.canonical("", instance))
    texts = dict(part.split("=", 1) for part in options_text.split(",") if part)
    options = ",".join(f"{key}={text}" for key, text in {**texts, name: value}.items())
    return spec.build(type(instance), name, options)


def read_lines(stream: BinaryIO, complain: Callable[[str], None]) -> Iterator[str]:
    """Yields the lines of a stream; bad encoding is replaced, and overlong lines are skipped."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line.decode(errors="replace")
            continue
        while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        complain(error_line(UsageError("ugi.long-line", limit=LONGEST_LINE)))


def _word(answer: bool) -> str:
    return "true" if answer else "false"
