"""How many positions a second the searches go through, game by game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from papan.core import registry
from papan.search.bench.sheet import Sheet, count, seconds
from papan.search.bench.suite import cost
from papan.search.registry import algorithm

#: What is measured of each game from its start, and to which depth: some tenths of a second.
#: Without a table, with one, and with all that orders moves.
DEPTHS = {
    "adjacency": {"alphabeta": 8, "pvs": 8, "engine": 8},
    "platforms:size=5,level=2": {"alphabeta": 20, "pvs": 18, "engine": 18},
    "corners": {"alphabeta": 8, "pvs": 9, "engine": 11},
}
#: So many plies less when it has to be quick.
QUICK_LESS = 2

#: Runs of each, of which the fastest counts.
TRIES = 3


@dataclass(frozen=True)
class Speed:
    """The fastest of some runs; seconds of processor time."""

    game: str
    algorithm: str
    depth: int
    nodes: int
    seconds: float

    @property
    def per_second(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-9))


def measure(quick: bool = False) -> Iterator[Speed]:
    """Runs each search some times."""
    for game, wanted in DEPTHS.items():
        for name, depth in wanted.items():
            runs = [_run(game, name, depth - quick * QUICK_LESS) for _ in range(TRIES)]
            yield min(runs, key=lambda run: run.seconds)


def _run(game: str, name: str, depth: int) -> Speed:
    position = registry.game(game).start()
    found = cost(position, depth, algorithm(name), position.game.default_evaluation)
    return Speed(game, name, depth, found.nodes, found.processor)


def summary(speeds: Sequence[Speed]) -> dict[str, Any]:
    """Nodes a second by game and by algorithm."""
    found: dict[str, dict[str, int]] = {}
    for speed in speeds:
        found.setdefault(speed.game, {})[speed.algorithm] = speed.per_second
    return {"nps": found}


def sheet(speeds: Sequence[Speed]) -> Sheet:
    """A row for each measurement."""
    rows = [
        (
            speed.game,
            speed.algorithm,
            str(speed.depth),
            count(speed.nodes),
            seconds(speed.seconds),
            f"{speed.per_second / 1e6:,.1f}",
        )
        for speed in speeds
    ]
    columns = (
        "bench.game",
        "bench.algorithm",
        "bench.depth",
        "bench.nodes",
        "bench.seconds",
        "bench.millions",
    )
    return Sheet(columns, rows)
