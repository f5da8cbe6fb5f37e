"""Comparison of the algorithms: nodes and time to each depth from the start of each game.

All evaluate leaves by the game's default evaluation, so they must find the same values. For an
algorithm with iterative deepening, the smaller depths are included. Times are processor time, the
minimum of a few searches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchmarks.tools.report import Report, Table
from papan.bench import cost
from papan.search.registry import algorithm
from papan.usercode import registry

ALGORITHMS = ("minimax", "alphabeta", "memory", "mtdf", "pvs", "engine")

#: Start → maximum depth.
DEPTHS = {"adjacency": 8, "platforms:size=4,level=2": 18, "corners": 9}
QUICK_DEPTHS = {"adjacency": 6, "platforms:size=4,level=2": 12, "corners": 7}

#: An algorithm stops after a search with more nodes than this.
MOST_NODES = 200_000_000
QUICK_MOST_NODES = 2_000_000

#: Number of searches to each depth, of which the fastest counts.
TRIES = 3


class Reached(NamedTuple):
    """The cost of a depth for one algorithm."""

    value: float
    nodes: int
    milliseconds: float


def run(quick: bool) -> Report:
    """Searches each start, depth by depth, with each algorithm that is still fast enough."""
    columns = ("game", "depth", *ALGORITHMS)
    nodes = Table("Nodes to each depth from the start", columns)
    times = Table("Milliseconds of processor time to each depth from the start", columns)
    report = Report([nodes, times])
    disagreements = 0
    for game, depth, found in _rows(quick):
        nodes.add(game, depth, *_cells(found, "nodes"))
        times.add(game, depth, *_cells(found, "milliseconds"))
        disagreements += len({reached.value for reached in found.values()}) > 1
    report.expect_equal("depths at which algorithms find different values", disagreements, 0)
    return report


def _rows(quick: bool) -> Iterator[tuple[str, int, dict[str, Reached]]]:
    most = QUICK_MOST_NODES if quick else MOST_NODES
    for game, deepest in (QUICK_DEPTHS if quick else DEPTHS).items():
        left: tuple[str, ...] = ALGORITHMS
        for depth in range(1, deepest + 1):
            found = {name: _reach(game, depth, name, 1 if quick else TRIES) for name in left}
            yield game, depth, found
            left = tuple(name for name in left if found[name].nodes <= most)


def _cells(found: Mapping[str, Reached], field: str) -> list[str | int | float]:
    return [getattr(found[name], field) if name in found else "–" for name in ALGORITHMS]


def _reach(game: str, depth: int, name: str, tries: int) -> Reached:
    position = registry.game(game).start()
    evaluation = position.game.default_evaluation
    costs = [cost(position, depth, algorithm(name), evaluation) for _ in range(tries)]
    least = min(found.processor for found in costs)
    return Reached(costs[0].value, costs[0].nodes, 1000 * least)
