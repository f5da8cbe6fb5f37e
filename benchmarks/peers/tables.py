"""The comparison as tables, and tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.peers.workers.tasks import COUNTED_DEPTH, KNOWN
from benchmarks.tools.report import CannotMeasure, Table

#: Each of the others' searches visits every leaf; this is what Papan does then.
LIKE_OTHERS = "Papan, every leaf visited"

#: Headings of columns that hold words.
WORDS = ("", "game")

Answers = Sequence[Mapping[str, Any]]


def check(answers: Answers) -> None:
    """Makes sure that all have searched the same tree and found the same values.

    Raises:
        CannotMeasure: one of them has not.
    """
    for answer in answers:
        for name, nodes in answer["nodes"].items():
            if nodes != KNOWN[COUNTED_DEPTH][1]:
                raise CannotMeasure(f"{name} visits {nodes} nodes to depth {COUNTED_DEPTH}")
        for name, runs in answer["searches"].items():
            for depth, _, value in runs:
                if value not in (None, KNOWN[depth][0]):
                    raise CannotMeasure(f"{name} finds {value} at depth {depth}")


def all_tables(answers: Answers, first_moves: Mapping[str, float]) -> list[Table]:
    """The tables; Papan's answer is the first of the answers."""
    return [
        searches(answers),
        rates("Monte Carlo tree search", "simulations/s", _rows(answers, "simulations"), "Papan"),
        rates("Random moves", "moves/s", _rows(answers, "moves"), "Papan, compiled"),
        _first_moves(first_moves),
    ]


def searches(answers: Answers) -> Table:
    """Times by depth, nodes a second, and how many times as many Papan visits."""
    titles = tuple(f"d{depth}, s" for depth in KNOWN)
    table = Table("Plain alpha–beta, Adjacency 8×8", ("", *titles, "nodes/s", "Papan's ÷ these"))
    speeds = dict(_speeds(answers))
    for answer in answers:
        for name, runs in answer["searches"].items():
            times = {depth: seconds for depth, seconds, _ in runs}
            cells = [_seconds(times[depth]) if depth in times else "–" for depth in KNOWN]
            ratio = speeds[LIKE_OTHERS] / speeds[name]
            table.add(name, *cells, three_figures(speeds[name]), three_figures(ratio))
    return table


def rates(title: str, unit: str, rows: Sequence[Sequence[Any]], ours: str) -> Table:
    """Numbers a second for each game, and how many times as many are Papan's in the same game."""
    table = Table(title, ("", "game", unit, "Papan's ÷ these"))
    best = {game: rate for name, game, rate in rows if name == ours}
    for name, game, rate in rows:
        table.add(name, game, three_figures(rate), three_figures(best[game] / rate))
    return table


def _first_moves(found: Mapping[str, float]) -> Table:
    table = Table("From the start of a process to its first move", ("", "seconds"))
    for name, seconds in found.items():
        table.add(name, _seconds(seconds))
    return table


def _speeds(answers: Answers) -> Iterator[tuple[str, float]]:
    """Nodes a second in the deepest search of each."""
    for answer in answers:
        for name, runs in answer["searches"].items():
            depth, seconds, _ = runs[-1]
            yield name, KNOWN[depth][1] / seconds


def _rows(answers: Answers, kind: str) -> list[Sequence[Any]]:
    return [row for answer in answers for row in answer[kind]]


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds >= 0.001 else f"{seconds:.6f}"


def three_figures(number: float) -> str:
    """A number with about three figures, which is more than can be measured twice."""
    if number >= 1e6:
        millions = number / 1e6
        return f"{millions:,.0f} M" if millions >= 1000 else f"{millions:.3g} M"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def markdown(table: Table) -> str:
    """A table in Markdown, words to the left and numbers to the right."""
    head = f"| {' | '.join(table.columns)} |"
    line = f"|{'|'.join('---' if column in WORDS else '---:' for column in table.columns)}|"
    rows = [f"| {' | '.join(map(str, row))} |" for row in table.rows]
    return "\n".join([f"**{table.title}**", "", head, line, *rows])
