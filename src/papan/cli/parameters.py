"""The arguments and options that several commands share, and how their words are read.

Every parameter reaches its command as text: the readers here and the specs of games and players
say in each language what is wrong with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli import completion
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.games.base import Position
    from papan.search.limits import Limit

GameSpec = Annotated[
    str, typer.Argument(metavar="GAME", help="cli.argument.game", autocompletion=completion.games)
]
Json = Annotated[bool, typer.Option("--json", help="cli.option.json")]
PositionLine = Annotated[
    str | None, typer.Option("--position", metavar="LINE", help="cli.option.position")
]
Seconds = Annotated[str | None, typer.Option("--time", metavar="S", help="cli.option.time")]
Seed = Annotated[str, typer.Option("--seed", metavar="N", help="cli.option.seed")]

#: Seeds are what fits in 63 bits.
_LARGEST = 2**63 - 1


def read_position(game: str, line: str | None, moves: str = "") -> Position:
    """The start position of a game, or the one that a line describes, after some moves.

    Raises:
        PapanError: the game spec, the line or a move is wrong.
    """
    from papan.games import registry
    from papan.games.base import Position

    rules = registry.game(game)
    position = rules.start() if line is None else Position(rules, rules.read_state(line))
    for move in moves.split():
        position = position.play(move)
    return position


def read_limit(depth: str | None, time: str | None, nodes: str | None) -> Limit:
    """The limit that `--depth`, `--time` and `--nodes` set.

    Raises:
        UsageError: one of them is no number, or out of range.
    """
    from papan.search.limits import Limit

    return Limit(
        depth=None if depth is None else read_whole(depth, "--depth"),
        seconds=None if time is None else read_seconds(time, "--time"),
        nodes=None if nodes is None else read_whole(nodes, "--nodes"),
    )


def read_whole(text: str, option: str, low: int | None = None, high: int = _LARGEST) -> int:
    """A whole number; its range is checked if `low` is given.

    Raises:
        UsageError: it is not one, or out of range.
    """
    expected = "@word.whole-number" if low is None else f"{low} … {high}"
    if low is not None and high == _LARGEST:
        expected = f"≥ {low}"
    try:
        number = int(text)
    except ValueError:
        number = None
    if number is None or (low is not None and not low <= number <= high):
        raise UsageError("spec.bad-value", option=option, text=text, expected=expected)
    return number


def read_seconds(text: str, option: str) -> float:
    """A number of seconds, its range unchecked.

    Raises:
        UsageError: it is not a number.
    """
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            "spec.bad-value", option=option, text=text, expected="@word.seconds"
        ) from None
