"""The generalised sequential probability ratio test, which stops a match as soon as it is decided.

H0 says that the first player's lead is `elo0`, H1 that it is `elo1`. For each hypothesis the test
computes the most likely distribution of results. The log likelihood ratio (LLR) of the two
distributions is compared with Wald's bounds after any number of games: at the lower bound H0 is
accepted, at the upper bound H1.

Each distribution solves one equation. With the observed probabilities p̂ᵢ and a function φ of the
outcome whose expectation is 0 under the hypothesis, it is

    pᵢ = p̂ᵢ / (1 + θ·φᵢ),   where θ solves   Σ p̂ᵢ·φᵢ / (1 + θ·φᵢ) = 0.

    hypothesis          φ
    mean = s            a − s
    (mean − ½)/σ = t    a − ½ − t·σ·(1 + ((a − ½ − t·σ)/σ)²)/2

The second φ contains the σ of the distribution itself, so σ is solved for in a loop around θ.

Sources: Abraham Wald, "Sequential Tests of Statistical Hypotheses" (1945); Michel Van den Bergh,
"The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" and
"Comments on Normalized Elo" (Proposition 1.1, Section 4.1); Rémi Coulom, "Bayesian Elo Rating", for
the third model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from papan.stats.counts import Counts, Trinomial
from papan.stats.elo import NORMALISED_ELO_SCALE, score_from_elo

ZERO_COUNT = 0.001
"""Replaces a count of 0, in units, so that no outcome is impossible."""

DRAWN_GAMES_ADDED = 0.5
"""Number of games that the "bayesian" model adds to every count, for the same reason."""

SMALLEST_CHANCE = 1e-15
"""Minimum probability of an outcome in the "bayesian" model, whose own value can round to 0."""

MAX_LOGISTIC_ELO = 4000.0
"""Maximum |Elo| of a "logistic" or "bayesian" hypothesis; larger values round to a score of 0 or 1.
"""

MAX_NORMALISED_ELO = 200.0
"""Maximum |normalised Elo| of a hypothesis; it keeps a pair's |t| below 1."""

MAX_NORMALISED_SCORE = 1.0
"""Maximum |t| of a hypothesis; up to this value a solution always exists."""

SMALLEST_NORMALISED_SCORE = 1e-9
"""Below this |t| the hypothesis is treated as mean = ½; the effect on the LLR is smaller."""

GRID_STEPS = 40
"""Number of steps in which the solutions for σ are searched. If nearly all units have the same
outcome, there are two solutions: the mean moves to σ, or σ shrinks to the mean. The likelier one is
used."""

ROUNDS = 200
"""Maximum number of iterations of a solver; normally it converges to the last bit long before."""

Vector = Sequence[float]
Model = Literal["logistic", "normalised", "bayesian"]
Decision = Literal["H0", "H1", "continue"]


@dataclass(frozen=True)
class SprtResult:
    """State of a test.

    Attributes:
        llr: log likelihood ratio of H1 to H0 (natural logarithm); positive values favour H1.
        lower: Wald's lower bound, at which H0 is accepted.
        upper: Wald's upper bound, at which H1 is accepted.
        decision: the accepted hypothesis, or "continue".

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.sprt import Sprt
        >>> Sprt(0, 50).test(Trinomial(wins=60, draws=20, losses=20)).decision
        'H1'
    """

    llr: float
    lower: float
    upper: float
    decision: Decision

    def __str__(self) -> str:
        """Returns a text such as 'LLR +1.49 [-2.94, +2.94] continue'."""
        return f"LLR {self.llr:+.2f} [{self.lower:+.2f}, {self.upper:+.2f}] {self.decision}"

    def to_dict(self) -> dict[str, float | str]:
        """Returns the fields by name for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of H1 "stronger by `elo1`" against H0 "stronger by `elo0`".

    Attributes:
        elo0: Elo difference of H0 from the first player's view.
        elo1: Elo difference of H1, greater than `elo0`.
        alpha: probability of accepting H1 if H0 is true, between 0 and 1.
        beta: probability of accepting H0 if H1 is true, between 0 and 1.
        model: meaning of the Elo values. "logistic": plain Elo. "normalised": normalised Elo, with
            which the length of a test does not depend on the share of draws. "bayesian": plain Elo
            with BayesElo's model of draws, as in cutechess, only for single games.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.sprt import Sprt
        >>> round(Sprt(0, 50).llr(Trinomial(wins=60, draws=20, losses=20)), 2)
        5.96
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        """Checks the parameters.

        Raises:
            ValueError: a parameter is out of range.
        """
        if self.model not in get_args(Model):
            raise ValueError(f"model: {self.model!r}; expected one of {', '.join(get_args(Model))}")
        limit = MAX_NORMALISED_ELO if self.model == "normalised" else MAX_LOGISTIC_ELO
        if not -limit <= self.elo0 < self.elo1 <= limit:
            raise ValueError(
                f"elo0, elo1: {self.elo0:g}, {self.elo1:g}; expected elo0 < elo1, "
                f"both from {-limit:g} to {limit:g}"
            )
        wald_bounds(self.alpha, self.beta)

    def llr(self, counts: Counts) -> float:
        """Returns the log likelihood ratio of H1 to H0; 0 before the first game.

        Raises:
            ValueError: the model does not support counts of this kind.
        """
        if self.model == "bayesian":
            return _bayesian_llr(counts, self.elo0, self.elo1)
        if not counts.units:
            return 0.0
        units = [count or ZERO_COUNT for count in counts.frequencies]
        seen = [count / sum(units) for count in units]
        h0 = self._likeliest(seen, counts, self.elo0)
        h1 = self._likeliest(seen, counts, self.elo1)
        return _log_ratio(units, h0, h1)

    def test(self, counts: Counts) -> SprtResult:
        """Returns the state of the test after `counts`.

        Raises:
            ValueError: the model does not support counts of this kind.
        """
        lower, upper = wald_bounds(self.alpha, self.beta)
        llr = self.llr(counts)
        decision: Decision = "continue"
        if llr <= lower:
            decision = "H0"
        elif llr >= upper:
            decision = "H1"
        return SprtResult(llr, lower, upper, decision)

    def _likeliest(self, seen: Vector, counts: Counts, elo: float) -> Vector:
        """Returns the most likely distribution of a unit's score for the difference `elo`."""
        if self.model == "logistic":
            return with_mean(seen, counts.scores, score_from_elo(elo))
        t = elo / NORMALISED_ELO_SCALE * math.sqrt(counts.games_per_unit)
        return with_normalised_mean(seen, counts.scores, t)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Returns Wald's bounds of the LLR: ln(β/(1 − α)) for H0 and ln((1 − β)/α) for H1.

    Args:
        alpha: probability of accepting H1 if H0 is true.
        beta: probability of accepting H0 if H1 is true.

    Raises:
        ValueError: a probability is not above 0, or their sum is not below 1.

    Examples:
        >>> from papan.stats.sprt import wald_bounds
        >>> [round(bound, 2) for bound in wald_bounds(0.05, 0.05)]
        [-2.94, 2.94]
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(
            f"alpha, beta: {alpha:g}, {beta:g}; expected two chances above 0, their sum below 1"
        )
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def _bayesian_llr(counts: Counts, elo0: float, elo1: float) -> float:
    """Returns the LLR in BayesElo's model, in which `draw_elo` reduces the chances of both players.

    `draw_elo` is fitted to the games, and the hypotheses are scaled from plain Elo to the model's
    Elo.
    """
    if not isinstance(counts, Trinomial):
        raise ValueError("model: 'bayesian' judges single games; expected win, draw, loss counts")
    losses, draws, wins = (count + DRAWN_GAMES_ADDED for count in counts.frequencies)
    games = losses + draws + wins
    draw_elo = 200 * math.log10((games / losses - 1) * (games / wins - 1))
    half = score_from_elo(draw_elo)
    scale = 4 * half * (1 - half)
    h0, h1 = (_bayesian_model(elo / scale, draw_elo) for elo in (elo0, elo1))
    return _log_ratio((losses, draws, wins), h0, h1)


def _bayesian_model(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """Returns the probabilities of a loss, a draw and a win."""
    win, loss = score_from_elo(elo - draw_elo), score_from_elo(-elo - draw_elo)
    loss, draw, win = (max(chance, SMALLEST_CHANCE) for chance in (loss, 1 - win - loss, win))
    return loss, draw, win


def _log_ratio(units: Vector, h0: Vector, h1: Vector) -> float:
    """Returns the log likelihood ratio of `h1` to `h0` for outcomes seen `units` times."""
    return sum(count * math.log(new / old) for count, old, new in zip(units, h0, h1, strict=True))


# --- the most likely distribution under a hypothesis


def solve_theta(probabilities: Vector, phi: Vector) -> float:
    """Returns the θ in Σ pᵢ·φᵢ / (1 + θ·φᵢ) = 0 for which all 1 + θ·φᵢ are positive.

    The sum decreases strictly between its poles −1/max φ and −1/min φ, so there is exactly one
    solution. A Newton step that leaves the bracket is replaced by bisection. The solver iterates to
    the last bit, because next to a pole a small error of θ is a large relative error of 1 + θ·φᵢ.

    Args:
        probabilities: positive numbers with the sum 1.
        phi: one value per outcome; both signs must occur.

    Raises:
        ValueError: all of `phi` has the same sign, so that its expectation cannot be 0.

    Examples:
        >>> from papan.stats.sprt import solve_theta
        >>> round(solve_theta((0.5, 0.5), (-1.0, 1.0)), 6)
        -0.0
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
    """Returns the most likely distribution over `scores` with the mean `mean`.

    Args:
        probabilities: observed probabilities: positive numbers with the sum 1.
        scores: score of each outcome, from 0 to 1.
        mean: mean score under the hypothesis, within the range of `scores`.

    Examples:
        >>> from papan.stats.sprt import with_mean
        >>> [round(p, 2) for p in with_mean((0.25, 0.5, 0.25), (0.0, 0.5, 1.0), 0.6)]
        [0.17, 0.46, 0.37]
    """
    return _tilt(probabilities, [score - mean for score in scores])


def with_normalised_mean(probabilities: Vector, scores: Vector, t: float) -> tuple[float, ...]:
    """Returns the most likely distribution over `scores` for which (mean − ½)/σ is `t`.

    Args:
        probabilities: observed probabilities: positive numbers with the sum 1.
        scores: score of each outcome, from 0 to 1, ascending.
        t: normalised score of a unit under the hypothesis: distance of the mean from ½ in standard
            deviations.

    Raises:
        ValueError: |t| exceeds `MAX_NORMALISED_SCORE`.

    Examples:
        >>> from papan.stats.sprt import with_normalised_mean
        >>> len(with_normalised_mean((0.25, 0.5, 0.25), (0.0, 0.5, 1.0), 0.1))
        3
    """
    if not abs(t) <= MAX_NORMALISED_SCORE:
        raise ValueError(
            f"hypothesis: a score {t:g} deviations from ½; expected at most "
            f"{MAX_NORMALISED_SCORE:g}"
        )
    if abs(t) < SMALLEST_NORMALISED_SCORE:
        return with_mean(probabilities, scores, 0.5)

    def at(deviation: float) -> tuple[float, ...]:
        return _tilt(probabilities, _normalised_phi(scores, t, deviation))

    def excess(deviation: float) -> float:
        centre = 0.5 + t * deviation
        return _variance_about(at(deviation), scores, centre) - deviation**2

    candidates = [at(deviation) for deviation in _falls(excess, _deviation_grid(scores, t))]
    return max(candidates, key=lambda candidate: _log_likelihood(probabilities, candidate))


def _deviation_grid(scores: Vector, t: float) -> list[float]:
    """Returns the σ to try, logarithmically spaced, from the smallest possible value to ½.

    φ of an outcome at distance d from ½ is zero at σ = d·(1 ± 1/√(1 + t²))/t. Below the smallest of
    these values (written without cancellation) no distribution has E φ = 0. At the first σ the
    variance exceeds σ², at the last σ it is smaller.
    """
    nearest = min(score - 0.5 for score in scores if score > 0.5)
    root = math.hypot(1, t)
    least = nearest * abs(t) / (root * (root + 1)) * (1 + 1e-9)
    ratio = 0.5 / least
    return [least * ratio ** (step / GRID_STEPS) for step in range(GRID_STEPS)] + [0.5]


def _falls(function: Callable[[float], float], grid: list[float]) -> list[float]:
    """Returns points where `function` changes from positive to non-positive between grid points."""
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


def _variance_about(probabilities: Vector, scores: Vector, centre: float) -> float:
    """Returns the mean squared distance of the score from `centre`."""
    return sum(p * (a - centre) ** 2 for p, a in zip(probabilities, scores, strict=True))


def _log_likelihood(probabilities: Vector, model: Vector) -> float:
    """Returns the mean log likelihood under `model` of a unit with the observed `probabilities`."""
    return sum(p * math.log(q) for p, q in zip(probabilities, model, strict=True))


def _tilt(probabilities: Vector, phi: Vector) -> tuple[float, ...]:
    theta = solve_theta(probabilities, phi)
    return tuple(p / (1 + theta * value) for p, value in zip(probabilities, phi, strict=True))


def _sum_and_slope(theta: float, probabilities: Vector, phi: Vector) -> tuple[float, float]:
    """Returns the sum whose zero is sought, and its derivative, which is negative."""
    conditions = [value / (1 + theta * value) for value in phi]
    total = sum(p * term for p, term in zip(probabilities, conditions, strict=True))
    slope = -sum(p * term * term for p, term in zip(probabilities, conditions, strict=True))
    return total, slope


def _bisect(falling: Callable[[float], float], low: float, high: float) -> float:
    """Returns a point between `low` and `high` where `falling` changes from positive to
    negative."""
    middle = (low + high) / 2
    while low < middle < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
        middle = (low + high) / 2
    return middle
