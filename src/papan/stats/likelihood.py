"""The likeliest distribution of a unit's score under a hypothesis: the core of the SPRT.

Both hypotheses lead to one equation. With observed probabilities p̂ᵢ and a function φ of the
outcome whose expectation the hypothesis makes 0, the likeliest distribution is

    pᵢ = p̂ᵢ / (1 + θ·φᵢ),   where θ solves   Σ p̂ᵢ·φᵢ / (1 + θ·φᵢ) = 0.

    hypothesis          φ
    mean = s            a − s
    (mean − ½)/σ = t    a − ½ − t·σ·(1 + ((a − ½ − t·σ)/σ)²)/2

The second φ holds the σ of the distribution sought, so σ is solved for in a loop around θ.

Source: Michel Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value
of a Distribution" and "Comments on Normalized Elo" (Proposition 1.1, Section 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

MAX_NORMALISED_SCORE = 1.0
"""The largest |t| a hypothesis may claim; up to it a solution is certain to exist."""

SMALLEST_NORMALISED_SCORE = 1e-9
"""Below this |t| the hypothesis is taken as mean = ½; the likelihood ratio moves by less."""

GRID_STEPS = 40
"""Steps in which σ is searched for its solutions. Where nearly all units end alike there are two:
the mean moves to σ or σ shrinks to the mean; the likelier one is taken."""

ROUNDS = 200
"""Rounds after which a solver returns what it has; it stops at the last bit long before."""

Vector = Sequence[float]


def solve_theta(probabilities: Vector, phi: Vector) -> float:
    """The θ in Σ pᵢ·φᵢ / (1 + θ·φᵢ) = 0 that leaves every 1 + θ·φᵢ positive.

    The sum falls strictly between its poles −1/max φ and −1/min φ, so there is just one. Newton's
    steps are taken as long as they stay in the bracket and replaced by a halving otherwise. The
    last bit matters: next to a pole the small 1 + θ·φᵢ loses what θ lacks.

    Args:
        probabilities: Positive, with the sum 1.
        phi: One value an outcome, of both signs.

    Raises:
        ValueError: All of `phi` has one sign, so that its expectation cannot be 0.
    """
    if not min(phi) < 0 < max(phi):
        raise ValueError("hypothesis: no distribution satisfies it; expected one within reach")
    low, high, theta = -1 / max(phi), -1 / min(phi), 0.0
    for _ in range(ROUNDS):
        total, slope = _sum_and_slope(theta, probabilities, phi)
        low, high = (theta, high) if total > 0 else (low, theta)
        last, theta = theta, theta - total / slope
        if not low < theta < high:
            theta = (low + high) / 2
        if abs(theta - last) <= math.ulp(theta):
            break
    return theta


def with_mean(probabilities: Vector, scores: Vector, mean: float) -> tuple[float, ...]:
    """The likeliest distribution over `scores` whose mean is `mean`.

    Args:
        probabilities: What was observed; positive, with the sum 1.
        scores: The score of each outcome, from 0 to 1.
        mean: The score the hypothesis claims, within the range of `scores`.
    """
    return _tilted(probabilities, [score - mean for score in scores])


def with_normalised_mean(probabilities: Vector, scores: Vector, t: float) -> tuple[float, ...]:
    """The likeliest distribution over `scores` whose (mean − ½)/σ is `t`.

    Args:
        probabilities: What was observed; positive, with the sum 1.
        scores: The score of each outcome, from 0 to 1, ascending.
        t: The normalised score of a unit that the hypothesis claims: how many standard
            deviations the mean lies above ½.

    Raises:
        ValueError: |t| exceeds `MAX_NORMALISED_SCORE`.
    """
    if not abs(t) <= MAX_NORMALISED_SCORE:
        raise ValueError(
            f"hypothesis: a score {t:g} deviations from ½; expected at most "
            f"{MAX_NORMALISED_SCORE:g}"
        )
    if abs(t) < SMALLEST_NORMALISED_SCORE:
        return with_mean(probabilities, scores, 0.5)

    def at(deviation: float) -> tuple[float, ...]:
        return _tilted(probabilities, _normalised_phi(scores, t, deviation))

    def excess(deviation: float) -> float:
        centre = 0.5 + t * deviation
        return _spread(at(deviation), scores, centre) - deviation**2

    candidates = [at(deviation) for deviation in _falls(excess, _deviation_grid(scores, t))]
    return max(candidates, key=lambda found: _log_likelihood(probabilities, found))


def _deviation_grid(scores: Vector, t: float) -> list[float]:
    """The σ to try, in even steps of their logarithm, from the least possible one to ½.

    φ of an outcome at distance d from ½ vanishes at σ = d·(1 ± 1/√(1 + t²))/t; below the least
    of these (written without cancellation) no distribution has E φ = 0. At the first σ there is
    more variance than σ², at the last one less.
    """
    nearest = min(score - 0.5 for score in scores if score > 0.5)
    root = math.hypot(1, t)
    least = nearest * abs(t) / (root * (root + 1)) * (1 + 1e-9)
    ratio = 0.5 / least
    return [least * ratio ** (step / GRID_STEPS) for step in range(GRID_STEPS)] + [0.5]


def _falls(function: Callable[[float], float], grid: list[float]) -> list[float]:
    """Where `function` goes from positive to not positive between neighbours of `grid`."""
    signs = [function(point) > 0 for point in grid]
    return [
        _bisect(function, grid[step], grid[step + 1])
        for step in range(len(grid) - 1)
        if signs[step] and not signs[step + 1]
    ]


def _normalised_phi(scores: Vector, t: float, deviation: float) -> list[float]:
    shift = t * deviation
    return [
        score - 0.5 - shift / 2 - t * (score - 0.5 - shift) ** 2 / (2 * deviation)
        for score in scores
    ]


def _spread(probabilities: Vector, scores: Vector, centre: float) -> float:
    """The mean squared distance of the score from `centre`."""
    return sum(p * (a - centre) ** 2 for p, a in zip(probabilities, scores, strict=True))


def _log_likelihood(probabilities: Vector, model: Vector) -> float:
    """The mean log likelihood of a unit seen with `probabilities` under `model`."""
    return sum(p * math.log(q) for p, q in zip(probabilities, model, strict=True))


def _tilted(probabilities: Vector, phi: Vector) -> tuple[float, ...]:
    theta = solve_theta(probabilities, phi)
    return tuple(p / (1 + theta * value) for p, value in zip(probabilities, phi, strict=True))


def _sum_and_slope(theta: float, probabilities: Vector, phi: Vector) -> tuple[float, float]:
    """The sum that θ brings to 0, and its derivative, which is negative."""
    conditions = [value / (1 + theta * value) for value in phi]
    total = sum(p * term for p, term in zip(probabilities, conditions, strict=True))
    slope = -sum(p * term * term for p, term in zip(probabilities, conditions, strict=True))
    return total, slope


def _bisect(falling: Callable[[float], float], low: float, high: float) -> float:
    """A point between `low` and `high` where `falling` goes from positive to negative."""
    middle = (low + high) / 2
    while low < middle < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
        middle = (low + high) / 2
    return middle
