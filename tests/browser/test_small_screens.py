"""Boards on phones: wide ones are turned, small squares are enlarged under a finger."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from support import thoroughly
from web_browsers import LYING, PHONE, Table, by_chance, set_up

Visit = Callable[..., Any]

#: Width of the smallest square in pixels.
_SMALLEST = """() => Math.min(...[...document.querySelectorAll(".cell")].map(cell => {
  const box = cell.getBoundingClientRect();
  return Math.min(box.width, box.height);
}))"""

#: Largest distance between the middle of a square's button and that of its drawing, in pixels.
_APART = """() => Math.max(...[...document.querySelectorAll(".cell")].map(cell => {
  const square = document.querySelector(`#board g[data-square="${cell.dataset.square}"] > .tile`);
  const [one, other] = [cell, square].map(thing => thing.getBoundingClientRect());
  const x = one.x + one.width / 2 - other.x - other.width / 2;
  return Math.hypot(x, one.y + one.height / 2 - other.y - other.height / 2);
}))"""

#: The way in which the text of labels runs, as the width and height of the longest one.
_LABEL = """() => {
  const labels = [...document.querySelectorAll("#board .label")];
  const longest = labels.sort((a, b) => b.textContent.length - a.textContent.length)[0];
  const box = longest.getBoundingClientRect();
  return [box.width, box.height];
}"""

#: Time in milliseconds after which a browser takes a finger as resting; Chromium's is 40.
_REST = 100


class Fingers:
    """Fingers on a page, each with its own way.

    Args:
        page: the page, of Playwright.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.protocol = page.context.new_cdp_session(page)
        self.time: float | None = None  # of all events, in seconds; None for the real time

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        event = {"type": kind, "touchPoints": touches}
        if self.time is not None:
            event["timestamp"] = self.time
        self.protocol.send("Input.dispatchTouchEvent", event)

    def put(self, *points: tuple[float, float]) -> None:
        """Puts fingers down, one after the other."""
        for count in range(1, len(points) + 1):
            self._send("touchStart", *points[:count])

    def move(self, *points: tuple[float, float]) -> None:
        """Moves all fingers and rests: to a browser, a tap right after a fling only ends it."""
        self._send("touchMove", *points)
        self.page.wait_for_timeout(_REST)

    def lift(self) -> None:
        """Lifts all fingers."""
        self._send("touchEnd")

    def tap(self, *point: float) -> None:
        """Taps somewhere; the finger is down only for a moment, however slow the machine is."""
        self.page.touchscreen.tap(*point)

    def tap_twice(self, *point: float) -> None:
        """Taps twice at the same time, however slow the machine is."""
        self.time = time.time()
        for _ in range(2):
            self.put((point[0], point[1]))
            self.lift()
        self.time = None


def middle(page: Any, selector: str) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cell(square: str) -> str:
    """The button of a square."""
    return f".cell[data-square='{square}']"


@pytest.mark.parametrize(
    ("game", "least"), [("kalah", 44), *thoroughly(("quarto", 44), ("hex", 36))]
)
def test_wide_boards_are_turned_on_a_phone(
    visit: Visit, server: WebServer, game: str, least: float
) -> None:
    page = visit(**PHONE)
    set_up(page, server.address, "shared", "touch", game=game)
    board = page.locator("#board").bounding_box()
    assert board["height"] > 1.5 * board["width"]
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    assert board["y"] + board["height"] <= 844
    assert page.evaluate(_SMALLEST) >= least
    assert page.evaluate(_APART) < 2
    width, height = page.evaluate(_LABEL)
    assert width > height or game == "kalah"
    table, choose = Table(page, game, "touch"), by_chance(1)
    for _ in range(3):
        table.move(choose(table.position))
    assert table.listed() == table.moves
    page.set_viewport_size(LYING["viewport"])
    board = page.locator("#board").bounding_box()
    assert board["height"] < board["width"]
    assert board["y"] + board["height"] <= 390
    assert page.evaluate(_APART) < 2


def test_a_finger_on_a_tiny_square_aims_before_it_plays(visit: Visit, server: WebServer) -> None:
    page = visit(**PHONE)
    set_up(page, server.address, "shared", "touch", game="gomoku")
    finger, lens = Fingers(page), page.locator(".lens")
    finger.put(middle(page, cell("c9")))
    assert lens.get_attribute("data-square") == "c9"
    finger.move(middle(page, cell("d8")))
    assert lens.get_attribute("data-square") == "d8"
    finger.lift()
    assert lens.count() == 0
    assert page.locator(".cell.aimed").get_attribute("data-square") == "d8"
    finger.tap(*middle(page, cell("e7")))
    play = page.locator("#words button")
    assert play.inner_text() == "Play e7"
    assert page.locator("#moves a[data-ply]").count() == 0
    finger.tap(*middle(page, "#words button"))
    page.locator("#moves a[data-ply='1']").wait_for()
    for _ in range(2):
        finger.tap(*middle(page, cell("f7")))
    page.locator("#moves a[data-ply='2']").wait_for()
    assert page.locator("#moves a[data-ply]").all_inner_texts() == ["e7", "f7"]
    assert page.locator(".cell.aimed").count() == 0


def test_two_fingers_zoom_a_board_and_one_moves_it(visit: Visit, server: WebServer) -> None:
    page = visit(**PHONE)
    set_up(page, server.address, "shared", "touch", game="gomoku")
    fingers = Fingers(page)
    before, edge = page.locator("#board").bounding_box(), page.evaluate(_SMALLEST)
    x, y = middle(page, cell("h8"))
    fingers.put((x - 30, y), (x + 30, y))
    fingers.move((x - 60, y), (x + 60, y))
    fingers.lift()
    assert page.evaluate(_SMALLEST) == pytest.approx(2 * edge, rel=0.05)
    assert middle(page, cell("h8")) == pytest.approx((x, y), abs=3)
    assert page.locator("#board").bounding_box() == before
    assert page.evaluate("visualViewport.scale") == 1
    fingers.put((x, y))
    fingers.move((x + 20, y + 30))
    fingers.move((x + 40, y + 60))
    fingers.lift()
    assert middle(page, cell("h8")) == pytest.approx((x + 40, y + 60), abs=3)
    assert page.locator("#moves a[data-ply]").count() == 0
    fingers.tap(*middle(page, cell("h8")))
    page.locator("#moves a[data-ply='1']").wait_for()
    fingers.tap_twice(*middle(page, cell("h8")))
    page.locator("#board:not(.zoomed)").wait_for()
    assert page.evaluate(_SMALLEST) == pytest.approx(edge, rel=0.01)


def test_a_table_on_a_phone_aims_and_plays(visit: Visit, server: WebServer) -> None:
    page = visit(**PHONE)
    set_up(page, server.address, "shared", "touch", game="gomoku")
    table = Table(page, "gomoku", "touch")
    for move in ("a1", "o15"):
        table.move(move)
    assert table.listed() == ["a1", "o15"]


def test_a_mouse_plays_tiny_squares_at_once(visit: Visit, server: WebServer) -> None:
    page = visit(viewport=PHONE["viewport"])
    set_up(page, server.address, "shared", game="gomoku")
    table = Table(page, "gomoku")
    table.move("h8")
    table.press = Table(page, "gomoku", "keyboard").press
    table.move("h9")
    assert table.listed() == ["h8", "h9"]


#: Sums up all layout shifts, also those soon after a tap.
_SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });"""

#: Waits until everything is drawn.
_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

#: Largest sum of the layout shifts of a game.
_MOST_SHIFT = 0.01


@pytest.mark.parametrize(
    "game", ["othello", *thoroughly("kalah", "chess", "pentago", "hex", "adjacency")]
)
def test_nothing_shifts_on_a_phone_during_moves(visit: Visit, server: WebServer, game: str) -> None:
    page = visit(**PHONE)
    page.add_init_script(_SHIFTS)
    set_up(page, server.address, "shared", "touch", game=game, name="W" * 24, other="M" * 24)
    table, choose = Table(page, game, "touch"), by_chance(3)
    for _ in range(6):
        table.move(choose(table.position))
    page.evaluate(_TWO_FRAMES)
    assert sum(page.evaluate("window.shifts")) < _MOST_SHIFT


def test_nothing_shifts_on_a_phone_at_the_end_of_a_game(visit: Visit, server: WebServer) -> None:
    page = visit(**{**PHONE, "viewport": {"width": 390, "height": 1400}})  # all of it is seen
    page.add_init_script(_SHIFTS)
    set_up(page, server.address, "shared", "touch", game="tictactoe")
    table = Table(page, "tictactoe", "touch")
    for move in ("a1", "b1", "a2", "b2", "a3"):
        table.move(move)
    page.locator("#winner[open]").wait_for()
    page.evaluate(_TWO_FRAMES)
    assert sum(page.evaluate("window.shifts")) < _MOST_SHIFT
