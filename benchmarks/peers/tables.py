"""Tables of the comparison, also as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.peers.workers.tasks import COUNTED_DEPTH, KNOWN
from benchmarks.tools.report import CannotMeasure, Table

#: Papan's search that visits every leaf, as the searches of all other libraries do.
LIKE_OTHERS = "Papan, every leaf visited"

#: Headings of columns with text; the other columns have numbers.
WORDS = ("", "game")

Answers = Sequence[Mapping[str, Any]]


def check(answers: Answers) -> None:
    """Checks that all libraries searched the same tree and found the same values.

    Raises:
        CannotMeasure: a node count or a value differs.
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
    """Returns the tables; the first answer is that of Papan."""
    return [
        searches(answers),
        rates("Monte Carlo tree search", "simulations/s", _rows(answers, "simulations"), "Papan"),
        rates("Random moves", "moves/s", _rows(answers, "moves"), "Papan, compiled"),
        _first_moves(first_moves),
    ]


def searches(answers: Answers) -> Table:
    """Returns times by depth, nodes per second, and the ratio of Papan's speed to these."""
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
    """Returns a table of rates by game, and the ratio of Papan's rate in the same game to these."""
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
    """Yields the nodes per second of each library in its deepest search."""
    for answer in answers:
        for name, runs in answer["searches"].items():
            depth, seconds, _ = runs[-1]
            yield name, KNOWN[depth][1] / seconds


def _rows(answers: Answers, kind: str) -> list[Sequence[Any]]:
    return [row for answer in answers for row in answer[kind]]


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds >= 0.001 else f"{seconds:.6f}"


def three_figures(number: float) -> str:
    """Formats a number with three figures; further figures differ between measurements."""
    if number >= 1e6:
        millions = number / 1e6
        return f"{millions:,.0f} M" if millions >= 1000 else f"{millions:.3g} M"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def markdown(table: Table) -> str:
    """Returns a table as Markdown: text aligned left, numbers right."""
    head = f"| {' | '.join(table.columns)} |"
    line = f"|{'|'.join('---' if column in WORDS else '---:' for column in table.columns)}|"
    rows = [f"| {' | '.join(map(str, row))} |" for row in table.rows]
    return "\n".join([f"**{table.title}**", "", head, line, *rows])
