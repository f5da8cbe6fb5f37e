"""The bench signature: the nodes that the engine visits in a fixed suite, on one thread.

A change of a search either leaves it as it is, and then changes nothing but speed, or gives the
new number. It is a count, so it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from papan.search.bench.sheet import Sheet, count, seconds
from papan.search.bench.suite import SUITE, cost
from papan.search.engine import Engine

#: What the nodes add up to.
SIGNATURE = 6_584_646

#: The size of the table that the signature is for, in MB.
HASH = 16.0


@dataclass(frozen=True)
class Part:
    """What one position of the suite took; seconds of processor time."""

    game: str
    position: str
    depth: int
    nodes: int
    seconds: float


def measure(quick: bool = False) -> Iterator[Part]:
    """Searches each position of the suite to its light depth, with an empty table. Being quick
    makes no difference: the signature is that of the whole suite."""
    for exercise in SUITE:
        position = exercise.position
        evaluation = position.game.strongest_evaluation
        found = cost(position, exercise.light, Engine(hash=HASH), evaluation)
        yield Part(exercise.spec, exercise.line, exercise.light, found.nodes, found.processor)


def summary(parts: Sequence[Part]) -> dict[str, Any]:
    """The signature, and whether it is the one in the repository; None for parts of the suite."""
    complete = len(parts) == len(SUITE)
    signature = sum(part.nodes for part in parts) if complete else None
    return {
        "signature": signature,
        "expected": SIGNATURE,
        "met": signature == SIGNATURE if complete else None,
    }


def sheet(parts: Sequence[Part]) -> Sheet:
    """The nodes of each position, and what they add up to."""
    rows = [
        (part.position, str(part.depth), count(part.nodes), seconds(part.seconds)) for part in parts
    ]
    found = summary(parts)
    columns = ("bench.position", "bench.depth", "bench.nodes", "bench.seconds")
    if found["met"] is None:
        return Sheet(columns, rows)
    note = "bench.signature-met" if found["met"] else "bench.signature-differs"
    return Sheet(columns, rows, [(note, found)])
