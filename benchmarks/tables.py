"""Replacement strategies of the transposition table: nodes to a fixed depth, by the table's size.

The comparison of Breuker, Uiterwijk & van den Herik ("Replacement schemes for transposition
tables", ICCA Journal 17(4), 1994) on three games. Small tables have the same effect on small
searches as tables of megabytes on searches of hours.
"""

from __future__ import annotations

from benchmarks.tools.report import Report, Table
from papan.bench import GAMES, SUITE, Exercise, cost, geometric_mean
from papan.search.registry import algorithm
from papan.search.table import REPLACEMENTS

ALGORITHMS = ("memory", "engine")
#: Numbers of slots, as powers of two.
SIZES = (8, 12, 16, 20)
QUICK_SIZES = (8, 12)
#: Step between searched positions of the suite: three per game are searched.
STEP = 2


def run(quick: bool) -> Report:
    """Searches with each strategy and size."""
    table = Table(
        "Nodes to a fixed depth, by what stays in a full table",
        ("game", "algorithm", "slots", *REPLACEMENTS),
    )
    means = Table(
        "Nodes as multiples of the best strategy's, mean of all rows", tuple(REPLACEMENTS)
    )
    multiples = []
    for game in GAMES:
        for name in ALGORITHMS:
            for size in QUICK_SIZES if quick else SIZES:
                nodes = [_nodes(game, name, 1 << size, way, quick) for way in REPLACEMENTS]
                table.add(game, name, 1 << size, *nodes)
                multiples.append([number / min(nodes) for number in nodes])
    means.add(*(geometric_mean(column) for column in zip(*multiples, strict=True)))
    return Report([table, means])


def _nodes(game: str, name: str, slots: int, replacement: str, quick: bool) -> int:
    """Returns the nodes of one algorithm in one game with one kind of table."""
    exercises = [exercise for exercise in SUITE if exercise.game == game][::STEP]
    spec = f"{name}:slots={slots},replacement={replacement}"
    return sum(_cost(exercise, spec, quick) for exercise in exercises)


def _cost(exercise: Exercise, spec: str, quick: bool) -> int:
    chosen, position = algorithm(spec), exercise.position
    # Only the engine searches deep: with a small table and a bad strategy, others take minutes.
    deep = not quick and chosen.name == "engine"
    depth = exercise.heavy - 1 if deep else exercise.light
    return cost(position, depth, chosen, position.game.strongest_evaluation).nodes
