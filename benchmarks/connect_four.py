"""Solving Connect Four from its file, compared with published numbers and a C++ twin.

The positions are in tests/data: 200 of each of six public test sets. Outcome and length of each are
compared with the published ones. The mean number of nodes (for the value alone) is compared with
that of a strong published solver, and the nodes per second with a twin that asks the same
questions. Times are processor time, alternating on one processor.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import cpu_seconds, in_turns, pinned
from benchmarks.tools.twins import Twin
from papan.core.game import Position
from papan.rules.operations import WIN
from papan.solve.base import Work
from papan.solve.deepening import DeepeningSolver
from papan.solve.solve import prepare

ROOT = Path(__file__).parent.parent
GAME = ROOT / "examples" / "games" / "connect_four.py"
TRUTH = ROOT / "tests" / "data" / "connect_four.json"

#: Maximum ratio of the mean number of nodes to the published mean, for each set.
PROMISED_NODES = {
    "end-easy": 2,
    "middle-easy": 2,
    "middle-medium": 2,
    "begin-easy": 2,
    "begin-medium": 2,
    "begin-hard": 4,
}
#: Number of positions in a real run, if fewer than 200: the last two sets take long.
FEWER = {"begin-medium": 30, "begin-hard": 1}
QUICK = 3  # number of sets in a quick run, with ten positions each

#: Promised minimum ratio of nodes per second to the twin, and the sets for it: easier sets are too
#: short to time.
PROMISED_SPEED = 0.7
TIMED = ("begin-medium", "begin-hard")


class Answer(NamedTuple):
    """The answer for one position: value and cost."""

    value: int
    nodes: int
    seconds: float


def run(quick: bool) -> Report:
    """Solves a part of each set."""
    truth = json.loads(TRUTH.read_text(encoding="utf-8"))
    published = truth["published_mean_nodes_of_a_strong_solver_without_book"]
    columns = ("set", "positions", "mean nodes", "published", "ratio", "Papan M/s", "C++ M/s")
    table = Table("Connect Four, the value alone", columns)
    report = Report([table])
    prepare(_position(""))
    with pinned(), Twin("connect_four") as twin:
        for name in list(PROMISED_NODES)[: QUICK if quick else None]:
            cases = truth["sets"][name][: 10 if quick else FEWER.get(name)]
            ours, theirs = _answers(report, name, cases, twin)
            mean, rates = _mean(ours), [_rate(answers) for answers in (ours, theirs)]
            table.add(name, len(cases), mean, published[name], mean / published[name], *rates)
            if not quick:
                _expect(report, name, mean / published[name], rates[0] / rates[1])
    return report


def _answers(
    report: Report, name: str, cases: list[dict[str, Any]], twin: Twin
) -> tuple[list[Answer], list[Answer]]:
    """Returns the answers of Papan and of the twin; checks them against the published values."""
    ours, theirs = list[Answer](), list[Answer]()
    for case in cases:
        position = _position(case["moves"])
        mine, other = in_turns(1, partial(_solve, position), partial(_ask, twin, position))
        ours.append(mine[0])
        theirs.append(other[0])
    expected = [_value(case) for case in cases]
    for who, found in (("Papan", ours), ("C++", theirs)):
        right = sum(one.value == value for one, value in zip(found, expected, strict=True))
        report.expect_equal(f"{who}, {name}: right", right, len(cases))
    return ours, theirs


def _expect(report: Report, name: str, ratio: float, speed: float) -> None:
    report.expect_below(f"{name}: nodes / published nodes", ratio, PROMISED_NODES[name])
    if name in TIMED:
        report.expect_least(f"{name}: part of C++'s speed", speed, PROMISED_SPEED)


def _position(moves: str) -> Position:
    return papan.game(str(GAME)).start().play(*moves.split())


def _value(case: dict[str, Any]) -> int:
    sign = {"win": 1, "draw": 0, "loss": -1}[case["outcome"]]
    return sign * (WIN - (case["plies"] or 0))


def _solve(position: Position) -> Answer:
    work = Work(position)
    value, seconds = cpu_seconds(lambda: DeepeningSolver().exact(work, position.state, 0))
    return Answer(value, work.nodes, seconds)


def _ask(twin: Twin, position: Position) -> Answer:
    state = position.state
    value, nodes, seconds = twin.ask(int(state.mine), int(state.theirs))
    return Answer(int(value), int(nodes), float(seconds))


def _mean(answers: list[Answer]) -> float:
    return sum(answer.nodes for answer in answers) / len(answers)


def _rate(answers: list[Answer]) -> float:
    """Returns millions of nodes per second."""
    seconds = sum(answer.seconds for answer in answers)
    return sum(answer.nodes for answer in answers) / seconds / 1e6
