"""Many who play at once at a real server, and strangers who send it nonsense."""

from collections.abc import Iterator

import pytest

from benchmarks.tools.timing import cpu_seconds
from benchmarks.tools.webfuzz import fuzz
from benchmarks.tools.webload import play_together
from benchmarks.tools.webserver import WebServer
from support import thoroughly

#: The server's processor time for forty first sights of a game and 200 moves with their pushes, in
#: units of a loop of Python: some 6. A processor's time hardly grows where it is shared with other
#: tests, unlike how long people wait; that is measured by `make bench ARGS=web`.
MOST_UNITS = 12.0
UNIT = 15_000_000


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """A server without limits of rate."""
    with WebServer(tmp_path_factory.mktemp("flooded"), unlimited=True) as started:
        yield started


def test_forty_people_play_at_once_without_an_error(flooded: WebServer) -> None:
    _, unit = cpu_seconds(lambda: sum(i * i for i in range(UNIT // 10)))
    before = flooded.seconds
    load = play_together(flooded, sessions=40, moves=5)
    assert load.errors == []
    assert len(load.answers) == len(load.pushes) == 200
    assert flooded.seconds - before < MOST_UNITS * 10 * unit


@pytest.mark.parametrize(
    "messages", [400, *thoroughly(1200), pytest.param(10_000, marks=pytest.mark.long)]
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
