"""Games are found by name, Papan's own and those of installed packages."""

from importlib import metadata

import pytest

from fakes.take_away import TakeAway
from papan.errors import InvalidSpec
from papan.games.adjacency import Adjacency
from papan.usercode import registry


def test_papans_own_games_are_found() -> None:
    assert {"adjacency", "corners", "platforms"} <= set(registry.names())
    assert registry.names() == sorted(registry.names())
    assert registry.game_class("adjacency") is Adjacency


def test_an_installed_package_can_add_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("take-away", "fakes.take_away:TakeAway", registry.GROUP)
    monkeypatch.setattr(registry, "installed", lambda group: {"take-away": point})
    assert registry.names() == ["take-away"]
    assert registry.game("take-away:heap=5") == TakeAway(heap=5)
    assert registry.game("take-away:heap=5").start().moves() == ["1", "2", "3"]


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidSpec, match=r"'adjacensy' \(adjacency\?\)"):
        registry.game("adjacensy")
    with pytest.raises(InvalidSpec, match=r"'shogi'.*adjacency, corners, platforms"):
        registry.game("shogi")


@pytest.mark.parametrize("spec", ["", ":", ":size=4", " "])
def test_an_empty_name_is_refused(spec: str) -> None:
    with pytest.raises(InvalidSpec, match="unknown game"):
        registry.game(spec)
