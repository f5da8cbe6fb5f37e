"""Runs the comparison: `python -m benchmarks.peers [--quick] [--json] [--markdown FILE]`.

`--games` measures only the random games per second, not the searches.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.peers import environment, ours, random_games
from benchmarks.peers.tables import all_tables, check, markdown
from benchmarks.run import WIDTH_OF_FILES, machine
from benchmarks.tools.report import CannotMeasure, Report, Table, show
from benchmarks.tools.timing import in_turns, pinned

WORKERS = ("with_easyai", "with_aima", "with_openspiel", "with_pettingzoo")
#: Workers with a search; only their first move can be timed.
SEARCHERS = WORKERS[:3]

#: Approximate duration of a measurement in seconds.
BUDGET, QUICK_BUDGET = 60.0, 2.0
#: The same for the random games of one game; shorter, because there are many games.
GAMES_BUDGET, QUICK_GAMES_BUDGET = 6.0, 0.6
#: Starts of each process; the fastest one counts.
STARTS, QUICK_STARTS = 10, 3


def main(argv: list[str] | None = None) -> int:
    """Measures and prints the results; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shallow searches, short runs")
    parser.add_argument("--games", action="store_true", help="only random games per second")
    parser.add_argument("--json", action="store_true", help="print only a JSON object")
    parser.add_argument("--markdown", metavar="FILE", help="also write the tables to this file")
    options = parser.parse_args(argv)
    try:
        facts, tables = measure(quick=options.quick, games_only=options.games)
    except CannotMeasure as error:
        print(error, file=sys.stderr)
        return 2
    if options.markdown:
        Path(options.markdown).write_text(as_markdown(facts, tables), encoding="utf-8")
    if options.json:
        print(json.dumps({"machine": facts, "tables": [asdict(table) for table in tables]}))
    else:
        console = Console()
        show(Report(tables), console if console.is_terminal else Console(width=WIDTH_OF_FILES))
    return 0


def measure(*, quick: bool, games_only: bool = False) -> tuple[dict[str, Any], list[Table]]:
    """Returns the data of the machine and the tables.

    Raises:
        CannotMeasure: a library cannot be installed, or its search visits a different tree.
    """
    environment.python()
    facts = {**machine(), "quick": quick}
    with pinned():
        tables = [] if games_only else _searches(facts, quick)
        print("random games …", file=sys.stderr)
        tables.append(random_games.table(QUICK_GAMES_BUDGET if quick else GAMES_BUDGET))
    return facts, tables


def _searches(facts: dict[str, Any], quick: bool) -> list[Table]:
    """Returns the tables of searches; adds the versions of the libraries to `facts`."""
    budget = QUICK_BUDGET if quick else BUDGET
    answers = [ours.measured(min(budget, 8.0))]
    for worker in WORKERS:
        print(f"{worker.removeprefix('with_')} …", file=sys.stderr)
        answers.append(environment.ask(worker, budget=budget))
    check(answers)
    facts["libraries"] = ", ".join(answer["version"] for answer in answers)
    return all_tables(answers, _first_moves(QUICK_STARTS if quick else STARTS))


def _first_moves(starts: int) -> dict[str, float]:
    """Returns the shortest time to the first move of each program; the programs alternate."""
    ours.first_move(cold=False)  # fills the cache
    warm, *others = in_turns(
        starts,
        partial(ours.first_move, cold=False),
        *(partial(environment.first_move, worker) for worker in SEARCHERS),
    )
    names = {"with_easyai": "easyAI", "with_aima": "aima3", "with_openspiel": "OpenSpiel"}
    return {
        "Papan, compiled before": min(warm),
        "Papan, nothing compiled yet": ours.first_move(cold=True),
        **{names[worker]: min(times) for worker, times in zip(SEARCHERS, others, strict=True)},
    }


def as_markdown(facts: dict[str, Any], tables: list[Table]) -> str:
    """Returns the tables as Markdown, below a line with the data of the machine."""
    said = ", ".join(f"{name} {value}" for name, value in facts.items() if name != "quick")
    return "\n\n".join([f"Measured on: {said}.", *map(markdown, tables)]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
