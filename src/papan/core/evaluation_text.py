"""Evaluations with other parameters than the game's, in one word: `mobility/corner=9/edge=-2`.

An evaluation is a NamedTuple; its fields that are numbers can be set by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.core import spec
from papan.core.game import Game
from papan.errors import InvalidSpec
from papan.rules.operations import Evaluation

#: What stands before each field.
MARK = "/"


def parameters_of(evaluation: Evaluation) -> dict[str, int | float]:
    """The fields of an evaluation that are numbers, with their values."""
    fields = evaluation._asdict().items()
    return {name: value for name, value in fields if type(value) in (int, float)}


def read_evaluation(game: Game, text: str) -> Evaluation | None:
    """The evaluation that a word describes; None if no evaluation of the game is called so.

    Raises:
        InvalidSpec: it has no such field, or the value is no number of its kind.
    """
    name, *parts = text.split(MARK)
    if name not in game.evaluations:
        return None
    evaluation = game.evaluations[name]
    known = parameters_of(evaluation)
    for part in parts:
        field, _, value = part.partition("=")
        if field not in known:
            raise spec.unknown("spec.unknown-option", field, known, name=name)
        kind = type(known[field])
        try:
            evaluation = evaluation._replace(**{field: kind(value)})
        except ValueError:
            expected = f"@word.{kind.__name__}"
            raise InvalidSpec(
                "spec.bad-value", option=field, text=value, expected=expected
            ) from None
    return evaluation


def write_evaluation(game: Game, name: str, values: Mapping[str, float]) -> str:
    """The word for an evaluation of the game with these values; those that are as they were are
    left out."""
    usual = parameters_of(game.evaluations[name])
    changed = [f"{field}={value:g}" for field, value in values.items() if value != usual[field]]
    return MARK.join([name, *changed])
