"""Creates the tables of the documentation from stored measurements: `python -m docs.tables`.

Each table is a Markdown file `docs/made/NAME.md`, which a page includes. Below the table are the
commands of the measurement.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from docs.measures import MADE, Measured, measured


def standings(found: Sequence[Measured]) -> str:
    """Returns the standings of a tournament, with errors."""
    rows = found[0].report["standings"]
    lines = [
        [
            f"`{row['player']}`",
            str(row["games"]),
            f"{row['points']:g}",
            f"{100 * row['score']:.1f} %",
            f"{row['elo']:+.0f} ± {row['error']:.0f}",
        ]
        for row in rows
    ]
    return table(["player", "games", "points", "score", "Elo"], lines)


def solved(found: Sequence[Measured]) -> str:
    """Returns a table of proven values, one row per position."""
    lines = []
    for _, report in found:
        moves = report["moves"]
        best_moves = " ".join(moves[:6]) + (f" … ({len(moves)})" if len(moves) > 6 else "")
        plies = "–" if report["plies"] is None else str(report["plies"])
        game = f"`{report['game']}`"
        words = {"win": "the side to move", "loss": "the other side", "draw": "neither side"}
        value = f"{report['value']:+g}" if report["value"] else "0"
        lines.append([game, words[report["outcome"]], value, plies, best_moves])
    return table(["game", "who wins", "value", "plies", "best moves"], lines)


def counted(found: Sequence[Measured]) -> str:
    """Returns a table of the leaves of complete trees."""
    lines = [
        [f"`{each.report['game']}`", str(each.report["depth"]), f"{each.report['nodes']:,}"]
        for each in found
    ]
    return table(["game", "depth", "leaves"], lines)


def learnt(found: Sequence[Measured]) -> str:
    """Returns a table of matches of trained weights, one row per match."""
    lines = []
    for _, report in found:
        for game, games, player, against, *counts, score, error in report["tables"][0]["rows"]:
            won, drawn, lost = map(str, counts)
            names = [f"`{name}`" for name in (game, player, against)]
            lines.append([*names, f"{games:,}", won, drawn, lost, f"{score:.1f} ± {error:.1f}"])
    heads = ["game", "player", "against", "training games", "won", "drawn", "lost", "score, %"]
    return table(heads, lines)


def benchmarks(found: Sequence[Measured]) -> str:
    """Returns all tables of benchmarks with their titles, and the number of kept promises."""
    report = found[0].report
    parts = []
    for benchmark in report["benchmarks"].values():
        for each in benchmark["tables"]:
            rows = [[_written(cell) for cell in row] for row in each["rows"]]
            parts.append(f"**{each['title']}**\n\n{table(each['columns'], rows)}")
        kept = [check["kept"] for check in benchmark["checks"]]
        if kept:
            parts.append(f"Promises kept: {sum(kept)} of {len(kept)}.\n")
    machine = report["machine"]
    parts.append(
        f"{machine['cpus']} processors ({machine['processor']}), Python {machine['python']}, numba "
        f"{machine['numba']}; load {machine['load']:g} at the start.\n"
    )
    return "\n".join(parts)


def _written(cell: str | float) -> str:
    """Formats a cell of a benchmark, with thousands separators."""
    if isinstance(cell, float):
        return f"{cell:,.1f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def of_game(name: str, found: Sequence[Measured]) -> list[Measured]:
    """Returns the measurements of a game."""
    return [each for each in found if each.report["game"].partition(":")[0] == name]


_GAMES = ("adjacency", "platforms", "corners")

#: Table → its measurement, and the function that creates it.
TABLES: dict[str, tuple[str, Callable[[Sequence[Measured]], str]]] = {
    "algorithms": ("algorithms", benchmarks),
    "tables": ("tables", benchmarks),
    "collisions": ("collisions", benchmarks),
    "ablation": ("ablation", benchmarks),
    "twins": ("twins", benchmarks),
    "others": ("others", benchmarks),
    "local-search": ("local-search", standings),
    "simulations": ("simulations", standings),
    "blocker": ("blocker", standings),
    "learning": ("learning", learnt),
    **{f"solved-{name}": ("solved", solved) for name in _GAMES},
    **{f"counted-{name}": ("counted", counted) for name in _GAMES},
}


def table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table with numbers aligned right."""
    rows = list(lines)
    right = [
        all(row[number][:1] in "*–+−-0123456789" for row in rows) for number in range(len(heads))
    ]
    rule = ["---:" if numeric else "---" for numeric in right]
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, rule, *rows))


def piece(name: str) -> str:
    """Returns a table with the commands of its measurement."""
    measurement, made = TABLES[name]
    found = measured(measurement)
    game = name.removeprefix(f"{measurement}-")
    if game in _GAMES:
        found = of_game(game, found)
    commands = "\n".join(each.command for each in found)
    return f"{made(found)}\nMeasured by\n\n```text\n{commands}\n```\n"


def main(names: Sequence[str]) -> None:
    """Writes some tables, by default all."""
    for name in names or TABLES:
        (MADE / f"{name}.md").write_text(piece(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
