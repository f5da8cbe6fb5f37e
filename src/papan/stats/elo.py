"""Elo differences with their errors, normalised Elo, and the likelihood of superiority.

All numbers are from the first player's view: positive means that the first player is stronger.
Intervals are 95 % intervals. They use the sample's mean and variance if possible. In three cases
they use Wilson's interval instead, so that every number is finite: a perfect score, units that all
had the same outcome, and an interval that would reach beyond 0 or 1.

Sources: Arpad Elo, "The Rating of Chessplayers"; Michel Van den Bergh, "Comments on Normalized
Elo"; E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from papan.stats.counts import Counts, Trinomial

Z95 = 1.959963984540054
"""Half the width of the central 95 % of the normal distribution, in standard deviations."""

FEWEST_VALUES = 10
"""Minimum number of values for an interval of their mean: fewer do not determine the deviation."""

NORMALISED_ELO_SCALE = 800 / math.log(10)
"""Normalised Elo per standard deviation of one game's score. With 800/ln 10 it agrees with plain
Elo, near 0, for games without draws."""

Bound = Literal["exact", "lower", "upper"]


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference with its interval, or a bound of it, in finite numbers.

    Attributes:
        value: Elo difference. If `bound` is not "exact", the sample's own value is infinite, and
            `value` is computed as if one unit had ended one step closer to even. Example: ten wins
            out of ten give the value of nine wins and a draw.
        error: half the width of the interval in Elo; for a bound, the distance from `value` to the
            finite end.
        low: lower end of the 95 % interval in Elo; None if unbounded.
        high: upper end of the 95 % interval in Elo; None if unbounded.
        bound: "exact"; "lower" if the sample only shows that the true value is at least `value`;
            "upper" if it only shows that the true value is at most `value`.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import elo_difference
        >>> round(elo_difference(Trinomial(wins=6, draws=2, losses=2)).value)
        147
    """

    value: float
    error: float
    low: float | None
    high: float | None
    bound: Bound = "exact"

    def __str__(self) -> str:
        """Returns a text such as '+107.5 ± 68.5', '≥ +511.5' or '≤ -511.5'."""
        shown = f"{round(self.value, 1) + 0.0:+.1f}"
        if self.bound == "exact":
            return f"{shown} ± {self.error:.1f}"
        return f"{'≥' if self.bound == 'lower' else '≤'} {shown}"

    def to_dict(self) -> dict[str, float | str | None]:
        """Returns the fields by name for JSON: finite numbers, None, and the text of `bound`."""
        return asdict(self)


def elo_from_score(score: float) -> float:
    """Returns the Elo difference with the expected score `score`: −400·log10(1/score − 1).

    Args:
        score: a player's mean score, above 0 and below 1.

    Raises:
        ValueError: the score is not between 0 and 1, so that the Elo difference is not finite.

    Examples:
        >>> from papan.stats.elo import elo_from_score
        >>> round(elo_from_score(0.75))
        191
    """
    if not 0 < score < 1:
        raise ValueError(
            f"score: {score!r} has no finite Elo; expected a number above 0 and below 1"
        )
    return 400 * (math.log10(score) - math.log10(1 - score))


def score_from_elo(elo: float) -> float:
    """Returns the expected score (0 … 1) of a player who is `elo` points stronger than the other.

    Raises:
        ValueError: `elo` is infinite or not a number.

    Examples:
        >>> from papan.stats.elo import score_from_elo
        >>> round(score_from_elo(200), 2)
        0.76
    """
    if not math.isfinite(elo):
        raise ValueError(f"elo: {elo!r}; expected a finite number")
    ratio = math.pow(10, -abs(elo) / 400)
    return 1 / (1 + ratio) if elo >= 0 else ratio / (1 + ratio)


def score_interval(counts: Counts) -> tuple[float, float]:
    """Returns Wilson's 95 % interval for the mean score, which always lies within 0 and 1.

    Wilson's interval is for wins and losses: it contains every s whose distance from the sample
    mean is at most 1.96·√(s·(1 − s)/n). Draws, and pairs that end even, have less variance.
    Therefore n is replaced by the equivalent number of games without draws (see `effective_games`).
    Without draws the result is Wilson's interval itself. It reaches 0 or 1 only at a perfect score.

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import score_interval
        >>> [round(bound, 2) for bound in score_interval(Trinomial(wins=6, draws=2, losses=2))]
        [0.42, 0.88]
    """
    mean, size = counts.score, effective_games(counts)
    shrink = 1 + Z95**2 / size
    centre = (mean + Z95**2 / (2 * size)) / shrink
    half = Z95 / shrink * math.sqrt(mean * (1 - mean) / size + (Z95 / (2 * size)) ** 2)
    low = centre - half if mean > 0 else 0.0
    high = centre + half if mean < 1 else 1.0
    return max(low, 0.0), min(high, 1.0)


def score_error(counts: Counts) -> float:
    """Returns half the width of Wilson's 95 % interval for the mean score (`score_interval`).

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import score_error
        >>> round(score_error(Trinomial(wins=6, draws=2, losses=2)), 2)
        0.23
    """
    low, high = score_interval(counts)
    return (high - low) / 2


def normal_error(counts: Counts) -> float:
    """Returns half the width of the normal 95 % interval for the mean score: 1.96·√(variance/n).

    The result is 0 if all units had the same outcome.

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import normal_error
        >>> round(normal_error(Trinomial(wins=6, draws=2, losses=2)), 2)
        0.25
    """
    return Z95 * math.sqrt(counts.variance / counts.units)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Returns the mean of independent values, and the ends of its 95 % interval.

    The interval is infinite for fewer than `FEWEST_VALUES` values.

    Raises:
        ValueError: there are no values.

    Examples:
        >>> from papan.stats.elo import mean_interval
        >>> [round(value, 2) for value in mean_interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]
        [5.5, 3.62, 7.38]
    """
    mean = statistics.fmean(values)
    if len(values) < FEWEST_VALUES:
        return mean, -math.inf, math.inf
    error = Z95 * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - error, mean + error


def effective_games(counts: Counts) -> float:
    """Returns the number of games without draws whose mean score has the same standard error.

    A unit's variance is r times the variance of a win or loss with the same mean, with r from 0 to
    1. So n units are equivalent to n/r games. To keep r above 0, it is estimated after adding one
    best and one worst outcome to the sample (Laplace's rule of succession).

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Pentanomial
        >>> from papan.stats.elo import effective_games
        >>> round(effective_games(Pentanomial(0, 1, 2, 3, 4)), 1)
        20.2
    """
    worst, *others, best = counts.frequencies
    padded = counts.from_frequencies([worst + 1, *others, best + 1])
    mean = padded.score
    return counts.counted_units() * mean * (1 - mean) / padded.variance


def elo_difference(counts: Counts) -> EloEstimate:
    """Returns the Elo difference of a match with its error.

    The interval is that of the mean score, μ ± 1.96·√(variance/n), converted to Elo. Wilson's
    interval (`score_interval`) is used if all units had the same outcome, or if the normal interval
    would reach beyond 0 or 1. A perfect score gives a bound; see `EloEstimate`.

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import elo_difference
        >>> round(elo_difference(Trinomial(wins=6, draws=2, losses=2)).value)
        147
    """
    low, high = _interval(counts)
    value = elo_from_score((_soften(counts) if counts.perfect else counts).score)
    return _estimate(
        value,
        elo_from_score(low) if low > 0 else None,
        elo_from_score(high) if high < 1 else None,
        _bound_of(counts) if counts.perfect else "exact",
    )


def normalised_elo(counts: Counts) -> EloEstimate:
    """Returns the normalised Elo difference of a match with its error.

    The value is (μ − ½)/σ in units of `NORMALISED_ELO_SCALE`, where σ is the standard deviation of
    one game (√2 times that of a pair's mean score). It determines how many games are needed to see
    the difference, with any share of draws; its error depends only on the number of games. If all
    units had the same outcome, other than even, the result is a bound.

    Source: Michel Van den Bergh, "Comments on Normalized Elo".

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import normalised_elo
        >>> round(normalised_elo(Trinomial(wins=6, draws=2, losses=2)).value)
        174
    """
    if counts.uniform and counts.score != 0.5:
        return _normalised_bound(counts)
    value = _normalised_elo(counts.score, counts.variance, counts)
    error = NORMALISED_ELO_SCALE * Z95 / math.sqrt(counts.games)
    return _estimate(value, value - error, value + error, "exact")


def los(counts: Counts) -> float:
    """Returns the likelihood of superiority (0 … 1): the probability that the first player is
    stronger.

    The value is Φ((μ − ½)/se) with se = √(variance/n). If all units had the same outcome, the
    sample variance is 0, and se is that of even players with the share of draws of
    `effective_games`. Then the value is above 97.5 % exactly if Wilson's interval lies above ½.

    Raises:
        ValueError: no game was counted.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import los
        >>> round(los(Trinomial(wins=6, draws=2, losses=2)), 2)
        0.94
    """
    lead = counts.score - 0.5
    if counts.uniform:
        return normal_cdf(2 * lead * math.sqrt(effective_games(counts)))
    return normal_cdf(lead / math.sqrt(counts.variance / counts.units))


def los_from_decisive_games(counts: Trinomial) -> float:
    """Returns the likelihood of superiority (0 … 1) from wins and losses only, as cutechess does.

    The value is Φ((wins − losses)/√(wins + losses)), or ½ if all games were drawn.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> from papan.stats.elo import los_from_decisive_games
        >>> round(los_from_decisive_games(Trinomial(wins=6, draws=2, losses=2)), 2)
        0.92
    """
    decisive = counts.wins + counts.losses
    return normal_cdf((counts.wins - counts.losses) / math.sqrt(decisive)) if decisive else 0.5


def normal_cdf(x: float) -> float:
    """Returns Φ(x), the probability that a standard normal variable is at most `x`.

    Examples:
        >>> from papan.stats.elo import normal_cdf
        >>> normal_cdf(0)
        0.5
    """
    return math.erfc(-x / math.sqrt(2)) / 2


def _interval(counts: Counts) -> tuple[float, float]:
    """Returns the 95 % interval of the mean score: the normal one if it is valid, else Wilson's."""
    half = normal_error(counts)
    low, high = counts.score - half, counts.score + half
    return (low, high) if half > 0 and low > 0 and high < 1 else score_interval(counts)


def _soften(counts: Counts) -> Counts:
    """Returns the counts with one unit moved one step towards a draw; all units must be alike."""
    frequencies = list(counts.frequencies)
    seen = next(index for index, count in enumerate(frequencies) if count)
    frequencies[seen] -= 1
    frequencies[seen + (1 if counts.score < 0.5 else -1)] += 1
    return counts.from_frequencies(frequencies)


def _normalised_elo(score: float, variance: float, counts: Counts) -> float:
    """Returns the normalised Elo of a unit's mean and variance; 0 if the variance is 0."""
    deviation = math.sqrt(variance * counts.games_per_unit)
    return NORMALISED_ELO_SCALE * (score - 0.5) / deviation if deviation else 0.0


def _normalised_bound(counts: Counts) -> EloEstimate:
    """Returns the normalised Elo if all units are alike and not drawn; one end of it is open."""
    softened, bound = _soften(counts), _bound_of(counts)
    value = _normalised_elo(softened.score, softened.variance, counts)
    score = score_interval(counts)[0 if bound == "lower" else 1]
    variance = score * (1 - score) * counts.units / effective_games(counts)
    end = _normalised_elo(score, variance, counts)
    return _estimate(
        value, end if bound == "lower" else None, end if bound == "upper" else None, bound
    )


def _bound_of(counts: Counts) -> Bound:
    """Returns the kind of bound if all units are alike: "lower" for wins, "upper" for losses."""
    return "lower" if counts.score > 0.5 else "upper"


def _estimate(value: float, low: float | None, high: float | None, bound: Bound) -> EloEstimate:
    """Returns the estimate with its error, computed from the known ends of the interval."""
    if low is not None and high is not None:
        error = (high - low) / 2
    elif low is not None:
        error = value - low
    else:
        error = high - value if high is not None else 0.0
    return EloEstimate(value, error, low, high, bound)
