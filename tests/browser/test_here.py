"""Games against programs that the browser plays by itself, on a server's own pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.tools.webserver import WebServer
from support import wait_until
from web_browsers import ONE_ENGINE

Visit = Callable[..., Any]


def test_a_game_is_played_here_and_kept_there(visit: Visit, tmp_path: Path) -> None:
    with WebServer(tmp_path, ONE_ENGINE) as server:
        page = visit()
        page.goto(f"{server.address}/new/solo?game=tictactoe")
        page.click("form.setup .actions .button")
        page.wait_for_selector("html.ready")
        assert "/here?" in page.url
        while not page.get_attribute("[data-game]", "data-over"):
            if page.query_selector(".cell.target"):
                page.click(".cell.target")
            page.wait_for_timeout(50)

        def is_kept() -> bool:  # the record may be written after the page was asked for
            page.goto(f"{server.address}/records")
            return bool(page.get_by_text("Player 1").count())

        wait_until(is_kept)
        assert "Tic tac toe" in page.inner_text("main")
