"""`papan tune`: what it prints, what it keeps, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Ran
from papan.cli import main

WORDS = "tune tictactoe minimax --parameters depth --games 4 --final 4 --nodes 50"


def test_a_tuning_tells_the_numbers_the_match_and_the_spec_to_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tuning.json"
    assert main([*WORDS.split(), "--json", "--out", str(out)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 4
    assert [each["name"] for each in report["parameters"]] == ["depth"]
    assert report["use"] == report["tuned" if report["gained"] else "before"]
    assert (report["match"] is None) == (report["tuned"] == report["before"])
    assert main([*WORDS.replace("--games 4", "--games 6").split(), "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "resuming the tuning after 4 games" in said.err
    assert "depth 6 →" in said.out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("tune tictactoe", "PLAYER"),
        ("tune tictactoe minimax", "--parameters"),
        ("tune tictactoe minimax --parameters magic", "magic"),
        ("tune tictactoe minimax --parameters depth --games 1", "--games"),
        ("tune tictactoe minimax --parameters depth --time soon", "soon"),
        ("tune tictactoe minimax --parameters depth --final 0", "--final"),
        ("tune tictactoe minimax --evaluation magic", "magic"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_it(
    words: str, named: str, papan: Callable[..., Ran]
) -> None:
    assert named in papan(words).complaint
