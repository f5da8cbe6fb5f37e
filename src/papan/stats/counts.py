"""The results of a match, counted: by game (trinomial) or by game pair (pentanomial).

Everything is seen by the first player: a score of 1 is a game the first player won. In a game
pair the two players meet twice from the same opening with the sides exchanged, so the two games
are not independent. The pair is then the unit that is counted, and its mean score, one of
0, 1/4, 1/2, 3/4 and 1, is what the statistics are made of.

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
    """The counts of one match, of either unit; see `Trinomial` and `Pentanomial`."""

    games_per_unit: ClassVar[int]

    @property
    @abstractmethod
    def frequencies(self) -> tuple[int, ...]:
        """Number of units with each outcome, from worst to best."""

    @classmethod
    @abstractmethod
    def from_frequencies(cls, frequencies: Sequence[int]) -> Self:
        """The counts whose `frequencies`, from worst to best, are the given ones."""

    def __post_init__(self) -> None:
        """Refuses what is not a count.

        Raises:
            ValueError: A count is negative or not a whole number.
        """
        for count in self.frequencies:
            if not isinstance(count, Integral) or count < 0:
                raise ValueError(f"counts: {count!r} is no count; expected a whole number ≥ 0")

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each outcome of a unit, evenly spaced from 0 to 1."""
        top = len(self.frequencies) - 1
        return tuple(index / top for index in range(top + 1))

    @property
    def units(self) -> int:
        """Number of units counted: games, or pairs of games."""
        return sum(self.frequencies)

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.units * self.games_per_unit

    def counted_units(self) -> int:
        """`units`, for those who divide by it.

        Raises:
            ValueError: No game was counted.
        """
        if not self.units:
            raise ValueError("counts: no games; expected at least one finished game or pair")
        return self.units

    @property
    def score(self) -> float:
        """The first player's mean score, from 0 to 1.

        Raises:
            ValueError: No game was counted.
        """
        points = sum(index * count for index, count in enumerate(self.frequencies))
        return points / (self.counted_units() * (len(self.frequencies) - 1))

    @property
    def variance(self) -> float:
        """The variance of one unit's score, divided by n, not by n − 1.

        Raises:
            ValueError: No game was counted.
        """
        mean = self.score
        squares = (
            count * (score - mean) ** 2
            for count, score in zip(self.frequencies, self.scores, strict=True)
        )
        return sum(squares) / self.units

    @property
    def uniform(self) -> bool:
        """True if every unit ended alike, so that the sample says nothing about variance."""
        return sum(count > 0 for count in self.frequencies) == 1

    @property
    def perfect(self) -> bool:
        """True if one player scored every point: a mean of exactly 0 or 1."""
        return self.uniform and (self.frequencies[0] > 0 or self.frequencies[-1] > 0)

    def swapped(self) -> Self:
        """The same match as the other player sees it."""
        return self.from_frequencies(self.frequencies[::-1])

    def __add__(self, other: Self) -> Self:
        """The counts of both matches together; they must be of one kind."""
        if type(other) is not type(self):
            return NotImplemented
        both = zip(self.frequencies, other.frequencies, strict=True)
        return self.from_frequencies([mine + theirs for mine, theirs in both])


@dataclass(frozen=True)
class Trinomial(Counts):
    """Games counted one by one.

    Attributes:
        wins: Games the first player won.
        draws: Games without a winner.
        losses: Games the first player lost.
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
        """The counts of (losses, draws, wins)."""
        losses, draws, wins = frequencies
        return cls(wins, draws, losses)

    @classmethod
    def from_scores(cls, scores: Iterable[float]) -> Self:
        """The counts of single games, each given by the first player's score 0, 0.5 or 1.

        Raises:
            ValueError: A score is none of the three.
        """
        return cls.from_frequencies(_tally([_points(score) for score in scores], size=3))


@dataclass(frozen=True)
class Pentanomial(Counts):
    """Game pairs, counted by what the first player took from both games together.

    Attributes:
        ll: Both lost, 0 points.
        ld: One lost and one drawn, ½ point.
        even: One won and one lost, or both drawn, 1 point.
        wd: One won and one drawn, 1½ points.
        ww: Both won, 2 points.
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
        """The counts of (LL, LD, WL or DD, WD, WW)."""
        ll, ld, even, wd, ww = frequencies
        return cls(ll, ld, even, wd, ww)

    @classmethod
    def from_scores(cls, pairs: Iterable[tuple[float, float]]) -> Self:
        """The counts of game pairs, each given by the first player's score in both games.

        Raises:
            ValueError: A score is not 0, 0.5 or 1.
        """
        points = [_points(one) + _points(other) for one, other in pairs]
        return cls.from_frequencies(_tally(points, size=5))


def _points(score: float) -> int:
    """A game's score in half points: 0, 1 or 2."""
    if score not in (0, 0.5, 1):
        raise ValueError(f"game score: {score!r}; expected 0, 0.5 or 1")
    return int(2 * score)


def _tally(points: Iterable[int], *, size: int) -> list[int]:
    seen = Counter(points)
    return [seen[index] for index in range(size)]
