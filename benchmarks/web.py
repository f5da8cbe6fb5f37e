"""Web: many simultaneous players, and many invalid messages, at a real server.

All players are in this one process and use the loopback with separate requests and live
connections. So its own work is part of the times, which are wall-clock times.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.tools.report import Report, Table
from benchmarks.tools.webfuzz import Fuzz, fuzz
from benchmarks.tools.webload import Load, percentile, play_alone, play_together
from benchmarks.tools.webserver import WebServer

#: Number of players, who move once a second, and moves of each.
SESSIONS = 200
MOVES = 20

#: Number of invalid messages.
MESSAGES = 10_000

#: Maximum 95th percentile of the time until a move is on the board, in ms.
MOST_MS = 50.0

#: Smallest ratio of the server's work if programs think there to that if browsers play.
LEAST_SAVED = 5.0

_SEED = 1
_MS = 1000


def run(quick: bool) -> Report:
    """Measures both."""
    sessions, moves = (40, 5) if quick else (SESSIONS, MOVES)
    with tempfile.TemporaryDirectory() as folder:
        with WebServer(Path(folder) / "load", unlimited=True) as server:
            play_together(server, 4, 2)
            load = play_together(server, sessions, moves)
            alone = [play_alone(server, sessions, moves, here=here) for here in (False, True)]
        with WebServer(Path(folder) / "fuzz", unlimited=True) as server:
            nonsense = fuzz(server, 1000 if quick else MESSAGES, _SEED)
    report = Report()
    _show_load(report, load, sessions, moves)
    _show_alone(report, *alone)
    _show_fuzz(report, nonsense)
    return report


def _show_load(report: Report, load: Load, sessions: int, moves: int) -> None:
    columns = ("the new board is", "median, ms", "p95, ms", "p99, ms")
    table = Table(f"{sessions} people, {moves} moves each, one a second", columns)
    for title, times in (("answered", load.answers), ("pushed", load.pushes)):
        table.add(title, *(percentile(times, share) for share in (0.5, 0.95, 0.99)))
    before, after = load.kilobytes
    columns = ("before, kB", "after, kB", "a session, kB", "processor, ms a move")
    server = Table("Memory and processor time of the server", columns)
    cost = load.seconds * _MS / len(load.answers)
    server.add(before, after, (after - before) / sessions, cost)
    report.tables += [table, server]
    report.expect_below("answered, p95 ms", percentile(load.answers, 0.95), MOST_MS)
    report.expect_below("pushed, p95 ms", percentile(load.pushes, 0.95), MOST_MS)
    report.expect_equal("moves that failed", len(load.errors), 0)


def _show_alone(report: Report, server: float, browser: float) -> None:
    columns = ("the program thinks", "server and engines, processor ms a move")
    table = Table("People against a program", columns)
    table.add("on the server", server)
    table.add("in the browser", browser)
    report.tables.append(table)
    report.expect_least(
        "server's work, on the server / in the browser", server / browser, LEAST_SAVED
    )


def _show_fuzz(report: Report, found: Fuzz) -> None:
    table = Table("Messages that no page of ours sends", ("answer", "messages"))
    for status, number in sorted(found.statuses.items()):
        table.add(status, number)
    report.tables.append(table)
    report.expect_equal("messages that were too much", len(found.wrong), 0)
    report.expect_equal(
        "a stranger's game", "untouched" if found.untouched else "touched", "untouched"
    )
