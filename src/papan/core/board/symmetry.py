"""Symmetries and straight rows of a board, found from where its places lie."""

from __future__ import annotations

import functools
import math

from papan.core.board.geometry import Geometry, Place

#: Turns by multiples of 90° leave a grid as it is, those by multiples of 60° a hexagon.
_TURNS = sorted({degrees for step in (60, 90) for degrees in range(0, 360, step)})
#: Coordinates are compared in hundredths of a square; none lies where one of these ends.
_PARTS, _SHIFT = 100, 0.123
#: The next place of a row is at most this far away in each direction.
_STEP = 1.01

Key = tuple[int, int]


@functools.cache
def symmetries(board: Geometry) -> tuple[dict[int, int], ...]:
    """Returns the symmetries of a board, the identity first, as maps from place to place.

    Places beside the board are left out.
    """
    images: list[dict[int, int]] = []
    for mirrored in (False, True):
        for degrees in _TURNS:
            image = _image(board.main, math.radians(degrees), mirrored)
            if image is not None and image not in images:
                images.append(image)
    return tuple(images)


def _image(board: Geometry, turn: float, mirrored: bool) -> dict[int, int] | None:
    """The place to which a turn takes every place; None if any has nowhere to go."""
    middle = [sum(axis) / len(axis) for axis in zip(*map(_point, board.places), strict=True)]
    cosine, sine = math.cos(turn), math.sin(turn)
    where, image = {}, {}
    for place in board.places:
        where[_key(place.x - middle[0], place.y - middle[1])] = place.number
    for place in board.places:
        x, y = place.x - middle[0], place.y - middle[1]
        x = -x if mirrored else x
        image[place.number] = where.get(_key(x * cosine - y * sine, x * sine + y * cosine))
    return None if None in image.values() else image  # type: ignore[return-value]  # none is None


def _point(place: Place) -> tuple[float, float]:
    return place.x, place.y


def _key(x: float, y: float) -> Key:
    """The same for coordinates that differ by no more than rounding."""
    return math.floor(x * _PARTS + _SHIFT), math.floor(y * _PARTS + _SHIFT)


@functools.cache
def straight_rows(board: Geometry, length: int) -> tuple[tuple[int, ...], ...]:
    """All straight rows of so many places, each next to the one before: on a grid across, upright
    and on diagonals, on hexagons in three directions. Each row is there once, not backwards too."""
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
