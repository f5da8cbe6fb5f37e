"""What each technique of the engine gains: the engine without it, beside the whole engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.core.spec import options_of
from papan.search.bench.sheet import Sheet
from papan.search.bench.suite import GAMES, SUITE, Exercise, cost, geometric_mean
from papan.search.engine import Engine
from papan.search.registry import algorithm

WHOLE = "engine"

#: What is switched in turn: an option of the engine with its values for "off" and for "on".
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

#: Searches of each position, of which the fastest counts.
TRIES = 3


@dataclass(frozen=True)
class Gain:
    """What a variant of the engine takes, as multiples of the whole engine.

    Attributes:
        variant: the spec of the engine with one technique off that is on, or on that is off.
        nodes: geometric mean over the positions.
        seconds: the same, of processor time.
    """

    game: str
    variant: str
    nodes: float
    seconds: float


def variants() -> list[str]:
    """The specs of the engines that differ from the whole one in one technique."""
    defaults = {name: facts["default"] for name, facts in options_of(Engine).items()}
    changed = []
    for name, (off, on) in TECHNIQUES.items():
        value = on if defaults[name] == off else off
        changed.append(Engine(**{name: value}).spec)
    return changed


def measure(quick: bool = False) -> Iterator[Gain]:
    """Compares the variants game by game; quick: to smaller depths, once."""
    for game in GAMES:
        costs = [_costs(exercise, quick) for exercise in SUITE if exercise.game == game]
        for spec in variants():
            pairs = [(found[spec], found[WHOLE]) for found in costs]
            nodes = geometric_mean(mine[0] / whole[0] for mine, whole in pairs)
            seconds = geometric_mean(mine[1] / whole[1] for mine, whole in pairs)
            yield Gain(game, spec, round(nodes, 4), round(seconds, 4))


def summary(gains: Sequence[Gain]) -> dict[str, Any]:
    """The geometric means over the games, by variant."""
    specs = dict.fromkeys(gain.variant for gain in gains)
    return {"means": {spec: _mean(gains, spec) for spec in specs}}


def sheet(gains: Sequence[Gain]) -> Sheet:
    """A row for each variant: nodes and time in each game, and the means."""
    rows = []
    for spec, mean in summary(gains)["means"].items():
        found = {gain.game: gain for gain in gains if gain.variant == spec}
        cells = [f"{gain.nodes:.2f}  {gain.seconds:.2f}" for gain in found.values()]
        missing = ["–"] * (len(GAMES) - len(cells))
        rows.append((spec, *cells, *missing, f"{mean['nodes']:.2f}  {mean['seconds']:.2f}"))
    columns = ("bench.variant", *GAMES, "bench.mean")
    return Sheet(columns, rows, [("bench.ablation-cells", {})])


def _mean(gains: Sequence[Gain], spec: str) -> dict[str, float]:
    mine = [gain for gain in gains if gain.variant == spec]
    return {
        "nodes": round(geometric_mean(gain.nodes for gain in mine), 4),
        "seconds": round(geometric_mean(gain.seconds for gain in mine), 4),
    }


def _costs(exercise: Exercise, quick: bool) -> dict[str, tuple[int, float]]:
    """The nodes and the least processor time of all variants, searched with in turns and each
    time with an empty table."""
    position = exercise.position
    evaluation = position.game.strongest_evaluation
    depth = exercise.light if quick else exercise.heavy - 1
    least: dict[str, tuple[int, float]] = {}
    for _ in range(1 if quick else TRIES):
        for spec in (WHOLE, *variants()):
            found = cost(position, depth, algorithm(spec), evaluation)
            before = least.get(spec, (0, found.processor))[1]
            least[spec] = (found.nodes, min(before, found.processor))
    return least
