"""Options of games have names of their own in forms: none collides with a field of the form."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.usercode import registry
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from usercode.test_loader import HEAP
from web_visitors import ADDRESS, Visitor

#: Fields of forms, which are options of this game as well.
NAMES = ("side", "clock", "game", "opponent", "other")


@pytest.fixture
def place(tmp_path: Path) -> ServerSettings:
    """A server with that game."""
    options = "".join(f"    {name}: int = option(1, 'about', low=1, high=9)\n" for name in NAMES)
    source = f"from dataclasses import dataclass\n{HEAP}"
    head, rest = source.split("class TakeThree(Game):\n")
    (tmp_path / "odd.py").write_text(
        f"{head}@dataclass(frozen=True)\nclass TakeThree(Game):\n{options}{rest}"
    )
    kept = {"database": str(tmp_path / "games.sqlite"), "folder": tmp_path, "language": "en"}
    return ServerSettings(processes=1, games={"Odd": str(tmp_path / "odd.py")}, warm=False, **kept)


def test_a_game_starts_whatever_its_options_are_called(place: ServerSettings) -> None:
    with TestClient(create_app(place), base_url=ADDRESS) as server:
        ani = Visitor(server)
        page = ani.get("/new/shared?game=Odd").text
        assert all(f'name="option.{name}"' in page for name in NAMES)
        wanted = {f"option.{name}": str(number) for number, name in enumerate(NAMES, start=2)}
        path = ani.begin("shared", game="Odd", side="o", clock="1+1", **wanted)
        given = ",".join(f"{name}={number}" for number, name in enumerate(NAMES, start=2))
        live = ani.get(path.replace("/game/", "/api/live/")).json()
        assert live["game"].endswith(f":{given}")
        assert registry.game(f"{place.games['Odd']}:{given}").side == 2
