"""What a referee holds both players to, besides the rules and the limit of each move."""

from __future__ import annotations

import math
from dataclasses import dataclass

from papan.errors import UsageError
from papan.players.base import MARGIN
from papan.search.limits import Limit

#: The longest clock and increment, in seconds: eleven days. More is a slip of the pen.
LONGEST = 1e6

#: The shortest clock, in seconds: less would not be enough for a single move.
SHORTEST = 0.01


@dataclass(frozen=True)
class Clock:
    """The time that each side has for the whole game.

    Attributes:
        total: what it begins with, in seconds.
        increment: what it gets back for each move that it makes, in seconds.
    """

    total: float
    increment: float = 0.0

    def __str__(self) -> str:
        """The clock as it is typed: `60+0.6`."""
        return f"{self.total:g}" + (f"+{self.increment:g}" if self.increment else "")


def read_clock(text: str) -> Clock:
    """The clock that is written as `60` or `60+0.6`.

    Raises:
        UsageError: it is none, or out of range.
    """
    total, plus, increment = text.partition("+")
    try:
        clock = Clock(float(total), float(increment) if plus else 0.0)
    except ValueError:
        clock = Clock(math.nan)
    if SHORTEST <= clock.total <= LONGEST and 0 <= clock.increment <= LONGEST:
        return clock
    raise UsageError("spec.bad-value", option="--clock", text=text, expected="@word.clock")


@dataclass(frozen=True)
class Conditions:
    """What both sides keep to, and when the referee ends a game before the rules do.

    Attributes:
        clock: what each side has for the whole game; None for no such clock.
        margin: how long after its time a move is still taken, in seconds: what the machine, not
            the player, may take. On a clock it can be used up once in a game.
        most_plies: a game that has lasted so long is a draw; 0 lets it go on.
        adjudicate: whether a game ends as soon as its result is proven by exact solving.
    """

    clock: Clock | None = None
    margin: float = MARGIN
    most_plies: int = 0
    adjudicate: bool = False

    def identity(self) -> tuple[Conditions, ...]:
        """What tells events apart: nothing for terms that nobody has set."""
        return () if self == Conditions() else (self,)


def time_control(limit: Limit, conditions: Conditions) -> str:
    """Limit and clock as a record keeps them: `clock=60+0.6 depth=4`; empty without any."""
    told = {
        "clock": conditions.clock,
        "time": limit.seconds,
        "depth": limit.depth,
        "nodes": limit.nodes,
        "margin": None if conditions.margin == MARGIN else conditions.margin,
    }
    return " ".join(f"{name}={_number(value)}" for name, value in told.items() if value is not None)


def _number(value: Clock | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
