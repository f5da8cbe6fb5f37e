"""The page names the command that teaches a game of the operator's own, to the operator only."""

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.http.allowed import Allowed
from papan.web.http.settings import ServerSettings
from support import GALLERY
from web_visitors import ADDRESS, Visitor

COMMAND = "papan train FILE --time 60"


@pytest.fixture
def own(tmp_path: Path) -> ServerSettings:
    """A server with a game of the operator's own."""
    file = tmp_path / "mine.py"
    text = (GALLERY / "tictactoe.py").read_text(encoding="utf-8")
    file.write_text(f"{text}# {tmp_path}\n", encoding="utf-8")
    kept = {"database": str(tmp_path / "games.sqlite"), "folder": tmp_path, "language": "en"}
    return ServerSettings(processes=1, games={"Mine": str(file)}, warm=False, **kept)


def test_only_a_local_page_offers_it_and_only_for_own_games_without_weights(
    own: ServerSettings, tmp_path: Path
) -> None:
    assert Allowed(own).is_untaught("Mine")
    assert not Allowed(own).is_untaught("corners") and not Allowed(own).is_untaught("nim")
    assert not Allowed(replace(own, host="0.0.0.0")).is_untaught("Mine")
    assert not Allowed(replace(own, hosts=("games.example",))).is_untaught("Mine")
    (tmp_path / "mine.weights").touch()
    assert not Allowed(own).is_untaught("Mine")


def test_the_form_names_the_command_where_a_program_plays(own: ServerSettings) -> None:
    with TestClient(create_app(own), base_url=ADDRESS) as server:
        ani = Visitor(server)
        assert COMMAND in ani.get("/new/solo?game=Mine").text
        assert COMMAND not in ani.get("/new/shared?game=Mine").text
        assert COMMAND not in ani.get("/new/solo?game=corners").text
