"""Conversion between limits and the `go` command of UGI."""

from __future__ import annotations

from papan.core.game import Position
from papan.protocol.messages import Go
from papan.rules.operations import MAX_PLY
from papan.search.limits import LEAST, Clocks, Limit

#: Seconds for `go infinite`: longer than any search.
_FOR_EVER = 10.0**6
#: Milliseconds in a second.
_MS = 1000


def go_of(limit: Limit) -> Go:
    """Returns the `go` command of a limit; an empty limit is replaced by the default limit."""
    clocks = limit.clocks
    if clocks is None or not clocks.left:
        limit = limit.or_default()
        return Go(movetime=_at_least_one(limit.seconds), depth=limit.depth, nodes=limit.nodes)
    return Go(
        p1time=_milliseconds(clocks.left.get("x")),
        p2time=_milliseconds(clocks.left.get("o")),
        p1inc=_milliseconds(clocks.increment.get("x")),
        p2inc=_milliseconds(clocks.increment.get("o")),
        movetime=_at_least_one(clocks.move_seconds),
        depth=limit.depth,
        nodes=limit.nodes,
    )


def _at_least_one(seconds: float | None) -> int | None:
    # Rounded down, so that the program never gets more time than the limit; 0 would mean no limit.
    return None if seconds is None else max(1, int(seconds * _MS))


def _milliseconds(seconds: float | None) -> int | None:
    # A clock below zero has only its margin left, which the program must not use.
    return None if seconds is None else max(0, int(seconds * _MS))


def limit_of(go: Go, position: Position) -> Limit:
    """Returns the limit of a `go` command, including clocks; clips numbers to the allowed range."""
    seconds = [] if go.movetime is None else [go.movetime / _MS]
    if go.infinite:
        seconds.append(_FOR_EVER)
    limit = Limit(
        depth=None if go.depth is None else min(max(go.depth, 1), MAX_PLY),
        seconds=_in_range(min(seconds)) if seconds else None,
        nodes=None if go.nodes is None else max(go.nodes, 1),
    )
    clocks = _clocks_of(go)
    return limit if clocks is None else limit.on(clocks, position)


def _in_range(seconds: float) -> float:
    return min(max(seconds, LEAST), _FOR_EVER)


def _clocks_of(go: Go) -> Clocks | None:
    """Returns the clocks of a `go` command; None if it has no clocks."""
    shown = {side: go.clock(side) for side in "xo"}
    left = {
        side: min(time / _MS, _FOR_EVER) for side, (time, _) in shown.items() if time is not None
    }
    if not left:
        return None
    increment = {side: shown[side][1] / _MS for side in left}
    move_seconds = None if go.movetime is None else max(go.movetime / _MS, LEAST)
    return Clocks(left, increment, move_seconds)
