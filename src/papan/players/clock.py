"""What a player is told about time: the limit of its move, and what the clocks show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from papan.core.game import Position
from papan.players.base import MARGIN
from papan.search.clock import seconds_for_move
from papan.search.limits import Limit


@dataclass(frozen=True)
class Clocks:
    """What the clocks show before a move, in seconds; a side that has none is missing.

    Attributes:
        left: by side, `x` and `o`. Below zero, only the referee's margin is left.
        increment: what a side gets back for each move that it makes.
    """

    left: Mapping[str, float]
    increment: Mapping[str, float]


@dataclass(frozen=True)
class Allowance(Limit):
    """The limit of one move in a game with clocks.

    `seconds` is what this move should take: a fair share of what is left. Who has its own idea of
    that looks at the clocks.

    Attributes:
        clocks: what they show.
        move_seconds: what no move may take longer than; None for no such limit.
        margin: how long after its time a move is still taken, in seconds.
    """

    clocks: Clocks = field(default_factory=lambda: Clocks({}, {}))
    move_seconds: float | None = None
    margin: float = MARGIN


def allowance(
    position: Position, limit: Limit, clocks: Clocks | None, margin: float = MARGIN
) -> Limit:
    """What the side to move is told: `limit` itself where there is nothing to add to it.

    Args:
        position: the position to move in.
        limit: what each move may take.
        clocks: what the clocks show; None where the game has none.
        margin: how long after its time a move is still taken, in seconds.
    """
    if clocks is None and (margin == MARGIN or limit.seconds is None):
        return limit
    shares = [] if limit.seconds is None else [limit.seconds]
    if clocks is not None and position.side in clocks.left:
        left, gain = clocks.left[position.side], clocks.increment.get(position.side, 0.0)
        shares.append(seconds_for_move(position, left, gain))
    return Allowance(
        limit.depth,
        min(shares, default=None),
        limit.nodes,
        clocks=clocks or Clocks({}, {}),
        move_seconds=limit.seconds,
        margin=margin,
    )


def longest(limit: Limit, side: str) -> float | None:
    """How long the referee waits for a move of a side, in seconds, margin included: the flag
    falls then. None if there is no end to it."""
    if not isinstance(limit, Allowance):
        return None if limit.seconds is None else limit.seconds + MARGIN
    ends = [limit.clocks.left[side]] if side in limit.clocks.left else []
    ends += [] if limit.move_seconds is None else [limit.move_seconds]
    return max(0.0, min(ends) + limit.margin) if ends else None
