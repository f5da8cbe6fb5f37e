"""Plain alpha–beta on Adjacency: nodes per second, compared with a hand-written C++ twin.

8×8, R = 28, from the start, row-major moves, no table. Both visit the same nodes. One mode
evaluates the last ply in the parent, the other one makes and evaluates every leaf. Times are
processor time, the minimum of repetitions that alternate on one processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import MadeLeaves, Searched, timed_search
from benchmarks.tools.timing import in_turns, pinned
from benchmarks.tools.twins import Twin
from papan.games.adjacency.evaluation import PieceDifference
from papan.search.alphabeta.algorithms import AlphaBeta

#: Depth → value and nodes, verified by independent programs.
TRUTH = {5: (3, 253_641), 6: (0, 1_254_979), 7: (3, 14_639_474), 8: (0, 73_808_300)}

#: Promised minimum ratio of nodes per second to the twin: in small searches, and at the depth that
#: compares the loops alone, with the last ply in the parent.
PROMISED_RATIO, PROMISED_AT_DEPTH_8 = 0.80, 1.0


@dataclass(frozen=True)
class Mode:
    """A way to treat leaves, with its number in the twin."""

    title: str
    number: int
    evaluation: Any


MODES = (
    Mode("last ply in the parent", 0, PieceDifference()),
    Mode("every leaf visited", 1, MadeLeaves()),
)


def run(quick: bool) -> Report:
    """Measures both modes at depths 6 to 8 (quick: 5 and 6, few repetitions)."""
    table = Table(
        "Plain alpha–beta, Adjacency 8×8, R = 28",
        ("leaves", "depth", "nodes", "Papan M/s", "C++ M/s", "ratio (least)", "ratio (median)"),
    )
    report = Report([table])
    with pinned(), Twin("adjacency") as twin:
        for mode in MODES:
            for depth in (5, 6) if quick else (6, 7, 8):
                _compare(report, table, twin, mode, depth, repetitions=3 if quick else 25)
    return report


def _compare(
    report: Report, table: Table, twin: Twin, mode: Mode, depth: int, *, repetitions: int
) -> None:
    ours, theirs = in_turns(
        repetitions, lambda: search(mode, depth), lambda: _ask(twin, mode, depth)
    )
    where = f"{mode.title}, depth {depth}"
    for name, runs in (("Papan", ours), ("C++", theirs)):
        found = {(run.value, run.nodes) for run in runs}
        report.expect_equal(f"{name}, {where}: value, nodes", _text(found), _text({TRUTH[depth]}))
    fastest, typical = _ratio(ours, theirs, min), _ratio(ours, theirs, median)
    nodes = ours[0].nodes
    speeds = [nodes / min(run.seconds for run in runs) / 1e6 for runs in (ours, theirs)]
    table.add(mode.title, depth, nodes, *speeds, fastest, typical)
    promised = PROMISED_AT_DEPTH_8 if depth == 8 and mode.number == 0 else PROMISED_RATIO
    report.expect_least(f"Papan / C++, {where}: nodes a second", fastest, promised)


def _text(found: set[tuple[int, int]]) -> str:
    return " or ".join(f"{value:+d}, {nodes:,}" for value, nodes in sorted(found))


def _ratio(ours: list[Searched], theirs: list[Searched], of: Any) -> float:
    return float(of(run.seconds for run in theirs) / of(run.seconds for run in ours))


def search(mode: Mode, depth: int) -> Searched:
    """Searches from the start with plain alpha–beta."""
    position, algorithm = papan.game("adjacency").start(), AlphaBeta()
    algorithm.prepare(position, mode.evaluation)
    return timed_search(position, algorithm, mode.evaluation, depth)


def _ask(twin: Twin, mode: Mode, depth: int) -> Searched:
    value, nodes, seconds = twin.ask(mode.number, depth)
    return Searched(int(value), int(nodes), float(seconds))
