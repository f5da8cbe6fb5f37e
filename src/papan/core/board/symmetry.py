"""Symmetries and straight rows of a board, computed from the coordinates of its places."""

from __future__ import annotations

import functools
import math

from papan.core.board.geometry import Geometry, Place

#: Angles in degrees: a turn by 90° can map a grid onto itself, a turn by 60° a hexagon.
_TURNS = sorted({degrees for step in (60, 90) for degrees in range(0, 360, step)})
#: Coordinates are rounded to 1/100 of a square. The shift keeps the usual coordinates away from
#: the limits between two hundredths, where rounding errors would matter.
_PARTS, _SHIFT = 100, 0.123
#: Largest distance between two neighbours in a row, along each axis, in squares.
_STEP = 1.01

Key = tuple[int, int]


@functools.cache
def symmetries(board: Geometry) -> tuple[dict[int, int], ...]:
    """Returns the symmetries of a board, the identity first, as maps from place to place.

    Places next to the board are left out.

    Examples:
        >>> len(symmetries(Grid(3, 3)))
        8
    """
    images: list[dict[int, int]] = []
    for mirrored in (False, True):
        for degrees in _TURNS:
            image = _image(board.main, math.radians(degrees), mirrored)
            if image is not None and image not in images:
                images.append(image)
    return tuple(images)


def _image(board: Geometry, turn: float, mirrored: bool) -> dict[int, int] | None:
    """Returns the map of places under a turn; None if a place is not mapped to a place."""
    middle = [sum(axis) / len(axis) for axis in zip(*map(_point, board.places), strict=True)]
    cosine, sine = math.cos(turn), math.sin(turn)
    where, image = {}, {}
    for place in board.places:
        where[_key(place.x - middle[0], place.y - middle[1])] = place.number
    for place in board.places:
        x, y = place.x - middle[0], place.y - middle[1]
        x = -x if mirrored else x
        image[place.number] = where.get(_key(x * cosine - y * sine, x * sine + y * cosine))
    return None if None in image.values() else image  # type: ignore[return-value]  # no None


def _point(place: Place) -> tuple[float, float]:
    return place.x, place.y


def _key(x: float, y: float) -> Key:
    """Returns a key that is equal for coordinates that differ only by rounding."""
    return math.floor(x * _PARTS + _SHIFT), math.floor(y * _PARTS + _SHIFT)


@functools.cache
def straight_rows(board: Geometry, length: int) -> tuple[tuple[int, ...], ...]:
    """Returns all straight rows of `length` adjacent places, each in one direction only.

    Rows on a grid are horizontal, vertical and diagonal; on hexagons they have three directions.

    Examples:
        >>> len(straight_rows(Grid(3, 3), 3))
        8
    """
    places = board.main.places
    where = {_key(*_point(place)): place.number for place in places}
    ways = {
        _key(other.x - place.x, other.y - place.y): (other.x - place.x, other.y - place.y)
        for place in places
        for other in places
        if (other.y, other.x) > (place.y, place.x)
        and max(abs(other.x - place.x), abs(other.y - place.y)) <= _STEP
    }
    rows = []
    for place in places:
        for x, y in ways.values():
            keys = [_key(place.x + step * x, place.y + step * y) for step in range(length)]
            if all(key in where for key in keys):
                rows.append(tuple(where[key] for key in keys))
    return tuple(rows)
