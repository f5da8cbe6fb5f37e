"""`papan gtp GAME`: a player for GTP controllers, on stdin and stdout."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, Terminal

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.protocol.messages import Go

#: Default player.
DEFAULT_PLAYER = "engine"


@dataclass(frozen=True, kw_only=True)
class GtpOptions(GameArgument, SeedOptions):
    """Options of `papan gtp`."""

    player: str = option(
        "--player PLAYER", "gtp-player", DEFAULT_PLAYER, complete=completion.players
    )


@command(GtpOptions)
def gtp(options: GtpOptions, terminal: Terminal) -> int:
    """Executes the commands of the controller until `quit` or the end of stdin."""
    from importlib.metadata import version

    from papan.players.registry import player
    from papan.players.ugi_limits import limit_of
    from papan.protocol.gtp import GtpServer
    from papan.protocol.server import read_lines
    from papan.usercode import registry

    game, seed = registry.game(options.game), parse.seed(options.seed)
    with contextlib.closing(player(options.player)) as chosen:

        def choose(position: Position, go: Go) -> str:
            return chosen.choose(position, limit_of(go, position)).move

        chosen.new_game(game, seed)
        GtpServer(
            choose,
            game,
            terminal.line,
            name=f"Papan {options.player}",
            version=version("papan"),
            show=board,
            begin=lambda game: chosen.new_game(game, seed),
        ).serve(read_lines(sys.stdin.buffer, terminal.line))
    return EXIT_DONE


def board(position: Position) -> str:
    """Returns a position for `showboard`: the board as text, and its line."""
    from papan.figures.terminal_board import text_board

    lines = [*text_board(position).plain.splitlines(), str(position)]
    return "\n".join(line.rstrip() for line in lines if line.strip())  # an empty line ends a reply
