"""A bot in a few lines: plays the move with the best position after one ply.

It plays every game of Papan:  papan match adjacency python:examples/bots/hill_climber.py random \
--games 10
"""

from papan.core.game import Position
from papan.rules.operations import evaluate
from papan.search.limits import Limit


def choose(position: Position, limit: Limit) -> str:
    """Returns the first move after which the position has the lowest value for the opponent."""
    return min(position.moves(), key=lambda move: worth(position.play(move)))


def worth(position: Position) -> float:
    """Returns the value of a position for the side to move."""
    outcome = position.outcome()
    if outcome is None:
        return float(evaluate(position.game.default_evaluation, position.state))
    return 1_000_000 * (outcome.points(position.side) - 0.5)
