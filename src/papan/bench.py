"""The measurements of `papan bench`: speed of the searches, and the bench signature.

The signature is the number of nodes of the engine in a fixed suite, with one thread. A change of a
search either keeps the signature and affects only speed, or states the new number. Node counts are
the same on every machine.

The suite has start positions and positions from self-play of the engine after two to five random
plies, so that it covers openings, middle games and endings of each game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, log
from typing import Any, NamedTuple

from papan.core.game import Position
from papan.engine import Engine
from papan.rules.operations import Evaluation
from papan.search.algorithm import Algorithm, search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.usercode import registry

# --- the suite ------------------------------------------------------------------------------------

GAMES = ("adjacency", "platforms", "corners")


@dataclass(frozen=True)
class Exercise:
    """A position to search.

    Attributes:
        spec: the game with options that the line does not state.
        line: the position.
        light: depth that the engine reaches in about 300,000 nodes.
        heavy: depth that takes one thread about a second.
    """

    spec: str
    line: str
    light: int
    heavy: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.spec.partition(":")[0]

    @property
    def position(self) -> Position:
        """The position without history."""
        return registry.game(self.spec).position(self.line)


#: Game → line, light and heavy depth.
_POSITIONS = {
    "adjacency": (
        ("6oo/6oo/8/8/8/8/xx6/xx6 x 56", 6, 8),
        ("5ooo/1x1o2oo/7o/8/8/x5o1/xx2x3/xxx5 x 48", 5, 7),
        ("2xxooxo/3oxoxo/1x2oxoo/1x3oox/3o2ox/x6x/xx6/xxx5 x 34", 6, 8),
        ("1x3ooo/2xx2oo/x1x1o2o/xo2oo2/xox2oo1/xoxo2o1/xxooo1x1/xxxoxx2 x 26", 7, 9),
        ("oxooxxoo/ooxx2oo/2x1oo1o/1xx1o3/x2oooo1/xxxxo2x/xooxo1x1/xxxoo1x1 x 20", 8, 10),
        ("5xxo/6ox/7x/3x4/8/o7/ox1o4/xoo5 x 18", 6, 8),
    ),
    "platforms:size=4,level=2": (
        ("1222/2222/2222/2221 x a4 d1", 14, 21),
        ("1222/1222/2112/2211 x b2 c2", 14, 24),
    ),
    "platforms:size=5,level=2": (
        ("12222/22222/22222/22222/22221 x a5 e1", 13, 17),
        ("12222/12122/12012/21101/22220 x c3 d3", 14, 20),
    ),
    "platforms:size=6,level=3": (("223333/322333/333233/332233/333223/333332 x d4 d3", 10, 15),),
    "platforms:size=6,level=1": (("001111/101111/111111/111011/111101/111110 x b5 d3", 14, 18),),
    "corners": (
        ("ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx x", 9, 12),
        ("o1o5/1o6/o1oo4/1ooo1x2/5x2/5xx1/4xxxx/6x1 x", 8, 11),
        ("oo6/2o5/oo2xo2/4oo2/6xo/3x2x1/2xx2x1/5xx1 x", 8, 11),
        ("1o4oo/7x/2o4x/2oox3/1o1x4/1xox4/2o5/2xx2x1 x", 9, 12),
        ("xx2o3/3o4/2x3x1/o1xo4/6x1/2x3o1/4o2o/xx2o2o x", 10, 13),
        ("1x6/1xo1x3/2o1o3/xx3xx1/1xo1o3/8/2o2x1o/1o5o x", 10, 13),
    ),
}

SUITE = tuple(Exercise(spec, *entry) for spec, entries in _POSITIONS.items() for entry in entries)


class Cost(NamedTuple):
    """The cost of a search: nodes, wall-clock seconds, and CPU seconds of all threads."""

    value: float
    nodes: int
    seconds: float
    processor: float


def cost(position: Position, depth: int, algorithm: Algorithm, evaluation: Evaluation) -> Cost:
    """Returns the cost of a search to a depth, without compilation."""
    algorithm.prepare(position, evaluation)
    before = time.process_time()
    result = search(position, Limit(depth=depth), algorithm=algorithm, evaluation=evaluation)
    return Cost(result.value, result.nodes, result.seconds, time.process_time() - before)


def geometric_mean(numbers: Iterable[float]) -> float:
    """Returns the geometric mean; all numbers must be greater than 0."""
    logarithms = [log(number) for number in numbers]
    return exp(sum(logarithms) / len(logarithms))


# --- speed ----------------------------------------------------------------------------------------

#: Game → algorithm → depth from the start, chosen to take some tenths of a second each. The
#: algorithms are one without a table, one with a table, and one with all move ordering.
DEPTHS = {
    "adjacency": {"alphabeta": 8, "pvs": 8, "engine": 8},
    "platforms:size=5,level=2": {"alphabeta": 20, "pvs": 18, "engine": 18},
    "corners": {"alphabeta": 8, "pvs": 9, "engine": 11},
}
#: Plies to subtract in a quick run.
QUICK_LESS = 2

#: Runs of each search; the fastest counts, because other programs only slow runs down.
TRIES = 3


@dataclass(frozen=True)
class Speed:
    """The fastest run of a search; `seconds` are CPU time."""

    game: str
    algorithm: str
    depth: int
    nodes: int
    seconds: float

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-9))

    def cells(self) -> dict[str, str | float]:
        """Returns the cells of a table row: heading → cell."""
        return {**_cells(self), "bench.millions": self.nps / 1e6}


def measure_speed(quick: bool = False) -> Iterator[Speed]:
    """Yields the speed of each algorithm in each game."""
    for game, depths in DEPTHS.items():
        for name, depth in depths.items():
            runs = (_speed(game, name, depth - quick * QUICK_LESS) for _ in range(TRIES))
            yield min(runs, key=lambda run: run.seconds)


def _speed(game: str, name: str, depth: int) -> Speed:
    position = registry.game(game).start()
    spent = cost(position, depth, algorithm(name), position.game.default_evaluation)
    return Speed(game, name, depth, spent.nodes, spent.processor)


def summarise_speed(speeds: Sequence[Speed]) -> dict[str, Any]:
    """Returns nodes per second by game and algorithm."""
    rates: dict[str, dict[str, int]] = {}
    for speed in speeds:
        rates.setdefault(speed.game, {})[speed.algorithm] = speed.nps
    return {"nps": rates}


# --- the signature --------------------------------------------------------------------------------

#: Expected sum of the nodes.
SIGNATURE = 6_584_646

#: Size in MB of the transposition table for which the signature is defined.
HASH = 16.0


@dataclass(frozen=True)
class Part:
    """The search of one position of the suite; `seconds` are CPU time."""

    game: str
    position: str
    depth: int
    nodes: int
    seconds: float

    def cells(self) -> dict[str, str | float]:
        """Returns the cells of a table row: heading → cell."""
        cells = _cells(self)
        del cells["bench.game"]  # the position shows it, and the line must stay short
        return cells


def measure_signature(quick: bool = False) -> Iterator[Part]:
    """Searches each position of the suite to its light depth, with an empty table.

    A quick run does the same, because the signature is defined for the whole suite.
    """
    for exercise in SUITE:
        position = exercise.position
        evaluation = position.game.strongest_evaluation
        spent = cost(position, exercise.light, Engine(hash=HASH), evaluation)
        yield Part(exercise.spec, exercise.line, exercise.light, spent.nodes, spent.processor)


def summarise_signature(parts: Sequence[Part]) -> dict[str, Any]:
    """Returns the signature and the expected one; the signature is None if the suite is
    incomplete.
    """
    complete = len(parts) == len(SUITE)
    signature = sum(part.nodes for part in parts) if complete else None
    return {
        "signature": signature,
        "expected": SIGNATURE,
        "met": signature == SIGNATURE if complete else None,
    }


# --- both -----------------------------------------------------------------------------------------


class Measurement(NamedTuple):
    """A kind of `papan bench`.

    Attributes:
        measure: yields rows one by one, so that an interrupted run keeps the finished ones.
        summarise: returns the summary of the rows.
        note: returns the message about a summary, or an empty string.
    """

    measure: Callable[[bool], Iterator[Any]]
    summarise: Callable[[Sequence[Any]], dict[str, Any]]
    note: Callable[[Mapping[str, Any]], str]


def _signature_note(summary: Mapping[str, Any]) -> str:
    if summary["met"] is None:
        return ""
    return "bench.signature-met" if summary["met"] else "bench.signature-differs"


MEASUREMENTS = {
    "speed": Measurement(measure_speed, summarise_speed, lambda summary: ""),
    "signature": Measurement(measure_signature, summarise_signature, _signature_note),
}


def _cells(row: Speed | Part) -> dict[str, str | float]:
    """Returns the fields of a row: message of the heading → value."""
    return {f"bench.{name}": value for name, value in asdict(row).items()}
