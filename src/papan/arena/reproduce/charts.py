"""Line charts of scores as SVG, with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from papan.figures.chart import Point, score_chart

Row = Mapping[str, Any]


def reports_chart(rows: Iterable[Row]) -> str:
    """The first player's score by rounds, a line for each pairing of each report."""
    series = _series(rows, lambda row: f"{row['report']}: {row['pairing']}", "rounds")
    return score_chart("First player's score by rounds", "rounds", series)


def horizon_chart(rows: Iterable[Row]) -> str:
    """Minimax's score by depth, a line for each evaluation."""
    series = _series(rows, lambda row: str(row["evaluation"]), "depth")
    return score_chart("Minimax against one-ply hill climbing, 28 rounds", "depth", series)


def _series(rows: Iterable[Row], name: Callable[[Row], str], x: str) -> dict[str, list[Point]]:
    """Points of rows with games, by the line they belong to, from left to right."""
    found: dict[str, list[Point]] = {}
    for row in rows:
        if row["score"] is not None:
            point = Point(float(row[x]), row["score"], row["low"], row["high"])
            found.setdefault(name(row), []).append(point)
    return {label: sorted(points) for label, points in found.items()}
