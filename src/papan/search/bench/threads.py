"""Threads that search together: the time to a fixed depth, beside that of one thread.

Times are by the clock, so whatever else the machine does is measured too: searches with one and
with several threads are run in turns, and the fastest of each counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from papan.search.bench.sheet import Sheet, seconds
from papan.search.bench.suite import SUITE, Cost, Exercise, cost
from papan.search.engine import Engine

#: Searches with each number of threads.
TRIES = 5

#: What Papan promises: the median share of one thread's time that two threads take.
PROMISED = {2: 0.65}


@dataclass(frozen=True)
class Share:
    """The times of one position, in seconds by the clock.

    Attributes:
        alone: the least time of one thread.
        together: the least time of several.
        unshared: the same when they share the table only, not who searches what.
        nodes: of the fastest search with several threads, all of them counted.
    """

    game: str
    position: str
    depth: int
    threads: int
    alone: float
    together: float
    unshared: float
    nodes_alone: int
    nodes: int

    @property
    def share(self) -> float:
        """The part of one thread's time that was needed."""
        return self.together / self.alone


def measure(quick: bool = False, threads: int = 2) -> Iterator[Share]:
    """Searches each position of the suite with one thread and with several, in turns."""
    for exercise in SUITE:
        depth = exercise.light if quick else exercise.heavy
        crews = ((1, False), (threads, True), (threads, False))
        runs = [[_search(exercise, depth, *crew) for crew in crews] for _ in range(TRIES)]
        alone, together, unshared = (
            min(costs, key=lambda found: found.seconds) for costs in zip(*runs, strict=True)
        )
        yield Share(
            exercise.spec,
            exercise.line,
            depth,
            threads,
            alone.seconds,
            together.seconds,
            unshared.seconds,
            alone.nodes,
            together.nodes,
        )


def summary(shares: Sequence[Share]) -> dict[str, Any]:
    """The median share of one thread's time, and what is promised of it."""
    if not shares:
        return {"median": None}
    threads = shares[0].threads
    return {
        "threads": threads,
        "median": round(median(found.share for found in shares), 4),
        "unshared": round(median(found.unshared / found.alone for found in shares), 4),
        "promised": PROMISED.get(threads),
    }


def sheet(shares: Sequence[Share]) -> Sheet:
    """The two times of each position."""
    rows = [
        (
            found.position,
            str(found.depth),
            seconds(found.alone),
            seconds(found.together),
            seconds(found.unshared),
            f"{found.share:.2f}",
            f"{found.nodes / found.nodes_alone:.2f}",
        )
        for found in shares
    ]
    columns = (
        "bench.position",
        "bench.depth",
        "bench.alone",
        "bench.together",
        "bench.unshared",
        "bench.share",
        "bench.share-of-nodes",
    )
    return Sheet(columns, rows, [("bench.threads-median", summary(shares))] if rows else [])


def _search(exercise: Exercise, depth: int, threads: int, share: bool) -> Cost:
    """Searches with an empty table."""
    position, engine = exercise.position, Engine(threads=threads, share=share)
    return cost(position, depth, engine, position.game.strongest_evaluation)
