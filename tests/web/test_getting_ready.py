"""Programs that have to be made ready first: their games say so, and no clock runs meanwhile."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from papan.web.play import live_games
from papan.web.play.live_game import Preparation, seconds_left
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
def ani(tmp_path: Path, gate: Path) -> Iterator[Visitor]:
    """A browser at a server with a bot that takes its time to get ready."""
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
    assert text_of(waiting, "status") == "Preparing …"
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
    ("language", "preparation", "said"),
    [
        ("id", Preparation(), "Menyiapkan …"),
        ("en", Preparation(2, 7), "Compiling (once): part 3 of 7"),
        *thoroughly(
            ("en", Preparation(), "Preparing …"),
            ("id", Preparation(2, 7), "Mengompilasi (sekali saja): bagian 3 dari 7"),
        ),
    ],
)
def test_getting_ready_is_said_in_the_reader_s_language(
    ani: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    preparation: Preparation,
    said: str,
) -> None:
    monkeypatch.setattr(live_games, "_preparation", lambda stages: preparation)
    ani.client.headers["accept-language"] = language
    path = ani.begin("solo", size="4", opponent="named:sleeper", side="o")
    page = _until(lambda: ani.get(path).text, lambda text: 'id="preparing"' in text)
    assert text_of(page, "status") == said
    assert ('max="7" value="2"' in page) == bool(preparation.parts)


def test_the_seconds_that_are_left_grow_once_a_compilation_is_late(
    ani: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = time.time() - 3600.0
    monkeypatch.setattr(live_games, "_preparation", lambda stages: Preparation(2, 7, end))
    path = ani.begin("solo", size="4", opponent="named:sleeper", side="o")
    page = _until(lambda: ani.get(path).text, lambda text: 'id="preparing"' in text)
    found = re.fullmatch(
        r"Compiling \(once\): part 3 of 7, about (\d+) s left", text_of(page, "status")
    )
    assert found and int(found[1]) >= 3600
    assert "about {seconds} s left" in page
    assert [seconds_left(left) for left in (9.5, 0.2, -0.2, -46.0)] == [10, 1, 1, 46]
