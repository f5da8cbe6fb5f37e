"""perft of Othello, a game in its own file, compared with a hand-written C++ twin.

Both count the last ply without making it; a pass is a move. Times are processor time, the minimum
of repetitions that alternate on one processor.
"""

from __future__ import annotations

from pathlib import Path

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import timed_perft
from benchmarks.tools.timing import in_turns, pinned
from benchmarks.tools.twins import Twin
from papan.core.game import Position

OTHELLO = Path(__file__).parent.parent / "examples" / "games" / "othello.py"

#: Published numbers of leaves from the start.
LEAVES = {7: 55_092, 8: 390_216, 9: 3_005_288}


def run(quick: bool) -> Report:
    """Counts to depth 7 and 8 (quick), or to 9."""
    columns = ("depth", "leaves", "Papan M/s", "C++ M/s", "Papan rate / C++ rate")
    table = Table("perft of Othello: leaves a second", columns)
    report = Report([table])
    position = papan.game(str(OTHELLO)).start()
    timed_perft(position, 2)  # compiles
    with pinned(), Twin("othello") as twin:
        for depth in list(LEAVES)[: 2 if quick else None]:
            _compare(report, table, twin, position, depth, repetitions=3 if quick else 15)
    return report


def _compare(
    report: Report, table: Table, twin: Twin, position: Position, depth: int, *, repetitions: int
) -> None:
    ours, theirs = in_turns(
        repetitions, lambda: timed_perft(position, depth), lambda: _ask(twin, depth)
    )
    leaves = LEAVES[depth]
    report.expect_equal(f"Papan, depth {depth}: leaves", ours[0][0], leaves)
    report.expect_equal(f"C++, depth {depth}: leaves", theirs[0][0], leaves)
    rates = [leaves / min(seconds for _, seconds in runs) / 1e6 for runs in (ours, theirs)]
    table.add(depth, leaves, *rates, rates[0] / rates[1])


def _ask(twin: Twin, depth: int) -> tuple[int, float]:
    leaves, seconds = twin.ask(depth)
    return int(leaves), float(seconds)
