"""The places that show how a game was won: rows of one side's pieces, chains from edge to edge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

from papan.core.board.geometry import Geometry
from papan.core.board.symmetry import straight_rows

#: A place touches an edge if a corner of the edge is nearer than this to its middle, in squares.
_NEAR = 0.8


def full_rows(board: Geometry, owners: Mapping[int, str], length: int) -> list[int]:
    """Returns the places of all straight rows of `length` pieces of one side, ascending.

    Args:
        board: the geometry.
        owners: the owner of the piece on each place; empty text for an empty place.
        length: number of pieces in a row.
    """
    rows = straight_rows(board, length)
    full = [row for row in rows if owners[row[0]] and len({owners[p] for p in row}) == 1]
    return sorted({place for row in full for place in row})


def chain(board: Geometry, owners: Mapping[int, str]) -> list[int]:
    """Returns the places of a shortest chain between the two edges of a side, in order.

    Returns an empty list if neither side has such a chain.
    """
    for side in ("x", "o"):
        own = {place for place, owner in owners.items() if owner == side}
        edges = [points for owner, points in board.own_edges() if owner == side]
        if len(edges) == 2:
            first, last = ({p for p in own if touches_edge(board, p, points)} for points in edges)
            if way := _way(board, own, first, last):
                return way
    return []


def touches_edge(board: Geometry, number: int, points: Collection[tuple[float, float]]) -> bool:
    """Returns whether a place touches an edge through these points."""
    place = board.at_number(number)
    return any(abs(place.x - x) < _NEAR and abs(place.y - y) < _NEAR for x, y in points)


def _way(board: Geometry, own: set[int], first: set[int], last: set[int]) -> list[int]:
    """Returns a shortest path of neighbouring places in `own` from a place in `first` to one in
    `last`.
    """
    before = dict.fromkeys(sorted(first), -1)
    waiting = deque(before)
    while waiting:
        here = waiting.popleft()
        if here in last:
            way = [here]
            while before[way[-1]] >= 0:
                way.append(before[way[-1]])
            return way[::-1]
        for place in board.neighbours(here):
            if place in own and place not in before:
                before[place] = here
                waiting.append(place)
    return []
