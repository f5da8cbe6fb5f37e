"""Runs a user's function `choose(position, limit)` as a program that speaks UGI.

    python -m papan.players.python_bot path/to/bot.py

The function gets a `papan.core.game.Position` and a `papan.search.limits.Limit` and returns a move
as text. Its standard output goes to stderr, since stdout belongs to the protocol. An exception ends
the program, with a traceback on stderr whose last line is the place in the bot's file. The option
`seed` seeds Python's `random`.

Before the first game the function is called once with the start position, and its result is
ignored. So imports and compilation do not count as thinking time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import random
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from papan.core.game import Game, Position
from papan.errors import UsageError
from papan.players.base import Choice
from papan.players.ugi_limits import limit_of
from papan.protocol.messages import Go, Info, UgiOption
from papan.protocol.server import Server, Thinker, read_lines
from papan.search.limits import Limit
from papan.usercode import registry

Choose = Callable[[Position, Limit], Any]

_LARGEST_SEED = 2**62

#: Limit of the warm-up call: long enough to trigger most compilation.
_WARM_UP = Limit(seconds=0.1)


def load(path: Path) -> Choose:
    """Returns the function `choose` of a Python file, which can import modules from its folder.

    Raises:
        UsageError: the file has no such function.
    """
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location("bot", path)
    if spec is None or spec.loader is None:
        raise UsageError("player.no-choose", text=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["bot"] = module
    spec.loader.exec_module(module)
    choose = getattr(module, "choose", None)
    if not callable(choose):
        raise UsageError("player.no-choose", text=path)
    function: Choose = choose
    return function


@dataclass
class BotThinker(Thinker):
    """Adapts a function that chooses moves to the `Thinker` of a UGI server."""

    choose: Choose
    path: Path
    _warm: set[Game] = field(default_factory=set)

    def options(self, game: Game) -> list[UgiOption]:
        return [UgiOption("seed", "spin", "0", 0, _LARGEST_SEED)]

    def set_option(self, game: Game, name: str, value: str) -> None:
        random.seed(int(value))

    def prepare(self, game: Game) -> None:
        """Calls the function once for each game, without output; errors appear later, in the
        game."""
        if game in self._warm:
            return
        self._warm.add(game)
        chance, unseen = random.getstate(), io.StringIO()
        with (
            contextlib.redirect_stdout(unseen),
            contextlib.redirect_stderr(unseen),
            contextlib.suppress(BaseException),
        ):
            self.choose(game.start(), _WARM_UP)
        random.setstate(chance)

    def begin(self, position: Position, go: Go) -> BotThought:
        return BotThought(self.choose, self.path, position, limit_of(go, position))


@dataclass
class BotThought:
    """One call of the function."""

    choose: Choose
    path: Path
    position: Position
    limit: Limit

    def run(self, on_info: Callable[[Info], None]) -> str:
        """Returns the function's move on one line; empty for None. An exception ends the
        program."""
        try:
            chosen = self.choose(self.position, self.limit)
            move = chosen.move if isinstance(chosen, Choice) else chosen
            return "" if move is None else " ".join(str(move).split())
        except BaseException as error:
            fail(error, self.path)

    def stop(self) -> None:
        """Does nothing: a function cannot be interrupted. If necessary, the arbiter kills the
        program."""


def fail(error: BaseException, path: Path) -> NoReturn:
    """Ends the program with a traceback, whose last line is the place of the error."""
    trace = error.__traceback__
    # Without the frame of Papan that called the bot.
    traceback.print_exception(error.with_traceback(trace and trace.tb_next))
    print(place_of(error, path), file=sys.stderr, flush=True)
    os._exit(1)


def place_of(error: BaseException, path: Path) -> str:
    """Returns the place of an error: `bot.py:12: IndexError: list index out of range: return
    [][1]`.

    The place is the innermost frame in the bot's folder.
    """
    what = " ".join("".join(traceback.format_exception_only(error)[-1:]).split())
    if isinstance(error, SyntaxError) and error.filename:
        frames = [(error.filename, error.lineno, error.text)]
    else:
        trace = traceback.extract_tb(error.__traceback__)
        frames = [(frame.filename, frame.lineno, frame.line) for frame in trace]
    folder = path.resolve().parent
    own = [frame for frame in frames if Path(frame[0]).resolve().parent == folder]
    if not own:
        return f"{path.name}: {what}"
    file, line, text = own[-1]
    return f"{Path(file).name}:{line}: {what}: {(text or '').strip()}"


def take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Returns private copies of stdin and stdout for the protocol.

    From then on, other code reads an empty stdin, and its output goes to stderr.
    """
    arbiter = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        # Line buffering, so that no output is lost if the program is killed.
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
    return arbiter


def main(path: str) -> None:
    """Serves the arbiter on stdin and stdout until `quit`."""
    reading, writing = take_streams()

    def write(line: str) -> None:
        writing.write(f"{line}\n".encode())

    try:
        choose = load(Path(path))
    except UsageError as error:
        sys.exit(str(error))
    except BaseException as error:
        fail(error, Path(path))
    game = registry.game(registry.names()[0])
    server = Server(
        BotThinker(choose, Path(path)),
        game,
        write,
        name=Path(path).stem,
        author="unknown",
        # Any game file is allowed: the arbiter is Papan, and the user chose the game.
        find_game=registry.game,
    )
    server.serve(read_lines(reading, write))
    sys.stdout.flush()
    os._exit(0)  # a function that is still running must not keep the process alive


if __name__ == "__main__":
    main(sys.argv[1])
