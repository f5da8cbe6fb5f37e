"""Leaving: the session ends, and the server too where that is offered."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from web_visitors import ADDRESS, Visitor


def test_the_menu_leads_to_a_question_and_from_there_to_a_farewell(ani: Visitor) -> None:
    path = ani.begin("solo", opponent="random")
    ani.post("/options", theme="dark")
    assert 'href="/exit"' in ani.get("/").text
    assert "Leave" in ani.get("/exit").text
    assert "papan_session" in ani.client.cookies
    answer = ani.post("/exit")
    assert "Goodbye" in answer.text
    assert set(ani.client.cookies) == {"papan_options"}
    assert "You are watching" in ani.get(path).text


@pytest.fixture
def stopped() -> list[str]:
    return []


@pytest.fixture
def visitors(
    request: pytest.FixtureRequest, settings: ServerSettings, stopped: list[str]
) -> Iterator[Visitor]:
    """A browser at a server that can be stopped, reached by the further hosts of the parameter."""
    app = create_app(replace(settings, hosts=request.param))
    app.state.stop = lambda: stopped.append("stopped")
    with TestClient(app, base_url=ADDRESS) as client:
        yield Visitor(client)


@pytest.mark.parametrize("visitors", [()], indirect=True)
def test_a_visitor_on_the_same_machine_ends_the_server_after_a_question(
    visitors: Visitor, stopped: list[str]
) -> None:
    assert "Leave and stop Papan" in visitors.get("/exit").text
    assert stopped == []
    visitors.post("/exit")
    assert stopped == []
    assert "Papan has stopped" in visitors.post("/exit", end="server").text
    assert stopped == ["stopped"]


@pytest.mark.parametrize("visitors", [("papan.example",)], indirect=True)
def test_nobody_ends_a_server_that_others_reach(visitors: Visitor, stopped: list[str]) -> None:
    assert "stop Papan" not in visitors.get("/exit").text
    assert "Papan has stopped" not in visitors.post("/exit", end="server").text
    assert stopped == []
