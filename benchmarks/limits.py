"""Time limits: how late a search ends, how much of a clock each player uses, and what other
programs take away.

Times are wall-clock times, the minimum of several tries, because other programs on the machine
lengthen some of them. The last table compares real time and processor time as the limit of a search
next to endless loops, three for each processor.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

import papan
from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import wall_seconds
from papan.core.game import Position
from papan.play.clock import TimeControl
from papan.play.referee import Conditions, play_game
from papan.players.registry import player
from papan.players.simple import FirstMove
from papan.search.algorithm import search
from papan.search.limits import MARGIN, Limit
from papan.search.registry import algorithm, names

SPECS = ("adjacency", "platforms:size=4,level=2", "corners")
TRIES = 8
SECONDS = 0.05
#: Maximum delay of a search's end in ms.
MOST_MS = 20.0

PLAYERS = ("minimax:depth=2", "engine", "mcts", "genetic", "easy")
CLOCK = TimeControl(2.0, 0.05)

#: Endless loops for each processor of a busy machine, and the minimum share of its nodes that a
#: search limited by processor time keeps there.
LOOPS, WANTED_SHARE = 3, 0.7

_MS = 1000


def run(quick: bool) -> Report:
    """Measures each algorithm, and each player that uses its full time."""
    specs = SPECS[: 1 if quick else None]
    late = Table("How late a search ends, in ms", ("algorithm", *specs))
    used = Table(f"Seconds used of the clock {CLOCK}", ("player", "used", "given"))
    busy = Table(
        f"Nodes in {SECONDS:g} s on a busy machine, share of those without the loops",
        ("clock", "share"),
    )
    report = Report([late, used, busy])
    for name in (*names(), "engine:threads=2"):
        times = [_lateness(name, papan.game(spec).start()) for spec in specs]
        late.add(name, *times)
        report.expect_below(f"{name}, ms late", max(times), MOST_MS)
    for spec in PLAYERS[: 1 if quick else None]:
        took, given = _time_used(spec)
        used.add(spec, took, given)
        report.expect_below(f"{spec}, share of its clock", took / given, 1.0)
    for name, processor in (("real time", False), ("processor time", True)):
        share = _share_when_busy(papan.game(SPECS[0]).start(), processor=processor)
        busy.add(name, round(share, 2))
    report.expect_least("processor time, share of nodes", round(share, 2), WANTED_SHARE)
    return report


def _share_when_busy(position: Position, *, processor: bool) -> float:
    """Returns the nodes of a search next to the loops, as a share of those without them."""
    searching, limit = algorithm("engine"), Limit(seconds=SECONDS, processor=processor)

    def nodes() -> float:
        found = []
        for _ in range(TRIES):
            searching.forget()
            found.append(search(position, limit, algorithm=searching).nodes)
        return median(found)

    alone = nodes()
    with _loops():
        return nodes() / alone


@contextlib.contextmanager
def _loops() -> Iterator[None]:
    """Runs the endless loops next to a block."""
    command = [sys.executable, "-c", "while True: pass"]
    count = LOOPS * (os.cpu_count() or 1)
    loops = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _lateness(name: str, position: Position) -> float:
    searching = algorithm(name)
    limit = Limit(seconds=SECONDS)
    search(position, Limit(depth=1, seconds=SECONDS), algorithm=searching)  # compiles
    times = [
        wall_seconds(lambda: search(position, limit, algorithm=searching))[1] for _ in range(TRIES)
    ]
    return (min(times) - SECONDS) * _MS


def _time_used(spec: str) -> tuple[float, float]:
    """Returns the time that a player uses in a game, and the time on its clock with the margin."""
    start = papan.game("adjacency:size=4,rounds=4").start()
    playing = player(spec)
    try:
        seats = {"x": playing, "o": FirstMove()}
        moves = play_game(seats, start, conditions=Conditions(CLOCK)).seconds[::2]
    finally:
        playing.close()
    return sum(moves), CLOCK.total + CLOCK.increment * len(moves) + MARGIN
