"""Limits as the protocol says them, and back."""

from __future__ import annotations

from papan.core.game import Position
from papan.kernel.operations import MAX_PLY
from papan.players.clock import Allowance, Clocks
from papan.protocol.messages import Go
from papan.search.clock import LEAST, seconds_for_move
from papan.search.limits import Limit

#: Longer than anybody waits, in seconds: what `go infinite` asks of a search.
_FOR_EVER = 10.0**6
_MS = 1000


def go_of(limit: Limit) -> Go:
    """How a program is told of a limit; without any, that of a search without one."""
    if isinstance(limit, Allowance) and limit.clocks.left:
        return _go_by_clock(limit)
    limit = limit.or_default()
    movetime = None if limit.seconds is None else max(1, int(limit.seconds * _MS))
    return Go(movetime=movetime, depth=limit.depth, nodes=limit.nodes)


def _go_by_clock(limit: Allowance) -> Go:
    """How a program is told of what the clocks show."""
    movetime = None if limit.move_seconds is None else max(1, int(limit.move_seconds * _MS))
    return Go(
        p1time=_milliseconds(limit.clocks.left.get("x")),
        p2time=_milliseconds(limit.clocks.left.get("o")),
        p1inc=_milliseconds(limit.clocks.increment.get("x")),
        p2inc=_milliseconds(limit.clocks.increment.get("o")),
        movetime=movetime,
        depth=limit.depth,
        nodes=limit.nodes,
    )


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(0, int(seconds * _MS))


def limit_of(go: Go, position: Position) -> Limit:
    """The limit that `go` sets for a move; numbers out of range are brought into it."""
    left, increment = go.clock(position.side)
    seconds = [] if go.movetime is None else [go.movetime / _MS]
    if left is not None:
        seconds.append(seconds_for_move(position, left / _MS, increment / _MS))
    if go.infinite:
        seconds.append(_FOR_EVER)
    return Limit(
        depth=None if go.depth is None else min(max(go.depth, 1), MAX_PLY),
        seconds=min(max(min(seconds), LEAST), _FOR_EVER) if seconds else None,
        nodes=None if go.nodes is None else max(go.nodes, 1),
    )


def allowance_of(go: Go, position: Position) -> Limit:
    """The limit that `go` sets for a move, with what it tells about the clocks."""
    limit = limit_of(go, position)
    told = {side: go.clock(side) for side in "xo"}
    left = {side: time / _MS for side, (time, _) in told.items() if time is not None}
    if not left:
        return limit
    clocks = Clocks(left, {side: told[side][1] / _MS for side in left})
    movetime = None if go.movetime is None else max(go.movetime / _MS, LEAST)
    return Allowance(limit.depth, limit.seconds, limit.nodes, clocks=clocks, move_seconds=movetime)
