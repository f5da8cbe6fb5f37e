"""`papan levels`: what it prints, what it keeps, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Ran
from papan.cli import main


@pytest.mark.thorough
def test_levels_are_printed_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "some.levels"
    words = ["levels", "tictactoe", "--games", "16", "--seed", "1", "--out", str(out)]
    assert main([*words, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "tictactoe" and report["file"] == str(out)
    assert report["complete"] and 2 <= len(report["levels"]) <= 8
    assert report["best"][0]["games"] >= 2
    assert main(words) == 0
    said = capsys.readouterr()
    assert f"has room for only {len(report['levels'])} levels" in said.out
    assert "engine against mcts" in said.out and "resuming" in said.err
    assert json.loads(out.read_text())["format"] == "papan levels"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("levels", "GAME"),
        ("levels backgammon", "backgammon"),
        ("levels tictactoe --games 1", "1"),
        ("levels tictactoe --time soon", "soon"),
        ("levels tictactoe --workers -1", "-1"),
        ("levels tictactoe --seed -1", "-1"),
        ("match tictactoe level:9 random --games 2", "9"),
        ("match tictactoe level:best random --games 2", "best"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_it(
    words: str, named: str, papan: Callable[..., Ran]
) -> None:
    assert named in papan(words).complaint


def test_a_file_that_is_none_of_levels_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "some.levels"
    out.write_text("my notes")
    assert main(["levels", "tictactoe", "--games", "8", "--out", str(out)]) == 2
    assert "some.levels" in capsys.readouterr().err
    assert out.read_text() == "my notes"
