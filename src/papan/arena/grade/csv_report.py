"""Grades in a CSV file, one row per bot.

A row is written as soon as its bot is finished, so an interruption loses at most the current bot.
If the same exam runs again, the rows of unchanged bots are kept.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from papan.arena.grade.exam import Exam, Grade, sentence
from papan.arena.grade.strength import LADDER
from papan.arena.grade.submissions import Submission
from papan.errors import UsageError, naming
from papan.messages import Messages
from papan.play.table import Termination
from papan.whole_files import whole_file

_FAULTS = {
    "illegal": Termination.ILLEGAL_MOVE,
    "late": Termination.TIME,
    "crashes": Termination.CRASH,
    "floods": Termination.FLOOD,
}

#: Column names; scores are in percent, from the bot's view.
COLUMNS = (
    "bot",
    "asked",
    "legal",
    *_FAULTS,
    "median_ms",
    "p95_ms",
    "max_ms",
    "reached",
    *(f"{level}{part}" for level in LADDER for part in ("", "_low", "_high", "_games")),
    "critical",
    "wins_thrown",
    "draws_thrown",
    "summary",
    "digest",
    "exam",
)

#: First characters that make a spreadsheet treat a cell as a formula, and possibly run it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class GradeSheet:
    """A CSV file of grades.

    Args:
        path: path of the file; rows of the same exam are kept.
        exam: description of the exam.

    Raises:
        UsageError: the file cannot be written, or is not a grade sheet.
    """

    def __init__(self, path: str, exam: Exam) -> None:
        self.path, self.exam = Path(path), exam_name(exam)
        try:
            self.rows = {row["bot"]: row for row in self._read() if row["exam"] == self.exam}
            self._write_all()
        except (OSError, ValueError, csv.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError("usage.unwritable", text=path, reason=reason) from None

    def has(self, submission: Submission) -> bool:
        """Returns True if the sheet has a bot and the bot is unchanged."""
        row = self.rows.get(guard_cell(submission.name))
        return row is not None and row["digest"] == submission.digest

    def add(self, submission: Submission, outcome: Grade, say: Messages) -> None:
        """Writes the row of a bot."""
        row = {"bot": submission.name, "digest": submission.digest, "exam": self.exam}
        cells = {name: str(value) for name, value in {**summary_cells(outcome, say), **row}.items()}
        cells |= {name: guard_cell(cells[name]) for name in ("bot", "summary")}
        self.rows[cells["bot"]] = cells
        self._write_all()

    def _read(self) -> list[dict[str, str]]:
        """Returns the complete rows of the file."""
        if not self.path.exists() or not self.path.stat().st_size:
            return []
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise UsageError("grade.other-file", text=self.path)
            return [row for row in reader if None not in row.values() and None not in row]

    def _write_all(self) -> None:
        """Writes the whole file; the old file stays until the new one is complete."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(self.rows[name] for name in sorted(self.rows))
        with naming(self.path), whole_file(self.path, lasting=True) as file:
            # With a byte order mark, because spreadsheets assume another encoding without it.
            file.write(text.getvalue().encode("utf-8-sig", errors="replace"))


def exam_name(exam: Exam) -> str:
    """Returns a short name of an exam; exams with different settings have different names."""
    return hashlib.sha256(repr(exam).encode()).hexdigest()[:8]


def guard_cell(text: str) -> str:
    """Returns a text that a spreadsheet does not treat as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def summary_cells(outcome: Grade, say: Messages) -> Mapping[str, Any]:
    """Returns the columns of a grade; unknown values are empty."""
    cells: dict[str, Any] = dict.fromkeys(COLUMNS, "")
    faults, times = outcome.answers.faults, outcome.answers.times()
    cells |= {"asked": len(outcome.answers.moves), "legal": outcome.answers.legal}
    cells |= {name: faults[kind.value] for name, kind in _FAULTS.items()}
    for name in ("median", "p95", "max"):
        if times[name] is not None:
            cells[f"{name}_ms"] = f"{1000 * times[name]:.1f}"
    for result in outcome.levels:
        facts = result.as_dict()
        for part, key in (("", "score"), ("_low", "low"), ("_high", "high")):
            cells[f"{result.level}{part}"] = f"{100 * facts[key]:.1f}"
        cells[f"{result.level}_games"] = facts["games"]
    blunders = outcome.blunders
    return cells | {
        "reached": outcome.reached or "",
        "critical": blunders.critical,
        "wins_thrown": blunders.count_thrown("win"),
        "draws_thrown": blunders.count_thrown("draw"),
        "summary": sentence(outcome, say),
    }
