"""Every command does right by every game of the gallery: what KIT's table promises, row by row."""

import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import papan
from papan.cli import main
from papan.core.game import Position
from papan.figures.board import board_svg
from papan.figures.terminal_board import text_board
from papan.protocol import server
from papan.usercode.gallery import gallery
from support import PATIENCE

#: Games that are tried with every command in each thorough run; the others take `--long`.
SAMPLE = ("kalah", "onitama")
#: Smaller boards of games whose searches in plain Python would take long.
SMALL = {"amazons": "amazons:size=6", "quoridor": "quoridor:size=5", "gomoku": "gomoku:size=9"}

GAMES = [
    pytest.param(name, marks=pytest.mark.thorough if name in SAMPLE else pytest.mark.long)
    for name in gallery()
]

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command that must end well, and returns what it printed."""
    monkeypatch.setattr(server, "_LAST_WORDS_SECONDS", PATIENCE)

    def command(words: str, typed: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        status = main(shlex.split(words))
        said = capsys.readouterr()
        assert status == 0, said.err
        return said.out

    return command


def last_positions(spec: str, seed: int) -> list[Position]:
    """The positions of a random game."""
    start = papan.game(spec).start()
    return [start, *(position for _, position in start.random_walk(Random(seed)))]


@pytest.mark.parametrize("name", gallery())
def test_its_lines_and_moves_read_back_and_its_boards_are_drawn(name: str) -> None:
    positions = last_positions(SMALL.get(name, name), 3)
    for position in positions[:: max(1, len(positions) // 6)] + positions[-1:]:
        game = position.game
        assert game.read_state(str(position)) == position.state
        for code in position.codes()[::7]:
            assert game.read_move(game.write_move(code), position.state) == code
            assert game.steps(code)
        assert len({len(line) for line in text_board(position).plain.split("\n")}) == 1
        assert board_svg(position).count("data-square=") == len(game.board.places)


@pytest.mark.parametrize("name", GAMES)
def test_it_is_searched_and_its_tree_is_drawn(name: str, run: Run, tmp_path: Path) -> None:
    spec, picture = SMALL.get(name, name), tmp_path / "tree.svg"
    legal = papan.game(spec).start().moves()
    for algorithm in ("engine", "mcts", "alphabeta"):
        words = f"search {spec} --algorithm {algorithm} --nodes 300 --depth 2 --json"
        assert json.loads(run(words))["move"] in legal
    run(f"tree {spec} --depth 1 --most 20 --out {picture}")
    assert "<svg" in picture.read_text()
    assert json.loads(run(f"perft {spec} --depth 1 --json"))["nodes"] == len(legal)


@pytest.mark.parametrize("name", GAMES)
def test_it_is_played_by_commands_and_programs(name: str, run: Run) -> None:
    spec = SMALL.get(name, name)
    report = json.loads(run(f"match {spec} mcts:simulations=20 random --games 2 --json"))
    assert report["games"] == 2
    assert run(f"play {spec} first random --seed 1")
    move = papan.game(spec).start().moves()[0]
    assert run(f"search {spec} --nodes 2000")  # compiles what the next command does not wait for
    said = run(
        f"ugi {spec}", f"ugi\nposition startpos moves {move}\nquery p1turn\ngo nodes 50\nquit\n"
    )
    assert "bestmove" in said


@pytest.mark.parametrize("name", GAMES)
def test_its_end_is_solved_or_what_cannot_be_is_said_in_a_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = SMALL.get(name, name)
    near = last_positions(spec, 5)[-3]
    status = main(["solve", spec, "--position", str(near), "--time", "10", "--json"])
    said = capsys.readouterr()
    if status == 0:
        assert json.loads(said.out)["outcome"] in ("win", "loss", "draw", None)
    else:
        assert said.out == ""
        assert said.err.startswith("papan: ") and said.err.count("\n") == 1
