"""Ratings: of a whole tournament by maximum likelihood, or game by game on a ladder.

`rate_tournament` uses the Bradley–Terry model on the Elo scale. Every player has one strength. The
difference of two strengths is the Elo difference that corresponds to the expected score. A draw
counts as half a win and half a loss. The errors assume independent games without draws, so they are
slightly too wide if many games are drawn.

`rate_game` and `play_ladder` update an estimate of each player's skill after each game, with the
library `openskill`. A skill is a normal distribution on openskill's own scale, which is not Elo; a
new player has mean 25 and deviation 25/3. The ladder suits players who join and leave. It needs the
extra `papan[ladder]`, which is imported when a function is called.

Sources: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs" (1952); L. R.
Ford, "Solution of a Ranking Problem from Binary Comparisons" (1957), for when the maximum exists;
David R. Hunter, "MM Algorithms for Generalized Bradley–Terry Models" (2004); Ruby C. Weng and
Chih-Jen Lin, "A Bayesian Approximation Method for Online Ranking" (2011), for the ladder's
Plackett–Luce model.
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
"""Elo per unit of ln(odds): the slope of the Elo scale."""

DEFAULT_PRIOR = 1.0
"""Number of imaginary draws of each player against an average one; see `rate_tournament`."""

STEP_LIMIT = 2.0
"""Maximum change of a strength in one Newton step, in ln(odds); stabilises the first steps."""

TOLERANCE = 1e-10
"""The Newton steps end when no strength changes by more than this, in ln(odds)."""

ROUNDS = 1_000
"""Maximum number of Newton steps; a dozen is typical."""

NEWCOMER_MEAN = 25.0
"""Mean skill of a player without games, on openskill's scale."""

NEWCOMER_DEVIATION = 25.0 / 3
"""Standard deviation of the skill of a player without games."""


class Pairing(NamedTuple):
    """Results of two players against each other, from the view of `player`.

    Examples:
        >>> from papan.stats.ratings import Pairing
        >>> Pairing("a", "b", 3, 1, 0).wins
        3
    """

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
        player: name of the player.
        elo: Elo relative to the tournament's mean or its anchor.
        error: half the width of the 95 % interval in Elo; 0 for the anchor.
        games: number of games.
        score: mean score, from 0 to 1.

    Examples:
        >>> from papan.stats.ratings import Pairing, rate_tournament
        >>> table = rate_tournament([Pairing("a", "b", 3, 1, 0)])
        >>> table.ratings[0].player
        'a'
    """

    player: str
    elo: float
    error: float
    games: int
    score: float

    def __str__(self) -> str:
        """Returns a text such as 'corners +189.6 ± 98.1'."""
        return f"{self.player} {round(self.elo, 1) + 0.0:+.1f} ± {self.error:.1f}"


@dataclass(frozen=True)
class RatingTable:
    """The ratings of a tournament, strongest player first.

    Attributes:
        ratings: ratings of the players, sorted by Elo, then by name.
        covariance: covariance matrix of `ratings` in Elo², in the same order.

    Examples:
        >>> from papan.stats.ratings import Pairing, rate_tournament
        >>> table = rate_tournament([Pairing("a", "b", 3, 1, 0)])
        >>> [round(value) for value in table.difference("a", "b")]
        [273, 414]
    """

    ratings: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]

    def __getitem__(self, player: str) -> Rating:
        """Returns the rating of `player`.

        Raises:
            ValueError: the player was not rated.
        """
        return self.ratings[self._index(player)]

    def difference(self, player: str, opponent: str) -> tuple[float, float]:
        """Returns the Elo difference of `player` and `opponent`, and its 95 % error.

        The error takes common games into account, so it is not the sum of the two errors.

        Raises:
            ValueError: one of the players was not rated.
        """
        i, j = self._index(player), self._index(opponent)
        cov = self.covariance
        variance = cov[i][i] + cov[j][j] - 2 * cov[i][j]
        return self.ratings[i].elo - self.ratings[j].elo, Z95 * math.sqrt(max(variance, 0.0))

    def los(self, player: str, opponent: str) -> float:
        """Returns the likelihood (0 … 1) that `player` is stronger than `opponent`; ½ for equal
        names."""
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
    """Returns the maximum-likelihood ratings of all players of a tournament.

    Args:
        pairings: tuples of player, opponent, and the player's wins, draws and losses, in any order.
            Two players may occur more than once.
        prior: number of draws of each player against one imaginary player; may be fractional. The
            prior pulls the ratings together slightly and keeps those of unbeaten and winless
            players finite. With 0 the ratings depend on the games alone, and such players raise an
            error.
        anchor: player whose rating is fixed at `level`; None fixes the mean of all ratings.
        level: Elo of the anchor or of the mean.

    Raises:
        ValueError: there are no games, a pairing is malformed, the anchor is unknown, or `prior` is
            negative or leaves a player without a finite rating. Also if the players form groups
            that never met (rate each of `connected_groups` separately).

    Examples:
        >>> from papan.stats.ratings import Pairing, rate_tournament
        >>> table = rate_tournament([Pairing("a", "b", 3, 1, 0)])
        >>> [rating.player for rating in table.ratings]
        ['a', 'b']
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
    """Returns the groups of players between which no game was played, each sorted by name.

    Raises:
        ValueError: there are no games, or a pairing is malformed.

    Examples:
        >>> from papan.stats.ratings import Pairing, connected_groups
        >>> connected_groups([Pairing("a", "b", 1, 0, 0), Pairing("c", "d", 1, 0, 0)])
        (('a', 'b'), ('c', 'd'))
    """
    players, points = _points(pairings)
    return _groups(_reachable(points + points.T), players)


def _points(pairings: Iterable[PairingLike]) -> tuple[list[str], Array]:
    """Returns the sorted players, and the points of row against column, shape (n, n).

    Raises:
        ValueError: a player meets themselves, a count is negative, or there are no games.
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
    """Raises an error unless all ratings are finite and comparable; see `rate_tournament`."""
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
    """Returns which columns each row reaches by a chain of positive entries; shape (n, n)."""
    reach = (points > 0) | np.eye(len(points), dtype=np.bool_)
    for _ in range(len(points).bit_length()):
        reach = (reach.astype(np.float64) @ reach.astype(np.float64)) > 0
    return reach


def _groups(reach: NDArray[np.bool_], players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Returns the groups of players who reach each other."""
    mutual = reach & reach.T
    rows = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in mutual)
    return tuple(tuple(players[i] for i in row) for row in rows)


def _list_groups(groups: Sequence[Sequence[str]]) -> str:
    return " | ".join(", ".join(group) for group in groups)


def _with_prior(points: Array, prior: float) -> Array:
    """Adds a last player who drew `prior` games with each player."""
    if prior == 0:
        return points
    extended = np.full((len(points) + 1, len(points) + 1), prior / 2)
    extended[:-1, :-1] = points
    extended[-1, -1] = 0
    return extended


def _fit(points: Array, size: int) -> tuple[Array, Array]:
    """Returns strengths in ln(odds) and their covariance for the first `size` players.

    Uses Newton's method. The likelihood depends only on differences, so the strengths are
    determined up to a common shift and the covariance up to a constant. The caller removes both by
    centring.
    """
    strengths = np.zeros(len(points))
    for _ in range(ROUNDS):
        # Not 1 − winning probability: near 1 the difference would lose its digits.
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
    """Returns the inverse of a connected graph's Laplacian, up to a constant in all entries.

    The Laplacian, which is the information matrix, is singular in the direction of a common shift.
    A constant added to all its entries removes this singularity and changes nothing else.
    """
    laplacian = np.diag(weights.sum(axis=1)) - weights
    return np.linalg.inv(laplacian + laplacian.max() / len(weights))


def _table(players: Sequence[str], points: Array, elo: Array, covariance: Array) -> RatingTable:
    """Returns the sorted table of the fitted numbers."""
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
    """Estimate of a player's skill on openskill's scale.

    Attributes:
        mean: expected skill.
        deviation: standard deviation of the skill; it shrinks with the number of games.

    Examples:
        >>> from papan.stats.ratings import Skill
        >>> Skill(30.0, 5.0).cautious
        15.0
    """

    mean: float = NEWCOMER_MEAN
    deviation: float = NEWCOMER_DEVIATION

    @property
    def cautious(self) -> float:
        """Mean minus three deviations, a skill that is almost certainly exceeded; 0 for new
        players."""
        return self.mean - 3 * self.deviation


def rate_game(
    standings: Sequence[Skill], places: Sequence[float] | None = None
) -> tuple[Skill, ...]:
    """Returns the skills after one game of two or more players.

    Args:
        standings: skills of the players before the game.
        places: place of each player, 1 for the winner; equal places are a draw. None if the players
            are listed in the order in which they finished.

    Raises:
        ValueError: there are fewer than two players, or not one place for each.
        ModuleNotFoundError: openskill is not installed.

    Examples:
        >>> from papan.stats.ratings import Skill, rate_game
        >>> winner, loser = rate_game([Skill(), Skill()])
        >>> winner.mean > loser.mean
        True
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
    """Returns the skills after a sequence of two-player games, in playing order.

    Args:
        games: tuples of first player, second player, and the first player's score 0, 0.5 or 1.
        start: skills before the games, which is not changed; missing players are new.

    Raises:
        ValueError: a score has another value, or a player meets themselves.
        ModuleNotFoundError: openskill is not installed.

    Examples:
        >>> from papan.stats.ratings import play_ladder
        >>> list(play_ladder([("a", "b", 1.0)]))
        ['a', 'b']
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
    """Imports the library's models."""
    try:
        return importlib.import_module("openskill.models")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "ladder: needs the library openskill; install it with: pip install 'papan[ladder]'",
            name="openskill",
        ) from error
