"""A game file runs only if the user names it: never because a data file does."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attack.game_mutants import EXAMPLES
from papan.cli import main
from papan.cli.web import games_in_puzzles, read_games
from papan.errors import InvalidSpec
from papan.tablebase.store import block_rows, write_file
from papan.usercode import sandbox
from papan.web.play import live_store
from papan.web.tournaments.tournaments import HostedTournament


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A sound game in a file, which leaves a mark when it is run."""
    path = tmp_path / "evil.py"
    rules = EXAMPLES[0].with_name("tictactoe.py").read_text()
    path.write_text(f"{rules}\nopen({str(tmp_path / 'was-run')!r}, 'w').close()\n")
    return path


def _tablebase(game: str, path: Path) -> str:
    block = np.array([0, 0, 0, 1, 0, 0], np.uint64)
    write_file(path, {**HEADER, "game": game, "blocks": block_rows([0], [block])}, [block])
    return f"tablebase {path}"


def _puzzles(game: str, path: Path) -> str:
    path.write_text(f"# {game}\n")
    return f"web --no-open --puzzles {path}"


def _config(game: str, path: Path) -> str:
    path.write_text(f'game = "{game}"\nplayers = ["first", "random"]\n')
    return f"tournament --config {path}"


HEADER = {
    "root": "",
    "method": "forward",
    "positions": 0,
    "images": 0,
    "counts": {},
    "rules": "",
    "spans": [],
}


@pytest.mark.parametrize("written", [_tablebase, _puzzles, _config])
@pytest.mark.parametrize("options", ["", ":size=3"])
def test_a_command_that_reads_data_names_the_file_and_does_not_run_it(
    written: Callable[[str, Path], str],
    options: str,
    evil: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = written(f"{evil}{options}", evil.with_name("data"))
    assert main(command.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"'{evil}' is not loaded" in err
    assert "--game" in err
    assert not evil.with_name("was-run").exists()


def test_a_server_does_not_run_what_its_own_files_name(evil: Path) -> None:
    plan = {"format": "round-robin", "pairs": 1, "seconds": 1.0, "seed": 1}
    with pytest.raises(InvalidSpec, match="not loaded"):
        HostedTournament.read({"game": str(evil), "players": ["first", "random"], **plan})
    fields = {"game": str(evil), "start": "", "result": "", "termination": "", "clock": {}}
    with pytest.raises(InvalidSpec, match="not loaded"):
        live_store.from_text(json.dumps(fields))
    assert not evil.with_name("was-run").exists()


def test_data_of_a_game_that_the_user_has_named_is_read(
    evil: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "inside", True)
    path = evil.with_name("data")
    _puzzles(f"{evil}", path)
    assert read_games([str(evil)])
    assert games_in_puzzles([str(path)]) == [str(evil)]


def test_the_user_may_name_the_game_of_a_tournament_file(
    evil: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "inside", True)  # no process of its own for a sound game
    command = _config(str(evil), evil.with_name("data")).replace("tournament", f"tournament {evil}")
    status = main([*command.split(), "--pairs", "1", "--json"])
    assert (status, json.loads(capsys.readouterr().out)["game"]) == (0, str(evil))
