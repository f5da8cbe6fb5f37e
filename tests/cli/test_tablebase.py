"""`papan tablebase GAME`."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import thoroughly

GAME = "platforms:level=2"


def test_the_report_has_counts_by_outcome_and_distance(papan):
    report = papan("tablebase platforms --verify --json").report
    assert (report["positions"], report["images"], report["verified"]) == (149, 1120, 149)
    assert report["value"] == {"outcome": "win", "plies": 7, "margin": None}
    assert sum(report["counts"]["win"].values()) == 79
    assert report["method"] == "forward"


def test_a_margin_stands_in_place_of_the_plies(papan):
    report = papan("tablebase adjacency:size=4,rounds=2 --json").report
    assert report["value"]["plies"] is None
    assert isinstance(report["value"]["margin"], int)


@pytest.mark.thorough
def test_what_follows_an_overlooked_win_can_be_left_out(papan, tmp_path):
    whole = papan(f"tablebase {GAME} --json").report
    report = papan(f"tablebase {GAME} --pruned --verify --out {tmp_path}/a.db --json").report
    assert (whole["pruned"], report["pruned"], report["value"]) == (False, True, whole["value"])
    assert report["verified"] == report["positions"] < whole["positions"]
    assert "without positions after a missed win" in papan(f"tablebase {tmp_path}/a.db").out


@pytest.mark.thorough
def test_people_see_a_table_in_their_language(papan):
    lines = papan(f"tablebase {GAME}").out.splitlines()
    assert lines[0].split() == ["game", GAME]
    assert "lost 16" in lines[4]
    assert lines[-1].split()[0] == "all"
    assert "kalah 16" in papan(f"tablebase {GAME} --lang id").out


def test_a_file_is_made_and_asked(papan, tmp_path):
    made = papan(f"tablebase {GAME} --out {tmp_path}/a.db --workers 0 --json").report
    assert papan(f"tablebase {tmp_path}/a.db --verify --json").report == {
        **made,
        "verified": made["positions"],
    }


def test_the_former_name_works_and_says_the_new_one_on_stderr(papan, tmp_path):
    ended = papan(f"database {GAME} --out {tmp_path}/a.db --json")
    assert ended.report == papan(f"tablebase {tmp_path}/a.db --json").report
    assert ended.err.splitlines()[0] == "papan database is now papan tablebase"
    assert papan("database --help").out.startswith("Usage: papan tablebase")
    assert "  database" not in papan("--help").out


@pytest.mark.parametrize(
    ("words", "offender"),
    [
        ("tablebase backgammon", "backgammon"),
        ("tablebase platforms --memory none", "none"),
        ("tablebase platforms --memory 0.5", "0.5"),
        ("tablebase platforms --workers -1", "-1"),
        ("tablebase adjacency:size=4,rounds=2 --pruned", "--pruned"),
        ("tablebase platforms --out /nowhere/at/all.db", "/nowhere/at/all.db"),
        (f"tablebase {__file__}", "test_tablebase.py"),
        *thoroughly(("tablebase platforms:size=6,level=3 --memory 256", "positions")),
    ],
)
def test_what_cannot_be_made_or_read_is_one_line_and_status_2(papan, words, offender):
    papan("tablebase platforms --json")  # whatever has to be compiled is, and says so
    assert offender in papan(words).complaint


#: Makes a tablebase in a process that sends itself a signal when it has kept so many parts.
KILLED = """
import os, sys
from contextlib import contextmanager
from papan.cli import main
from papan.tablebase.store import Parts

making, number, left = Parts.making, int(sys.argv[1]), [int(sys.argv[2])]

@contextmanager
def killing(self, name, size):
    with making(self, name, size) as room:
        yield room
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), number)

Parts.making, sys.argv = killing, ["papan", *sys.argv[3:]]
sys.exit(main())
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "kept"), [(signal.SIGKILL, 5), (signal.SIGINT, 20)])
def test_a_program_that_is_killed_goes_on_where_it_was(number, kept, papan, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    papan(f"tablebase {GAME} --out {whole} --json")
    words = [str(int(number)), str(kept), "tablebase", GAME, "--out", str(cut)]
    done = subprocess.run([sys.executable, "-c", KILLED, *words], capture_output=True, check=False)
    assert done.returncode == (130 if number == signal.SIGINT else -number)
    assert not cut.exists()
    notes = json.loads((tmp_path / "cut.db.parts" / "plan.json").read_text())["notes"]
    assert 4 <= len(notes["layers"]) <= kept
    papan(f"tablebase {GAME} --out {cut} --json")
    assert cut.read_bytes() == whole.read_bytes()
