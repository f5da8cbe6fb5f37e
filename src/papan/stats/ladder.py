"""A ladder: ratings that are updated after each game, through the library `openskill`.

A standing is a belief about a player's skill: a normal distribution on openskill's own scale,
where a newcomer has the mean 25 and the deviation 25/3. It is not Elo. Use it for players who
come and go; a finished tournament is better rated as a whole, by `papan.stats.ratings`.

Needs the extra `papan[ladder]`, which is looked for when a function is called, not before.

Source: Ruby C. Weng and Chih-Jen Lin, "A Bayesian Approximation Method for Online Ranking" (2011),
the Plackett–Luce model.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

NEWCOMER_MEAN = 25.0
NEWCOMER_DEVIATION = 25.0 / 3


@dataclass(frozen=True)
class Standing:
    """What the ladder believes of one player, on openskill's scale.

    Attributes:
        mean: Expected skill.
        deviation: Standard deviation of the skill; it shrinks as games are played.
    """

    mean: float = NEWCOMER_MEAN
    deviation: float = NEWCOMER_DEVIATION

    @property
    def cautious(self) -> float:
        """Mean less three deviations: the skill the player almost surely has; 0 for newcomers."""
        return self.mean - 3 * self.deviation


def rate_game(
    standings: Sequence[Standing], places: Sequence[float] | None = None
) -> tuple[Standing, ...]:
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
    return tuple(Standing(float(team[0].mu), float(team[0].sigma)) for team in rated)


def play_ladder(
    games: Iterable[tuple[str, str, float]], start: Mapping[str, Standing] | None = None
) -> dict[str, Standing]:
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
        before = [standings.get(name, Standing()) for name in (first, second)]
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
