"""Replacement strategies of the transposition table: nodes to a fixed depth, by size of the table.

The comparison of Breuker, Uiterwijk & van den Herik ("Replacement schemes for transposition
tables", ICCA Journal 17(4), 1994) on three games. Small tables are for small searches what tables
of megabytes are for searches of hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from papan.search.bench.sheet import Sheet, count, marked
from papan.search.bench.suite import GAMES, SUITE, Exercise, cost, geometric_mean
from papan.search.registry import algorithm
from papan.search.table import REPLACEMENTS

ALGORITHMS = ("memory", "engine")
#: Numbers of slots, as powers of two.
SIZES = (8, 12, 16, 20)
QUICK_SIZES = (8, 12)
#: Every second position of the suite, three a game.
STEP = 2


@dataclass(frozen=True)
class TableCost:
    """The nodes of one algorithm in one game with one sort of table.

    Attributes:
        slots: how many positions the table holds, 2 to this power.
    """

    game: str
    algorithm: str
    slots: int
    replacement: str
    nodes: int

    @property
    def setting(self) -> tuple[str, str, int]:
        """What is the same for the strategies that are compared."""
        return self.game, self.algorithm, self.slots


def measure(quick: bool = False) -> Iterator[TableCost]:
    """Searches with each strategy and size, one setting after the other."""
    for game in GAMES:
        exercises = [exercise for exercise in SUITE if exercise.game == game][::STEP]
        for name in ALGORITHMS:
            for slots in QUICK_SIZES if quick else SIZES:
                for replacement in REPLACEMENTS:
                    spec = f"{name}:slots={1 << slots},replacement={replacement}"
                    nodes = sum(_nodes(exercise, spec, quick) for exercise in exercises)
                    yield TableCost(game, name, slots, replacement, nodes)


def settings(costs: Sequence[TableCost]) -> Iterator[tuple[tuple[str, str, int], dict[str, int]]]:
    """For each complete setting the nodes by strategy."""
    for setting, group in groupby(costs, key=lambda found: found.setting):
        nodes = {found.replacement: found.nodes for found in group}
        if len(nodes) == len(REPLACEMENTS):
            yield setting, nodes


def means(costs: Sequence[TableCost]) -> dict[str, float]:
    """Each strategy's nodes as a multiple of the best one's: the geometric mean over settings."""
    shares: dict[str, list[float]] = {name: [] for name in REPLACEMENTS}
    for _, nodes in settings(costs):
        least = min(nodes.values())
        for name, number in nodes.items():
            shares[name].append(number / least)
    return {name: geometric_mean(numbers) for name, numbers in shares.items() if numbers}


def summary(costs: Sequence[TableCost]) -> dict[str, Any]:
    """Which strategy is the best of all, and how much more the others take."""
    found = means(costs)
    return {"best": min(found, key=lambda name: found[name]) if found else None, "means": found}


def sheet(costs: Sequence[TableCost]) -> Sheet:
    """A row of nodes for each game, algorithm and size; the last row has the means."""
    rows = [
        (*_labels(*setting), *marked(map(count, nodes.values()), nodes.values()))
        for setting, nodes in settings(costs)
    ]
    columns = ("bench.game", "bench.algorithm", "bench.slots", *REPLACEMENTS)
    if not rows:
        return Sheet(columns, rows)
    found = means(costs)
    rows.append(
        (
            "bench.mean",
            "",
            "",
            *marked((f"{share:.3f}" for share in found.values()), found.values()),
        )
    )
    return Sheet(columns, rows, [("bench.tables-best", summary(costs))])


def _labels(game: str, name: str, slots: int) -> tuple[str, str, str]:
    return game, name, f"2^{slots}"


def _nodes(exercise: Exercise, spec: str, quick: bool) -> int:
    chosen, position = algorithm(spec), exercise.position
    # The engine alone goes deep: with a small table and a bad strategy, others take minutes.
    deep = not quick and chosen.name == "engine"
    depth = exercise.heavy - 1 if deep else exercise.light
    evaluation = position.game.strongest_evaluation
    return cost(position, depth, chosen, evaluation).nodes
