"""A game in a user's file, compared with the same built-in game: nodes per second.

examples/games/short_adjacency.py has the rules of the built-in Adjacency in less than sixty lines,
so both have the same kind of tree and the same evaluation. Plain alpha–beta visits the same nodes
in both. PVS and the engine order moves by the built-in game's hints and symmetry, which the short
file lacks; there only the nodes per second are comparable. Times are processor time, the minimum of
repetitions that alternate on one processor.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.searches import MadeLeaves, Searched, timed_search
from benchmarks.tools.timing import in_turns, pinned
from papan.core.game import Game
from papan.search.registry import algorithm

OWN = Path(__file__).parent.parent / "examples" / "games" / "short_adjacency.py"
MOST_LINES = 60

#: Promised minimum ratio of nodes per second to the built-in game.
PROMISED_RATIO = 0.7


class Mode(NamedTuple):
    """A search: spec of the algorithm, depths for quick and real runs, whether each leaf is made,
    and whether both games have the same tree."""

    algorithm: str
    quick: int
    full: int
    visited: bool = False
    same_tree: bool = False


MODES = (
    Mode("alphabeta", 6, 7, same_tree=True),
    Mode("alphabeta", 6, 7, visited=True, same_tree=True),
    Mode("pvs", 7, 8),
    Mode("engine", 7, 8),
)


def run(quick: bool) -> Report:
    """Measures each mode at one depth."""
    columns = ("algorithm", "leaves", "depth", "nodes", "file M/s", "built-in M/s", "ratio")
    table = Table("Adjacency 8×8 from a file, beside the built-in one", columns)
    report = Report([table])
    lines = [line for line in OWN.read_text(encoding="utf-8").splitlines() if line.strip()]
    report.expect_below("lines of the file that are not empty", len(lines), MOST_LINES + 1)
    with pinned():
        for mode in MODES:
            _compare(report, table, mode, quick)
    return report


def _compare(report: Report, table: Table, mode: Mode, quick: bool) -> None:
    depth = mode.quick if quick else mode.full
    games = papan.game(str(OWN)), papan.game("adjacency")
    for game in games:
        _search(game, mode, 1)  # compiles
    mine, built_in = in_turns(
        3 if quick else 15,
        lambda: _search(games[0], mode, depth),
        lambda: _search(games[1], mode, depth),
    )
    leaves = "made" if mode.visited else "valued by the parent"
    where = f"{mode.algorithm}, leaves {leaves}"
    if mode.same_tree:
        report.expect_equal(f"value, nodes: {where}", str(mine[0][:2]), str(built_in[0][:2]))
    speeds = [max(nodes / seconds for _, nodes, seconds in runs) for runs in (mine, built_in)]
    ratio = speeds[0] / speeds[1]
    shown = (speed / 1e6 for speed in speeds)
    table.add(mode.algorithm, leaves, depth, mine[0][1], *shown, ratio)
    report.expect_least(f"nodes a second, file / built-in: {where}", ratio, PROMISED_RATIO)


def _search(game: Game, mode: Mode, depth: int) -> Searched:
    evaluation: Any = MadeLeaves() if mode.visited else game.default_evaluation
    return timed_search(game.start(), algorithm(mode.algorithm), evaluation, depth)
