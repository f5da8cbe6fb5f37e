"""`papan check FILE`: what is wrong with a game is said, whatever its file does."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from papan.cli import check_worker
from papan.messages import Messages
from papan.usercode.sandbox_worker import Reporter
from support import PATIENCE
from usercode.test_loader import HEAP, TIC_TAC_TOE, line_of

#: A move is read as another one: no search ever asks for that, so the rehearsal does not either.
MISREAD = f"""{TIC_TAC_TOE}
    def read_move(self, text, state):
        return self.board.square('a1')
"""
ENDLESS = HEAP.replace("state.left - move - 1", "max(1, state.left - move)").replace(
    "    return state.left\n", "    return 10**6\n"
)


@pytest.fixture
def mine(tmp_path: Path):
    """Writes a game's file and returns its path."""

    def write(source: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(source)
        return path

    return write


def test_a_broken_promise_has_its_line_and_the_position_is_drawn(papan, mine):
    path = mine(MISREAD)
    ran = papan(f"check {path}")
    assert ran.status == 2
    line = line_of(MISREAD, "def read_move")
    assert ran.err.startswith(f"papan: mine.py, line {line}: 'read_move' violates an invariant: ")
    assert ran.err.count("\n") == 1
    assert ran.out.splitlines()[0] == "3  ·  ·  · "
    assert "position  3/3/3 x\nmove      a3\n" in ran.out


def test_the_report_for_programs_has_all_of_it(papan, mine):
    ran = papan(f"check {mine(MISREAD)} --json")
    assert ran.status == 2
    report = ran.report
    assert report["ok"] is False
    assert (report["rule"], report["line"]) == ("read_move", line_of(MISREAD, "def read_move"))
    assert (report["position"], report["move"]) == ("3/3/3 x", "a3")
    assert report["message"] in ran.err


GRIEVOUS = {
    "os._exit(0)": "line 2: it exits the program (exit status 0)",
    "os.kill(os.getpid(), 9)": "killed by SIGKILL",
    "__import__('time').sleep(99)": "line 2: it ran for more than 3.0 s",
    "raise SystemExit(7)": "line 2: it exits the program (SystemExit)",
    "print('{}'); 1 // 0": "line 2: ZeroDivisionError",
}


@pytest.mark.parametrize("grief", GRIEVOUS)
def test_a_file_that_comes_to_grief_is_told_so_in_one_line(papan, mine, grief):
    ran = papan(f"check {mine(f'import os{chr(10)}{grief}{chr(10)}{HEAP}')}")
    assert ran.status == 2
    assert ran.out == ""
    assert GRIEVOUS[grief] in ran.err.splitlines()[-1]
    assert ran.err.splitlines()[-1].startswith("papan: mine.py")


def test_what_is_printed_is_a_warning_and_json_stays_json(papan, mine):
    source = MISREAD.replace(
        "def start_state(self) -> State:", "def start_state(self):\n        print('hey')"
    )
    ran = papan(f"check {mine(source)} --json")
    [warning] = ran.report["warnings"]
    assert "'hey'" in warning


def test_a_file_that_is_not_there_is_a_usage_error(papan):
    ran = papan("check no_such.py")
    assert ran.status == 2
    assert ran.err == "papan: game file 'no_such.py' cannot be read: No such file or directory\n"


def test_each_option_is_tried_at_both_ends(papan, mine):
    # A heap of −1 is allowed by the option, but not by the rule for moves.
    path = mine(
        f"from dataclasses import dataclass\n{HEAP}".replace("low=1", "low=-1").replace(
            "class TakeThree(Game)", "@dataclass(frozen=True)\nclass TakeThree(Game)"
        )
    )
    complaint = papan(f"check {path}").complaint
    assert "with the option size=-1: " in complaint
    assert "the rule for 'moves' fails" in complaint


def test_messages_of_the_other_process_are_in_the_language_asked_for(papan, mine):
    assert "melanggar invarian" in papan(f"check {mine(MISREAD)} --lang id").err


@pytest.mark.thorough
def test_a_sound_game_has_its_counts(papan, mine):
    report = papan(f"check {mine(TIC_TAC_TOE)} --json").report
    assert report["ok"] is True
    assert report["games"] == 10_000
    assert report["plies"] == [5, 9]
    assert report["compared"] > 50
    assert report["positions"] > 50
    assert report["warnings"] == []


@pytest.mark.long
def test_a_game_that_never_ends_is_a_warning_with_the_number_of_plies(mine):
    reporter = Reporter(os.open(os.devnull, os.O_WRONLY), [])
    report = check_worker._checked(str(mine(ENDLESS)), 0, reporter, Messages("en"))
    assert report["ok"] is True
    assert report["unfinished"] > 0
    assert "random games did not end within 2000 plies" in report["warnings"][0]


def test_a_watched_file_is_checked_again_when_it_is_saved_until_ctrl_c(mine):
    path = mine("raise SystemExit")
    watching = subprocess.Popen(
        [sys.executable, "-m", "papan", "check", str(path), "--watch", "--lang", "en"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "it exits the program" in watching.stderr.readline()
        assert "waiting for" in watching.stderr.readline()
        path.write_text("1 // 0\n")
        assert "ZeroDivisionError" in watching.stderr.readline()
        watching.stderr.readline()
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE) == 130
    finally:
        watching.kill()
        watching.stderr.close()


@pytest.mark.long
def test_a_game_that_learnt_nothing_yet_is_offered_a_training_until_it_has_weights(papan, mine):
    path = mine(TIC_TAC_TOE)
    assert papan(f"check {path}").err.count(f"papan train {path} --time 60") == 1
    path.with_suffix(".weights").write_bytes(b"")
    assert papan(f"check {path}").err == ""
