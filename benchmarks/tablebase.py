"""Tablebases: positions per second of processor time, and counts compared with published ones.

Games come from files, like a user's: Connect Four of the gallery with a smaller board. Compilation
does not count: each game is built twice, and the second build is timed, from the first position to
the finished tablebase in memory.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import cpu_seconds
from papan.core.game import Game
from papan.tablebase.build import build
from papan.tablebase.lookup import Tablebase, verify

GALLERY = Path(__file__).parents[1] / "examples" / "games"
OWN = Path(__file__).parent / "games"

#: Promised positions per second, including mirror images, for acyclic and cyclic games.
FORWARD_RATE, CIRCLES_RATE = 1_000_000, 300_000
#: Minimum number of positions for a meaningful time.
TIMED = 100_000
#: Maximum microseconds of a look-up.
LOOK_UP = 10
#: Number of random games whose positions are looked up, and their plies.
WALKS, WALKED = 200, 30
#: Memory limit of tables in MB.
MEMORY = 8192


class ProbeResult(NamedTuple):
    """A game, its number of positions including mirror images, and its result if known."""

    name: str
    positions: int | None
    value: str
    quick: bool


#: Counts of positions: John Tromp, "John's Connect Four Playground". Winners of Kalah: G. Irving,
#: J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
GAMES = (
    ProbeResult("tictactoe", 5_478, "draw 9", True),
    ProbeResult("platforms:size=4,level=1", None, "loss 14", True),
    ProbeResult("connect_four 4×4", 161_029, "draw 16", True),
    ProbeResult("connect_four 5×4", 1_706_255, "draw 20", True),
    ProbeResult("connect_four 5×5", 69_763_700, "draw 25", False),
    ProbeResult("kalah:pits=4,seeds=2", None, "win", True),
    ProbeResult("kalah:pits=4,seeds=3", None, "win", False),
    ProbeResult("small_corners:size=4,row=2", None, "", True),
)


def run(quick: bool) -> Report:
    """Builds and verifies tablebases."""
    columns = ("game", "way", "positions", "with images", "value", "seconds", "positions/s")
    table = Table("tablebases in memory, one thread", (*columns, "compared/s"))
    report = Report([table])
    for known in GAMES:
        if known.quick or not quick:
            _measure(report, table, known)
    return report


def _measure(report: Report, table: Table, known: ProbeResult) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = _game(known.name, Path(folder))
        if known.quick:
            build(game.start(), memory_mb=MEMORY)
        tablebase, seconds = cpu_seconds(lambda: build(game.start(), memory_mb=MEMORY))
        _, comparing = cpu_seconds(lambda: verify(tablebase))
        rate, way = tablebase.images / seconds, tablebase.header["method"]
        value = str(tablebase.value(tablebase.root))
        table.add(
            known.name, way, tablebase.positions, tablebase.images, value, seconds, rate,
            tablebase.images / comparing,
        )  # fmt: skip
        if known.positions is not None:
            report.expect_equal(f"positions, {known.name}", tablebase.images, known.positions)
        if known.value:
            told = value[: len(known.value)]
            report.expect_equal(f"value, {known.name}", told, known.value)
        if tablebase.images >= TIMED:
            promised = FORWARD_RATE if way == "forward" else CIRCLES_RATE
            report.expect_least(f"positions/s, {known.name}", rate, promised)
            report.expect_below(f"µs a look-up, {known.name}", _look_up(tablebase), LOOK_UP)


def _look_up(tablebase: Tablebase) -> float:
    """Returns the microseconds of processor time per look-up, for positions of random games."""
    walks = (tablebase.root.random_walk(Random(seed), WALKED) for seed in range(WALKS))
    asked = [position for walk in walks for _, position in walk]
    tablebase.value(asked[0])
    _, seconds = cpu_seconds(lambda: [tablebase.value(position) for position in asked])
    return 1e6 * seconds / len(asked)


def _game(name: str, folder: Path) -> Game:
    """Returns a game of the package or the gallery, or Connect Four with the board in its name."""
    if name.startswith("small_corners"):
        return papan.game(f"{OWN}/{name.replace(':', '.py:')}")
    if not name.startswith("connect_four"):
        return papan.game(f"{GALLERY}/{name}.py" if name == "tictactoe" else name)
    rows, columns = name.split()[1].split("×")
    text = (GALLERY / "connect_four.py").read_text(encoding="utf-8")
    text = text.replace("Grid(6, 7)", f"Grid({rows}, {columns})")
    text = text.replace("Grid(1, 7)", f"Grid(1, {columns})")
    file = folder / f"connect_four_{rows}{columns}.py"
    file.write_text(text.replace("Grid(6, 1)", f"Grid({rows}, 1)"), encoding="utf-8")
    return papan.game(str(file))
