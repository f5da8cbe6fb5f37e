"""Choices during a move: beside the square, by keyboard, and clicks that come too late."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from web_browsers import PHONE, set_up

Visit = Callable[..., Any]


def cell(page: Any, name: str) -> Any:
    return page.locator(f".cell[data-square='{name}']")


def test_a_turn_is_chosen_beside_the_square_on_a_phone(visit: Visit, server: WebServer) -> None:
    page = visit(**PHONE)
    set_up(page, server.address, "shared", "touch", game="pentago")
    cell(page, "a1").tap()
    cell(page, "b2").tap()
    words = page.locator("#words.beside")
    words.wait_for()
    box, square = words.bounding_box(), cell(page, "b2").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["viewport"]["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["viewport"]["height"]
    assert abs(box["y"] - square["y"]) < box["height"] + 2 * square["height"]
    words.locator("button").first.tap()
    words.wait_for(state="hidden")
    page.locator("#moves a[data-ply='1']").wait_for()


def test_a_choice_takes_the_focus_and_gives_it_back(visit: Visit, server: WebServer) -> None:
    page = visit()
    set_up(page, server.address, "shared", game="pentago")
    for name in ("a1", "b2"):
        cell(page, name).focus()
        page.keyboard.press("Enter")
    page.locator("#words.beside button:focus").wait_for()
    page.keyboard.press("Escape")
    page.locator("#words").wait_for(state="hidden")
    page.locator(".cell[data-square='b2']:focus").wait_for()


@pytest.mark.thorough
def test_a_click_on_the_rest_of_a_complete_move_is_not_refused(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    set_up(page, server.address, "shared", game="checkers")
    played = []
    for name, *rest in (("c3", "d4"), ("f6", "e5"), ("d4", "f6"), ("g7", "e5")):
        cell(page, name).click()
        for there in rest:
            cell(page, there).click()
        played.append(name)
        page.locator(f"#moves a[data-ply='{len(played)}']").wait_for()
        assert page.locator("#notice").inner_text() == ""
