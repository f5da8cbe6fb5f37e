"""The results as JSON, CSV and Markdown, and the files of a run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from papan.arena.score import Tally
from papan.errors import naming
from papan.figures.chart import Point, score_chart
from papan.stats.elo import score_interval
from papan.whole_files import write_whole

from . import verdicts
from .claims import (
    CORNERS_MS,
    LOCAL_HUMAN,
    MINIMAX_HUMAN,
    NOT_REPEATABLE,
    REPORTS,
    verdict,
)
from .plan import PlannedMatch
from .run import Findings, Result

Row = dict[str, Any]


def interval_of(tally: Tally) -> tuple[float, float] | None:
    """Returns the 95 % interval of the first player's score; None without games."""
    return score_interval(tally.counts) if tally.games else None


def row_of(cell: PlannedMatch, result: Result) -> Row:
    """Returns a cell as plain values: labels, players, claim, result, times and verdict."""
    interval, single = interval_of(result.tally), result.tally.single
    return {
        **cell.labels,
        "game": cell.match.game,
        "players": [cell.match.first, cell.match.second],
        "claim": _claim(cell),
        "claims": cell.better,
        "games": result.tally.games,
        "planned": cell.match.games,
        "wins": single.wins,
        "draws": single.draws,
        "losses": single.losses,
        "score": single.score if result.tally.games else None,
        "low": interval[0] if interval else None,
        "high": interval[1] if interval else None,
        "ms": [result.mean_ms(0), result.mean_ms(1)],
        "terminations": dict(result.tally.terminations),
        "verdict": verdict(cell.better, interval),
    }


def _claim(cell: PlannedMatch) -> str | None:
    """Returns the claim as printed in the report, or its result for this cell alone."""
    if cell.claim is None or cell.better is None:
        return None
    if cell.claim.scattered:
        return f"{cell.claim.text} in all"
    return "won" if cell.better == "first" else "lost"


def pooled_rows(findings: Findings) -> list[Row]:
    """Returns the reports' pairings over the lengths of the source's games.

    If the source does not state the lengths, all lengths are used.
    """
    pooled: dict[tuple[str, str], list[tuple[PlannedMatch, Result]]] = {}
    for cell, result in findings.cells:
        if cell.claim is not None and (cell.better is not None or not cell.claim.rounds):
            key = cell.labels["report"], cell.labels["pairing"]
            pooled.setdefault(key, []).append((cell, result))
    return [_pool_cells(report, pairing, cells) for (report, pairing), cells in pooled.items()]


def _pool_cells(report: str, pairing: str, cells: list[tuple[PlannedMatch, Result]]) -> Row:
    tally, shift = Tally(), 0
    for cell, result in cells:
        tally.points |= {shift + number: won for number, won in result.tally.points.items()}
        shift += cell.match.games
    claim, interval, single = REPORTS[report][pairing], interval_of(tally), tally.single
    return {
        "report": report,
        "pairing": pairing,
        "rounds": [cell.labels["rounds"] for cell, _ in cells],
        "claim": claim.text,
        "games": tally.games,
        "wins": single.wins,
        "draws": single.draws,
        "losses": single.losses,
        "score": single.score if tally.games else None,
        "low": interval[0] if interval else None,
        "high": interval[1] if interval else None,
        "verdict": verdict(claim.better, interval),
    }


def as_dict(findings: Findings, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns all results for JSON."""
    sections: dict[str, list[Row]] = {}
    for cell, result in findings.cells:
        extra = _sides(result) if cell.section == "platforms" else {}
        sections.setdefault(cell.section, []).append(row_of(cell, result) | extra)
    left_out = [
        {"report": report, "pairing": pairing, "claim": REPORTS[report][pairing].text}
        for report in REPORTS
        for pairing in (MINIMAX_HUMAN, LOCAL_HUMAN)
    ]
    return {
        **settings,
        "pooled": pooled_rows(findings),
        "cells": sections,
        "left_out": {"pairings": left_out, "reason": NOT_REPEATABLE},
        "corners_times": [_add_claim(row) for row in findings.measures.get("corners_times", ())],
        "thrown_wins": findings.measures.get("thrown_wins", []),
        "statements": verdicts.statements_of(findings.measures),
        **{name: findings.measures.get(name, []) for name in _MEASURED},
    }


#: Measures behind the statements.
_MEASURED = ("lead_by_round", "move_costs", "trap_scores", "stuck_formations")


def _add_claim(row: Row) -> Row:
    claimed = CORNERS_MS.get(row["depth"])
    return {**row, "claimed_ms": list(claimed) if claimed else None}


# --- tables


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Returns a Markdown table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *([str(value) for value in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def percent(share: float | None) -> str:
    """Formats a share in percent; a dash for None."""
    return "–" if share is None else f"{100 * share:.1f} %"


def interval(row: Row) -> str:
    """Formats a row's interval."""
    if row["low"] is None:
        return "–"
    return f"{100 * row['low']:.1f} – {100 * row['high']:.1f} %"


def outcome(row: Row) -> str:
    """Formats wins, draws and losses."""
    return f"{row['wins']}–{row['draws']}–{row['losses']}"


def duration(milliseconds: float | None) -> str:
    """Formats milliseconds."""
    return "–" if milliseconds is None else f"{milliseconds:.3g}"


_RESULT = ("games", "wins–draws–losses", "score", "95 % interval")


def _result(row: Row) -> list[str]:
    return [str(row["games"]), outcome(row), percent(row["score"]), interval(row)]


def _times(row: Row) -> str:
    return " / ".join(duration(spent) for spent in row["ms"])


def pooled_table(report: Mapping[str, Any]) -> str:
    """Returns the table of the reports' pairings, including those with a person."""
    rows = [
        [
            row["report"],
            row["pairing"],
            ", ".join(map(str, row["rounds"])),
            row["claim"],
            *_result(row),
            f"**{row['verdict']}**",
        ]
        for row in report["pooled"]
    ]
    rows += [
        [row["report"], row["pairing"], "–", row["claim"], "–", "–", "–", "–", "not repeatable"]
        for row in report["left_out"]["pairings"]
    ]
    return table(("report", "pairing", "rounds", "claim", *_RESULT, "verdict"), rows)


def cells_table(rows: Iterable[Row], labels: Iterable[str], *, claims: bool = False) -> str:
    """Returns the table of a section's cells, with the distinguishing labels first."""
    labels = list(labels)
    claim, judged = (["claim"], ["verdict"]) if claims else ([], [])
    lines = [
        [str(row[label]) for label in labels]
        + ([row["claim"] or "not played"] if claims else [])
        + [*_result(row), _times(row)]
        + ([row["verdict"]] if claims else [])
        for row in rows
    ]
    return table([*labels, *claim, *_RESULT, "ms a move", *judged], lines)


def corners_table(rows: Iterable[Row]) -> str:
    """Returns the table of the Corners program's time and nodes by depth."""
    head = ("depth", "heuristic", "source, ms", "mean, ms", "median", "least – most", "mean nodes")
    return table(
        head,
        [
            [
                row["depth"],
                row["heuristic"],
                "–".join(f"{ms:,.0f}" for ms in row["claimed_ms"] or ()),
                duration(row["mean_ms"]),
                duration(row["median_ms"]),
                f"{duration(row['least_ms'])} – {duration(row['most_ms'])}",
                f"{row['mean_nodes']:,.0f}",
            ]
            for row in rows
        ],
    )


def statements_table(report: Mapping[str, Any]) -> str:
    """Returns the table of the sources' statements with measurements and verdicts."""
    head = ("statement", "case", "measured", "95 % interval", "verdict")
    rows = [[*verdicts.cells_of(row), f"**{row['verdict']}**"] for row in report["statements"]]
    return table(head, rows)


def leads_table(rows: Iterable[Row]) -> str:
    """Returns the table of lead and interval after each round, one column per length."""
    rows = list(rows)
    longest = max(row["rounds"] for row in rows)
    return table(
        ("after round", *(f"of {row['rounds']}" for row in rows)),
        [[after, *(_lead(row, after) for row in rows)] for after in range(1, longest + 1)],
    )


def _lead(row: Row, after: int) -> str:
    """Returns the mean lead after a round; empty if the game is already over."""
    if after > row["rounds"]:
        return ""
    value, low, high = (verdicts.number(each, "pieces") for each in row["leads"][after - 1])
    return f"{value} ({low} … {high})"


def costs_table(rows: Iterable[Row]) -> str:
    """Returns the table of processor time and peak memory per move of both players."""
    head = ("rounds", "positions", "minimax, ms", "genetic, ms", "minimax, kB", "genetic, kB")
    names = ("minimax_time", "genetic_time", "minimax_space", "genetic_space")
    return table(
        head,
        [
            [row["rounds"], row["positions"], *(duration(row[name]) for name in names)]
            for row in rows
        ],
    )


def stuck_table(rows: Iterable[Row]) -> str:
    """Returns the table of games and stuck sides of each pair of evaluations."""
    head = ("evaluations", "depth", "games", "wins–draws–losses")
    return table(
        (*head, "first stuck", "of these not won", "second stuck", "of these not won"),
        [
            [
                " – ".join(row["evaluations"]),
                row["depth"],
                row["games"],
                outcome(row),
                *(row[name][index] for index in (0, 1) for name in ("stuck", "unfinished")),
            ]
            for row in rows
        ],
    )


def thrown_table(rows: Iterable[Row]) -> str:
    """Returns the table of wins that depth 4 loses, by board."""
    head = ("board", "level", "start", "positions", "unproven", "won", "at risk", "thrown away")
    return table(
        (*head, "win in ≤ 4 plies", "win further away", "at random"),
        [
            [
                f"{row['size']}×{row['size']}",
                row["level"],
                _start(row),
                row["positions"],
                row["unproven"],
                row["won"],
                sum(row["at_risk"].values()),
                _share(sum(row["thrown"].values()), sum(row["at_risk"].values())),
                _share(row["thrown"]["near"], row["at_risk"]["near"]),
                _share(row["thrown"]["far"], row["at_risk"]["far"]),
                _share(row["by_chance"], sum(row["at_risk"].values())),
            ]
            for row in rows
        ],
    )


def _start(row: Row) -> str:
    if row["start"] is None:
        return "not proven"
    return f"{row['start']} in {row['start_plies']}"


def _share(part: float, whole: int) -> str:
    return f"{part:.4g} of {whole} ({percent(part / whole)})" if whole else "–"


# --- files


def markdown(report: Mapping[str, Any]) -> str:
    """Returns all tables, each with a heading."""
    cells, text = report["cells"], io.StringIO()
    text.write(f"{_origin(report)}\n\n")
    if cells.get("reports"):
        text.write(f"### The reports' pairings\n\n{pooled_table(report)}\n")
        text.write("![Scores of the pairings by rounds](reproduction-reports.svg)\n\n")
        text.write("### Each pairing at each length\n\n")
        labels = ("report", "pairing", "rounds")
        text.write(cells_table(cells["reports"], labels, claims=True) + "\n")
    if cells.get("horizon"):
        text.write("### Minimax against one ply, 28 rounds, by depth and evaluation\n\n")
        text.write(cells_table(cells["horizon"], ("evaluation", "depth")) + "\n")
        text.write("![Score by depth](reproduction-horizon.svg)\n\n")
    if report["statements"]:
        text.write(f"### Other statements of the sources\n\n{statements_table(report)}\n")
    if report["lead_by_round"]:
        text.write("### Minimax's lead over local search after each round, in pieces\n\n")
        text.write(leads_table(report["lead_by_round"]) + "\n")
    if report["move_costs"]:
        text.write(f"### A move's time and memory\n\n{costs_table(report['move_costs'])}\n")
    if report["stuck_formations"]:
        text.write("### Corners: formations that got stuck\n\n")
        text.write(stuck_table(report["stuck_formations"]) + "\n")
    if report["corners_times"]:
        text.write(f"### Corners: time a move\n\n{corners_table(report['corners_times'])}\n")
    if cells.get("corners"):
        text.write("### Corners: the heuristics and the blocker\n\n")
        text.write(cells_table(cells["corners"], ("pairing",)) + "\n")
    if report["thrown_wins"]:
        text.write("### Platforms: wins that depth 4 throws away\n\n")
        text.write(thrown_table(report["thrown_wins"]) + "\n")
    if cells.get("platforms"):
        text.write("### Platforms: depth 4 against perfect play\n\n")
        text.write(platforms_table(cells["platforms"]) + "\n")
    return text.getvalue()


def _origin(report: Mapping[str, Any]) -> str:
    """Returns the command that made the tables, and whether it was interrupted."""
    rows = [row for rows in report["cells"].values() for row in rows]
    played, planned = (sum(row[name] for row in rows) for name in ("games", "planned"))
    made = f"Made by `{report['command']} --seed {report['seed']}`"
    if not planned:
        return f"{made}."
    made = f"{made}: {played:,} games"
    if played == planned:
        return f"{made}."
    return f"{made} of {planned:,}, then interrupted; the same command resumes."


def platforms_table(rows: Iterable[Row]) -> str:
    """Returns the table of depth 4's games from won and from lost positions."""
    head = ("board", "level", "won of won positions", "won of lost positions", "ms a move")
    return table(
        head,
        [
            [
                f"{row['size']}×{row['size']}",
                row["level"],
                _share(*row["from_won"]),
                _share(*row["from_lost"]),
                _times(row),
            ]
            for row in rows
        ],
    )


def _sides(result: Result) -> Row:
    """Returns wins and games from won positions (odd rounds) and from lost ones."""
    split: dict[str, tuple[int, int]] = {}
    for name, parity in (("from_won", 1), ("from_lost", 0)):
        points = [won for number, won in result.tally.points.items() if number % 2 == parity]
        split[name] = sum(won == 1.0 for won in points), len(points)
    return dict(split)


def to_csv(report: Mapping[str, Any]) -> str:
    """Returns all cells as CSV."""
    text = io.StringIO()
    columns = ("section", "labels", "game", "first", "second", "claim", "games", "wins", "draws")
    writer = csv.writer(text, lineterminator="\n")
    rest = ("losses", "score", "low", "high")
    writer.writerow([*columns, *rest, "first_ms", "second_ms", "verdict"])
    for section, rows in report["cells"].items():
        for row in rows:
            names = ("report", "pairing", "rounds", "evaluation", "depth", "size", "level")
            labels = "; ".join(str(row[name]) for name in names if name in row)
            numbers = [row[name] for name in ("claim", "games", "wins", "draws", *rest)]
            writer.writerow(
                [
                    section,
                    labels,
                    row["game"],
                    *row["players"],
                    *numbers,
                    *row["ms"],
                    row["verdict"],
                ]
            )
    return text.getvalue()


def write_report(findings: Findings, settings: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Writes all files of a run; returns the contents of the JSON file."""
    report = as_dict(findings, settings)
    files = {
        "reproduction.json": json.dumps(report, indent=1, ensure_ascii=False) + "\n",
        "reproduction.csv": to_csv(report),
        "reproduction-tables.md": markdown(report),
    }
    if reports := report["cells"].get("reports"):
        files["reproduction-reports.svg"] = reports_chart(reports)
    if horizon := report["cells"].get("horizon"):
        files["reproduction-horizon.svg"] = horizon_chart(horizon)
    for name, text in files.items():
        with naming(folder / name):
            write_whole(folder / name, text)
    return report


def reports_chart(rows: Iterable[Row]) -> str:
    """Returns a chart of the first player's score by rounds, one line per pairing and report."""
    series = _series(rows, lambda row: f"{row['report']}: {row['pairing']}", "rounds")
    return score_chart("First player's score by rounds", "rounds", series)


def horizon_chart(rows: Iterable[Row]) -> str:
    """Returns a chart of minimax's score by depth, one line per evaluation."""
    series = _series(rows, lambda row: str(row["evaluation"]), "depth")
    return score_chart("Minimax against one-ply hill climbing, 28 rounds", "depth", series)


def _series(rows: Iterable[Row], name: Callable[[Row], str], x: str) -> dict[str, list[Point]]:
    """Returns the points of rows with games, by line, from left to right."""
    series: dict[str, list[Point]] = {}
    for row in rows:
        if row["score"] is not None:
            point = Point(float(row[x]), row["score"], row["low"], row["high"])
            series.setdefault(name(row), []).append(point)
    return {label: sorted(points) for label, points in series.items()}
