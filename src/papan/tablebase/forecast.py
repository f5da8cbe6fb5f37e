"""Estimates of the number of positions of a game, from its first layers.

From layer to layer, the number of positions grows by a factor. The factor falls, since more and
more paths lead to the same position and more and more games are over. Its logarithm falls along a
line, or more slowly along a square root. Both curves are fitted to the latest layers and
extrapolated until the layers are empty. Most placement games lie between the two curves, so the
estimate is their geometric mean. The deviation of the layers from the fits widens the bounds.

Growth stops before the end of the game; for the lower bound it stops halfway there. In cyclic games
the end is unknown, and growth stops after a quarter of the number of known layers: their waves stop
growing abruptly when most children are known positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

#: Number of latest layers used for the fits, and smallest number of layers for an estimate.
_FITTED, _FEWEST = 11, 8
#: Distance of the bounds from the fit, in standard errors of its slope.
_ERRORS = 2.0
#: Largest number of extrapolated layers.
_MOST_LAYERS = 1000
#: Layers to extrapolate for each known layer, if the number of layers is unknown.
_UNKNOWN_LEFT = 3
#: Largest logarithm of a layer's size.
_LARGEST = 200.0


class Forecast(NamedTuple):
    """An estimate of a game's size.

    Attributes:
        positions: the likely number of positions.
        low: lower bound.
        high: upper bound.
        largest: size of the largest layer if `low` is right.
    """

    positions: float
    low: float
    high: float
    largest: float


def forecast(sizes: list[int], left: int | None = None) -> Forecast | None:
    """Returns the estimate from the sizes of the first layers; None if there are too few.

    Args:
        sizes: number of positions of each layer so far, all above 0.
        left: maximum number of further layers; None if unknown.
    """
    if len(sizes) < _FEWEST:
        return None
    growth = np.diff(np.log(np.array(sizes[-_FITTED:], float)))
    ends = _UNKNOWN_LEFT * len(sizes) if left is None else min(left, _MOST_LAYERS)
    places = np.arange(len(sizes) - growth.size, len(sizes) + ends, dtype=float)
    soonest = len(sizes) / 4 if left is None else ends / 2
    known, roots = float(sum(sizes)), np.sqrt(places)
    line, _ = _extrapolate(sizes[-1], growth, _fit(places, growth, 0.0), ends)
    root, _ = _extrapolate(sizes[-1], growth, _fit(roots, growth, 0.0), ends)
    low, largest = _extrapolate(sizes[-1], growth, _fit(places, growth, -_ERRORS), soonest)
    high, _ = _extrapolate(sizes[-1], growth, _fit(roots, growth, _ERRORS), ends)
    middle = float(np.sqrt((known + line) * (known + root)))
    low, high = min(known + low, middle), max(known + high, middle)
    return Forecast(middle, low, high, max(largest, *sizes))


def _fit(scale: Any, growth: Any, errors: float) -> Any:
    """Returns the growth at all places of a scale, extrapolated along a line.

    The line is fitted to the known growth. Its slope is changed by `errors` standard errors.
    """
    known = scale[: growth.size]
    slope, start = np.polyfit(known, growth, 1)
    middle = known.mean()
    residuals, deviations = (growth - slope * known - start) ** 2, (known - middle) ** 2
    off = errors * np.sqrt(np.mean(residuals) / np.sum(deviations))
    return (slope + off) * scale + start - off * middle


def _extrapolate(size: int, growth: Any, fitted: Any, ends: float) -> tuple[float, float]:
    """Returns the number of positions in all further layers, and in the largest of them.

    `size` is that of the latest known layer. Growth lasts at most `ends` layers.
    """
    logarithm, total, largest = float(np.log(size)), 0.0, 0.0
    latest = max(float(growth[-2:].mean()), 0.0)
    for number, expected in enumerate(fitted[growth.size :], start=1):
        logarithm += min(float(expected), latest * (1 - number / ends))
        if logarithm < 0:
            break
        layer = float(np.exp(min(logarithm, _LARGEST)))
        total, largest = total + layer, max(largest, layer)
    return total, largest
