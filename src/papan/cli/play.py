"""`papan play GAME [PLAYER [PLAYER]]`: a game in the terminal."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli import completion
from papan.cli.parameters import (
    GameSpec,
    PositionLine,
    Seconds,
    Seed,
    read_limit,
    read_position,
    read_seed,
)
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.players.base import Player

#: What is typed for a person who plays at this terminal.
HUMAN = "human"
DEFAULT_OPPONENT = "minimax:depth=4"


Participants = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PLAYER [PLAYER]",
        help="cli.argument.players",
        autocompletion=completion.participants,
    ),
]


def play(
    ctx: typer.Context,
    game: GameSpec,
    players: Participants = None,
    line: PositionLine = None,
    time: Seconds = None,
    seed: Seed = None,
) -> None:
    """Plays a game with whoever was named, people or programs."""
    from papan.cli.terminal_game import TerminalGame
    from papan.play.table import GameInPlay

    terminal = ctx.ensure_object(Terminal)
    position = read_position(game, line)
    number = random.SystemRandom().randrange(2**31) if seed is None else read_seed(seed)
    limit = read_limit(time=time)
    seats = dict(zip("xo", map(read_seat, seated(players or [])), strict=True))
    with contextlib.ExitStack() as closing:
        for order, player in enumerate(seats.values()):
            if player is not None:
                closing.callback(player.close)
                with terminal.patience("play.compiling"):
                    player.new_game(position.game, 2 * number + order)
        table = TerminalGame(terminal, seats, limit, GameInPlay(position))
        try:
            table.play()
        except KeyboardInterrupt:
            terminal.line()
            table.leave()
            raise typer.Exit(EXIT_INTERRUPTED) from None


def seated(specs: list[str]) -> list[str]:
    """Who plays `x` and who plays `o`: a person and a program unless said otherwise.

    Raises:
        UsageError: there are more than two.
    """
    if len(specs) > 2:
        raise UsageError("usage.extra", text=specs[2], command="papan play")
    return ([HUMAN, DEFAULT_OPPONENT], [HUMAN, *specs], specs)[len(specs)]


def read_seat(text: str) -> Player | None:
    """The player that a spec names; None for a person.

    Raises:
        InvalidSpec: unknown name or option, or a value that is not allowed.
    """
    from papan.players.human import HumanPlayer
    from papan.players.registry import player

    found = player(text)
    return None if isinstance(found, HumanPlayer) else found
