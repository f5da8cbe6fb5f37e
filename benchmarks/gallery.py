"""perft of gallery games, compared with hand-written C++ twins.

Both count the last ply without making it. Times are processor time, the minimum of repetitions that
alternate on one processor.
"""

from __future__ import annotations

from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import timed_perft
from benchmarks.tools.timing import in_turns, pinned
from benchmarks.tools.twins import Twin

#: Promised minimum ratio of leaves per second to the twin, for a game in a file.
PROMISED_RATIO = 0.8


class Case(NamedTuple):
    """A game (also the name of its twin), and depth with number of leaves for quick and real
    runs."""

    game: str
    quick: tuple[int, int]
    full: tuple[int, int]
    #: Arguments of the twin before the depth: 0 is the start position of chess.
    asked: tuple[int, ...] = ()


CASES = (
    Case("breakthrough", (5, 6_182_818), (6, 149_264_638)),
    Case("hex", (3, 1_727_880), (4, 203_889_840)),
    Case("checkers", (7, 179_740), (9, 3_963_680)),
    Case("chess", (4, 197_281), (6, 119_060_324), (0,)),
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
