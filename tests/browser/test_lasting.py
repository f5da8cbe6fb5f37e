"""What survives a page that is loaded anew, and a server that is killed in mid-game."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from web_browsers import ONE_ENGINE, Table, set_up

Visit = Callable[..., Any]

pytestmark = pytest.mark.thorough

SPEC = "adjacency:size=4"


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[WebServer]:
    """A server that may be killed."""
    with WebServer(tmp_path / "server", ONE_ENGINE) as started:
        yield started


def test_nothing_is_lost_by_a_reload_or_by_a_kill_of_the_server_in_mid_game(
    visit: Visit, mortal: WebServer
) -> None:
    page = visit()
    set_up(page, mortal.address, "shared", game="adjacency", size="4")
    table = Table(page, SPEC)
    for move in ("b3", "c2", "a4"):
        table.move(move)
    page.reload()
    assert table.listed() == ["b3", "c2", "a4"]
    table.move("b4")
    mortal.kill()
    mortal.start()
    page.reload()
    assert table.listed() == ["b3", "c2", "a4", "b4"]
    table.move("d2")
    assert table.listed() == ["b3", "c2", "a4", "b4", "d2"]


def test_a_page_that_stays_open_while_the_server_is_killed_goes_on_by_itself(
    visit: Visit, mortal: WebServer
) -> None:
    """The page says that it has lost the server, and connects again when there is one."""
    page = visit()
    set_up(page, mortal.address, "solo", game="adjacency", size="4", opponent_spec="first")
    table = Table(page, SPEC)
    table.move("b3")
    table.wait_for_reply()
    mortal.kill()
    table.press(page, "#at-d1")
    page.locator("#notice:not(:empty)").wait_for()
    assert table.listed() == table.moves
    mortal.start()
    table.move("d1")
    table.wait_for_reply()
    assert table.listed() == table.moves
