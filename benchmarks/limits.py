"""Time limits: how late a search ends, and how much of a clock each player uses.

Times are wall-clock times, the minimum of several tries, because other programs on the machine
lengthen some of them.
"""

from __future__ import annotations

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

_MS = 1000


def run(quick: bool) -> Report:
    """Measures each algorithm, and each player that uses its full time."""
    specs = SPECS[: 1 if quick else None]
    late = Table("How late a search ends, in ms", ("algorithm", *specs))
    used = Table(f"Seconds used of the clock {CLOCK}", ("player", "used", "given"))
    report = Report([late, used])
    for name in (*names(), "engine:threads=2"):
        times = [_lateness(name, papan.game(spec).start()) for spec in specs]
        late.add(name, *times)
        report.expect_below(f"{name}, ms late", max(times), MOST_MS)
    for spec in PLAYERS[: 1 if quick else None]:
        took, given = _time_used(spec)
        used.add(spec, took, given)
        report.expect_below(f"{spec}, share of its clock", took / given, 1.0)
    return report


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
