"""Runs a user's function `choose(position, limit)` as a program that speaks UGI.

`python -m papan.players.python_bot path/to/bot.py`. The function gets a `papan.core.game.Position`
and a `papan.search.limits.Limit` and returns a move, as text. What it prints goes to stderr, since
stdout belongs to the protocol; what it raises ends the program, with the traceback on stderr. The
option `seed` seeds Python's `random`.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from papan.core import registry
from papan.core.game import Game, Position
from papan.errors import UsageError
from papan.players.base import Choice
from papan.players.ugi_limits import limit_of
from papan.protocol.messages import Go, Info, UgiOption
from papan.protocol.server import Server, Thinker, read_lines
from papan.search.limits import Limit

Choose = Callable[[Position, Limit], Any]

_LARGEST_SEED = 2**62


def load(path: Path) -> Choose:
    """The function `choose` of a Python file. Files beside it can be imported by it.

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
    found: Choose = choose
    return found


@dataclass
class BotThinker(Thinker):
    """A function that chooses moves, as the thinker of a server."""

    choose: Choose

    def options(self, game: Game) -> list[UgiOption]:
        return [UgiOption("seed", "spin", "0", 0, _LARGEST_SEED)]

    def set_option(self, game: Game, name: str, value: str) -> None:
        random.seed(int(value))

    def begin(self, position: Position, go: Go) -> BotThought:
        return BotThought(self.choose, position, limit_of(go, position))


@dataclass
class BotThought:
    """One call of the function."""

    choose: Choose
    position: Position
    limit: Limit

    def run(self, on_info: Callable[[Info], None]) -> str:
        """Returns the function's move, on one line. If it raises, the program ends."""
        try:
            chosen = self.choose(self.position, self.limit)
            move = chosen.move if isinstance(chosen, Choice) else str(chosen)
            return " ".join(move.split())
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)

    def stop(self) -> None:
        """Nothing: a function cannot be interrupted. The arbiter ends the program if it must."""


def take_streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes from and to the arbiter. Whatever else reads finds nothing from now on, and
    whatever else prints does so on stderr."""
    arbiter = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return arbiter


def main(path: str) -> None:
    """Serves the arbiter on stdin and stdout until it says `quit`."""
    reading, writing = take_streams()

    def write(line: str) -> None:
        writing.write(f"{line}\n".encode())

    try:
        choose = load(Path(path))
    except UsageError as error:
        sys.exit(str(error))
    game = registry.game(registry.names()[0])
    server = Server(
        BotThinker(choose),
        game,
        write,
        name=Path(path).stem,
        author="unknown",
        # The arbiter is Papan itself, and the game is its user's.
        find_game=registry.game,
    )
    server.serve(read_lines(reading, write))
    sys.stdout.flush()
    os._exit(0)  # a function that is still thinking must not keep the program


if __name__ == "__main__":
    main(sys.argv[1])
