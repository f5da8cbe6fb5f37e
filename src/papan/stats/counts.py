"""Counts of the results of a match: by game (trinomial) or by game pair (pentanomial).

All scores are from the first player's view: 1 is a win of the first player. In a game pair the two
players play twice from the same opening with sides exchanged, so the two games are not independent.
The pair is then the unit of the statistics, with its mean score: 0, 1/4, 1/2, 3/4 or 1.

    sample        unit    outcomes of a unit, from worst to best
    Trinomial     game    loss, draw, win
    Pentanomial   pair    LL, LD, WL or DD, WD, WW
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import ClassVar, Self


class Counts(ABC):
    """The counts of one match; the base class of `Trinomial` and `Pentanomial`.

    Examples:
        >>> from papan.stats.counts import Pentanomial
        >>> Pentanomial(0, 1, 2, 3, 4).score
        0.75
    """

    games_per_unit: ClassVar[int]

    @property
    @abstractmethod
    def frequencies(self) -> tuple[int, ...]:
        """Number of units with each outcome, from worst to best."""

    @classmethod
    @abstractmethod
    def from_frequencies(cls, frequencies: Sequence[int]) -> Self:
        """Returns the counts with the given `frequencies`, from worst to best."""

    def __post_init__(self) -> None:
        """Checks the counts.

        Raises:
            ValueError: a count is negative or not an integer.
        """
        for count in self.frequencies:
            if not isinstance(count, Integral) or count < 0:
                raise ValueError(f"counts: {count!r} is not a count; expected a whole number ≥ 0")

    @property
    def scores(self) -> tuple[float, ...]:
        """Score of each outcome of a unit, evenly spaced from 0 to 1."""
        top = len(self.frequencies) - 1
        return tuple(index / top for index in range(top + 1))

    @property
    def units(self) -> int:
        """Number of counted units: games or game pairs."""
        return sum(self.frequencies)

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.units * self.games_per_unit

    def counted_units(self) -> int:
        """Returns `units` if it is not 0, for use as a divisor.

        Raises:
            ValueError: no game was counted.
        """
        if not self.units:
            raise ValueError("counts: no games; expected at least one finished game or pair")
        return self.units

    @property
    def score(self) -> float:
        """Mean score of the first player, from 0 to 1.

        Raises:
            ValueError: no game was counted.
        """
        points = sum(index * count for index, count in enumerate(self.frequencies))
        return points / (self.counted_units() * (len(self.frequencies) - 1))

    @property
    def variance(self) -> float:
        """Variance of a unit's score, divided by n, not by n − 1.

        Raises:
            ValueError: no game was counted.
        """
        mean = self.score
        squares = (
            count * (score - mean) ** 2
            for count, score in zip(self.frequencies, self.scores, strict=True)
        )
        return sum(squares) / self.units

    @property
    def uniform(self) -> bool:
        """True if all units had the same outcome, so that the sample variance is 0."""
        return sum(count > 0 for count in self.frequencies) == 1

    @property
    def perfect(self) -> bool:
        """True if one player scored every point, so that the score is exactly 0 or 1."""
        return self.uniform and (self.frequencies[0] > 0 or self.frequencies[-1] > 0)

    def swapped(self) -> Self:
        """Returns the counts from the other player's view."""
        return self.from_frequencies(self.frequencies[::-1])

    def __add__(self, other: Self) -> Self:
        """Returns the total counts of two matches of the same kind."""
        if type(other) is not type(self):
            return NotImplemented
        both = zip(self.frequencies, other.frequencies, strict=True)
        return self.from_frequencies([mine + theirs for mine, theirs in both])


@dataclass(frozen=True)
class Trinomial(Counts):
    """Counts of single games.

    Attributes:
        wins: games won by the first player.
        draws: drawn games.
        losses: games lost by the first player.

    Examples:
        >>> from papan.stats.counts import Trinomial
        >>> Trinomial(wins=6, draws=2, losses=2).score
        0.7
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    games_per_unit: ClassVar[int] = 1

    @property
    def frequencies(self) -> tuple[int, ...]:
        """Losses, draws, wins."""
        return (self.losses, self.draws, self.wins)

    @classmethod
    def from_frequencies(cls, frequencies: Sequence[int]) -> Self:
        """Returns the counts of (losses, draws, wins)."""
        losses, draws, wins = frequencies
        return cls(wins, draws, losses)

    @classmethod
    def from_scores(cls, scores: Iterable[float]) -> Self:
        """Returns the counts of single games from the first player's scores: 0, 0.5 or 1.

        Raises:
            ValueError: a score has another value.
        """
        return cls.from_frequencies(_tally([_points(score) for score in scores], size=3))


@dataclass(frozen=True)
class Pentanomial(Counts):
    """Counts of game pairs, by the first player's points in both games together.

    Attributes:
        ll: both lost, 0 points.
        ld: one lost and one drawn, ½ point.
        even: one won and one lost, or both drawn, 1 point.
        wd: one won and one drawn, 1½ points.
        ww: both won, 2 points.

    Examples:
        >>> from papan.stats.counts import Pentanomial
        >>> Pentanomial(0, 1, 2, 3, 4).games
        20
    """

    ll: int = 0
    ld: int = 0
    even: int = 0
    wd: int = 0
    ww: int = 0

    games_per_unit: ClassVar[int] = 2

    @property
    def frequencies(self) -> tuple[int, ...]:
        """LL, LD, WL or DD, WD, WW."""
        return (self.ll, self.ld, self.even, self.wd, self.ww)

    @classmethod
    def from_frequencies(cls, frequencies: Sequence[int]) -> Self:
        """Returns the counts of (LL, LD, WL or DD, WD, WW)."""
        ll, ld, even, wd, ww = frequencies
        return cls(ll, ld, even, wd, ww)

    @classmethod
    def from_scores(cls, pairs: Iterable[tuple[float, float]]) -> Self:
        """Returns the counts of game pairs from the first player's scores in both games.

        Raises:
            ValueError: a score is not 0, 0.5 or 1.
        """
        points = [_points(one) + _points(other) for one, other in pairs]
        return cls.from_frequencies(_tally(points, size=5))


def _points(score: float) -> int:
    """Returns a game's score in half points: 0, 1 or 2."""
    if score not in (0, 0.5, 1):
        raise ValueError(f"game score: {score!r}; expected 0, 0.5 or 1")
    return int(2 * score)


def _tally(points: Iterable[int], *, size: int) -> list[int]:
    seen = Counter(points)
    return [seen[index] for index in range(size)]
