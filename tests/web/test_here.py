"""Games against programs that browsers play by themselves: the server keeps the results."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

import papan
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.play.live_store import LiveStore
from web_visitors import ADDRESS, Visitor

SOLO = {"game": "tictactoe", "opponent": "level:1", "here": "1"}
#: A game that `x` wins.
WON = "a1 b1 a2 b2 a3"
FINISHED = {
    "game": "tictactoe",
    "side": "x",
    "name": "Ani",
    "opponent": "level:1",
    "moves": WON,
    "resigned": "",
}


def facts_on(page: str) -> dict[str, object]:
    """The facts of a page for its script."""
    found = re.search(r'<script type="application/json" id="export">(.*?)</script>', page)
    assert found is not None
    facts: dict[str, object] = json.loads(found[1])
    return facts


def test_a_browser_that_can_plays_by_itself(ani: Visitor) -> None:
    path = ani.begin("solo", **SOLO)
    assert path.startswith("/here?game=tictactoe&opponent=level%3A1&side=x&name=Ani&")
    facts = facts_on(ani.get(path).text)
    assert facts["players"] == {"x": "", "o": "level:1"}
    wasm = facts["wasm"]
    assert isinstance(wasm, dict)
    answer = ani.get(wasm["url"])
    assert answer.headers["content-type"] == "application/wasm"
    assert answer.content.startswith(b"\0asm")


@pytest.mark.parametrize(
    "more",
    [
        {"here": ""},
        {"clock": "3+2"},
        {"opponent_spec": "minimax:depth=1"},
        {"opponent": "named:the house's"},
    ],
)
def test_the_server_plays_what_a_browser_cannot(ani: Visitor, more: dict[str, str]) -> None:
    assert ani.begin("solo", **{**SOLO, **more}).startswith("/game/")


def test_a_finished_game_is_kept_like_any_other(ani: Visitor) -> None:
    answer = ani.post("/here/record", **FINISHED)
    page = ani.get(f"/records/{answer.json()['id']}").text
    assert "Ani" in page and "Level 1" in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"moves": "a1 b1"},
        {"moves": "a1 a1"},
        {"moves": "nonsense"},
        {"game": "nosuch"},
        {"side": "z"},
        {"opponent": "engine"},
        {"name": ""},
    ],
)
def test_a_game_that_cannot_be_is_refused(ani: Visitor, wrong: dict[str, str]) -> None:
    assert 400 <= ani.post("/here/record", **{**FINISHED, **wrong}).status_code < 500


def test_a_resigned_game_is_lost(ani: Visitor) -> None:
    answer = ani.post("/here/record", **{**FINISHED, "moves": "a1 b1", "resigned": "1"})
    record = ani.service(LiveStore).store.get(answer.json()["id"])
    assert (record.result, record.termination) == ("o", "resignation")


@pytest.mark.parametrize(
    "address",
    [
        "/here?game=tictactoe&opponent=nobody&side=x&name=Ani",
        "/here?game=tictactoe&opponent=level:1&side=z&name=Ani",
        "/module/exe?game=tictactoe",
        "/module/wasm?game=nosuch",
    ],
)
def test_an_address_that_is_wrong_is_refused(ani: Visitor, address: str) -> None:
    assert 400 <= ani.get(address).status_code < 500


@pytest.fixture
def thinking(settings: ServerSettings) -> Iterator[Visitor]:
    """A visitor of a server whose programs all think on the server."""
    app = create_app(replace(settings, server_engines=True))
    with TestClient(app, base_url=ADDRESS) as client:
        yield Visitor(client)


def test_a_server_may_think_for_everybody(thinking: Visitor) -> None:
    assert thinking.begin("solo", **SOLO).startswith("/game/")


def test_a_module_is_that_of_the_package(ani: Visitor) -> None:
    from papan.browser.modules import module_for

    found = ani.get("/module/bin?game=connect_four").content
    assert found == module_for(papan.game("connect_four")).weights
