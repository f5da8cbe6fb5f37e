"""The value of the game's own evaluation as a feature of learned evaluations.

Patterns of a few places do not see chains across the board, areas or ways around walls; the author
of a game may have written an evaluation that does. Without one, the number of moves takes its
place. The values are divided into steps, and each step has a weight. `NotUsed` and `OwnValue` are
techniques with their own types; `NotUsed` compiles to no code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.rules.dispatch import operation
from papan.rules.operations import Evaluation, State, count_moves, evaluate

#: Number of steps, and steps for each standard deviation in random games.
STEPS, FINENESS = 128, 16
#: Name of the number of moves in `values_of`; evaluations of games have no such names.
MOVES = "#moves"


class NotUsed(NamedTuple):
    """The game's own evaluation is not used."""


class OwnValue(NamedTuple):
    """The game's own evaluation.

    Attributes:
        evaluation: the evaluation.
        deviation: standard deviation of its values in random games.
    """

    evaluation: Any
    deviation: int


@operation
def step_of(technique: Any, state: State) -> int:
    """Returns the step of the own value, 0 … STEPS - 1; 0 if it is not used."""


@step_of.register(NotUsed)
def _(technique: NotUsed, state: State) -> int:
    return 0


@step_of.register(OwnValue)
def _(technique: OwnValue, state: State) -> int:
    steps = evaluate(technique.evaluation, state) * FINENESS // technique.deviation
    return max(0, min(STEPS - 1, STEPS // 2 + steps))


@operation
def step_entry(technique: Any, table: Any, state: State) -> Any:
    """Returns the entry of the own value's step, among the first of a table; 0 if not used."""


@step_entry.register(NotUsed)
def _(technique: NotUsed, table: Any, state: State) -> Any:
    return 0


@step_entry.register(OwnValue)
def _(technique: OwnValue, table: Any, state: State) -> Any:
    return np.int64(table[step_of(technique, state)])


class MoveCount(NamedTuple):
    """Number of legal moves of the side to move."""


@evaluate.register(MoveCount)
def _(evaluation: MoveCount, state: State) -> int:
    return count_moves(state)


def values_of(game: Game) -> dict[str, Evaluation]:
    """Returns the evaluations whose value can be a feature, by name."""
    return {**game.evaluations, MOVES: MoveCount()}


def own_value(game: Game, name: str, deviation: int) -> NotUsed | OwnValue:
    """Returns the technique for an evaluation of `values_of`; `NotUsed` for an empty name.

    Raises:
        KeyError: the game has no evaluation of that name.
    """
    return OwnValue(values_of(game)[name], deviation) if name else NotUsed()
