"""The generalised sequential probability ratio test: stop a match as soon as it is decided.

H0 says the first player's lead is `elo0`, H1 that it is `elo1`. After any number of games the log
likelihood ratio (LLR) of the two, each with the distribution of results likeliest under it, is
held against Wald's bounds: at the lower one H0 is accepted, at the upper one H1.

Each of the likeliest distributions solves one equation. With observed probabilities p̂ᵢ and a
function φ of the outcome whose expectation the hypothesis makes 0, it is

    pᵢ = p̂ᵢ / (1 + θ·φᵢ),   where θ solves   Σ p̂ᵢ·φᵢ / (1 + θ·φᵢ) = 0.

    hypothesis          φ
    mean = s            a − s
    (mean − ½)/σ = t    a − ½ − t·σ·(1 + ((a − ½ − t·σ)/σ)²)/2

The second φ holds the σ of the distribution sought, so σ is solved for in a loop around θ.

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
"""Stands for a count of 0, in units, so that no outcome is held to be impossible."""

DRAWN_GAMES_ADDED = 0.5
"""Added to every count by the "bayesian" model, in games, for the same reason."""

SMALLEST_CHANCE = 1e-15
"""The least chance the "bayesian" model gives an outcome; its own can round to 0."""

MAX_LOGISTIC_ELO = 4000.0
"""The largest |Elo| of a "logistic" or "bayesian" hypothesis; beyond it scores round to 0 or 1."""

MAX_NORMALISED_ELO = 200.0
"""The largest |normalised Elo| of a hypothesis; it keeps a pair's |t| below 1."""

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
Model = Literal["logistic", "normalised", "bayesian"]
Decision = Literal["H0", "H1", "continue"]


@dataclass(frozen=True)
class SprtResult:
    """State of a test.

    Attributes:
        llr: Log likelihood ratio of H1 to H0, natural logarithm; positive speaks for H1.
        lower: Wald's lower bound: at or below it H0 is accepted.
        upper: Wald's upper bound: at or above it H1 is accepted.
        decision: The hypothesis accepted, or "continue".
    """

    llr: float
    lower: float
    upper: float
    decision: Decision

    def __str__(self) -> str:
        """As in 'LLR +1.49 [-2.94, +2.94] continue'."""
        return f"LLR {self.llr:+.2f} [{self.lower:+.2f}, {self.upper:+.2f}] {self.decision}"

    def to_dict(self) -> dict[str, float | str]:
        """The fields by name, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Sprt:
    """A test of H1 "stronger by `elo1`" against H0 "stronger by `elo0`".

    Attributes:
        elo0: Elo difference of H0, the first player's view.
        elo1: Elo difference of H1, greater than `elo0`.
        alpha: Chance of accepting H1 when H0 is true, between 0 and 1.
        beta: Chance of accepting H0 when H1 is true, between 0 and 1.
        model: What the Elo of the hypotheses means. "logistic": plain Elo. "normalised":
            normalised Elo, with which a test takes as long with any share of draws.
            "bayesian": plain Elo through BayesElo's model of draws, as cutechess has it, for
            single games only.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        """Refuses a test that cannot be decided.

        Raises:
            ValueError: A field is out of its range.
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
        """The log likelihood ratio of H1 to H0; 0 before the first game.

        Raises:
            ValueError: The model cannot judge counts of this kind.
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
        """State of the test after `counts`.

        Raises:
            ValueError: The model cannot judge counts of this kind.
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
        """The likeliest distribution of a unit's score if the difference is `elo`."""
        if self.model == "logistic":
            return with_mean(seen, counts.scores, score_from_elo(elo))
        t = elo / NORMALISED_ELO_SCALE * math.sqrt(counts.games_per_unit)
        return with_normalised_mean(seen, counts.scores, t)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The LLR at which H0 is accepted, ln(β/(1 − α)), and H1, ln((1 − β)/α).

    Args:
        alpha: Chance of accepting H1 when H0 is true.
        beta: Chance of accepting H0 when H1 is true.

    Raises:
        ValueError: A chance is not between 0 and 1, or their sum is not below 1.
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(
            f"alpha, beta: {alpha:g}, {beta:g}; expected two chances above 0, their sum below 1"
        )
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def _bayesian_llr(counts: Counts, elo0: float, elo1: float) -> float:
    """The LLR under BayesElo's model: a win has the chance of Elo less `draw_elo`, a loss likewise.

    `draw_elo` is fitted to the games, and the hypotheses, plain Elo, are scaled to the model's.
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
    """The chances of a loss, a draw and a win."""
    win, loss = score_from_elo(elo - draw_elo), score_from_elo(-elo - draw_elo)
    loss, draw, win = (max(chance, SMALLEST_CHANCE) for chance in (loss, 1 - win - loss, win))
    return loss, draw, win


def _log_ratio(units: Vector, h0: Vector, h1: Vector) -> float:
    """The log likelihood ratio of `h1` to `h0` for outcomes seen `units` times."""
    return sum(count * math.log(new / old) for count, old, new in zip(units, h0, h1, strict=True))


# --- the likeliest distribution under a hypothesis


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
    return _tilt(probabilities, [score - mean for score in scores])


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
        return _tilt(probabilities, _normalised_phi(scores, t, deviation))

    def excess(deviation: float) -> float:
        centre = 0.5 + t * deviation
        return _variance_about(at(deviation), scores, centre) - deviation**2

    candidates = [at(deviation) for deviation in _falls(excess, _deviation_grid(scores, t))]
    return max(candidates, key=lambda candidate: _log_likelihood(probabilities, candidate))


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
    """Points where `function` goes from positive to not positive between neighbours of `grid`."""
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
    """The mean squared distance of the score from `centre`."""
    return sum(p * (a - centre) ** 2 for p, a in zip(probabilities, scores, strict=True))


def _log_likelihood(probabilities: Vector, model: Vector) -> float:
    """The mean log likelihood of a unit seen with `probabilities` under `model`."""
    return sum(p * math.log(q) for p, q in zip(probabilities, model, strict=True))


def _tilt(probabilities: Vector, phi: Vector) -> tuple[float, ...]:
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
