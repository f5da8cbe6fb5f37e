"""Start-up: time from the shell to the first answer.

Searches are measured in wall-clock time, alternating with `import numba`, the unavoidable minimum
of a program that compiles with numba. Commands without search are measured in processor time, in
units that are comparable between machines: one unit is a run of `python -c` with the loop of
`UNIT`. Promises refer to the minimum of the repetitions.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.tools.report import CannotMeasure, Report, Table
from benchmarks.tools.timing import in_turns, wall_seconds

PAPAN = [str(Path(sys.executable).with_name("papan"))]
IMPORT_NUMBA = [sys.executable, "-c", "import numba"]
HELP = [*PAPAN, "--help"]
SEARCH = [*PAPAN, "search", "adjacency", "--depth", "4", "--algorithm", "alphabeta", "--json"]

#: Part of the English message that commands print while they compile.
SAYS_SO = "compil"


class Case(NamedTuple):
    """A command, its time limit, and whether it starts with an empty cache."""

    title: str
    command: list[str]
    limit: float
    cold: bool = False


CASES = (
    Case("first depth-4 answer, warm cache", SEARCH, 0.8),
    Case("first depth-4 answer, empty cache", SEARCH, 8.0, cold=True),
)


#: The unit of processor time.
UNIT = [sys.executable, "-c", "sum(i * i for i in range(15_000_000))"]

#: Commands without search, and the maximum units of each with a warm cache.
LOOKUPS = {"--help": 0.12, "games": 0.3, "search --help": 0.15}


class Run(NamedTuple):
    """Duration of a command, and its stderr output."""

    seconds: float
    said: str


def run(quick: bool) -> Report:
    """Measures each command in new processes."""
    columns = ("command", "seconds (least)", "(median)", "import numba (least)", "(median)")
    table = Table("From the shell to the answer", columns)
    report = Report([table])
    with tempfile.TemporaryDirectory() as cache:
        for command in (SEARCH, HELP, IMPORT_NUMBA):  # fills the caches, Python's own too
            _run(command, cache)
        for case in CASES:
            _measure(report, table, case, cache, quick)
    report.tables.append(_lookups(report, quick))
    return report


def units(words: str, repetitions: int) -> tuple[float, float]:
    """Returns the minimum processor time of a `papan` command, in seconds and in units."""
    command = [*PAPAN, *words.split()]
    processor_seconds(command)  # fills the cache of Python's byte code
    theirs, ours = in_turns(
        repetitions, lambda: processor_seconds(UNIT), lambda: processor_seconds(command)
    )
    return min(ours), min(ours) / min(theirs)


def processor_seconds(command: list[str]) -> float:
    """Returns the processor time of a program from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _lookups(report: Report, quick: bool) -> Table:
    """Measures the processor time of commands without search."""
    columns = ("command", "processor seconds (least)", "units", "promised")
    table = Table("Commands that look something up", columns)
    for words, promised in LOOKUPS.items():
        seconds, taken = units(words, 2 if quick else 10)
        table.add(f"papan {words}", seconds, taken, promised)
        report.expect_below(f"papan {words}, units of processor time", taken, promised)
    return table


def _measure(report: Report, table: Table, case: Case, cache: str, quick: bool) -> None:
    repetitions = 1 if quick else 3 if case.cold else 10
    start = partial(_run_cold, case.command) if case.cold else partial(_run, case.command, cache)
    ours, theirs = in_turns(repetitions, start, lambda: _run(IMPORT_NUMBA, cache))
    seconds = [[run.seconds for run in runs] for runs in (ours, theirs)]
    table.add(case.title, *(of(times) for times in seconds for of in (min, median)))
    report.expect_below(f"{case.title}, seconds", min(seconds[0]), case.limit)
    if case.cold:
        says_so = all(SAYS_SO in run.said for run in ours)
        report.expect_equal(f"{case.title}, says that it compiles", _word(says_so), _word(True))


def _word(answer: bool) -> str:
    return "yes" if answer else "no"


def _run_cold(command: list[str]) -> Run:
    with tempfile.TemporaryDirectory() as empty:
        return _run(command, empty)


def _run(command: list[str], cache: str) -> Run:
    environment = {**os.environ, "PAPAN_CACHE_DIR": cache, "PAPAN_LANG": "en"}
    done, seconds = wall_seconds(
        lambda: subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
    )
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return Run(seconds, done.stderr)
