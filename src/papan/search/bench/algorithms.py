"""The algorithms side by side: nodes and time to each depth from the start of each game.

All value leaves by the game's default evaluation, so that their values are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from papan.core import registry
from papan.search.bench.sheet import Sheet, count, marked
from papan.search.bench.suite import cost
from papan.search.registry import algorithm

ALGORITHMS = ("minimax", "alphabeta", "memory", "mtdf", "pvs", "engine")

#: From which start each game is searched, and how deep.
DEPTHS = {"adjacency": 8, "platforms:size=4,level=2": 18, "corners": 9}
QUICK_DEPTHS = {"adjacency": 6, "platforms:size=4,level=2": 12, "corners": 7}

#: An algorithm does not go on after a search that took more nodes than this.
MOST_NODES = 200_000_000
QUICK_MOST_NODES = 2_000_000

#: Searches to each depth, of which the fastest counts.
TRIES = 3


@dataclass(frozen=True)
class Reached:
    """A depth that was reached from nothing, the smaller depths included where an algorithm
    deepens; seconds of processor time."""

    game: str
    depth: int
    algorithm: str
    value: float
    nodes: int
    seconds: float


def measure(quick: bool = False) -> Iterator[Reached]:
    """Searches each start, depth by depth, with each algorithm that has not become too slow."""
    most = QUICK_MOST_NODES if quick else MOST_NODES
    for game, deepest in (QUICK_DEPTHS if quick else DEPTHS).items():
        left = list(ALGORITHMS)
        for depth in range(1, deepest + 1):
            for name in tuple(left):
                found = _reach(game, depth, name, 1 if quick else TRIES)
                yield found
                if found.nodes > most:
                    left.remove(name)


def summary(reached: Sequence[Reached]) -> dict[str, Any]:
    """Whether all algorithms have found the same value at each depth."""
    return {"same_values": all(len({one.value for one in row}) == 1 for row in _rows(reached))}


def sheet(reached: Sequence[Reached]) -> Sheet:
    """A row for each game and depth: nodes and milliseconds of each algorithm."""
    rows = []
    for row in _rows(reached):
        found = {one.algorithm: one for one in row}
        nodes = marked((count(one.nodes) for one in row), (one.nodes for one in row))
        cells = {
            name: f"{text}  {1000 * one.seconds:.1f}"
            for text, (name, one) in zip(nodes, found.items(), strict=True)
        }
        shown = (cells.get(name, "–") for name in ALGORITHMS)
        rows.append((row[0].game, str(row[0].depth), *shown))
    note = "bench.same-values" if summary(reached)["same_values"] else "bench.different-values"
    columns = ("bench.game", "bench.depth", *ALGORITHMS)
    return Sheet(columns, rows, [("bench.algorithms-cells", {}), (note, {})])


def _rows(reached: Sequence[Reached]) -> list[list[Reached]]:
    return [list(row) for _, row in groupby(reached, key=lambda one: (one.game, one.depth))]


def _reach(game: str, depth: int, name: str, tries: int) -> Reached:
    position = registry.game(game).start()
    evaluation = position.game.default_evaluation
    costs = [cost(position, depth, algorithm(name), evaluation) for _ in range(tries)]
    least = min(found.processor for found in costs)
    return Reached(game, depth, name, costs[0].value, costs[0].nodes, least)
