"""Programs that have to be made ready first: their games say so, and no clock runs meanwhile."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.engines import engine_pool
from papan.web.http.settings import ServerSettings
from support import thoroughly, wait_until
from web_visitors import ADDRESS, Visitor, plies_of, text_of

#: A bot that is ready once a file is there.
BOT = """
import time
from pathlib import Path

while not Path({gate!r}).exists():
    time.sleep(0.02)

def choose(position, limit):
    return position.moves()[0]
"""


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """The file that makes the bot ready as soon as it is there."""
    return tmp_path / "gate"


@pytest.fixture
def ani(tmp_path: Path, gate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visitor]:
    """A browser at a server with a bot that takes its time to get ready."""
    monkeypatch.setattr(engine_pool, "FIRST_PREPARATION", 3600.0)
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(gate=str(gate)))
    settings = ServerSettings(
        processes=1,
        database=str(tmp_path / "games.sqlite"),
        folder=tmp_path,
        players={"sleeper": f"python:{bot}"},
        language="en",
        warm=False,
    )
    with TestClient(create_app(settings), base_url=ADDRESS) as server:
        yield Visitor(server)


def _until(page: Callable[[], str], holds: Callable[[str], bool]) -> str:
    """The page, as soon as something holds of it."""
    return wait_until(lambda: text if holds(text := page()) else "")


def _clock_of(page: str, side: str) -> tuple[float, bool]:
    """The time that a side has left, and whether it runs."""
    plate = page.partition(f'id="plate-{side}"')[2].partition("</section>")[0]
    left = re.search(r'data-left="([^"]+)"', plate)
    assert left
    return float(left[1]), "data-ticking" in plate


def test_a_program_that_gets_ready_says_so_and_is_on_nobody_s_clock(
    ani: Visitor, gate: Path
) -> None:
    path = ani.begin("solo", size="4", opponent="named:sleeper", clock="10+5")

    def page() -> str:
        text: str = ani.get(path).text
        return text

    ani.play(path, "b3")
    waiting = _until(page, lambda text: 'id="preparing"' in text)
    assert re.fullmatch(r"Compiling \(once\): \d+ s left", text_of(waiting, "status"))
    assert _clock_of(waiting, "o") == (600.0, False)
    assert _clock_of(waiting, "x")[1] is False
    assert _clock_of(page(), "o") == (600.0, False)
    gate.touch()
    answered = _until(page, lambda text: plies_of(text) == 2)
    assert 'id="preparing"' not in answered
    left, _ = _clock_of(answered, "o")
    assert 600.0 < left <= 605.0


@pytest.mark.thorough
def test_a_move_taken_back_while_the_program_gets_ready_is_forgotten(
    ani: Visitor, gate: Path
) -> None:
    path = ani.begin("solo", size="4", opponent="named:sleeper", clock="1+1")
    ani.play(path, "b3")
    _until(lambda: ani.get(path).text, lambda text: 'id="preparing"' in text)
    page = ani.post(f"{path}/undo", fragment=True).text
    assert 'id="preparing"' not in page
    assert text_of(page, "status") == "Your turn."
    gate.touch()
    ani.play(path, "c2")
    page = _until(lambda: ani.get(path).text, lambda text: text_of(text, "status") == "Your turn.")
    assert plies_of(page) == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [("id", "Mengompilasi (sekali saja):"), *thoroughly(("en", "Compiling (once):"))],
)
def test_getting_ready_is_said_in_the_reader_s_language(
    ani: Visitor, language: str, said: str
) -> None:
    ani.client.headers["accept-language"] = language
    path = ani.begin("solo", size="4", opponent="named:sleeper", side="o")
    page = _until(lambda: ani.get(path).text, lambda text: 'id="preparing"' in text)
    assert text_of(page, "status").startswith(said)
