"""A wrong game file gets one line with its own line, from every command, the library and the web,
in time, and never a hang, a traceback, a signal, or text where JSON was asked for."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import papan
from attack.wrong_files import TABLE, line_of
from cli.test_check import ENDLESS
from papan.cli import main
from papan.errors import InvalidGame
from papan.protocol.supervisor import stat_fields
from papan.usercode import registry, sandbox, watchdog
from support import thoroughly, wait_until
from usercode.test_loader import TIC_TAC_TOE
from usercode.test_wrong_games import BODIES, with_body

#: What everybody types who has a game of their own.
COMMANDS = [
    "rules FILE --json",
    "search FILE --depth 1 --json",
    "solve FILE --json",
    "perft FILE --depth 1 --json",
    "tree FILE --depth 1 --json",
    "values FILE --json",
    "match FILE first first --games 2 --json",
    "tournament FILE first random --json",
    "openings FILE --json",
    "play FILE first first",
    "web --no-open --game FILE",
    "check FILE --json",
]
#: Processor time that a wrong file may take in all, in seconds.
MOST_SECONDS = 5.0

#: One for each cause: an exit, a signal, sleep, work in C, memory.
FEW = ["leaves", "a rule that crashes in C", "a rule that takes all memory at once"]
MORE = [name for name in TABLE if name not in FEW]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAPAN_LANG", "en")
    monkeypatch.setattr(sandbox, "_found", {})


def written(tmp_path: Path, source: str) -> Path:
    """The file of a game."""
    path = tmp_path / "mine.py"
    path.write_text(source)
    return path


def processor_seconds() -> float:
    """Processor time of the processes that this one has waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@pytest.mark.parametrize("name", FEW + thoroughly(*MORE))
def test_a_file_that_no_watchdog_can_stop_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    path, before = written(tmp_path, TABLE[name].source), processor_seconds()
    with pytest.raises(InvalidGame, match=TABLE[name].said) as caught:
        papan.game(str(path))
    assert str(caught.value).startswith(f"mine.py, line {line_of(TABLE[name])}: ")
    assert processor_seconds() - before < MOST_SECONDS


def test_every_way_to_a_game_says_the_same_of_a_wrong_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, tried = written(tmp_path, TABLE["leaves"].source), 0
    for command in COMMANDS:
        status = main(command.replace("FILE", str(path)).split())
        out, err = capsys.readouterr()
        assert (status, err.count("\n")) == (2, 1), (command, err)
        assert "mine.py, line 2: it exits the program (exit status 0)" in err, command
        assert not out or json.loads(out)["ok"] is False, command
        tried += 1
    assert tried == len(COMMANDS) == 12


@pytest.mark.parametrize("mistake", list(BODIES)[::6] + thoroughly(*BODIES))
def test_every_command_says_a_broken_promise_in_one_line(
    mistake: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "inside", True)  # what the child does, done here
    monkeypatch.setattr(watchdog, "SECONDS", 0.2)
    monkeypatch.setattr(watchdog, "MEGABYTES", 64)
    rule, body, _ = BODIES[mistake]
    path = written(tmp_path, with_body(rule, body))
    for command in COMMANDS[:-1]:
        status = main(command.replace("FILE", str(path)).split())
        out, err = capsys.readouterr()
        assert (status, out, err.count("\n")) == (2, "", 1), (command, err)
        assert err.startswith("papan: mine.py, line "), command


def test_a_file_that_has_passed_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_CACHE_DIR", str(tmp_path / "cache"))
    path = written(tmp_path, TIC_TAC_TOE)
    began = []
    start = sandbox._start
    monkeypatch.setattr(sandbox, "_start", lambda command: began.append(command) or start(command))
    for _ in range(2):  # the second time, as another process would
        assert registry.game(str(path)).start().moves()
        monkeypatch.setattr(sandbox, "_found", {})
    assert len(began) == 1
    path.write_text(f"{TIC_TAC_TOE}\n# changed\n")
    registry.game(str(path))
    assert len(began) == 2


def test_a_trial_leaves_no_process_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    source = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\nimport os; os._exit(1)\n"
    )
    with pytest.raises(InvalidGame, match="exit status 1"):
        papan.game(str(written(tmp_path, source)))
    wait_until(lambda: stat_fields(note.read_text())[:1] in ([], ["Z"]))


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "circle.py").symlink_to(tmp_path / "circle.py")
    for name in ("pipe", "folder", "circle", "none"):
        with pytest.raises(InvalidGame, match="cannot be read"):
            papan.game(str(tmp_path / f"{name}.py"))


@pytest.mark.thorough
def test_a_solver_that_goes_deeper_than_its_stack_ends_with_a_message(tmp_path: Path) -> None:
    """A game whose end never comes, though it promises one, is solved to a message."""
    path = written(tmp_path, ENDLESS)
    done = subprocess.run(
        [sys.executable, "-m", "papan", "solve", str(path), "--nodes", "2000000", "--json"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 2), done
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1
