"""A folder of submitted bots: finds the bots and grades all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from papan.arena.grade.exam import Exam, Grade, grade
from papan.campaign import Campaign, OnProgress, ignore
from papan.errors import PapanError, UsageError
from papan.play.table import Cause, Termination
from papan.players.registry import spec_of_file
from papan.protocol.process import without_folders

#: Number of worker processes that a submission may break before its exam fails.
MOST_ATTEMPTS = 2

#: First characters of the names of ignored files, such as modules of a bot.
_HIDDEN = (".", "_")

#: Hexadecimal digits of a file's digest: enough to notice a change.
_DIGITS = 12


@dataclass(frozen=True)
class Submission:
    """A submitted bot.

    Attributes:
        name: name of its file.
        spec: the player's spec.
        digest: digest of the file's contents.
    """

    name: str
    spec: str
    digest: str


def submissions(folder: str) -> tuple[list[Submission], dict[str, UsageError]]:
    """Returns the bots of a folder by name: Python files, and executable programs that speak UGI.

    Returns:
        The bots, and for each other file the reason why it is not graded.

    Raises:
        UsageError: the folder cannot be read, or has no bot.
    """
    bots, others = list[Submission](), dict[str, UsageError]()
    try:
        for path in sorted(Path(folder).iterdir()):
            if path.is_dir() and path.name.startswith(_HIDDEN):
                continue  # such as `__pycache__`
            try:
                bots.append(_submission(path))
            except UsageError as error:
                others[path.name] = error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("usage.unreadable", text=folder, reason=reason) from None
    if not bots:
        raise UsageError("grade.empty-folder", text=folder)
    return bots, others


def _submission(path: Path) -> Submission:
    """Returns the bot in a file.

    Raises:
        UsageError: the file is not a bot; says why.
    """
    if path.name.startswith(_HIDDEN):
        raise UsageError("grade.hidden")
    if not path.is_file():
        raise UsageError("grade.not-a-file")
    spec = spec_of_file(str(path.absolute()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:_DIGITS]
    return Submission(path.name, spec, digest)


def grade_folder(
    exam: Exam,
    entries: Sequence[Submission],
    on_progress: OnProgress = ignore,
    *,
    workers: int = 1,
) -> Generator[tuple[Submission, Grade], None, None]:
    """Grades bots; yields each bot with its grade as soon as its exam is finished.

    Args:
        exam: the description of the exam.
        entries: the bots.
        on_progress: called after each step of the current bot, if this process runs the exam.
        workers: number of bots graded at the same time, each in its own process; 1 is this process.
    """
    campaign = Campaign(workers)
    shown = on_progress if campaign.pool.is_here else ignore
    work, give_up = partial(examine, exam, on_progress=shown), partial(_give_up, exam)
    yield from campaign.run(work, entries, attempts=MOST_ATTEMPTS, give_up=give_up)


def examine(
    exam: Exam, submission: Submission, on_progress: OnProgress = ignore
) -> Iterator[Grade]:
    """Yields the grade of a bot, even if its exam fails."""
    try:
        outcome = grade(exam, submission.spec, on_progress)
    except PapanError as error:
        outcome = _failed_grade(exam, submission.spec, str(error))
    yield outcome


def _give_up(exam: Exam, submission: Submission) -> Iterator[Grade]:
    yield _failed_grade(exam, submission.spec, "the bot ends the process that grades it")


def _failed_grade(exam: Exam, spec: str, reason: str) -> Grade:
    outcome = Grade(exam, spec, finished=True)
    outcome.answers.start = Cause(Termination.CRASH, without_folders(reason))
    return outcome
