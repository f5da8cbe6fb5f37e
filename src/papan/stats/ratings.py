"""Ratings: of a whole tournament by maximum likelihood, or game by game on a ladder.

`rate_tournament` has the Bradley–Terry model, on the Elo scale. Every player has one strength, and
the difference of two is the Elo difference at which they would be expected to score as they did; a
draw counts as half a win and half a loss. The errors are those of independent games without draws:
a little too wide when many games are drawn.

`rate_game` and `play_ladder` update a belief about each player's skill after each game, through the
library `openskill`: a normal distribution on its own scale, which is not Elo, where a newcomer has
the mean 25 and the deviation 25/3. That is for players who come and go. It needs the extra
`papan[ladder]`, which is looked for when a function is called, not before.

Sources: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs" (1952);
L. R. Ford, "Solution of a Ranking Problem from Binary Comparisons" (1957), for when the maximum
exists; David R. Hunter, "MM Algorithms for Generalized Bradley–Terry Models" (2004);
Ruby C. Weng and Chih-Jen Lin, "A Bayesian Approximation Method for Online Ranking" (2011), for the
ladder's Plackett–Luce model.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.stats.elo import Z95, normal_cdf

Array = NDArray[np.float64]

ELO_PER_NAT = 400 / math.log(10)
"""Elo for each unit of ln(odds): the slope of the Elo scale."""

DEFAULT_PRIOR = 1.0
"""Imaginary draws of each player against an average one; see `rate_tournament`."""

STEP_LIMIT = 2.0
"""The furthest a strength moves in one Newton step, in ln(odds); it keeps the first ones sane."""

TOLERANCE = 1e-10
"""The Newton steps end when no strength moves further than this, in ln(odds)."""

ROUNDS = 1_000
"""Newton steps after which the ratings are declared not to settle; a dozen is the rule."""

NEWCOMER_MEAN = 25.0
"""Mean of the skill of a player without games, on openskill's scale."""

NEWCOMER_DEVIATION = 25.0 / 3
"""Its standard deviation."""


class Pairing(NamedTuple):
    """Results of two players against each other, as `player` sees it."""

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int


PairingLike = Pairing | tuple[str, str, int, int, int]


@dataclass(frozen=True)
class Rating:
    """One player's rating.

    Attributes:
        player: The name.
        elo: Elo, relative to the tournament's mean or its anchor.
        error: Elo; half the width of the 95 % interval. 0 for the anchor.
        games: Games played.
        score: Mean score in them, from 0 to 1.
    """

    player: str
    elo: float
    error: float
    games: int
    score: float

    def __str__(self) -> str:
        """As in 'corners +189.6 ± 98.1'."""
        return f"{self.player} {round(self.elo, 1) + 0.0:+.1f} ± {self.error:.1f}"


@dataclass(frozen=True)
class RatingTable:
    """The ratings of a tournament, the strongest first.

    Attributes:
        ratings: One a player, sorted by Elo, then by name.
        covariance: Elo²; the covariance of `ratings`, row by row in the same order.
    """

    ratings: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]

    def __getitem__(self, player: str) -> Rating:
        """The rating of `player`.

        Raises:
            ValueError: No player of that name was rated.
        """
        return self.ratings[self._index(player)]

    def difference(self, player: str, opponent: str) -> tuple[float, float]:
        """Elo difference of `player` and `opponent`, and its 95 % error.

        The error takes the games they share into account: it is not the two errors' sum.

        Raises:
            ValueError: One of them was not rated.
        """
        i, j = self._index(player), self._index(opponent)
        cov = self.covariance
        variance = cov[i][i] + cov[j][j] - 2 * cov[i][j]
        return self.ratings[i].elo - self.ratings[j].elo, Z95 * math.sqrt(max(variance, 0.0))

    def los(self, player: str, opponent: str) -> float:
        """Likelihood that `player` is stronger than `opponent`, from 0 to 1; ½ against oneself."""
        lead, error = self.difference(player, opponent)
        return normal_cdf(Z95 * lead / error) if error else 0.5

    def _index(self, player: str) -> int:
        names = [rating.player for rating in self.ratings]
        if player not in names:
            raise ValueError(f"player: {player!r} was not rated; expected {', '.join(names)}")
        return names.index(player)


def rate_tournament(
    pairings: Iterable[PairingLike],
    *,
    prior: float = DEFAULT_PRIOR,
    anchor: str | None = None,
    level: float = 0.0,
) -> RatingTable:
    """The maximum-likelihood ratings of all players of a tournament.

    Args:
        pairings: Player, opponent, and the player's wins, draws and losses; in any order, and
            two players may occur more than once.
        prior: Games, not necessarily a whole number. Each player is given this many draws
            against one imaginary player, who is rated along. It pulls the ratings together a
            little and keeps those of unbeaten and winless players finite. With 0 the ratings are
            those of the games alone, and such players are refused.
        anchor: The player whose rating is fixed at `level`; None to fix the mean of all.
        level: Elo of the anchor, or the mean.

    Raises:
        ValueError: There are no games, a pairing is malformed, the players fall into groups that
            never met (rate each of `connected_groups` alone), the anchor is unknown, or `prior`
            is negative or leaves a player without a finite rating.
    """
    players, points = _points(pairings)
    _check(points, players, prior, anchor)
    weights = np.array([name == anchor for name in players], dtype=np.float64)
    if anchor is None:
        weights[:] = 1 / len(players)
    strengths, covariance = _fit(_with_prior(points, prior), len(players))
    centring = np.eye(len(players)) - weights
    elo = ELO_PER_NAT * centring @ strengths + level
    return _table(players, points, elo, ELO_PER_NAT**2 * centring @ covariance @ centring.T)


def connected_groups(pairings: Iterable[PairingLike]) -> tuple[tuple[str, ...], ...]:
    """The players, in groups between which no game was played; each sorted by name.

    Raises:
        ValueError: There are no games, or a pairing is malformed.
    """
    players, points = _points(pairings)
    return _groups(_reachable(points + points.T), players)


def _points(pairings: Iterable[PairingLike]) -> tuple[list[str], Array]:
    """The players, sorted, and the points of the row's against the column's, shape (n, n).

    Raises:
        ValueError: A player meets themselves, a count is negative, or there are no games.
    """
    rows = [Pairing(*row) for row in pairings]
    players = sorted({name for row in rows for name in (row.player, row.opponent)})
    index = {name: i for i, name in enumerate(players)}
    points = np.zeros((len(players), len(players)))
    for row in rows:
        if row.player == row.opponent:
            raise ValueError(f"pairing: {row.player!r} meets themselves; expected two players")
        if min(row.wins, row.draws, row.losses) < 0:
            raise ValueError(f"pairing: {tuple(row)!r}; expected counts ≥ 0")
        i, j = index[row.player], index[row.opponent]
        points[i, j] += row.wins + row.draws / 2
        points[j, i] += row.losses + row.draws / 2
    if not points.any():
        raise ValueError("pairings: no games; expected at least one")
    return players, points


def _check(points: Array, players: Sequence[str], prior: float, anchor: str | None) -> None:
    """Refuses what has no finite, comparable ratings; see `rate_tournament`."""
    if not (math.isfinite(prior) and prior >= 0):
        raise ValueError(f"prior: {prior!r}; expected a finite number of games ≥ 0")
    if anchor is not None and anchor not in players:
        raise ValueError(f"anchor: {anchor!r} did not play; expected one of {', '.join(players)}")
    groups = _groups(_reachable(points + points.T), players)
    if len(groups) > 1:
        raise ValueError(
            f"pairings: {_list_groups(groups)} never met; expected connected players, or one "
            "rating table for each group"
        )
    if prior == 0 and len(beaten := _groups(_reachable(points), players)) > 1:
        raise ValueError(
            f"pairings: between {_list_groups(beaten)} all points went one way, so that their "
            "ratings have no bound; expected a prior > 0"
        )


def _reachable(points: Array) -> NDArray[np.bool_]:
    """Rows that lead to columns along positive entries, in any number of steps; shape (n, n)."""
    reach = (points > 0) | np.eye(len(points), dtype=np.bool_)
    for _ in range(len(points).bit_length()):
        reach = (reach.astype(np.float64) @ reach.astype(np.float64)) > 0
    return reach


def _groups(reach: NDArray[np.bool_], players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The players who lead to each other, group by group."""
    mutual = reach & reach.T
    rows = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in mutual)
    return tuple(tuple(players[i] for i in row) for row in rows)


def _list_groups(groups: Sequence[Sequence[str]]) -> str:
    return " | ".join(", ".join(group) for group in groups)


def _with_prior(points: Array, prior: float) -> Array:
    """The points with one more player, the last, who drew `prior` games with all others."""
    if prior == 0:
        return points
    extended = np.full((len(points) + 1, len(points) + 1), prior / 2)
    extended[:-1, :-1] = points
    extended[-1, -1] = 0
    return extended


def _fit(points: Array, size: int) -> tuple[Array, Array]:
    """Strengths in ln(odds) and their covariance, of the first `size` players; Newton's method.

    Both are known up to a common shift, and the covariance up to a constant: the likelihood
    depends on differences only. Centring them removes it.
    """
    strengths = np.zeros(len(points))
    for _ in range(ROUNDS):
        # Losing chances, not 1 − winning chances: near 1 the difference would lose its digits.
        losing = np.exp(-np.logaddexp(0, strengths[:, np.newaxis] - strengths[np.newaxis, :]))
        gradient = (points * losing - points.T * losing.T).sum(axis=1)
        covariance = _inverse((points + points.T) * losing * losing.T)
        step = covariance @ gradient
        step -= step.mean()
        longest = float(np.abs(step).max())
        strengths += step * min(1.0, STEP_LIMIT / max(longest, STEP_LIMIT))
        if longest < TOLERANCE:
            return strengths[:size], covariance[:size, :size]
    raise ValueError("pairings: the ratings do not settle; expected a larger prior")


def _inverse(weights: Array) -> Array:
    """The inverse of a connected graph's Laplacian, up to the same constant in all entries.

    The Laplacian, which is the information matrix, is singular in the direction of a common
    shift; a constant added to all its entries fills that direction and no other.
    """
    laplacian = np.diag(weights.sum(axis=1)) - weights
    return np.linalg.inv(laplacian + laplacian.max() / len(weights))


def _table(players: Sequence[str], points: Array, elo: Array, covariance: Array) -> RatingTable:
    """The fitted numbers, sorted and named."""
    errors = Z95 * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    games = (points + points.T).sum(axis=1)
    scores = points.sum(axis=1) / games
    order = sorted(range(len(players)), key=lambda i: (-elo[i], players[i]))
    ratings = tuple(
        Rating(players[i], float(elo[i]), float(errors[i]), round(games[i]), float(scores[i]))
        for i in order
    )
    rows = covariance[np.ix_(order, order)].tolist()
    return RatingTable(ratings, tuple(map(tuple, rows)))


# --- the ladder


@dataclass(frozen=True)
class Skill:
    """Belief of the ladder about one player, on openskill's scale.

    Attributes:
        mean: Expected skill.
        deviation: Standard deviation of the skill; it shrinks as games are played.
    """

    mean: float = NEWCOMER_MEAN
    deviation: float = NEWCOMER_DEVIATION

    @property
    def cautious(self) -> float:
        """Mean less three deviations: the least skill that is almost certain; 0 for newcomers."""
        return self.mean - 3 * self.deviation


def rate_game(
    standings: Sequence[Skill], places: Sequence[float] | None = None
) -> tuple[Skill, ...]:
    """The standings after one game of two or more players.

    Args:
        standings: The players before the game.
        places: The place each one took, 1 for the winner; equal places are a draw. None if they
            are given in the order in which they finished.

    Raises:
        ValueError: Fewer than two players, or not one place for each.
        ModuleNotFoundError: openskill is not installed.
    """
    places = range(1, len(standings) + 1) if places is None else places
    if len(standings) < 2 or len(places) != len(standings):
        raise ValueError(
            f"ladder: {len(standings)} players and {len(places)} places; expected two or more "
            "players and a place for each"
        )
    model = _openskill_models().PlackettLuce(mu=NEWCOMER_MEAN, sigma=NEWCOMER_DEVIATION)
    teams = [[model.rating(mu=one.mean, sigma=one.deviation)] for one in standings]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return tuple(Skill(float(team[0].mu), float(team[0].sigma)) for team in rated)


def play_ladder(
    games: Iterable[tuple[str, str, float]], start: Mapping[str, Skill] | None = None
) -> dict[str, Skill]:
    """The standings after a sequence of two-player games, in the order in which they were played.

    Args:
        games: First player, second player, and the first player's score 0, 0.5 or 1.
        start: The standings before; who is missing is a newcomer. It is not changed.

    Raises:
        ValueError: A score is none of the three, or a player meets themselves.
        ModuleNotFoundError: openskill is not installed.
    """
    standings = dict(start or {})
    for first, second, score in games:
        if score not in (0, 0.5, 1) or first == second:
            raise ValueError(
                f"ladder game: {first!r}, {second!r}, {score!r}; expected two players and the "
                "first one's score 0, 0.5 or 1"
            )
        before = [standings.get(name, Skill()) for name in (first, second)]
        standings[first], standings[second] = rate_game(before, (1 - score, score))
    return standings


def _openskill_models() -> ModuleType:
    """The library's models, imported now."""
    try:
        return importlib.import_module("openskill.models")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "ladder: needs the library openskill; install it with: pip install 'papan[ladder]'",
            name="openskill",
        ) from error
