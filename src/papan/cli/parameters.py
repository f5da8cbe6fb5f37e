"""The arguments and options that several commands share, and how their words are read.

Every parameter reaches its command as text: the readers here and the specs of games and players
say in each language what is wrong with it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from papan.cli import completion
from papan.errors import InvalidLimit, UsageError

if TYPE_CHECKING:
    from papan.core.game import Position
    from papan.search.limits import Limit

GameSpec = Annotated[
    str, typer.Argument(metavar="GAME", help="cli.argument.game", autocompletion=completion.games)
]
Json = Annotated[bool, typer.Option("--json", help="cli.option.json")]
PositionLine = Annotated[
    str | None, typer.Option("--position", metavar="LINE", help="cli.option.position")
]
Seconds = Annotated[str | None, typer.Option("--time", metavar="S", help="cli.option.time")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="N", help="cli.option.seed")]

N = TypeVar("N", int, float)


def read_position(game: str, line: str | None, moves: str = "") -> Position:
    """The start position of a game, or the one that a line describes, after some moves.

    Raises:
        PapanError: the game spec, the line or a move is wrong.
    """
    from papan.core import registry
    from papan.core.game import Position

    rules = registry.game(game)
    position = rules.start() if line is None else Position(rules, rules.read_state(line))
    for move in moves.split():
        position = position.play(move)
    return position


def read_limit(
    depth: str | None = None, time: str | None = None, nodes: str | None = None
) -> Limit:
    """The limit that `--depth`, `--time` and `--nodes` set.

    Raises:
        UsageError: one of them is no number, or out of range.
    """
    from papan.search.limits import Limit

    return Limit(
        depth=_limit_value("depth", depth, "--depth", int),
        seconds=_limit_value("seconds", time, "--time", float),
        nodes=_limit_value("nodes", nodes, "--nodes", int),
    )


def _limit_value(field: str, text: str | None, option: str, number: type[N]) -> N | None:
    """What an option sets a limit's field to, in range."""
    from papan.search.limits import Limit

    if text is None:
        return None
    try:
        value = number(text)
        alone: dict[str, Any] = {field: value}
        Limit(**alone)
    except InvalidLimit as error:
        expected = error.values["expected"]
    except ValueError:
        expected = f"@word.{number.__name__}"
    else:
        return value
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_whole(text: str, option: str, low: int, high: int | None = None) -> int:
    """A whole number from `low` to `high`.

    Raises:
        UsageError: it is not one, or out of range.
    """
    try:
        number = int(text)
        if low <= number and (high is None or number <= high):
            return number
    except ValueError:
        pass  # the same answer as for a number out of range
    expected = f"≥ {low}" if high is None else f"{low} … {high}"
    raise UsageError("spec.bad-value", option=option, text=text, expected=expected)


def read_number(text: str, option: str, low: float) -> float:
    """A number that is `low` at the least.

    Raises:
        UsageError: it is not one, or less.
    """
    try:
        number = float(text)
        if low <= number < math.inf:
            return number
    except ValueError:
        pass  # the same answer as for a number out of range
    raise UsageError("spec.bad-value", option=option, text=text, expected=f"≥ {low:g}")


def read_seed(text: str) -> int:
    """The number that chance starts from.

    Raises:
        UsageError: it is not a whole number, or negative.
    """
    return read_whole(text, "--seed", 0)
