"""Exams of bots and their grades: one bot, or all bots of a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from papan.arena.grade.move_checks import Answers, Case, ask_all, cases
from papan.arena.grade.strength import Blunders, LevelResult, climb, highest_beaten, judge
from papan.campaign import Campaign, CampaignProgress, OnProgress, ignore
from papan.errors import PapanError, UsageError
from papan.messages import Messages
from papan.play.table import Cause, Termination
from papan.players import registry as players
from papan.players.registry import spec_of_file
from papan.protocol.guards import Guards
from papan.protocol.process import without_folders
from papan.search.limits import Limit
from papan.usercode import registry as games


@dataclass(frozen=True)
class Exam:
    """Description of an exam.

    Attributes:
        game: the spec of the game.
        seconds: time limit of each move, in seconds.
        positions: number of positions in which the bot has to move.
        pairs: maximum number of game pairs against each level.
        seed: seed of all random choices.
        guards: resource limits of the bot's program.
    """

    game: str
    seconds: float = 1.0
    positions: int = 1000
    pairs: int = 20
    seed: int = 0
    guards: Guards = field(default_factory=Guards, repr=False)

    @property
    def limit(self) -> Limit:
        """Limit of each move."""
        return Limit(seconds=self.seconds)


@dataclass
class Grade:
    """The result of an exam, updated during the exam.

    Attributes:
        exam: the description of the exam.
        player: the bot's spec.
        answers: moves with legality and time.
        blunders: lost wins and draws.
        levels: matches against the levels.
        finished: True after the end of the exam.
    """

    exam: Exam
    player: str
    answers: Answers = field(default_factory=Answers)
    blunders: Blunders = field(default_factory=Blunders)
    levels: list[LevelResult] = field(default_factory=list)
    finished: bool = False

    @property
    def name(self) -> str:
        """The bot's spec without folders, for published reports."""
        return without_folders(self.player)

    @property
    def reached(self) -> str | None:
        """The highest level that the bot beats; None if it beats none."""
        return highest_beaten(self.levels)

    def as_dict(self) -> dict[str, Any]:
        """Returns the grade for JSON output; docs/grading.md describes the keys."""
        return {
            "player": self.player,
            "game": self.exam.game,
            "seed": self.exam.seed,
            "seconds": self.exam.seconds,
            "finished": self.finished,
            "legality": self.answers.as_dict(),
            "time": self.answers.times(),
            "strength": {
                "reached": self.reached,
                "levels": [result.as_dict() for result in self.levels],
            },
            "blunders": self.blunders.as_dict(),
        }


def grade(
    exam: Exam,
    player: str,
    on_progress: OnProgress = ignore,
    *,
    outcome: Grade | None = None,
    workers: int = 1,
) -> Grade:
    """Examines a bot.

    Faults of the bot are part of the grade. A bot without any legal move plays no games.

    Args:
        exam: the description of the exam.
        player: the bot's spec.
        on_progress: called after each step.
        outcome: updated in place, so that the caller has it after an interruption.
        workers: number of processes for the games; 1 is this process.

    Raises:
        InvalidSpec: the game or the player is unknown, or the player does not support the game.
    """
    game = games.game(exam.game)
    with closing(players.player(player)) as bot:
        bot.guard(exam.guards)
        outcome = Grade(exam, bot.spec) if outcome is None else outcome
        ask_all(
            bot,
            game,
            _cases(exam.game, exam.positions, exam.seed),
            exam.limit,
            answers=outcome.answers,
            seed=exam.seed,
            on_answer=lambda done: on_progress(CampaignProgress("positions", done, exam.positions)),
        )
    on_progress(CampaignProgress("proofs", 0, 1))
    judge(outcome.answers.moves, outcome.blunders)
    if outcome.answers.legal and not outcome.answers.given_up:
        with Campaign(workers) as campaign:
            climb(
                game,
                player,
                exam.limit,
                pairs=exam.pairs,
                seed=exam.seed,
                guards=exam.guards,
                results=outcome.levels,
                campaign=campaign,
                on_progress=on_progress,
            )
    outcome.finished = True
    return outcome


@lru_cache(maxsize=1)
def _cases(game: str, count: int, seed: int) -> tuple[Case, ...]:
    """Returns the positions of an exam, the same for every bot."""
    return tuple(cases(games.game(game), count, seed))


#: Maximum number of quoted characters of the reason why a bot did not start.
_QUOTED = 200


def sentence(outcome: Grade, say: Messages) -> str:
    """Returns the grade in one or two sentences: legality, strength, blunders."""
    return " ".join(_parts(outcome, say))


def _shorten(text: str) -> str:
    """Shortens a program's error message; keeps mostly the end, since the start is file paths."""
    begin = _QUOTED // 4
    return text if len(text) <= _QUOTED else f"{text[:begin]} … {text[begin - _QUOTED :]}"


def _parts(outcome: Grade, say: Messages) -> Iterator[str]:
    answers = outcome.answers
    replies, wrong = len(answers.moves), len(answers.moves) - answers.legal
    if answers.start is not None and not answers.legal:
        yield say("grade.not-started", text=_shorten(answers.start.detail))
        return
    faults = ", ".join(
        f"{say.ending(how)} {count}" for how, count in sorted(answers.faults.items())
    )
    reason = next((a.fault.detail for a in answers.moves if a.fault), "")
    if answers.given_up:
        yield say(
            "grade.given-up",
            wrong=wrong,
            asked=replies,
            text=faults,
            reason=_shorten(reason).rstrip("."),
        )
        return
    if replies and not answers.legal:
        yield say("grade.never-legal", asked=replies, reason=_shorten(reason))
        return
    if wrong:
        first = _shorten(reason)
        yield say("grade.faults", wrong=wrong, asked=replies, text=faults, reason=first)
    elif replies:
        yield say("grade.all-legal", asked=replies)
    yield from _strength(outcome, say)
    blunders = outcome.blunders
    if blunders.critical:
        thrown = len(blunders.errors)
        yield say("grade.blunders", found=thrown, critical=blunders.critical)


def _strength(outcome: Grade, say: Messages) -> Iterator[str]:
    if not outcome.levels:
        return
    if outcome.reached is None:
        yield say("grade.beats-none", level=outcome.levels[0].level)
        return
    yield say("grade.beats", level=outcome.reached)
    names = [result.level for result in outcome.levels]
    following = outcome.levels[names.index(outcome.reached) + 1 :]
    if following:
        above = following[0]
        score = f"{100 * above.tally.single.score:.0f}"
        yield say("grade.next-level", level=above.level, score=score)


# --- a folder of bots

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
