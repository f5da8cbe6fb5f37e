"""Limits as the protocol says them, and back."""

from __future__ import annotations

from papan.games.base import Position
from papan.kernel.vocabulary import MAX_PLY
from papan.protocol.messages import Go
from papan.search.clock import LEAST, seconds_for_move
from papan.search.limits import Limit

#: Longer than anybody waits, in seconds: what `go infinite` asks of a search.
_FOR_EVER = 10.0**6
_MS = 1000


def go_of(limit: Limit) -> Go:
    """How a program is told of a limit; without any, that of a search without one."""
    limit = limit.or_default()
    movetime = None if limit.seconds is None else max(1, int(limit.seconds * _MS))
    return Go(movetime=movetime, depth=limit.depth, nodes=limit.nodes)


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
