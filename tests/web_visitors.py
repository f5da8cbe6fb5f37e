"""Browsers that visit the pages: each with its own cookies."""

import html
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from starlette.testclient import TestClient

T = TypeVar("T")

ADDRESS = "http://127.0.0.1:8000"

#: Options of games in the tests, which forms have with a prefix.
OPTIONS = ("size", "rounds", "level", "first", "row", "rows", "columns", "pits", "seeds")


def fields_of(given: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form that sets up a game."""
    return {f"option.{name}" if name in OPTIONS else name: text for name, text in given.items()}


class Visitor:
    """A browser without script; it keeps its cookies to itself."""

    def __init__(self, server: TestClient) -> None:
        self.client = TestClient(server.app, base_url=ADDRESS, raise_server_exceptions=False)
        self.client.portal = server.portal  # the server's own loop

    def service(self, kind: type[T]) -> T:
        """The server's service of a class."""
        service: T = self.client.app.state.services[kind]  # type: ignore[attr-defined]  # Starlette's
        return service

    def get(self, path: str, **headers: str) -> Any:
        """Asks for a page."""
        return self.client.get(path, headers=headers, follow_redirects=False)

    def post(self, path: str, fragment: bool = False, **fields: str) -> Any:
        """Sends a form from one of the server's own pages."""
        headers = {"origin": ADDRESS} | ({"papan-fragment": "1"} if fragment else {})
        return self.client.post(path, data=fields, headers=headers, follow_redirects=False)

    def live(self, path: str) -> Any:
        """The live connection of a game's page."""
        address = f"{ADDRESS.replace('http', 'ws')}{path}/live"
        return self.client.websocket_connect(address, headers={"origin": ADDRESS})

    def begin(self, kind: str, **fields: str) -> str:
        """Sets a game up; returns the path of its page."""
        form = {
            "game": "adjacency",
            "name": "Ani",
            "other": "Budi",
            "side": "x",
            **fields_of(fields),
        }
        answer = self.post(f"/new/{kind}", **form)
        assert answer.status_code == 303, answer.text
        path: str = answer.headers["location"]
        return path

    def play(self, path: str, *moves: str) -> Any:
        """Makes moves; returns the last answer."""
        for move in moves:
            answer = self.post(f"{path}/move", fragment=True, move=move)
        return answer


def text_of(page: str, id: str) -> str:
    """The text of the element of that id, which has no elements inside."""
    found = re.search(rf'id="{id}"[^>]*>([^<]*)<', page)
    assert found, f"no {id}"
    return found[1]


def plies_of(page: str) -> int:
    """How many moves the game on a page has."""
    found = re.search(r'data-plies="(\d+)"', page)
    assert found
    return int(found[1])


def mark_of(page: str, square: str) -> str:
    """The class names of a square's button, `cell` apart."""
    found = re.search(rf'id="at-{square}" class="cell ([a-z]*)"', page)
    assert found
    return found[1]


def board_sheet_of(page: str) -> str:
    """The address of the style sheet that lays a page's board out."""
    found = re.search(r'href="([^"]*/board\.css[^"]*)"', page)
    assert found
    return html.unescape(found[1])
