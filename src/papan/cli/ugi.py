"""`papan ugi [GAME]`: the engine for arbiters and other programs, on stdin and stdout."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from papan.cli import completion

#: What is played until the arbiter sets another game.
DEFAULT_GAME = "adjacency"
AUTHOR = "The Papan developers"


def ugi(
    ctx: typer.Context,
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="cli.argument.game", autocompletion=completion.games),
    ] = DEFAULT_GAME,
) -> None:
    """Obeys the arbiter until it says `quit` or goes away."""
    from importlib.metadata import version

    from papan.core import registry
    from papan.players.ugi_engine import EngineThinker
    from papan.protocol.server import Server, read_lines

    def write(line: str) -> None:
        print(line, flush=True)

    rules = registry.game(game)
    name = f"Papan {version('papan')}"
    server = Server(EngineThinker(), rules, write, name=name, author=AUTHOR)
    server.serve(read_lines(sys.stdin.buffer, write))
