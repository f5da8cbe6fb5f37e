"""Many who play at once at a real server, and strangers who send it nonsense."""

from collections.abc import Iterator

import pytest

from benchmarks.tools import webload
from benchmarks.tools.webfuzz import fuzz
from benchmarks.tools.webserver import WebServer
from support import thoroughly


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server without limits of rate."""
    with WebServer(tmp_path_factory.mktemp("flooded"), unlimited=True) as started:
        yield started


def test_forty_people_play_at_once_without_an_error(
    flooded: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webload, "PACE", 0.0)  # nobody waits between two moves
    load = webload.play_together(flooded, sessions=40, moves=5)
    assert load.errors == []
    assert len(load.answers) == len(load.pushes) == 200


@pytest.mark.parametrize(
    "messages", [160, *thoroughly(1200), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_nonsense_is_answered_with_a_refusal_and_touches_nobody_s_game(
    flooded: WebServer, messages: int
) -> None:
    found = fuzz(flooded, messages, seed=messages)
    assert found.wrong == []
    assert found.untouched
    assert found.statuses.total() == messages
    assert flooded.process is not None and flooded.process.poll() is None
    assert "Traceback" not in flooded.log
