"""Parallel search: time to a fixed depth, compared with one thread.

Times are wall-clock times, so other programs on the machine affect them. Searches with one and with
several threads alternate, each with an empty table, and the fastest of each counts.
"""

from __future__ import annotations

from statistics import median

from benchmarks.tools.report import Report, Table
from benchmarks.tools.timing import in_turns
from papan.bench import SUITE, Cost, Exercise, cost
from papan.engine import Engine

#: Number of searches with each number of threads.
TRIES = 5

THREADS = 2

#: Promised maximum time relative to one thread, in the median.
PROMISED_SHARE = 0.65


def run(quick: bool) -> Report:
    """Searches each position of the suite alternately with one and with several threads.

    The column "table only" is for threads that share the table, but not the list of moves that
    other threads are searching.
    """
    table = Table(
        f"Seconds to a fixed depth, {THREADS} threads beside one",
        ("position", "depth", "1 thread", "together", "table only", "time", "table only", "nodes"),
    )
    shares = [_compare(table, exercise, quick) for exercise in SUITE]
    report = Report([table])
    report.expect_below("median share of one thread's time", median(shares), PROMISED_SHARE)
    return report


def _compare(table: Table, exercise: Exercise, quick: bool) -> float:
    """Adds a row; returns the time relative to one thread."""
    depth = exercise.light if quick else exercise.heavy
    runs = in_turns(
        TRIES,
        lambda: _search(exercise, depth, threads=1, share=False),
        lambda: _search(exercise, depth, threads=THREADS, share=True),
        lambda: _search(exercise, depth, threads=THREADS, share=False),
    )
    alone, together, unshared = (min(costs, key=lambda found: found.seconds) for costs in runs)
    seconds = [found.seconds for found in (alone, together, unshared)]
    shares = [found.seconds / alone.seconds for found in (together, unshared)]
    table.add(exercise.line, depth, *seconds, *shares, together.nodes / alone.nodes)
    return shares[0]


def _search(exercise: Exercise, depth: int, *, threads: int, share: bool) -> Cost:
    position, engine = exercise.position, Engine(threads=threads, share=share)
    return cost(position, depth, engine, position.game.strongest_evaluation)
