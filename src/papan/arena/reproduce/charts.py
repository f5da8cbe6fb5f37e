"""Line charts of scores as SVG, with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

Row = Mapping[str, Any]

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 210, 40, 50

#: Told apart by people who see colours differently, too; each has a marker of its own as well.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")

_FONT = 'font-family="Helvetica, Arial, sans-serif"'


def reports_chart(rows: Iterable[Row]) -> str:
    """The first player's score by rounds, a line for each pairing of each report."""
    series = _series(rows, lambda row: f"{row['report']}: {row['pairing']}", "rounds")
    return chart("First player's score by rounds", "rounds", series)


def horizon_chart(rows: Iterable[Row]) -> str:
    """Minimax's score by depth, a line for each evaluation."""
    series = _series(rows, lambda row: str(row["evaluation"]), "depth")
    return chart("Minimax against one-ply hill climbing, 28 rounds", "depth", series)


Point = tuple[float, float, float, float]  # x, score, low, high


def _series(rows: Iterable[Row], name: Callable[[Row], str], x: str) -> dict[str, list[Point]]:
    """Points of rows with games, by the line they belong to, from left to right."""
    found: dict[str, list[Point]] = {}
    for row in rows:
        if row["score"] is not None:
            point = (float(row[x]), row["score"], row["low"], row["high"])
            found.setdefault(name(row), []).append(point)
    return {label: sorted(points) for label, points in found.items()}


def chart(title: str, label: str, series: Mapping[str, list[Point]]) -> str:
    """A chart of scores from 0 to 100 %."""
    xs = sorted({point[0] for points in series.values() for point in points}) or [0.0]
    span = (xs[-1] - xs[0]) or 1.0

    def across(x: float) -> float:
        return LEFT + (x - xs[0]) / span * (WIDTH - LEFT - RIGHT)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'{_FONT} font-size="12"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>',
        *_grid(xs, across, label),
    ]
    for index, (name, points) in enumerate(series.items()):
        parts += _line(index, name, points, across)
    return "\n".join([*parts, "</svg>", ""])


def _up(share: float) -> float:
    """Where a share stands, from the top of the picture."""
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def _grid(xs: Iterable[float], across: Callable[[float], float], label: str) -> list[str]:
    end = WIDTH - RIGHT
    parts = []
    for quarter in range(5):
        y, strong = _up(quarter / 4), quarter == 2
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{end}" stroke="{"#555555" if strong else "#dddddd"}"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{25 * quarter} %</text>'
        )
    foot = HEIGHT - BOTTOM + 18
    parts += [f'<text x="{across(x):.1f}" y="{foot}" text-anchor="middle">{x:g}</text>' for x in xs]
    middle = (LEFT + end) / 2
    parts.append(f'<text x="{middle}" y="{foot + 20}" text-anchor="middle">{escape(label)}</text>')
    return parts


def _line(
    index: int, name: str, points: list[Point], across: Callable[[float], float]
) -> list[str]:
    """A line with its intervals, and its entry in the legend."""
    colour = COLOURS[index % len(COLOURS)]
    path = " ".join(f"{across(x):.1f},{_up(score):.1f}" for x, score, _, _ in points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for x, score, low, high in points:
        parts.append(
            f'<path d="M{across(x):.1f} {_up(low):.1f}V{_up(high):.1f}" stroke="{colour}" '
            f'opacity="0.5"/>{_marker(index, across(x), _up(score))}'
        )
    x, y = WIDTH - RIGHT + 20, TOP + 12 + 22 * index
    parts.append(f'{_marker(index, x, y - 4)}<text x="{x + 12}" y="{y}">{escape(name)}</text>')
    return parts


def _marker(index: int, x: float, y: float) -> str:
    """A disc, a square or a diamond."""
    colour = COLOURS[index % len(COLOURS)]
    if index % 3 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if index % 3 == 2 else ""
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"{turn}/>'
