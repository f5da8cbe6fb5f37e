"""Charts as SVG: lines with intervals, ratings with error bars, and the evaluation of a game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from papan.figures.svg import Markup, Picture, classes, drawing, element
from papan.figures.theme import chart_rules

WIDTH = 680
LEFT, TOP, BOTTOM, EDGE = 60, 40, 50, 20
#: Width of the legend.
LEGEND = 245

_LINE_CHART_HEIGHT = 360
_EVALUATION_HEIGHT = 240
_RATING_ROW = 30
_NAMES = 180
#: Approximate number of tick marks on an axis.
_TICKS = 6
#: Maximum number of points that are marked on the lower axis one by one.
_MOST_MARKS = 12
#: Number of colours; further lines repeat them.
_COLOURS = 6


class Look(NamedTuple):
    """Style of a chart.

    Attributes:
        theme: colours of a standalone chart, one of `papan.figures.theme.THEMES`.
        standalone: True for a chart with its own style sheet; otherwise the page needs
            `chart_rules`.
    """

    theme: str = "light"
    standalone: bool = True


LOOK = Look()


class Point(NamedTuple):
    """A point of a line, with its interval."""

    x: float
    y: float
    low: float
    high: float


class RatingRow(NamedTuple):
    """A rating with its error in the same unit; the interval is rating ± error."""

    name: str
    rating: float
    error: float


@dataclass(frozen=True)
class Scale:
    """A linear map from values `low` … `high` to coordinates `start` … `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)


def ticks(low: float, high: float, count: int = _TICKS) -> list[float]:
    """Returns about `count` round numbers from `low` to `high`, in steps of 1, 2 or 5 · 10ⁿ."""
    rough = (high - low or 1.0) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]


# --- lines with intervals ------------------------------------------------------------------------


def score_chart(
    title: str, label: str, series: Mapping[str, Sequence[Point]], *, look: Look = LOOK
) -> Picture:
    """Returns a chart of scores (0 … 1, shown in percent), with a line for each series."""
    xs = sorted({point.x for points in series.values() for point in points}) or [0.0]
    end, floor = WIDTH - LEGEND, _LINE_CHART_HEIGHT - BOTTOM
    across, up = Scale(xs[0], xs[-1], LEFT, end), Scale(0.0, 1.0, floor, TOP)
    parts = [*_score_grid(up, end), *_foot(xs, across, label, floor)]
    for index, (name, points) in enumerate(series.items()):
        parts.append(_score_line(index, points, across, up))
        parts.append(_legend(index, name, end + 20))
    return _chart(title, _LINE_CHART_HEIGHT, parts, look)


def _score_grid(up: Scale, end: float) -> list[Markup]:
    parts = []
    for quarter in range(5):
        y = up(quarter / 4)
        parts.append(_path(f"M{LEFT} {y:g}H{end}", "axis" if quarter == 2 else "grid"))
        parts.append(_text(f"{25 * quarter} %", LEFT - 8, y + 4, "end"))
    return parts


def _foot(marks: Iterable[float], across: Scale, label: str, floor: float) -> list[Markup]:
    """Returns the tick marks of the lower axis and its label."""
    shown = list(marks)
    if len(shown) > _MOST_MARKS:
        shown = ticks(shown[0], shown[-1])
    parts = [_text(f"{mark:g}", across(mark), floor + 18, "middle") for mark in shown]
    middle = (across.start + across.end) / 2
    return [*parts, _text(label, middle, floor + 38, "middle quiet")]


def _score_line(index: int, points: Sequence[Point], across: Scale, up: Scale) -> Markup:
    """Returns a line with its intervals."""
    places = " ".join(f"{across(point.x):.1f},{up(point.y):.1f}" for point in points)
    parts = [element("polyline", points=places, class_="line")]
    for point in points:
        x = across(point.x)
        parts.append(_path(f"M{x:.1f} {up(point.low):.1f}V{up(point.high):.1f}", "bar"))
        parts.append(_marker(index, x, up(point.y)))
    return element("g", *parts, class_=f"s{index % _COLOURS}")


def _legend(index: int, name: str, x: float) -> Markup:
    y = TOP + 12 + 22 * index
    parts = [_marker(index, x, y - 4), _text(name, x + 12, y)]
    return element("g", *parts, class_=f"s{index % _COLOURS}")


def _marker(index: int, x: float, y: float) -> Markup:
    """Returns a disc, a square or a diamond."""
    if index % 3 == 0:
        return element("circle", class_="marker", cx=x, cy=y, r=4)
    turn = f"rotate(45 {x:.1f} {y:.1f})" if index % 3 == 2 else None
    return element("rect", class_="marker", x=x - 3.5, y=y - 3.5, width=7, height=7, transform=turn)


# --- ratings -------------------------------------------------------------------------------------


def ratings_chart(
    title: str, label: str, ratings: Iterable[RatingRow], *, look: Look = LOOK
) -> Picture:
    """Returns a chart of ratings with their intervals, best rating first."""
    rows = sorted(ratings, key=lambda row: -row.rating) or [RatingRow("–", 0.0, 0.0)]
    low = min(row.rating - row.error for row in rows)
    high = max(row.rating + row.error for row in rows)
    room = 0.05 * (high - low) or 1.0
    floor = TOP + _RATING_ROW * len(rows)
    across = Scale(low - room, high + room, _NAMES, WIDTH - EDGE)
    marks = ticks(across.low, across.high)
    parts = [_path(f"M{across(mark):.1f} {TOP - 6}V{floor}", "grid") for mark in marks]
    parts += _foot(marks, across, label, floor)
    parts += [_rating(row, across, index) for index, row in enumerate(rows)]
    return _chart(title, floor + BOTTOM, parts, look)


def _rating(row: RatingRow, across: Scale, index: int) -> Markup:
    """Returns a row: name, interval with end marks, and a dot."""
    y, tick = TOP + _RATING_ROW * (index + 0.5), 5
    low, high = across(row.rating - row.error), across(row.rating + row.error)
    bar = f"M{low:.1f} {y:g}H{high:.1f}M{low:.1f} {y - tick:g}V{y + tick:g}"
    parts = [
        _text(row.name, _NAMES - 14, y + 4, "end"),
        _path(f"{bar}M{high:.1f} {y - tick:g}V{y + tick:g}", "bar"),
        element("circle", class_="marker", cx=across(row.rating), cy=y, r=5),
    ]
    return element(
        "g", element("title", f"{row.rating:+.0f} ± {row.error:.0f}"), *parts, class_="s0"
    )


# --- the evaluation over a game ------------------------------------------------------------------


def evaluation_chart(
    title: str,
    label: str,
    values: Sequence[float | None],
    *,
    turning: Iterable[int] = (),
    bound: float | None = None,
    axis: Callable[[float], str] | None = None,
    here: int | None = None,
    look: Look = LOOK,
) -> Picture:
    """Returns a chart of the value after each ply, from `x`'s view; `x` is better above the middle.

    Args:
        title: title of the chart.
        label: label of the axis of plies.
        values: values by ply, starting with the initial position; None if unknown.
        turning: plies to mark; each marker has `data-ply`.
        bound: values beyond ±`bound` are drawn at the edge, because proven wins are much larger
            than estimates; by default the largest value.
        axis: formats a value for the axis; by default a signed number.
        here: current ply. If given, it is marked, and the chart has a clickable column with
            `data-ply` for each ply.
        look: style of the chart.
    """
    known = [abs(value) for value in values if value is not None]
    most = bound or max(known, default=0.0) or 1.0
    floor = _EVALUATION_HEIGHT - BOTTOM
    across = Scale(0, max(len(values) - 1, 1), LEFT, WIDTH - EDGE)
    up = Scale(-most, most, floor, TOP)
    places = [
        None if value is None else (across(ply), up(min(max(value, -most), most)))
        for ply, value in enumerate(values)
    ]
    parts = [
        *_value_grid(up, axis or _format_signed),
        *_foot(_whole(ticks(0, across.high)), across, label, floor),
    ]
    for run in _runs(places):
        parts += _value_line(run, up(0))
    parts += [_turn(places[ply], ply) for ply in turning if places[ply] is not None]
    if here is not None:
        parts += _columns(across, len(values), here)
    return _chart(title, _EVALUATION_HEIGHT, parts, look)


Place = tuple[float, float]


def _whole(marks: Iterable[float]) -> list[float]:
    return [mark for mark in marks if mark == int(mark)]


def _format_signed(mark: float) -> str:
    return f"{mark:+g}" if mark else "0"


def _columns(across: Scale, count: int, here: int) -> list[Markup]:
    """Returns a line at the current ply, and an invisible column over each ply."""
    low, high = TOP, _EVALUATION_HEIGHT - BOTTOM
    half = (across(1) - across(0)) / 2
    line = _path(f"M{across(here):.1f} {low}V{high}", "here")
    return [line] + [
        element(
            "rect",
            class_="column",
            x=across(ply) - half,
            y=low,
            width=2 * half,
            height=high - low,
            data_ply=str(ply),
        )
        for ply in range(count)
    ]


def _value_grid(up: Scale, axis: Callable[[float], str]) -> list[Markup]:
    parts = []
    for mark in ticks(up.low, up.high, 4):
        line = f"M{LEFT} {up(mark):.1f}H{WIDTH - EDGE}"
        parts.append(_path(line, "grid" if mark else "axis"))
        parts.append(_text(axis(mark), LEFT - 8, up(mark) + 4, "end"))
    return parts


def _runs(places: Iterable[Place | None]) -> list[list[Place]]:
    """Splits places into runs without unknown places."""
    runs: list[list[Place]] = [[]]
    for place in places:
        if place is None:
            runs.append([])
        else:
            runs[-1].append(place)
    return [run for run in runs if run]


def _value_line(run: list[Place], middle: float) -> list[Markup]:
    """Returns a line; the area to the middle has the colour of the better side."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in run)
    parts = []
    for side, nearer in (("x", min), ("o", max)):
        edge = [(x, nearer(y, middle)) for x, y in _with_crossings(run, middle)]
        corners = [(run[0][0], middle), *edge, (run[-1][0], middle)]
        area = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        parts.append(element("polygon", points=area, class_=f"for-{side}"))
    return [*parts, element("polyline", points=line, class_="value")]


def _with_crossings(run: list[Place], middle: float) -> list[Place]:
    """Adds the points where the line crosses the middle."""
    points = run[:1]
    for (x1, y1), (x2, y2) in pairwise(run):
        if (y1 - middle) * (y2 - middle) < 0:
            points.append((x1 + (middle - y1) / (y2 - y1) * (x2 - x1), middle))
        points.append((x2, y2))
    return points


def _turn(place: Place | None, ply: int) -> Markup:
    x, y = place or (0.0, 0.0)
    return element("circle", class_="turning", cx=x, cy=y, r=5, data_ply=str(ply))


# --- common parts of charts ----------------------------------------------------------------------


def _chart(title: str, height: float, parts: Iterable[Markup], look: Look) -> Picture:
    paper = element("rect", class_="paper", width=WIDTH, height=height)
    heading = _text(title, EDGE, 22, "heading")
    return drawing(
        "papan-chart",
        (WIDTH, height),
        paper,
        heading,
        *parts,
        title=title,
        rules=chart_rules() if look.standalone else "",
        theme=look.theme,
    )


def _text(text: str, x: float, y: float, name: str = "") -> Markup:
    return element("text", text, class_=classes(name), x=x, y=y)


def _path(line: str, name: str) -> Markup:
    return element("path", class_=name, d=line)
