"""From a finished game to the exercises of its mistakes."""

from collections.abc import Callable
from typing import Any

from benchmarks.tools.webserver import WebServer
from web_browsers import Table, set_up

Visit = Callable[..., Any]


def test_the_page_of_a_finished_game_leads_to_its_mistakes(visit: Visit, server: WebServer) -> None:
    page = visit()
    set_up(page, server.address, "shared", game="adjacency", size="4", rounds="2")
    Table(page, "adjacency:size=4,rounds=2").play_to_the_end(
        lambda position: position.moves()[0], alone=True
    )
    page.locator("#winner[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("#tools form[data-leaves] button").click()
    page.wait_for_url("**/puzzles/mistakes?**")
    page.locator("h1:has-text('Mistake 1 of'), #task:has-text('No mistake')").wait_for(
        timeout=120_000
    )
