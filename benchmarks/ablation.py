"""The gain of each technique of the engine: the engine with the technique switched, and without.

Numbers are ratios to the cost of the whole engine, geometric means over the positions of the bench
suite: above 1, the whole engine is better. The variants search each position alternately, with
an empty table; the fastest run of each counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.tools.report import Report, Table
from papan.bench import GAMES, SUITE, Exercise, cost, geometric_mean
from papan.core.spec import options_of
from papan.engine import Engine
from papan.search.registry import algorithm

WHOLE = "engine"

#: The options that are switched in turn, each with its values for "off" and for "on".
TECHNIQUES: Mapping[str, tuple[Any, Any]] = {
    "table_on": (False, True),
    "scout": (False, True),
    "aspiration": (0, 1),
    "order_hint": (False, True),
    "killers": (False, True),
    "heuristic": (False, True),
    "symmetry": (-1, 4),
    "lmr": (0, 4),
}

#: Number of searches of each position, of which the fastest counts.
TRIES = 3

#: Variant → nodes and seconds of processor time for one position.
Costs = dict[str, tuple[float, float]]


def run(quick: bool) -> Report:
    """Measures all variants on all positions; quick: to smaller depths, once."""
    costs = {
        game: [_costs(exercise, quick) for exercise in SUITE if exercise.game == game]
        for game in GAMES
    }
    tables = [
        _table(f"{what} without a technique, as multiples of the whole engine's", costs, index)
        for index, what in enumerate(("Nodes", "Processor time"))
    ]
    return Report(tables)


def variants() -> list[str]:
    """Returns the specs of the engines that differ from the whole one in one technique."""
    defaults = {name: facts["default"] for name, facts in options_of(Engine).items()}
    return [
        Engine(**{name: on if defaults[name] == off else off}).spec
        for name, (off, on) in TECHNIQUES.items()
    ]


def _table(title: str, costs: Mapping[str, list[Costs]], index: int) -> Table:
    """Returns a table with a row per variant: its ratio in each game, and the mean."""
    table = Table(title, ("variant", *GAMES, "mean"))
    for variant in variants():
        multiples = [_multiple(variant, costs[game], index) for game in GAMES]
        table.add(variant, *multiples, geometric_mean(multiples))
    return table


def _multiple(variant: str, costs: Iterable[Costs], index: int) -> float:
    return geometric_mean(found[variant][index] / found[WHOLE][index] for found in costs)


def _costs(exercise: Exercise, quick: bool) -> Costs:
    """Returns the cost of a position for each variant and for the whole engine."""
    position = exercise.position
    evaluation = position.game.strongest_evaluation
    depth = exercise.light if quick else exercise.heavy - 1
    least: Costs = {}
    for _ in range(1 if quick else TRIES):
        for spec in (WHOLE, *variants()):
            found = cost(position, depth, algorithm(spec), evaluation)
            before = least.get(spec, (0, found.processor))[1]
            least[spec] = (found.nodes, min(before, found.processor))
    return least
