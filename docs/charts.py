"""Charts for the documentation: growth on a logarithmic scale, scores, and bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from papan.figures.chart import BOTTOM, EDGE, LEFT, TOP, WIDTH, Scale
from papan.figures.svg import Markup, Picture, drawing, element
from papan.figures.theme import chart_rules

#: Space on the right for the labels of lines.
_NAMES_RIGHT = 110
#: Room on the left for the names of the bars, and on the right for their numbers.
_NAMES_LEFT = 190
_NUMBERS = 60
_GROWTH_HEIGHT = 360
_ROW = 26
_BAR = 14
#: Time between the numbers below a training.
_SECONDS_APART = 20
#: Names at the ends of lines stand at least so far apart.
_LINE_OF_TEXT = 15

Line = Mapping[int, float]  # x → y


def growth_chart(title: str, label: str, lines: Mapping[str, Line]) -> Picture:
    """Returns a chart with a logarithmic scale: one line per name, labelled at its end."""
    xs = sorted({x for line in lines.values() for x in line})
    highest = max(y for line in lines.values() for y in line.values())
    floor = _GROWTH_HEIGHT - BOTTOM
    across = Scale(xs[0], xs[-1], LEFT, WIDTH - _NAMES_RIGHT)
    up = Scale(0, math.ceil(math.log10(highest)), floor, TOP)
    parts = [_power(power, up, across.end) for power in range(int(up.high) + 1)]
    parts += [_text(f"{x}", across(x), floor + 18, "middle") for x in xs]
    parts.append(_text(label, (across.start + across.end) / 2, floor + 38, "middle quiet"))
    ends = {name: up(math.log10(line[max(line)])) for name, line in lines.items()}
    names = apart(ends)
    for number, (name, line) in enumerate(lines.items()):
        places = {across(x): up(math.log10(y)) for x, y in line.items()}
        parts.append(_line(number, name, places, names[name]))
    return _chart(title, _GROWTH_HEIGHT, parts)


def score_chart(title: str, label: str, lines: Mapping[str, Mapping[float, float]]) -> Picture:
    """Returns a chart of scores in per cent over seconds, one line per name."""
    floor, longest = _GROWTH_HEIGHT - BOTTOM, max(max(line) for line in lines.values())
    across = Scale(0, longest, LEFT, WIDTH - _NAMES_RIGHT)
    up = Scale(0, 100, floor, TOP)
    parts = [_level(f"{per_cent}", up(per_cent), across.end) for per_cent in range(0, 101, 25)]
    ticks = range(0, int(longest) + 1, _SECONDS_APART)
    parts += [_text(f"{x}", across(x), floor + 18, "middle") for x in ticks]
    parts.append(_text(label, (across.start + across.end) / 2, floor + 38, "middle quiet"))
    names = apart({name: up(line[max(line)]) for name, line in lines.items()})
    for number, (name, line) in enumerate(lines.items()):
        places = {across(x): up(y) for x, y in line.items()}
        parts.append(_line(number, name, places, names[name]))
    return _chart(title, _GROWTH_HEIGHT, parts)


def apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Returns the heights in their order, moved down where labels would overlap."""
    found: dict[str, float] = {}
    last = -math.inf
    for name, height in sorted(heights.items(), key=lambda pair: pair[1]):
        last = found[name] = max(height, last + _LINE_OF_TEXT)
    return found


def bar_chart(title: str, rows: Mapping[str, float], *, one: bool = True) -> Picture:
    """Returns a bar chart; `one` adds a line at 1, the reference of ratios."""
    across = Scale(0, max(rows.values()), _NAMES_LEFT, WIDTH - _NUMBERS)
    floor = TOP + _ROW * len(rows)
    parts = [_bar(number, row, across) for number, row in enumerate(rows.items())]
    if one:
        parts.append(_path(f"M{across(1):.1f} {TOP - 6}V{floor}", "axis"))
    return _chart(title, floor + EDGE, parts)


def _power(power: int, up: Scale, end: float) -> Markup:
    """Returns a line of the grid at a power of ten."""
    return _level(f"{10**power:,}", up(power), end)


def _level(name: str, y: float, end: float) -> Markup:
    """Returns a line of the grid with its label."""
    text = element("text", name, class_="end", x=LEFT - 6, y=y + 4, font_size=9)
    return element("g", _path(f"M{LEFT} {y:.1f}H{end}", "grid"), text)


def _line(number: int, name: str, places: Mapping[float, float], height: float) -> Markup:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places.items())
    dots = [element("circle", class_="marker", cx=x, cy=y, r=3) for x, y in places.items()]
    last = max(places)
    parts = [
        element("polyline", points=points, class_="line"),
        *dots,
        _path(f"M{last + 4:.1f} {places[last]:.1f}L{last + 14:.1f} {height:.1f}", "bar"),
        _text(name, last + 18, height + 4),
    ]
    return element("g", *parts, class_=f"s{number}")


def _bar(number: int, row: tuple[str, float], across: Scale) -> Markup:
    name, value = row
    y = TOP + _ROW * number
    end = across(value)
    parts = [
        _text(name, _NAMES_LEFT - 10, y + _BAR - 2, "end"),
        element(
            "rect", class_="marker", x=across.start, y=y, width=end - across.start, height=_BAR
        ),
        _text(f"{value:.2f}", end + 6, y + _BAR - 2),
    ]
    return element("g", *parts, class_="s0")


def _text(text: str, x: float, y: float, name: str = "") -> Markup:
    return element("text", text, class_=name, x=x, y=y)


def _path(line: str, name: str) -> Markup:
    return element("path", class_=name, d=line)


def _chart(title: str, height: float, parts: Iterable[Markup]) -> Picture:
    paper = element("rect", class_="paper", width=WIDTH, height=height)
    heading = _text(title, EDGE, 22, "heading")
    rest: Sequence[Markup] = [paper, heading, *parts]
    return drawing("papan-chart", (WIDTH, height), *rest, title=title, rules=chart_rules())
