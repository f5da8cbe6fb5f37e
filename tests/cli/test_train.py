"""`papan train`: what it prints, what it keeps, and what it refuses."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Ran
from papan.cli import main
from papan.learn.matches import EvaluationMatch
from papan.stats.counts import Pentanomial, Trinomial


@pytest.mark.thorough
def test_training_says_what_was_kept_and_how_strong_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "some.weights"
    words = ["train", "tictactoe", "--games", "500", "--out", str(out), "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "tictactoe" and report["file"] == str(out)
    assert report["games"] >= 500
    last = report["measurements"][-1]
    assert last["games"] == report["games"]
    strength = report["best"]["strength"]
    assert 0 <= strength["score"] <= 1 and strength["games"] > 0
    assert out.stat().st_size < 2_000_000
    assert main(["search", "tictactoe", "--depth", "2", "--evaluation", str(out)]) == 0
    assert " %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        (Trinomial(0, 0, 2), "they score 0 ± 0 % against the earlier ones"),
        (Trinomial(0, 0, 0), "ended in time"),
    ],
)
def test_weights_that_are_not_kept_are_said_with_the_reason(
    score: Trinomial,
    reason: str,
    tmp_path: Path,
    papan: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(EvaluationMatch, "games", score)
    monkeypatch.setattr(EvaluationMatch, "pairs", Pentanomial(ll=score.games // 2))
    out = tmp_path / "some.weights"
    ran = papan(f"train tictactoe --time 0.000001 --out {out} --json")
    assert ran.report["kept"] is False
    assert "no weights saved: " in ran.err and reason in ran.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("train", "GAME"),
        ("train backgammon", "backgammon"),
        ("train tictactoe --games 0", "0"),
        ("train tictactoe --time soon", "soon"),
        ("train tictactoe --workers 0", "0"),
        ("train tictactoe --target magic", "magic"),
        ("train tictactoe --depth 0", "0"),
        ("train tictactoe --seed -1", "-1"),
        ("train tictactoe --from nowhere.weights", "nowhere.weights"),
        ("search tictactoe --evaluation nowhere.weights", "nowhere.weights"),
        ("match tictactoe engine:evaluation=magic random --games 2", "magic"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_it(
    words: str, named: str, papan: Callable[..., Ran]
) -> None:
    assert named in papan(words).complaint


@pytest.mark.thorough
def test_a_training_that_was_killed_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    words = [sys.executable, "-m", "papan", "train", "tictactoe", "--out", str(out), "--games"]
    running = subprocess.Popen([*words, "1000000"], stderr=subprocess.DEVNULL)
    while not out.with_name("some.weights.part").exists() and running.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(0.05)
    running.kill()
    running.wait()
    again = subprocess.run([*words, "1"], capture_output=True, text=True, check=True)
    assert "resuming the training" in again.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]
