"""Runs the measurements for the tables and charts of the documentation.

    python -m docs.measures [NAME…]         about ten minutes for all
    python -m docs.pictures                 draws the results

A measurement is a list of commands with `--json`. Their results are stored in `docs/made/NAME.json`
together with the commands. All results except times are the same in every run.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

MADE = Path(__file__).parent / "made"

#: The players that the course reports recommend, and those that they reject.
_LOCAL = (
    "random hill-climbing hill-climbing:variant=steepest hill-climbing:variant=stochastic "
    "annealing genetic genetic:model=reservation-tree minimax:depth=2"
)
_CORNERS = "blocker random corners-minimax:depth=2 corners-minimax:depth=2,heuristic=corner"
_MCTS = "mcts:simulations=100 mcts:simulations=1000 mcts:simulations=10000 minimax:depth=4 random"

_SOLVED = (
    *(f"adjacency:size={size}" for size in ("4", "4x5", "5", "4x6", "5x6", "6")),
    *(f"adjacency:rounds={rounds}" for rounds in (2, 3, 4, 5)),
    *(f"platforms:size=3,level={level}" for level in (1, 2, 3)),
    *(f"platforms:size=4,level={level}" for level in (1, 2)),
    "platforms:size=5",
    "corners --position 'xxxx4/xx6/x1x5/x7/4o3/6oo/5ooo/5ooo o'",
)
_COUNTED = (
    "adjacency --depth 5",
    "platforms --depth 7",
    "platforms:size=4,level=2 --depth 10",
    "corners --depth 6",
)

#: Trained games: two minutes of training each, and about ten minutes of matches.
_LEARNT = ("connect_four", "breakthrough")

_BENCHMARKS = "python -m benchmarks.run"

#: Name of the measurement → commands.
MEASURES: dict[str, Sequence[str]] = {
    "algorithms": [f"{_BENCHMARKS} algorithms --quick"],
    "tables": [f"{_BENCHMARKS} tables --quick"],
    "collisions": [f"{_BENCHMARKS} collisions --quick"],
    "ablation": [f"{_BENCHMARKS} ablation"],
    "twins": [f"{_BENCHMARKS} alphabeta perft othello owngame --quick"],
    "others": [f"{_BENCHMARKS} mcts solve ugi --quick"],
    "local-search": [f"papan tournament adjacency:rounds=8 {_LOCAL} --pairs 10 --seed 1"],
    "simulations": [f"papan tournament adjacency:rounds=8 {_MCTS} --pairs 10 --seed 1"],
    "learning": [f"python -m benchmarks.learn {game}" for game in _LEARNT],
    "blocker": [f"papan tournament corners {_CORNERS} --pairs 10 --seed 1"],
    "solved": [f"papan solve {game}" for game in _SOLVED],
    "counted": [f"papan perft {game}" for game in _COUNTED],
}


class Measured(NamedTuple):
    """A command and its JSON result."""

    command: str
    report: dict[str, Any]


def measured(name: str) -> list[Measured]:
    """Returns the stored results of a measurement."""
    kept = json.loads((MADE / f"{name}.json").read_text(encoding="utf-8"))
    return [Measured(**each) for each in kept]


def measure(name: str) -> None:
    """Runs the commands of a measurement and stores their results."""
    found = [{"command": command, "report": _report(command)} for command in MEASURES[name]]
    text = ",\n".join(json.dumps(each, ensure_ascii=False) for each in found)
    (MADE / f"{name}.json").write_text(f"[{text}]\n", encoding="utf-8")


def _report(command: str) -> Any:
    """Returns the JSON object of a command; a benchmark with a broken promise has exit status 1."""
    program, *words = shlex.split(command)
    start = words if program == "python" else ["-m", program, *words]
    line = [sys.executable, *start, "--json"]
    done = subprocess.run(line, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        raise SystemExit(f"{command}: exit status {done.returncode}")
    return json.loads(done.stdout)


def main(names: Sequence[str]) -> None:
    """Runs some measurements, by default all."""
    for name in names or MEASURES:
        print(name, file=sys.stderr)
        measure(name)


if __name__ == "__main__":
    main(sys.argv[1:])
