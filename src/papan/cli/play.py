"""`papan play GAME [PLAYER [PLAYER]]`: a game in the terminal; `papan ugi [GAME]`: the engine
for arbiters, on stdin and stdout."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import BotOptions, GameArgument, SeedOptions, argument, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.players.base import Player

#: Name of a person at this terminal.
HUMAN = "human"
DEFAULT_OPPONENT = "level:4"

#: Default game of `papan ugi`.
UGI_GAME = "adjacency"
AUTHOR = "The Papan developers"


@dataclass(frozen=True, kw_only=True)
class PlayOptions(BotOptions, GameArgument, SeedOptions):
    """Options of `papan play`."""

    players: tuple[str, ...] = argument(
        "PLAYER [PLAYER]", "players", (), complete=completion.participants, many=True
    )
    position: str | None = option("--position LINE", "position", None, complete=completion.files)
    time: str | None = option("--time S", "time", None)
    tablebase: str | None = option(
        "--tablebase FILE",
        "values-tablebase",
        None,
        complete=completion.files,
        formerly="--database",
    )
    values: bool = option("--values", "play-values", False)


@command(PlayOptions)
def play(options: PlayOptions, terminal: Terminal) -> int:
    """Plays a game between the given people and programs."""
    from papan.cli.terminal_game import TerminalGame
    from papan.cli.train import offer_training
    from papan.cli.values import open_tablebase
    from papan.learn.weights import is_untaught
    from papan.play.table import GameInPlay

    position = parse.position(options.game, options.position)
    random_seed = random.SystemRandom().randrange(2**31)
    seed = random_seed if options.seed is None else parse.seed(options.seed)
    limit = parse.limit(time=options.time)
    tablebase = open_tablebase(options.tablebase, position.game)
    guards = options.guards()
    seats = dict(zip("xo", map(read_seat, fill_seats(options.players)), strict=True))
    if any(seats.values()) and is_untaught(position.game):
        offer_training(options.game, terminal)
    with contextlib.ExitStack() as closing:
        for order, player in enumerate(seats.values()):
            if player is not None:
                closing.callback(player.close)
                player.guard(guards)
                with terminal.compiling("play.compiling"):
                    player.new_game(position.game, 2 * seed + order)
        table = TerminalGame(
            terminal, seats, limit, GameInPlay(position), tablebase, shows_values=options.values
        )
        try:
            table.play()
        except KeyboardInterrupt:
            terminal.line()
            table.leave()
            return EXIT_INTERRUPTED
    return EXIT_DONE


def fill_seats(specs: Sequence[str]) -> Sequence[str]:
    """Returns the specs of `x` and `o`: by default a person and a program.

    Raises:
        UsageError: There are more than two players.
    """
    if len(specs) > 2:
        raise UsageError("usage.extra", text=specs[2], command="papan play")
    return ([HUMAN, DEFAULT_OPPONENT], [HUMAN, *specs], specs)[len(specs)]


def read_seat(text: str) -> Player | None:
    """Returns the player of a spec; None for a person.

    Raises:
        InvalidSpec: A name or option is unknown, or a value is not allowed.
    """
    from papan.players.registry import player
    from papan.players.simple import HumanPlayer

    opponent = player(text)
    return None if isinstance(opponent, HumanPlayer) else opponent


@dataclass(frozen=True, kw_only=True)
class UgiOptions:
    """Options of `papan ugi`."""

    game: str = argument("GAME", "game", UGI_GAME, complete=completion.games)


@command(UgiOptions)
def ugi(options: UgiOptions, terminal: Terminal) -> int:
    """Executes the commands of the arbiter until `quit` or the end of stdin."""
    from importlib.metadata import version

    from papan.players.ugi_engine import EngineThinker
    from papan.protocol.server import Server, read_lines
    from papan.usercode import registry

    rules = registry.game(options.game)
    name = f"Papan {version('papan')}"
    server = Server(EngineThinker(), rules, terminal.line, name=name, author=AUTHOR)
    server.serve(read_lines(sys.stdin.buffer, terminal.line))
    return EXIT_DONE
