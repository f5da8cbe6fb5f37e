"""Real browsers at a real server; without Chromium all of these tests are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from web_browsers import DESKTOP

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server that all tests of a process share; its programs think there."""
    words = ("--server-engines",)
    with WebServer(tmp_path_factory.mktemp("server"), words, unlimited=True) as started:
        yield started


@pytest.fixture
def visit(chromium: Any, thorough: bool) -> Iterator[Callable[..., Any]]:
    """Opens a page in a browser of its own cookies; at the end none may have complained. Without
    a graphics card, what moves on a page takes most of the time: by default it stands still."""
    contexts, complaints = [], []
    default = {**DESKTOP, "locale": "en-GB", "reduced_motion": None if thorough else "reduce"}

    def opened(**how: Any) -> Any:
        context = chromium.new_context(**{**default, **how})
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: _note(complaints, said))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def _note(complaints: list[str], said: Any) -> None:
    """Keeps what a page's console says is wrong; refusals with a sentence are meant to be there."""
    network = ("Failed to load resource", "WebSocket connection to")
    if said.type == "error" and not any(part in said.text for part in network):
        complaints.append(said.text)
