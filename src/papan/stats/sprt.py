"""The generalised sequential probability ratio test: stop a match as soon as it is decided.

H0 says the first player's lead is `elo0`, H1 that it is `elo1`. After any number of games the log
likelihood ratio (LLR) of the two, each with the distribution of results likeliest under it, is
held against Wald's bounds: at the lower one H0 is accepted, at the upper one H1.

Sources: Abraham Wald, "Sequential Tests of Statistical Hypotheses" (1945); Michel Van den Bergh,
"The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" and
"Comments on Normalized Elo"; Rémi Coulom, "Bayesian Elo Rating", for the third model.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from papan.stats.counts import Counts, Trinomial
from papan.stats.elo import NORMALISED_ELO_SCALE, score_from_elo
from papan.stats.likelihood import Vector, with_mean, with_normalised_mean

ZERO_COUNT = 0.001
"""What a count of 0 is replaced by, in units, so that no outcome is held to be impossible."""

DRAWN_GAMES_ADDED = 0.5
"""What the "bayesian" model adds to every count, in games, for the same reason."""

SMALLEST_CHANCE = 1e-15
"""The least chance the "bayesian" model gives an outcome; its own can round to 0."""

MAX_LOGISTIC_ELO = 4000.0
"""The largest |Elo| of a "logistic" or "bayesian" hypothesis; beyond it scores round to 0 or 1."""

MAX_NORMALISED_ELO = 200.0
"""The largest |normalised Elo| of a hypothesis; it keeps a pair's |t| below 1."""

Model = Literal["logistic", "normalised", "bayesian"]
Decision = Literal["H0", "H1", "continue"]


@dataclass(frozen=True)
class SprtResult:
    """Where a test stands.

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
            normalised Elo, with which a test takes as long whatever the share of draws.
            "bayesian": plain Elo through BayesElo's model of draws, as cutechess has it, for
            single games only.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        """Refuse a test that cannot be decided.

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
        """Where the test stands after `counts`.

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
