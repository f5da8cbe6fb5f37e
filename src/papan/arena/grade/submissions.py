"""A folder of submissions: what in it is a bot, and all of them examined, whatever they do."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from papan.arena.grade.exam import Exam, Grade, OnProgress, grade
from papan.arena.workers import Supply
from papan.errors import PapanError, UsageError
from papan.play.table import Cause, Termination

#: Worker processes that a submission may break before it is not tried again.
MOST_ATTEMPTS = 2

#: Digits of the digest of a file: enough to see that it was changed.
_DIGITS = 12


@dataclass(frozen=True)
class Submission:
    """A bot that somebody has handed in.

    Attributes:
        name: of its file.
        spec: the player that it is.
        digest: of what is in the file: another one after a change.
    """

    name: str
    spec: str
    digest: str


def submissions(folder: str) -> list[Submission]:
    """The bots of a folder by name: Python files, and programs that can be run and speak UGI.

    Raises:
        UsageError: the folder cannot be read, or there is no bot in it.
    """
    try:
        files = sorted(path for path in Path(folder).iterdir() if path.is_file())
        found = [_submission(path) for path in files if spec_of_file(path) is not None]
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("usage.unreadable", text=folder, reason=reason) from None
    if not found:
        raise UsageError("grade.empty-folder", text=folder)
    return found


def spec_of_file(path: Path) -> str | None:
    """The spec of the player that a file is; None if it is none."""
    if path.name.startswith((".", "_")):
        return None
    if path.suffix == ".py":
        return f"python:{path.absolute()}"
    return f"ugi:{shlex.quote(str(path.absolute()))}" if os.access(path, os.X_OK) else None


def _submission(path: Path) -> Submission:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:_DIGITS]
    return Submission(path.name, spec_of_file(path) or "", digest)


def grade_folder(
    exam: Exam,
    wanted: Sequence[Submission],
    on_progress: OnProgress = lambda part, done, total: None,
    *,
    workers: int = 1,
) -> Generator[tuple[Submission, Grade], None, None]:
    """Examines bots, and yields each with its grade as soon as that is known.

    Args:
        exam: what is asked.
        wanted: the bots.
        on_progress: called as the bot at hand goes on, where only one is examined at a time.
        workers: how many are examined at the same time, each in a process; 1 does it here.
    """
    if workers == 1:
        for submission in wanted:
            yield submission, examine(exam, submission.spec, on_progress)
        return
    supply = Supply(partial(_examine, exam), workers=workers, attempts=MOST_ATTEMPTS)
    with closing(supply.run(iter(wanted))) as finished:
        for submission, outcome in finished:
            reason = "it ends the process that examines it"
            yield submission, outcome or _failed(exam, submission.spec, reason)


def _examine(exam: Exam, submission: Submission) -> Grade:
    return examine(exam, submission.spec)


def examine(
    exam: Exam, spec: str, on_progress: OnProgress = lambda part, done, total: None
) -> Grade:
    """The grade of a bot, also where its exam cannot be held."""
    try:
        return grade(exam, spec, on_progress)
    except PapanError as error:
        return _failed(exam, spec, str(error))


def _failed(exam: Exam, spec: str, reason: str) -> Grade:
    outcome = Grade(exam, spec, finished=True)
    outcome.answers.start = Cause(Termination.CRASH, reason)
    return outcome
