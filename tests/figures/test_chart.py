"""Charts as SVG."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from papan.figures.chart import (
    Look,
    Point,
    RatingRow,
    Scale,
    evaluation_chart,
    ratings_chart,
    score_chart,
    ticks,
)

SVG = "{http://www.w3.org/2000/svg}"


def found(picture, tag, name):
    """The elements of that tag and class."""
    root = ElementTree.fromstring(picture)
    return [item for item in root.iter(SVG + tag) if item.attrib.get("class") == name]


def places(item):
    return [tuple(map(float, pair.split(","))) for pair in item.attrib["points"].split()]


def test_each_line_has_a_marker_at_each_point_and_one_in_the_legend():
    points = [Point(1, 0.5, 0.4, 0.6), Point(2, 0.9, 0.8, 1.0), Point(4, 0.1, 0.0, 0.2)]
    picture = score_chart("t", "depth", {"one": points, "two": points[:2]})
    assert len(found(picture, "polyline", "line")) == 2
    assert len(found(picture, "path", "bar")) == 5
    markers = found(picture, "circle", "marker") + found(picture, "rect", "marker")
    assert len(markers) == 5 + 2


def test_a_higher_score_is_drawn_higher():
    picture = score_chart("t", "x", {"one": [Point(1, 0.25, 0, 1), Point(2, 0.75, 0, 1)]})
    (x1, y1), (x2, y2) = places(found(picture, "polyline", "line")[0])
    assert x1 < x2 and y1 > y2


@pytest.mark.parametrize("values", [[], [3.0], [None, None]])
def test_charts_of_next_to_nothing_are_sound(values):
    ElementTree.fromstring(evaluation_chart("t", "ply", values))
    ElementTree.fromstring(score_chart("t", "x", {}))
    ElementTree.fromstring(ratings_chart("t", "Elo", []))


def test_ratings_stand_in_order_with_intervals_about_them():
    rows = [RatingRow("weak", -120, 40), RatingRow("strong", 150, 20), RatingRow("mid <", 0, 30)]
    picture = ratings_chart("t", "Elo", rows)
    names = [text.text for text in found(picture, "text", "end")]
    assert names == ["strong", "mid <", "weak"]
    dots = [float(dot.attrib["cx"]) for dot in found(picture, "circle", "marker")]
    assert dots == sorted(dots, reverse=True)
    bars = [bar.attrib["d"] for bar in found(picture, "path", "bar")]
    widths = [float(bar.split("H")[1].split("M")[0]) - float(bar[1:].split()[0]) for bar in bars]
    assert widths[2] == pytest.approx(2 * widths[0], rel=0.01)


def test_the_evaluation_is_above_the_middle_where_x_is_better():
    picture = evaluation_chart("t", "ply", [0, 2, -2, 1000], bound=4)
    line = places(found(picture, "polyline", "value")[0])
    middle = line[0][1]
    assert line[1][1] < middle < line[2][1]
    assert line[3][1] == 40  # beyond the bound, so at the edge


def test_areas_end_where_the_line_crosses_the_middle():
    picture = evaluation_chart("t", "ply", [1, -1])
    (first,) = found(picture, "polygon", "for-x")
    line = places(found(picture, "polyline", "value")[0])
    crossing = (line[0][0] + line[1][0]) / 2
    assert any(x == pytest.approx(crossing, abs=0.1) for x, _ in places(first))


def test_values_that_are_not_known_leave_a_gap():
    picture = evaluation_chart("t", "ply", [0, 1, None, 2, 3])
    assert [len(places(line)) for line in found(picture, "polyline", "value")] == [2, 2]


def test_turning_points_are_marked_with_their_ply():
    values = [0, 1, -5, -5, None, 9, 2]
    picture = evaluation_chart("t", "ply", values, turning=[2, 6])
    assert [dot.attrib["data-ply"] for dot in found(picture, "circle", "turning")] == ["2", "6"]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 3), (0, 56), (-180, 320), (0.001, 0.009)])
def test_axes_are_marked_at_round_numbers(low, high):
    marks = ticks(low, high)
    assert 3 <= len(marks) <= 9
    assert all(low - 1e-9 <= mark <= high + 1e-9 for mark in marks)
    steps = {f"{b - a:.6g}" for a, b in pairwise(marks)}
    assert len(steps) == 1 and steps.pop().replace("0", "").strip(".") in ("1", "2", "5")


def test_a_scale_without_extent_does_not_divide_by_zero():
    assert Scale(2, 2, 10, 20)(2) == 10


def test_a_chart_shows_itself_in_notebooks_and_escapes_its_title():
    picture = evaluation_chart("a < b", "ply", [1, 2], look=Look("dark"))
    assert picture._repr_svg_() == str(picture)
    assert "a &lt; b" in picture


def test_a_chart_for_a_page_has_class_names_only():
    picture = ratings_chart("t", "Elo", [RatingRow("one", 1, 1)], look=Look(standalone=False))
    assert "style" not in picture


def test_each_ply_of_an_evaluation_can_be_clicked_and_the_one_that_is_shown_has_a_line() -> None:
    chart = evaluation_chart("t", "plies", [0, 10, None], here=1, axis=lambda mark: f"<{mark:.0f}>")
    assert re.findall(r'class="column"[^>]*data-ply="(\d)"', chart) == ["0", "1", "2"]
    assert chart.count('class="here"') == 1
    assert "&lt;10&gt;" in chart
    assert 'class="column"' not in evaluation_chart("t", "plies", [0, 10, None])
