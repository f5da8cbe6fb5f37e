"""Evaluations with changed parameters, written as one word: `mobility/corner=9/edge=-2`.

An evaluation is a NamedTuple. Its numeric fields can be set by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.core import spec
from papan.core.game import Game
from papan.errors import InvalidSpec
from papan.rules.operations import Evaluation

#: Separator before each field.
MARK = "/"


def parameters_of(evaluation: Evaluation) -> dict[str, int | float]:
    """Returns the numeric fields of an evaluation with their values."""
    fields = evaluation._asdict().items()
    return {name: value for name, value in fields if type(value) in (int, float)}


def read_evaluation(game: Game, text: str) -> Evaluation | None:
    """Returns the evaluation that a word describes; None if the game has no evaluation of that
    name.

    Raises:
        InvalidSpec: the evaluation has no such field, or the value is not a number of its type.
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
    """Returns the word for an evaluation of the game with the given values.

    Values that equal the game's own are left out.
    """
    usual = parameters_of(game.evaluations[name])
    changed = [f"{field}={value:g}" for field, value in values.items() if value != usual[field]]
    return MARK.join([name, *changed])
