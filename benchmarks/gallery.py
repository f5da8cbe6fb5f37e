"""perft of games of the gallery beside hand-written C++ twins.

The last ply is counted, not made, in both. Times are processor time, the least of repetitions taken
in turns on one processor.
"""

from __future__ import annotations

from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import timed_perft
from benchmarks.tools.timing import in_turns, pinned
from benchmarks.tools.twins import Twin

#: A game in a file is promised this part of its twin's leaves a second.
PROMISED_RATIO = 0.7


class Case(NamedTuple):
    """A game, which is also the name of its twin; a depth for quick runs and one for real ones,
    with the leaves there."""

    game: str
    quick: tuple[int, int]
    full: tuple[int, int]
    #: What its twin is asked before the depth: 0 is the start position of chess.
    asked: tuple[int, ...] = ()


CASES = (
    Case("breakthrough", (5, 6_182_818), (6, 149_264_638)),
    Case("hex", (3, 1_727_880), (4, 203_889_840)),
    Case("checkers", (7, 179_740), (9, 3_963_680)),
    Case("chess", (4, 197_281), (5, 4_865_609), (0,)),
)


def run(quick: bool) -> Report:
    """Measures each game at one depth."""
    columns = ("game", "depth", "leaves", "Papan M/s", "C++ M/s", "Papan rate / C++ rate")
    table = Table("perft of the gallery's games: leaves a second", columns)
    report = Report([table])
    with pinned():
        for case in CASES:
            with Twin(case.game) as twin:
                _compare(report, table, twin, case, quick)
    return report


def _compare(report: Report, table: Table, twin: Twin, case: Case, quick: bool) -> None:
    depth, leaves = case.quick if quick else case.full
    start = papan.game(case.game).start()
    timed_perft(start, 2)  # compiles
    ours, theirs = in_turns(
        3 if quick else 15,
        lambda: timed_perft(start, depth),
        lambda: _answer(twin.ask(*case.asked, depth)),
    )
    report.expect_equal(f"Papan, {case.game}, depth {depth}", ours[0][0], leaves)
    report.expect_equal(f"C++, {case.game}, depth {depth}", theirs[0][0], leaves)
    rates = [leaves / min(seconds for _, seconds in runs) / 1e6 for runs in (ours, theirs)]
    table.add(case.game, depth, leaves, *rates, rates[0] / rates[1])
    if not quick:
        report.expect_least(f"{case.game}: part of C++", rates[0] / rates[1], PROMISED_RATIO)


def _answer(words: list[str]) -> tuple[int, float]:
    leaves, seconds = words
    return int(leaves), float(seconds)
