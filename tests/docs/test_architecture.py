"""The page on the architecture says what the sources do: its picture, its rooms and its walks."""

import json
import re

import pytest

from docs import rooms, walks
from docs.rooms import FILES, SOURCES, room_of
from support import thoroughly

PAGE = (walks.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
KEPT = json.loads(walks.KEPT.read_text(encoding="utf-8"))


def test_the_picture_of_the_rooms_is_drawn_from_the_imports_of_today() -> None:
    drawn = rooms.PICTURE.read_text(encoding="utf-8")
    assert drawn == f"{rooms.picture()}\n", "draw it again: python -m docs.rooms"


def test_the_page_names_each_room_and_no_other() -> None:
    table = re.findall(r"^\| (`.*?) \|", PAGE, flags=re.MULTILINE)
    named = {room for cell in table for room in re.findall(r"`(\w+)`", cell)}
    assert named == {room_of(file) for file in FILES} - {"papan", "__main__"}


def test_arrows_that_follow_from_others_are_left_out() -> None:
    imports = {"top": {"middle", "low"}, "middle": {"low"}, "low": set[str]()}
    assert rooms.reduced(imports) == {"top": {"middle"}, "middle": {"low"}, "low": set()}
    assert rooms.levels(imports) == {"top": 2, "middle": 1, "low": 0}


def test_each_room_stands_above_all_that_it_imports() -> None:
    imports = rooms.rooms_and_imports()
    level = rooms.levels(imports)
    assert all(level[room] > level[other] for room in imports for other in imports[room])


@pytest.mark.parametrize(
    "name", ["search", *thoroughly(*(name for name in walks.WALKS if name != "search"))]
)
def test_a_walk_enters_the_files_on_the_page(name: str) -> None:
    again = "measure them again: python -m docs.walks"
    assert set(walks.measured(name)) == set(KEPT[name]), again


def test_the_page_lists_the_walks_that_were_measured() -> None:
    assert walks.PAGE.read_text(encoding="utf-8") == walks.piece(KEPT)
    assert list(KEPT) == list(walks.WALKS)
    assert '--8<-- "walks.md"' in PAGE


def test_files_that_the_page_points_to_are_there() -> None:
    for place in re.findall(r"`((?:\w+/)+(?:\w+\.(?:py|toml))?)`", PAGE):
        known = (SOURCES / place).exists() or (walks.ROOT / place).exists()
        assert known or "my" in place, place
