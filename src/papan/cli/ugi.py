"""`papan ugi [GAME]`: the engine for arbiters and other programs, on stdin and stdout."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from papan.cli.command import command
from papan.cli.options import argument
from papan.cli.terminal import EXIT_DONE, Terminal

#: The game until the arbiter sets another one.
DEFAULT_GAME = "adjacency"
AUTHOR = "The Papan developers"


@dataclass(frozen=True, kw_only=True)
class UgiOptions:
    """Options of `papan ugi`."""

    game: str = argument("game", DEFAULT_GAME)


@command(UgiOptions)
def ugi(options: UgiOptions, terminal: Terminal) -> int:
    """Obeys the arbiter until it says `quit` or goes away."""
    from importlib.metadata import version

    from papan.core import registry
    from papan.players.ugi_engine import EngineThinker
    from papan.protocol.server import Server, read_lines

    rules = registry.game(options.game)
    name = f"Papan {version('papan')}"
    server = Server(EngineThinker(), rules, terminal.line, name=name, author=AUTHOR)
    server.serve(read_lines(sys.stdin.buffer, terminal.line))
    return EXIT_DONE
