"""The first page: its size, and the chooser, which filters while one types."""

from collections.abc import Callable
from typing import Any

from benchmarks.tools.webserver import WebServer
from web_browsers import DESKTOP, PHONE

Visit = Callable[..., Any]

#: All that a first visit loads, in bytes.
MOST_BYTES = 100_000

_LOADED = """() => [
  ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource"),
].map((entry) => entry.transferSize)"""


def shown(page: Any) -> list[str]:
    """The titles of the games that the filter shows."""
    titles: list[str] = page.locator(".games-wall li:visible span").all_inner_texts()
    return titles


def open_menu(page: Any, server: WebServer) -> None:
    """Loads the menu and closes its splash."""
    page.goto(f"{server.address}/")
    splash = page.locator("[data-splash]:not(.gone) [data-splash-skip]")
    if splash.count():
        splash.click()


def test_the_first_page_is_light(visit: Visit, server: WebServer) -> None:
    page = visit()
    page.goto(f"{server.address}/", wait_until="load")
    sizes = page.evaluate(_LOADED)
    assert len(sizes) >= 3
    assert sum(sizes) < MOST_BYTES


def test_the_menu_filters_while_one_types_and_enter_starts_the_first_game(
    visit: Visit, server: WebServer
) -> None:
    page = visit(**DESKTOP)
    open_menu(page, server)
    search = page.locator(".finder input[type=search]")
    search.fill("HE")
    assert shown(page) == ["Checkers", "Chess", "Hex", "Minichess", "Othello"]
    page.locator(".finder select").select_option("connection")
    assert shown(page) == ["Hex"]
    search.fill("nothing")
    assert page.locator("[data-nothing]").is_visible()
    page.locator(".finder select").select_option("")
    search.fill("tic tac")
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    assert "Tic tac toe" in page.title()


def test_a_phone_shows_three_boards_in_a_row_and_a_tap_starts_a_game(
    visit: Visit, server: WebServer
) -> None:
    page = visit(**PHONE)
    open_menu(page, server)
    boxes = [card.bounding_box() for card in page.locator(".game-card").all()[:4]]
    tops = [round(box["y"]) for box in boxes]
    assert tops[0] == tops[1] == tops[2] < tops[3]
    assert page.evaluate("document.documentElement.scrollHeight") < 3200
    page.locator(".game-card", has_text="Platforms").tap()
    page.wait_for_url("**/game/*")


def test_the_chooser_stays_open_while_the_analysis_goes_on(visit: Visit, server: WebServer) -> None:
    page = visit(**DESKTOP)
    page.goto(f"{server.address}/analysis?game=tictactoe")
    page.locator("#chooser > summary").click()
    page.locator("#finding .verdict").wait_for()
    page.locator(".finder input[type=search]").fill("othe")
    assert shown(page) == ["Othello"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/analysis?game=othello")


def test_the_puzzle_of_the_day_is_tried_on_the_first_page(visit: Visit, server: WebServer) -> None:
    page = visit()
    page.goto(f"{server.address}/", wait_until="networkidle")
    page.locator("#puzzle .cell.source, #puzzle .cell.target").first.click()
    if page.locator("#puzzle g.selected").count():
        page.locator("#puzzle .cell.target").first.click()
    page.locator("#problem:not(:empty), #played").first.wait_for()
    assert page.url == f"{server.address}/"
    assert page.locator("#puzzle .chooser").count() == 0
    assert page.locator(".games-wall").count() == 1
