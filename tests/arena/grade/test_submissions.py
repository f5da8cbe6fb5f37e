"""Forty submissions in a folder: each gets its line, whatever the others do."""

import csv
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.grade import bots
from papan.arena.grade.exam import Exam, Grade, Submission, grade_folder, submissions
from papan.arena.grade.reports import COLUMNS, GradeSheet, guard_cell, rank_rows
from papan.errors import UsageError
from papan.messages import ENGLISH
from papan.protocol.guards import Guards

#: Bots that hang are waited for no longer than this test can afford.
EXAM = Exam("platforms:size=4", 0.2, positions=15, pairs=1, guards=Guards(ready_seconds=3.0))


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["bot"]: row for row in csv.DictReader(file)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return bots.hand_in(
        tmp_path / "bots",
        good=bots.GOOD,
        illegal=bots.ILLEGAL,
        hanging=bots.HANGING,
        crashing=bots.CRASHING,
        broken=bots.BROKEN,
        flooding=bots.YES,
    )


def test_python_files_and_programs_are_bots_and_nothing_else_is(folder: Path) -> None:
    for name in ("readme.txt", ".hidden.py", "_helper.py"):
        (folder / name).touch()
    (folder / "more").mkdir()
    (folder / "__pycache__").mkdir()
    found = {one.name: one for one in submissions(str(folder))[0]}
    names = ["broken.py", "crashing.py", "flooding", "good.py", "hanging.py", "illegal.py"]
    assert list(found) == names
    assert found["good.py"].spec == f"python:{folder / 'good.py'}"
    assert found["flooding"].spec == f"ugi:{shlex.quote(str(folder / 'flooding'))}"
    assert len({one.digest for one in found.values()}) == len(found)
    _, others = submissions(str(folder))
    assert {name: why.message for name, why in others.items()} == {
        ".hidden.py": "grade.hidden",
        "_helper.py": "grade.hidden",
        "more": "grade.not-a-file",
        "readme.txt": "player.not-executable",
    }


@pytest.mark.parametrize("text", ["", "nowhere"])
def test_a_folder_without_bots_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"no bots|cannot be read"):
        submissions(str(tmp_path / text))


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.thorough), 2])
def test_every_bot_of_a_folder_is_graded_whatever_the_others_do(
    folder: Path, tmp_path: Path, workers: int
) -> None:
    sheet = GradeSheet(str(tmp_path / "grades.csv"), EXAM)
    for submission, outcome in grade_folder(EXAM, submissions(str(folder))[0], workers=workers):
        sheet.add(submission, outcome, ENGLISH)
    rows = rows_of(tmp_path / "grades.csv")
    assert set(next(iter(rows.values()))) == set(COLUMNS)
    assert list(rows) == sorted(rows)
    assert (rows["good.py"]["legal"], rows["good.py"]["beginner_games"]) == ("15", "2")
    assert int(rows["illegal.py"]["illegal"]) > 0
    assert "was not ready for the game within 3 s" in rows["hanging.py"]["summary"]
    assert rows["crashing.py"]["crashes"] == "10"
    assert "SyntaxError" in rows["broken.py"]["summary"]
    assert "wrote more than 8388608 bytes" in rows["flooding"]["summary"]


def test_bots_are_ranked_by_levels_then_by_scores_then_by_legality() -> None:
    empty = dict.fromkeys(COLUMNS, "") | {"asked": "10", "legal": "10"}
    rows = [
        {**empty, "bot": "illegal", "legal": "3"},
        {**empty, "bot": "weak", "beginner": "20.0"},
        {**empty, "bot": "strong", "reached": "easy", "medium": "10.0", "beginner": "100.0"},
        {**empty, "bot": "fair", "beginner": "45.0"},
        {**empty, "bot": "legal"},
    ]
    order = ["strong", "fair", "weak", "legal", "illegal"]
    assert [row["bot"] for row in rank_rows(rows)] == order


def outcomes(*names: str) -> Iterator[tuple[Submission, Grade]]:
    for name in names:
        yield Submission(name, name, f"digest of {name}"), Grade(EXAM, name, finished=True)


def test_a_sheet_remembers_what_is_finished_and_forgets_what_has_changed(tmp_path: Path) -> None:
    path = str(tmp_path / "grades.csv")
    sheet = GradeSheet(path, EXAM)
    for submission, outcome in outcomes("b.py", "a.py"):
        assert not sheet.has(submission)
        sheet.add(submission, outcome, ENGLISH)
    again = GradeSheet(path, EXAM)
    assert all(again.has(submission) for submission, _ in outcomes("a.py", "b.py"))
    assert not again.has(Submission("a.py", "a.py", "another digest"))
    other = GradeSheet(path, Exam("corners"))
    assert not any(other.has(submission) for submission, _ in outcomes("a.py", "b.py"))


def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "grades.csv"
    sheet = GradeSheet(str(path), EXAM)
    for submission, outcome in outcomes("a.py", "b.py"):
        sheet.add(submission, outcome, ENGLISH)
    path.write_text(path.read_text("utf-8-sig")[:-30], encoding="utf-8-sig")
    known = [
        submission.name
        for submission, _ in outcomes("a.py", "b.py")
        if GradeSheet(str(path), EXAM).has(submission)
    ]
    assert known == ["a.py"]


def test_a_file_of_somebody_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("name,mark\nada,1\n")
    with pytest.raises(UsageError, match="not a grade sheet"):
        GradeSheet(str(path), EXAM)
    assert path.read_text() == "name,mark\nada,1\n"
    with pytest.raises(UsageError, match="cannot be written"):
        GradeSheet(str(tmp_path / "nowhere" / "marks.csv"), EXAM)


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0.py", "+1.py", "-1.py", "@sum.py"])
def test_no_spreadsheet_takes_a_bots_name_for_a_formula(tmp_path: Path, name: str) -> None:
    path = tmp_path / "grades.csv"
    sheet = GradeSheet(str(path), EXAM)
    for submission, outcome in outcomes(name):
        sheet.add(submission, outcome, ENGLISH)
        assert sheet.has(submission)
    assert list(rows_of(path)) == [guard_cell(name)] == [f"'{name}"]


KILLER = """
import os, signal
from pathlib import Path

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def choose(position, limit):
    pid = os.getpid()
    while b"spawn_main" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = parent(pid)
    os.kill(pid, signal.SIGKILL)
"""


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds its worker in /proc")
def test_a_bot_that_kills_its_examiner_gets_a_line_and_the_others_too(tmp_path: Path) -> None:
    folder = bots.hand_in(tmp_path / "bots", good=bots.GOOD, killer=KILLER)
    found = dict(grade_folder(EXAM, submissions(str(folder))[0], workers=2))
    by_name = {submission.name: outcome for submission, outcome in found.items()}
    assert by_name["killer.py"].answers.start is not None
    assert "ends the process" in by_name["killer.py"].answers.start.detail
    assert len(by_name) == 2
