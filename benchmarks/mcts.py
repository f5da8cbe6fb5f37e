"""Monte Carlo tree search: simulations per second, and time to prove small games.

A simulation descends the tree, plays a random game to its end and backs up the result. Speeds are
processor time, the best of repetitions on one processor. Speeds of other libraries on Adjacency 8×8
on a similar machine: aima-python 1,300 to 1,900 simulations per second, OpenSpiel 1,100 in Python
and 51,000 in C++.
"""

from __future__ import annotations

from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import cpu_seconds, pinned
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.result import SearchResult

SPEEDS = ("adjacency", "platforms:size=6,level=3", "corners")

#: Simulations per second of the fastest other library on Adjacency, and the promised ratio to it.
FASTEST_OTHER = 51_000
TIMES_AS_FAST = 5


class Proof(NamedTuple):
    """A small game and its known value for the first player in thousandths."""

    game: str
    value: int


PROOFS = (
    Proof("platforms:size=3,level=1", 1000),
    Proof("platforms:size=3,level=2", -1000),
    Proof("platforms:size=4,level=1", -1000),
    Proof("adjacency:size=4", -1000),
)


def run(quick: bool) -> Report:
    """Measures speeds, with and without solver, and proofs."""
    columns = ("game", "solver", "simulations", "nodes of the tree", "simulations/s")
    speeds = Table("simulations from the start positions", columns)
    columns = ("game", "value", "simulations", "nodes of the tree", "ms")
    proofs = Table("proofs of small games", columns)
    report = Report([speeds, proofs])
    with pinned():
        for game in SPEEDS:
            for solver in (True, False):
                _measure(report, speeds, game, solver=solver, quick=quick)
        for proof in PROOFS:
            _prove(report, proofs, proof)
    return report


def _measure(report: Report, table: Table, game: str, *, solver: bool, quick: bool) -> None:
    simulations = 20_000 if quick else 200_000
    searching = Mcts(simulations=simulations, solver=solver)
    runs = [_search(searching, game) for _ in range(2 if quick else 7)]
    result, seconds = min(runs, key=lambda run: run[1])
    speed = simulations / seconds
    table.add(game, "on" if solver else "off", simulations, result.extra["tree_nodes"], speed)
    report.expect_equal(f"simulations, {game}", result.nodes, simulations)
    if game == "adjacency" and solver:
        least = TIMES_AS_FAST * FASTEST_OTHER
        report.expect_least("simulations/s, adjacency", speed, least)


def _prove(report: Report, table: Table, proof: Proof) -> None:
    result, seconds = _search(Mcts(), proof.game)
    nodes = result.extra["tree_nodes"]
    table.add(proof.game, int(result.value), result.nodes, nodes, 1000 * seconds)
    report.expect_equal(f"proven value, {proof.game}", int(result.value), proof.value)


def _search(searching: Mcts, game: str) -> tuple[SearchResult, float]:
    """Returns the last result of a search from the start, and its processor time."""
    position = papan.game(game).start()
    evaluation = position.game.default_evaluation
    searching.prepare(position, evaluation)
    task = Task(position, evaluation, Limit(nodes=10_000_000), Stop())
    searching.begin(task)
    results, seconds = cpu_seconds(lambda: list(searching.steps(task)))
    return results[-1], seconds
