"""`papan new game NAME`: a file that plays, under a name of one's own."""

import py_compile
from pathlib import Path
from random import Random

import pytest

import papan as library
from pages import ROOT, blocks
from papan.cli.new import TEMPLATE, rename_game
from papan.usercode.gallery import gallery


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_game_plays_and_the_next_commands_are_said(papan):
    ran = papan("new game four-corners")
    assert ran.status == 0
    assert "papan check four_corners.py --watch" in ran.out
    game = library.game("four_corners.py")
    assert (type(game).__name__, game.title) == ("FourCorners", "Four corners")
    assert [move for move, _ in game.start().random_walk(Random(1))]


def test_the_text_is_short_and_no_name_in_it_is_left_over():
    lines = [line for line in TEMPLATE.splitlines() if line.strip()]
    assert len(lines) <= 30
    text = rename_game(TEMPLATE, ["Four", "Corners"], "four_corners.py")
    assert text.startswith('"""Four corners: put')
    assert "papan play four_corners.py" in text
    assert not any(word in text for word in ("TITLE", "FILE", "NewGame"))


@pytest.mark.parametrize("name", ["four corners", "FourCorners", "Four_Corners.py"])
def test_a_name_is_the_same_however_it_is_written(papan, name):
    assert papan(f"new game '{name}' --json").report == {"file": "four_corners.py"}


def test_nothing_is_overwritten(papan):
    Path("mine.py").write_text("precious")
    assert "'mine.py' exists" in papan("new game mine").complaint
    assert Path("mine.py").read_text() == "precious"


@pytest.mark.parametrize("name", ["../mine", "4ever", "a/b", "", "x" + chr(10), "é"])
def test_what_is_no_name_is_refused(papan, name):
    assert "is not a name for a game" in papan(f"new game '{name}'").complaint


@pytest.mark.parametrize("like", gallery())
def test_each_game_of_the_gallery_can_be_begun_with(papan, like):
    assert papan(f"new game my-own --like {like}").status == 0
    text = Path("my_own.py").read_text()
    assert text.startswith('"""My own: ')
    assert "class MyOwn(" in text
    assert "examples/games" not in text
    py_compile.compile("my_own.py", doraise=True)


def test_an_unknown_game_is_refused_with_those_that_there_are(papan):
    assert "(othello?): expected one of " in papan("new game mine --like otelo").complaint
    assert not Path("mine.py").exists()


def test_the_page_on_own_games_begins_with_this_file():
    page = blocks(ROOT / "docs" / "own-game.md")
    [shown] = [block.text for block in page if block.title == "touch_me_not.py"]
    assert shown == rename_game(TEMPLATE, ["touch", "me", "not"], "touch_me_not.py")
