"""The places that have won a game: rows of one side's pieces, chains from edge to edge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

from papan.core.board.geometry import Geometry
from papan.core.board.symmetry import straight_rows

#: A place is at an edge of its side if a corner of that edge is so near to its middle, in squares.
_NEAR = 0.8


def full_rows(board: Geometry, owners: Mapping[int, str], length: int) -> list[int]:
    """The places of all straight rows of `length` pieces of one side, in ascending order; `owners`
    tells of each place whose piece stands there."""
    rows = straight_rows(board, length)
    full = [row for row in rows if owners[row[0]] and len({owners[p] for p in row}) == 1]
    return sorted({place for row in full for place in row})


def chain(board: Geometry, owners: Mapping[int, str]) -> list[int]:
    """The places of a shortest chain that joins the two edges of a side, from one to the other;
    none where no side has such a chain."""
    for side in ("x", "o"):
        own = {place for place, owner in owners.items() if owner == side}
        edges = [points for owner, points in board.own_edges() if owner == side]
        if len(edges) == 2:
            first, last = ({p for p in own if _at(board, p, points)} for points in edges)
            if way := _way(board, own, first, last):
                return way
    return []


def _at(board: Geometry, number: int, points: Collection[tuple[float, float]]) -> bool:
    """True if a place is at an edge through these points."""
    place = board.at_number(number)
    return any(abs(place.x - x) < _NEAR and abs(place.y - y) < _NEAR for x, y in points)


def _way(board: Geometry, own: set[int], first: set[int], last: set[int]) -> list[int]:
    """A shortest way from some places to others over neighbours, all of them one's own."""
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
