"""perft of the three games, compared with hand-written C++ twins.

Both count the last ply without making it. Leaves per second are not comparable across games, so
look at the ratio of the times. Times are processor time, the minimum of repetitions that alternate
on one processor.
"""

from __future__ import annotations

from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import timed_perft
from benchmarks.tools.timing import in_turns, pinned
from benchmarks.tools.twins import Twin


class Case(NamedTuple):
    """A game, its number in the twin, and depth with number of leaves for quick and real runs."""

    game: str
    number: int
    quick: tuple[int, int]
    full: tuple[int, int]


CASES = (
    Case("adjacency", 0, (4, 8_814_960), (5, 458_377_920)),
    Case("platforms:size=6,level=3", 1, (8, 457_432), (9, 2_989_121)),
    Case("corners", 2, (5, 567_072), (6, 9_305_982)),
)


def run(quick: bool) -> Report:
    """Measures each game at one depth."""
    columns = ("game", "depth", "leaves", "Papan ms", "C++ ms", "C++ time / Papan time")
    table = Table("perft from the start positions", columns)
    report = Report([table])
    with pinned(), Twin("perft") as twin:
        for case in CASES:
            _compare(report, table, twin, case, quick)
    return report


def _compare(report: Report, table: Table, twin: Twin, case: Case, quick: bool) -> None:
    depth, leaves = case.quick if quick else case.full
    _count(case, 2)  # compiles
    ours, theirs = in_turns(
        3 if quick else 15, lambda: _count(case, depth), lambda: _ask(twin, case, depth)
    )
    report.expect_equal(f"Papan, {case.game}, depth {depth}", ours[0][0], leaves)
    report.expect_equal(f"C++, {case.game}, depth {depth}", theirs[0][0], leaves)
    papan_ms, cpp_ms = (1000 * min(seconds for _, seconds in runs) for runs in (ours, theirs))
    table.add(case.game, depth, leaves, papan_ms, cpp_ms, cpp_ms / papan_ms)


def _count(case: Case, depth: int) -> tuple[int, float]:
    return timed_perft(papan.game(case.game).start(), depth)


def _ask(twin: Twin, case: Case, depth: int) -> tuple[int, float]:
    leaves, seconds = twin.ask(case.number, depth)
    return int(leaves), float(seconds)
