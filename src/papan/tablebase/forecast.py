"""The number of positions of a game, foretold from its first layers.

Layers grow by a factor that falls from one to the next, for more and more ways lead to the same
position and more and more games are over. Its logarithm falls along a line or more slowly than
that, along a square root: both are fitted to the latest layers and followed until nothing is left.
Games that put pieces on a board lie between the two as a rule, so that their geometric mean is the
forecast. How far layers lie from the fits widens its bounds. Growth is never taken to last to the
end of the game, and for the lower bound only for half of what is left of it; where that is not
known, only for a quarter as many layers as there are, since waves of games that go in circles stop
growing at once when most of what they come to was found before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

#: Layers whose growth is looked at, the latest ones; and the fewest from which anything is said.
_LOOKED_AT, _FEWEST = 11, 8
#: Bounds are that many standard errors of a slope beyond its fit.
_ERRORS = 2.0
#: A forecast follows a game for so many layers.
_MOST_LAYERS = 1000
#: Where no bound is known, so many times as many layers may follow as there were.
_UNKNOWN_LEFT = 3
#: The logarithm of a number of positions that stands for all that are larger.
_LARGEST = 200.0


class Forecast(NamedTuple):
    """A forecast of a game's size.

    Attributes:
        positions: the number that is likely.
        low: there are hardly fewer.
        high: there are hardly more.
        largest: the positions of the largest layer, if there are but `low`.
    """

    positions: float
    low: float
    high: float
    largest: float


def forecast(sizes: list[int], left: int | None = None) -> Forecast | None:
    """The forecast from the sizes of the first layers; None while nothing can be said.

    Args:
        sizes: positions of each layer until now, none of them 0.
        left: no more layers than these follow; None if that is not known.
    """
    if len(sizes) < _FEWEST:
        return None
    growth = np.diff(np.log(np.array(sizes[-_LOOKED_AT:], float)))
    ends = _UNKNOWN_LEFT * len(sizes) if left is None else min(left, _MOST_LAYERS)
    places = np.arange(len(sizes) - growth.size, len(sizes) + ends, dtype=float)
    soonest = len(sizes) / 4 if left is None else ends / 2
    found, roots = float(sum(sizes)), np.sqrt(places)
    line, _ = _followed(sizes[-1], growth, _fitted(places, growth, 0.0), ends)
    root, _ = _followed(sizes[-1], growth, _fitted(roots, growth, 0.0), ends)
    low, largest = _followed(sizes[-1], growth, _fitted(places, growth, -_ERRORS), soonest)
    high, _ = _followed(sizes[-1], growth, _fitted(roots, growth, _ERRORS), ends)
    middle = float(np.sqrt((found + line) * (found + root)))
    low, high = min(found + low, middle), max(found + high, middle)
    return Forecast(middle, low, high, max(largest, *sizes))


def _fitted(scale: Any, growth: Any, errors: float) -> Any:
    """Growth at all places of a scale, the first of which are known, along a line whose slope is so
    many standard errors off."""
    known = scale[: growth.size]
    slope, start = np.polyfit(known, growth, 1)
    middle = known.mean()
    misses, spread = (growth - slope * known - start) ** 2, (known - middle) ** 2
    off = errors * np.sqrt(np.mean(misses) / np.sum(spread))
    return (slope + off) * scale + start - off * middle


def _followed(size: int, growth: Any, fitted: Any, ends: float) -> tuple[float, float]:
    """The positions of all layers after one of that size, and the largest of them; growth has
    ended after `ends` layers at the latest."""
    logarithm, total, largest = float(np.log(size)), 0.0, 0.0
    latest = max(float(growth[-2:].mean()), 0.0)
    for number, expected in enumerate(fitted[growth.size :], start=1):
        logarithm += min(float(expected), latest * (1 - number / ends))
        if logarithm < 0:
            break
        layer = float(np.exp(min(logarithm, _LARGEST)))
        total, largest = total + layer, max(largest, layer)
    return total, largest
