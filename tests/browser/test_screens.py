"""Every screen: the board is where it can be seen, as large as it can be, and nothing jumps."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from benchmarks.tools.webserver import WebServer
from support import thoroughly
from web_browsers import Table, by_chance, set_up
from web_visitors import fields_of

Visit = Callable[..., Any]

pytestmark = pytest.mark.thorough

#: Width and height of screens: desks, tablets and phones, upright and on their side.
SIZES = (
    (1280, 800),
    (1440, 900),
    (2560, 1440),
    (1024, 768),
    (768, 1024),
    (390, 844),
    (844, 390),
    (360, 640),
)

#: The longest names, in the widest letters.
WIDE = {"name": "W" * 24, "other": "M" * 24}

_BOX = """() => {
  const box = document.querySelector("#board").getBoundingClientRect();
  const page = document.documentElement;
  return {
    box: [box.left, box.top, innerWidth - box.right, innerHeight - box.bottom].map(Math.round),
    share: box.height / innerHeight,
    scrolls: [page.scrollWidth > innerWidth, page.scrollHeight > innerHeight],
  };
}"""


def resize(page: Any, size: tuple[int, int]) -> None:
    """Another screen, seen from the top of the page."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("scrollTo(0, 0)")


@pytest.mark.parametrize(
    "game",
    ["adjacency", *thoroughly("hex", "gomoku", "morris", "kalah", "dots_and_boxes", "quarto")],
)
def test_a_board_is_seen_whole_on_every_screen(visit: Visit, server: WebServer, game: str) -> None:
    page = visit()
    set_up(page, server.address, "shared", game=game, **WIDE)
    for size in SIZES:
        resize(page, size)
        found = page.evaluate(_BOX)
        assert min(found["box"]) >= 0, (size, found)
        assert not found["scrolls"][0], size
        if size[0] > size[1]:
            assert not found["scrolls"][1], size
        if game == "adjacency" and size == (2560, 1440):
            assert found["share"] >= 0.85


@pytest.mark.parametrize(
    "address",
    ["/analysis?game=adjacency", "/puzzles?game=corners", *thoroughly("/analysis?game=kalah")],
)
def test_a_board_beside_its_analysis_is_seen_whole_on_every_screen(
    visit: Visit, server: WebServer, address: str
) -> None:
    page = visit()
    page.goto(server.address + address)
    for size in SIZES:
        resize(page, size)
        found = page.evaluate(_BOX)
        assert min(found["box"]) >= 0, (size, found)
        assert not found["scrolls"][0], size
        left, _, right, _ = found["box"]
        assert found["share"] * size[1] >= 160 or left + right <= 40, (size, found)


def test_a_game_can_be_started_on_every_screen_without_scrolling(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    for kind in ("solo", "watch"):
        page.goto(f"{server.address}/new/{kind}")
        for size in SIZES:
            resize(page, size)
            box = page.locator(".setup .actions button").bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size[1], (kind, size)


#: Sums up what has moved on the page without being asked to.
_SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }
}).observe({ type: "layout-shift", buffered: true });"""

#: The most that may shift in a whole game, as browsers measure it.
MOST_SHIFT = 0.01


@pytest.mark.parametrize("size", [(1280, 800), pytest.param((390, 844), marks=pytest.mark.long)])
def test_nothing_shifts_in_a_whole_game(
    visit: Visit, server: WebServer, size: tuple[int, int]
) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]})
    page.context.add_init_script(_SHIFTS)
    fields = {"game": "adjacency", "size": "4", "rounds": "4"}
    set_up(page, server.address, "solo", opponent_spec="first", **fields, name="W" * 24)
    table = Table(page, "adjacency:size=4,rounds=4")
    page.set_default_timeout(120_000)
    table.play_to_the_end(by_chance(2), alone=False)
    page.locator("#result").wait_for()
    assert sum(page.evaluate("window.shifts")) < MOST_SHIFT


def test_nothing_shifts_in_a_contest_from_its_start_to_its_end(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    page.context.add_init_script(_SHIFTS)
    fields = {"player-random": "1", "specs": "first", "pairs": "4", "seconds": "0.05"}
    options = fields_of({"game": "platforms", "size": "3", "level": "1"})
    page.goto(f"{server.address}/tournament?{urlencode(fields | options)}")
    page.locator(".setup .actions button").click()
    page.locator("#contest").wait_for()
    page.locator("#contest[data-live='']").wait_for(timeout=120_000)
    page.locator("#ratings").wait_for()
    page.wait_for_timeout(300)
    assert page.locator("#games tbody a[href]").count() == 8
    assert sum(page.evaluate("window.shifts")) < MOST_SHIFT
