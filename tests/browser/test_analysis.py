"""The analysis in real browsers: it is evaluated without a click, shows, plays and remembers."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from web_browsers import PHONE, Table, set_up

Visit = Callable[..., Any]

#: A game of four moves that an engine solves at once, and what was played of it.
GAME = "/analysis?game=adjacency%3Asize%3D4%2Crounds%3D2&moves=b3+c2+a4+d1"
#: An engine that is used for the first time is compiled first: a slow machine takes its time.
COMPILED = 120_000

VALUES = ".worth.proven"


@pytest.fixture
def analysed(visit: Visit, server: WebServer) -> Any:
    """The page of the game before its last two moves, once the engine has valued the moves."""
    page = visit()
    page.goto(f"{server.address}{GAME}&ply=2")
    page.locator(VALUES).first.wait_for(timeout=COMPILED)
    return page


def test_a_game_is_evaluated_without_a_click_and_its_lines_can_be_played(
    analysed: Any,
) -> None:
    assert analysed.locator(".verdict .value").inner_text()
    assert analysed.locator(".evalbar").get_attribute("aria-label") != "Evaluation: unknown"
    assert analysed.locator(".choice, .arrow").count() >= 2
    legal = analysed.locator(".cell.target").count()
    assert analysed.locator(".worth").count() == legal  # they are proven
    analysed.locator(".accuracies").wait_for(timeout=COMPILED)
    # Over each ply of two pictures: of the chances, and, a little later, of what is proven.
    analysed.locator(".chart .column").nth(9).wait_for(state="attached", timeout=COMPILED)
    assert analysed.locator(".chart .column").count() == 10
    _draws_and_clears(analysed)
    _shows_and_plays(analysed)


def test_each_position_that_one_steps_to_is_evaluated_while_the_engine_is_on(analysed: Any) -> None:
    first = analysed.locator("#analysis").get_attribute("data-about")
    analysed.keyboard.press("ArrowLeft")
    analysed.locator("#history [aria-current]", has_text="b3").wait_for()
    analysed.locator(VALUES).first.wait_for(timeout=COMPILED)
    assert analysed.locator("#analysis").get_attribute("data-about") != first
    analysed.locator(".chart .column[data-ply='2']").first.click(timeout=COMPILED)
    analysed.locator("#history [aria-current]", has_text="c2").wait_for()
    # What was found before is there with the answer, and nothing is looked for again.
    analysed.locator(VALUES).first.wait_for()
    assert analysed.locator("#analysis").get_attribute("data-about") == first
    _switches_off_and_on(analysed)


def _switches_off_and_on(analysed: Any) -> None:
    """The engine that was switched off stays off, on other positions and when one comes back."""
    analysed.locator("#engine-on").uncheck()
    analysed.reload()
    analysed.locator("#history [aria-current]", has_text="c2").wait_for()
    assert not analysed.locator("#engine-on").is_checked()
    analysed.keyboard.press("Home")
    analysed.locator("[data-step='first'][aria-disabled]").wait_for()
    assert analysed.locator("#look").inner_text() == "Analyse"
    analysed.locator("#engine-on").check()
    analysed.locator(VALUES).first.wait_for(timeout=COMPILED)


def _shows_and_plays(analysed: Any) -> None:
    """A line shows the board that it leads to, and a click plays it."""
    link = analysed.locator(".lines .pv a").first
    move = link.inner_text()
    link.hover()
    shown = analysed.locator(".preview svg")
    shown.wait_for()
    assert move in (shown.locator(".last").first.get_attribute("data-square") or "")
    link.click()
    analysed.locator("#history [aria-current]", has_text=move).wait_for()


def _draws_and_clears(analysed: Any) -> None:
    """The right button draws arrows and marks; a click clears them, and nothing else."""
    boxes = [
        analysed.locator(f".cell[data-square='{name}']").bounding_box() for name in ("a1", "c3")
    ]
    spots = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    mouse, marks = analysed.mouse, analysed.locator(".own-mark")
    mouse.move(*spots[0])
    mouse.down(button="right")
    mouse.move(*spots[1])
    mouse.up(button="right")
    assert analysed.locator("path.own-mark.head").count() == 1
    mouse.click(*spots[1], button="right")
    assert analysed.locator("circle.own-mark").count() == 1
    mouse.click(*spots[1], button="right")  # once more takes it away
    assert analysed.locator("circle.own-mark").count() == 0
    mouse.click(*spots[0])  # a piece of one's own: nothing is played there
    marks.first.wait_for(state="detached")


#: Pages on which a move of Corners can be made: a piece is chosen, then a place.
BOARDS = ("/analysis?game=corners", "/puzzles?game=corners")


@pytest.fixture(params=BOARDS)
def pieces(visit: Visit, server: WebServer, request: pytest.FixtureRequest) -> Any:
    """A page with a board, while no engine looks at it."""
    page = visit()
    page.add_init_script("localStorage.setItem('papan-engine', 'off')")
    page.goto(f"{server.address}{request.param}", wait_until="networkidle")
    return page


def test_no_click_that_chooses_or_means_nothing_asks_the_server(pieces: Any) -> None:
    asked: list[str] = []
    pieces.on("request", lambda request: asked.append(request.url))  # browsers ask for the icon
    own = [cell.get_attribute("data-square") for cell in pieces.locator(".cell.source").all()]
    for name in own[:3]:
        pieces.locator(f"#at-{name}").click()
        assert pieces.locator("#board g.selected").get_attribute("data-square") == name
        assert pieces.locator("#board g.target").count() == pieces.locator(".cell.target").count()
        assert pieces.locator(".cell.target").count() > 0
    assert "chosen" in (pieces.locator(f"#at-{own[2]}").get_attribute("aria-label") or "")
    pieces.keyboard.press("Escape")
    assert pieces.locator(".cell.target").count() == 0
    nothing = pieces.locator(".cell:not(.source)").first
    nothing.click()
    assert nothing.get_attribute("data-square") in pieces.locator("#problem").inner_text()
    assert [url for url in asked if "icon.svg" not in url] == []


def test_the_own_move_is_painted_before_the_server_answers(pieces: Any) -> None:
    held: list[Any] = []
    pieces.route(lambda url: "move=" in url, lambda route: held.append(route))
    pieces.locator(".cell.source").first.click()
    to = pieces.locator(".cell.target").first.get_attribute("data-square")
    pieces.locator(f"#at-{to}").click()
    assert pieces.locator(f"#board g[data-square='{to}'] > .piece").count() == 1
    wait_for(pieces, lambda: len(held) == 1)
    held[0].continue_()
    pieces.locator(f"#history [aria-current], #played, #problem:has-text('{to}')").wait_for()


def test_no_step_through_a_record_asks_the_server(visit: Visit, server: WebServer) -> None:
    page = visit()
    set_up(page, server.address, "shared", game="adjacency", size="4", rounds="2")
    table = Table(page, "adjacency:size=4,rounds=2")
    for move in ("b3", "c2", "a4", "d1"):
        table.move(move)
    record = f"{server.address}/records/{page.url.rpartition('/')[2]}"
    page.goto(record, wait_until="networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))  # browsers ask for the icon
    page.keyboard.press("ArrowLeft")
    page.locator("[data-step='back']").click()
    page.locator(".moves a[data-ply='1']").click()
    assert [url for url in asked if "icon.svg" not in url] == []
    assert page.url == f"{record}?ply=1"
    assert page.locator(".moves [aria-current]").inner_text() == "b3"
    assert page.locator("#board g.last").get_attribute("data-square") == "b3"
    assert "ply=1" in (page.locator("a[data-at]").first.get_attribute("href") or "")
    page.locator("html:not(.moving)").wait_for()
    shown = page.locator("#pieces").inner_text(), page.locator("#board svg").inner_html()
    page.reload()
    assert (page.locator("#pieces").inner_text(), page.locator("#board svg").inner_html()) == shown


def test_steps_and_known_lines_are_shown_before_the_server_answers(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    page.add_init_script("localStorage.setItem('papan-engine', 'off')")
    page.clock.install(time=0)
    page.goto(f"{server.address}{GAME}", wait_until="networkidle")
    page.clock.pause_at(3_600_000)
    held: list[Any] = []
    page.route(lambda url: "/analysis?" in url, lambda route: held.append(route))
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#board g.last").count() == 0
    assert page.url.endswith("ply=0")
    page.keyboard.press("ArrowRight")
    assert page.locator("#board g.last").get_attribute("data-square") == "b3"
    assert not held
    page.clock.run_for(1000)
    wait_for(page, lambda: bool(held))
    assert [request.request.url[-5:] for request in held] == ["ply=1"]  # not one for each step
    page.clock.resume()
    held[0].continue_()
    page.locator("#analysis[data-ply='1']").wait_for()
    assert page.locator("#history [aria-current]").inner_text() == "b3"


@pytest.mark.thorough
def test_a_variation_that_was_shown_needs_no_answer(visit: Visit, server: WebServer) -> None:
    page = visit()
    page.add_init_script("localStorage.setItem('papan-engine', 'off')")
    page.goto(f"{server.address}{GAME}&ply=2", wait_until="networkidle")
    page.locator("#at-b4").click()
    page.locator(".variations a[aria-current]", has_text="b4").wait_for()
    page.route(lambda url: "/analysis?" in url, lambda route: None)
    page.locator(".variations a", has_text="d1").click()
    page.locator("#board g.last[data-square='d1']").wait_for(state="attached")


def wait_for(page: Any, holds: Callable[[], bool]) -> None:
    """Waits until something holds, while the page goes on."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError


@pytest.mark.thorough
def test_a_tree_is_an_outline_on_a_phone_and_a_picture_elsewhere(
    visit: Visit, server: WebServer
) -> None:
    page = visit(**PHONE)
    page.goto(f"{server.address}/teach?numbers=[[3,12],[2,4]]&algorithm=minimax")
    leaf = page.locator(".branches .leaf").first
    assert leaf.is_visible()
    assert not page.locator(".tree .sheet").is_visible()
    page.locator(".branches summary").first.tap()
    leaf.wait_for(state="hidden")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator(".tree .sheet").is_visible()
    assert not page.locator(".branches").is_visible()


@pytest.mark.thorough
def test_an_analysis_is_named_kept_and_forgotten(visit: Visit, server: WebServer) -> None:
    page = visit()
    page.add_init_script("localStorage.setItem('papan-engine', 'off')")
    page.goto(f"{server.address}{GAME}&others=b3+c2+d1")
    page.locator(".variations a", has_text="d1").first.wait_for()
    page.locator("#title").fill("Mine")
    page.locator("#keep").click()
    kept = page.locator("#kept-list a", has_text="Mine")
    kept.wait_for()
    page.goto(f"{server.address}/analysis?game=platforms")
    kept.click()
    page.locator(".variations a", has_text="d1").first.wait_for()
    assert page.locator("#title").input_value() == "Mine"
    page.locator("#kept-list button").click()
    kept.wait_for(state="detached")
