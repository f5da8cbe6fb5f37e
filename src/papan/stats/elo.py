"""Elo differences with their errors, normalised Elo, and the likelihood of superiority.

Every number is the first player's view: positive means the first player is stronger. Intervals
are 95 % intervals. The sample's own mean and variance are used wherever they say enough; where
they do not (a perfect score, units that all ended alike, an interval that would leave 0 to 1)
Wilson's interval takes over, so that every number printed is finite.

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
"""Fewer values say too little of their own standard deviation for an interval of their mean."""

NORMALISED_ELO_SCALE = 800 / math.log(10)
"""Normalised Elo for each standard deviation of one game's score; 800/ln 10 makes it agree with
plain Elo, near 0, for games without draws."""

Bound = Literal["exact", "lower", "upper"]


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference, or the most that can be said of one, in finite numbers.

    Attributes:
        value: Elo difference. Where `bound` is not "exact" the sample's own value is infinite, and
            this is what it would be had one unit ended one step closer to even: at ten wins of
            ten, the value of nine wins and a draw.
        error: Elo; half the width of the interval. Of a bound: the distance from `value` to the
            one end that is finite.
        low: Lower end of the 95 % interval, in Elo; None if there is none.
        high: Upper end of the 95 % interval, in Elo; None if there is none.
        bound: "exact"; "lower" if the true value is at least `value` for all the sample says;
            "upper" if at most.
    """

    value: float
    error: float
    low: float | None
    high: float | None
    bound: Bound = "exact"

    def __str__(self) -> str:
        """As in '+107.5 ± 68.5', '≥ +511.5' or '≤ -511.5'."""
        shown = f"{round(self.value, 1) + 0.0:+.1f}"
        if self.bound == "exact":
            return f"{shown} ± {self.error:.1f}"
        return f"{'≥' if self.bound == 'lower' else '≤'} {shown}"

    def to_dict(self) -> dict[str, float | str | None]:
        """The fields by name, ready for JSON: finite numbers, None and the word of `bound`."""
        return asdict(self)


def elo_from_score(score: float) -> float:
    """The Elo difference at which `score` is expected: −400·log10(1/score − 1).

    Args:
        score: The stronger or weaker player's own mean score, above 0 and below 1.

    Raises:
        ValueError: The score is not between 0 and 1, where no Elo difference is finite.
    """
    if not 0 < score < 1:
        raise ValueError(f"score: {score!r} has no Elo; expected a number above 0 and below 1")
    return 400 * (math.log10(score) - math.log10(1 - score))


def score_from_elo(elo: float) -> float:
    """The mean score, from 0 to 1, of a player who is `elo` stronger than the other.

    Raises:
        ValueError: `elo` is infinite or not a number.
    """
    if not math.isfinite(elo):
        raise ValueError(f"elo: {elo!r}; expected a finite number")
    ratio = math.pow(10, -abs(elo) / 400)
    return 1 / (1 + ratio) if elo >= 0 else ratio / (1 + ratio)


def score_interval(counts: Counts) -> tuple[float, float]:
    """Wilson's 95 % interval for the mean score, within 0 to 1 for every sample.

    Wilson's interval is made for wins and losses: it holds every s from which the sample's mean
    lies no further than 1.96·√(s·(1 − s)/n). Draws, and pairs that end even, leave less variance
    than that, so n is replaced by the number of games without draws that would tell as much (see
    `effective_games`). Without draws it is Wilson's interval itself. It reaches 0 or 1 only at a
    perfect score.

    Raises:
        ValueError: No game was counted.
    """
    mean, size = counts.score, effective_games(counts)
    shrink = 1 + Z95**2 / size
    centre = (mean + Z95**2 / (2 * size)) / shrink
    half = Z95 / shrink * math.sqrt(mean * (1 - mean) / size + (Z95 / (2 * size)) ** 2)
    low = centre - half if mean > 0 else 0.0
    high = centre + half if mean < 1 else 1.0
    return max(low, 0.0), min(high, 1.0)


def score_error(counts: Counts) -> float:
    """Half the width of Wilson's 95 % interval for the mean score (`score_interval`).

    Raises:
        ValueError: No game was counted.
    """
    low, high = score_interval(counts)
    return (high - low) / 2


def normal_error(counts: Counts) -> float:
    """Half the width of the normal 95 % interval for the mean score: 1.96·√(variance/n), which is
    0 where all units ended alike.

    Raises:
        ValueError: No game was counted.
    """
    return Z95 * math.sqrt(counts.variance / counts.units)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of independent values and its 95 % interval, which is infinite for fewer than
    `FEWEST_VALUES` values.

    Raises:
        ValueError: There is no value.
    """
    mean = statistics.fmean(values)
    if len(values) < FEWEST_VALUES:
        return mean, -math.inf, math.inf
    error = Z95 * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - error, mean + error


def effective_games(counts: Counts) -> float:
    """Number of independent games without draws that fix the mean score as well as `counts`.

    A unit's variance is r times that of a win-or-loss with the same mean, with r from 0 to 1,
    and n units are then worth n/r games. So that r is never 0, it is estimated from the sample
    with one best and one worst outcome added, after Laplace's rule of succession.

    Raises:
        ValueError: No game was counted.
    """
    worst, *others, best = counts.frequencies
    padded = counts.from_frequencies([worst + 1, *others, best + 1])
    mean = padded.score
    return counts.counted_units() * mean * (1 - mean) / padded.variance


def elo_difference(counts: Counts) -> EloEstimate:
    """The Elo difference of a match and its error.

    The interval is that of the mean score, μ ± 1.96·√(variance/n), turned into Elo. Wilson's
    interval (`score_interval`) takes its place when all units ended alike, or when it would not
    lie between 0 and 1. A perfect score gives a bound; see `EloEstimate`.

    Raises:
        ValueError: No game was counted.
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
    """The normalised Elo difference of a match and its error.

    It is (μ − ½)/σ in units of `NORMALISED_ELO_SCALE`, with σ the standard deviation of one game
    (√2 times that of a pair's mean score). It says how many games it takes to see the difference
    with any share of draws; its error depends on the number of games alone. A sample whose
    units all ended alike, and not even, gives a bound.

    Source: Michel Van den Bergh, "Comments on Normalized Elo".

    Raises:
        ValueError: No game was counted.
    """
    if counts.uniform and counts.score != 0.5:
        return _normalised_bound(counts)
    value = _normalised_elo(counts.score, counts.variance, counts)
    error = NORMALISED_ELO_SCALE * Z95 / math.sqrt(counts.games)
    return _estimate(value, value - error, value + error, "exact")


def los(counts: Counts) -> float:
    """The likelihood of superiority, from 0 to 1: how surely the first player is the stronger.

    Φ((μ − ½)/se) with se = √(variance/n). When all units ended alike the sample has no variance,
    and se is that of even players, with the share of draws of `effective_games`: above 97.5 % just
    when Wilson's interval lies above ½.

    Raises:
        ValueError: No game was counted.
    """
    lead = counts.score - 0.5
    if counts.uniform:
        return normal_cdf(2 * lead * math.sqrt(effective_games(counts)))
    return normal_cdf(lead / math.sqrt(counts.variance / counts.units))


def los_from_decisive_games(counts: Trinomial) -> float:
    """The likelihood of superiority, from 0 to 1, by wins and losses alone, as cutechess has it.

    Φ((wins − losses)/√(wins + losses)); ½ if no game was won.
    """
    decisive = counts.wins + counts.losses
    return normal_cdf((counts.wins - counts.losses) / math.sqrt(decisive)) if decisive else 0.5


def normal_cdf(x: float) -> float:
    """Φ(x), the chance that a standard normal variable is at most `x`."""
    return math.erfc(-x / math.sqrt(2)) / 2


def _interval(counts: Counts) -> tuple[float, float]:
    """The 95 % interval of the mean score: the normal one where it makes sense, else Wilson's."""
    half = normal_error(counts)
    low, high = counts.score - half, counts.score + half
    return (low, high) if half > 0 and low > 0 and high < 1 else score_interval(counts)


def _soften(counts: Counts) -> Counts:
    """A uniform, uneven sample with one of its units moved one step towards even."""
    frequencies = list(counts.frequencies)
    seen = next(index for index, count in enumerate(frequencies) if count)
    frequencies[seen] -= 1
    frequencies[seen + (1 if counts.score < 0.5 else -1)] += 1
    return counts.from_frequencies(frequencies)


def _normalised_elo(score: float, variance: float, counts: Counts) -> float:
    """Normalised Elo of a unit's mean and variance; 0 where there is no variance to divide by."""
    deviation = math.sqrt(variance * counts.games_per_unit)
    return NORMALISED_ELO_SCALE * (score - 0.5) / deviation if deviation else 0.0


def _normalised_bound(counts: Counts) -> EloEstimate:
    """The normalised Elo of a uniform, uneven sample, with the near end of Wilson's interval."""
    softened, bound = _soften(counts), _bound_of(counts)
    value = _normalised_elo(softened.score, softened.variance, counts)
    score = score_interval(counts)[0 if bound == "lower" else 1]
    variance = score * (1 - score) * counts.units / effective_games(counts)
    end = _normalised_elo(score, variance, counts)
    return _estimate(
        value, end if bound == "lower" else None, end if bound == "upper" else None, bound
    )


def _bound_of(counts: Counts) -> Bound:
    """The side on which the sample of a uniform result leaves the difference open."""
    return "lower" if counts.score > 0.5 else "upper"


def _estimate(value: float, low: float | None, high: float | None, bound: Bound) -> EloEstimate:
    """The estimate with its error, from the ends of the interval that are known."""
    if low is not None and high is not None:
        error = (high - low) / 2
    elif low is not None:
        error = value - low
    else:
        error = high - value if high is not None else 0.0
    return EloEstimate(value, error, low, high, bound)
