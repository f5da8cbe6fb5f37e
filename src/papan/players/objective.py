"""What a player strives for: an evaluation, and the moves of a position valued by it."""

from __future__ import annotations

from papan.core import spec
from papan.core.game import Game, Outcome, Position
from papan.kernel import operations as rules
from papan.kernel.operations import Evaluation
from papan.search.algorithm import in_points


def evaluation_of(game: Game, name: str) -> Evaluation:
    """The game's evaluation of that name; for an empty name, the one it uses by default.

    Raises:
        InvalidSpec: the game has no such evaluation.
    """
    if not name:
        return game.default_evaluation
    if name not in game.evaluations:
        raise spec.unknown("spec.unknown-evaluation", name, game.evaluations)
    return game.evaluations[name]


def value_now(position: Position, evaluation: Evaluation) -> float:
    """The value of an unfinished game in points, side to move's view."""
    value = int(rules.evaluate(evaluation, position.state))
    return in_points(evaluation, position.state, value)


def move_values(position: Position, evaluation: Evaluation) -> dict[int, float]:
    """Each legal move with the value, in points, of the position after it, mover's view."""
    return {code: _value_after(position, evaluation, code) for code in position.codes()}


def _value_after(position: Position, evaluation: Evaluation, code: int) -> float:
    # A draw by repetition is the one ending that the state alone does not show.
    if position.past and position.after(code).outcome() is Outcome.DRAW:
        return 0
    value = int(rules.evaluate_after(evaluation, position.state, code, 0))
    return in_points(evaluation, position.state, value)
