"""The scale of an evaluation: how large its values typically are."""

from __future__ import annotations

from itertools import chain
from random import Random
from statistics import pstdev

from papan.core.game import Game
from papan.rules import operations as rules
from papan.rules.operations import Evaluation

#: Number of random games for an estimate.
GAMES = 12
_MOST_PLIES = 300

#: Lead in points of the evaluation, for games whose random games have no values to measure.
_UNKNOWN = 8.0


def usual_lead(game: Game, evaluation: Evaluation, games: int = GAMES) -> float:
    """Returns the standard deviation of an evaluation's values in random games, in points.

    Args:
        game: the game.
        evaluation: one of its evaluations.
        games: number of random games.
    """
    chance, values = Random(1), []
    walks = (game.start().random_walk(chance, _MOST_PLIES) for _ in range(games))
    for _, position in chain.from_iterable(walks):
        if not position.is_over():
            value = rules.evaluate(evaluation, position.state)
            values.append(value / rules.unit(evaluation))
    return round(max(pstdev(values), 0.001), 3) if values else _UNKNOWN
