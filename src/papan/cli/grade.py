"""`papan grade GAME PLAYER`: grades a bot or a folder of bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import BotOptions, GameArgument, JsonOptions, SeedOptions, argument, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, printable, writable
from papan.errors import UsageError, naming
from papan.whole_files import require_room, write_whole

if TYPE_CHECKING:
    from papan.arena.grade.exam import Exam, Grade, Submission
    from papan.arena.grade.reports import GradeSheet
    from papan.campaign import CampaignProgress, OnProgress
    from papan.messages import Messages


@dataclass(frozen=True, kw_only=True)
class GradeOptions(BotOptions, GameArgument, SeedOptions, JsonOptions):
    """Options of `papan grade`."""

    player: str = argument("PLAYER", "bot", complete=completion.bots)
    pairs: str = option("--pairs N", "level-pairs", "20")
    positions: str = option("--positions N", "positions", "1000")
    time: str = option("--time S", "time", "1")
    workers: str = option("--workers N", "workers", "1")
    html: str | None = option("--html FILE", "html", None, complete=completion.files)
    csv: str | None = option("--csv FILE", "csv", None, complete=completion.files)


@command(GradeOptions)
def grade(options: GradeOptions, terminal: Terminal) -> int:
    """Grades a bot, or all bots of a folder; on Ctrl-C, reports finished ones."""
    exam, workers = _exam(options), parse.whole(options.workers, "--workers", 0)
    terminal.start_clock()
    if not Path(options.player).is_dir():
        return _grade_one(exam, options, workers, terminal)
    return _grade_folder(exam, options, workers, terminal)


def _exam(options: GradeOptions) -> Exam:
    """Returns the exam that the options describe.

    Raises:
        UsageError: An option is invalid.
    """
    from papan.arena.grade.exam import Exam
    from papan.usercode import registry

    limit = parse.limit(time=options.time)
    assert limit.seconds is not None
    return Exam(
        registry.game(options.game).spec,
        limit.seconds,
        parse.whole(options.positions, "--positions", 1),
        parse.whole(options.pairs, "--pairs", 1),
        parse.seed(options.seed),
        options.guards(),
    )


# --- one bot


def _grade_one(exam: Exam, options: GradeOptions, workers: int, terminal: Terminal) -> int:
    from papan.arena.grade.exam import Grade, grade
    from papan.arena.grade.reports import GradeSheet
    from papan.players.registry import player

    spec = player(options.player).spec
    sheet = GradeSheet(options.csv, exam) if options.csv is not None else None
    page = _page_at(options.html) if options.html is not None else None
    outcome, interrupted = Grade(exam, spec), False
    try:
        grade(exam, spec, _show(terminal), outcome=outcome, workers=workers)
    except KeyboardInterrupt:
        interrupted = True
        terminal.note(terminal.say("grade.interrupted"))
    terminal.clear_progress()
    if page is not None:
        _write_page(page, outcome, terminal)
    if sheet is not None and not interrupted:
        sheet.add(_only(options.player, spec), outcome, terminal.say)
    _print(outcome, terminal, options.as_json)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _only(word: str, spec: str) -> Submission:
    """Returns the grade of a single bot as a line of the table."""
    from papan.arena.grade.exam import Submission

    return Submission(Path(word).name if Path(word).is_file() else word, spec, "")


def _page_at(path: str) -> Path:
    """Opens the file of the page early, so that no exam is lost.

    Raises:
        UsageError: The file cannot be written.
    """
    with naming(path):
        require_room(Path(path))
    return Path(path)


def _write_page(path: Path, outcome: Grade, terminal: Terminal) -> None:
    from papan.arena.grade.reports import page

    text = page(outcome, terminal.say.language)
    with naming(path):
        write_whole(path, text, errors="replace")


def _show(terminal: Terminal) -> OnProgress:
    """Returns a function that shows the progress of one exam."""

    def show(progress: CampaignProgress) -> None:
        known = {"positions": "grade.at-positions", "proofs": "grade.at-proofs"}
        message = known.get(progress.part, "grade.at-level")
        values = {"level": progress.part, "done": progress.done, "total": progress.total}
        terminal.progress(terminal.say(message, **values))

    return show


def _print(outcome: Grade, terminal: Terminal, as_json: bool) -> None:
    from papan.arena.grade.exam import sentence

    summary = sentence(outcome, terminal.say)
    if as_json:
        terminal.json(writable({**outcome.as_dict(), "summary": summary}))
        return
    terminal.show(*_tables(outcome, terminal.say))
    terminal.line(printable(summary))


def _tables(outcome: Grade, say: Messages) -> list[Any]:
    """Returns legality, time, strength and blunders as tables."""
    from papan.arena.grade import reports

    faults = [
        (fault["position"], say.ending(fault["termination"]), fault["detail"], fault["printed"])
        for fault in outcome.answers.as_dict()["examples"]
    ]
    tables = [
        _table("legality", reports.KIND_HEADS, reports.kind_rows(outcome, say), say),
        _table("faults-title", ("position", "fault", "what", "printed"), faults, say),
        _table("time", reports.TIME_HEADS, [reports.time_row(outcome)], say),
        _table("strength", reports.LEVEL_HEADS, reports.level_rows(outcome), say),
        _table("blunders-title", reports.BLUNDER_HEADS, [reports.blunder_row(outcome)], say),
    ]
    return [table for table in tables if table.row_count]


#: Columns with text.
_TEXTS = ("fault", "what", "printed", "reached", "summary")


def _table(title: str, names: tuple[str, ...], rows: Any, say: Messages) -> Any:
    """Returns a table of rich; cells beyond the columns, such as bars, are left out."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=say(f"grade.{title}"), title_justify="left")
    for index, name in enumerate(names):
        is_text = index == 0 or name in _TEXTS
        table.add_column(say(f"grade.{name}"), justify="left" if is_text else "right")
    for row in rows:
        texts = map(str, row[: len(names)])
        table.add_row(*(Text("\n".join(map(printable, text.split("\n")))) for text in texts))
    return table


# --- a folder of bots


def _grade_folder(exam: Exam, options: GradeOptions, workers: int, terminal: Terminal) -> int:
    from papan.arena.grade.exam import grade_folder, submissions
    from papan.arena.grade.reports import GradeSheet, guard_cell
    from papan.protocol.process import without_folders

    if options.csv is None:
        raise UsageError("grade.needs-csv", text=options.player)
    bots, others = submissions(options.player)
    sheet = GradeSheet(options.csv, exam)
    pages = None if options.html is None else _Pages(_page_at(options.html), terminal)
    for name, reason in others.items():
        text = without_folders(terminal.say.explain(reason))
        terminal.note(printable(terminal.say("grade.passed-over", text=name, reason=text)))
    left = [submission for submission in bots if not sheet.has(submission)]
    interrupted = False
    outcomes = grade_folder(exam, left, _show(terminal), workers=workers)
    try:
        for submission, outcome in outcomes:
            sheet.add(submission, outcome, terminal.say)
            if pages is not None:
                pages.add(submission.name, outcome)
            done = {"done": sum(map(sheet.has, bots)), "total": len(bots)}
            terminal.note(printable(terminal.say("grade.one-done", text=submission.name, **done)))
    except KeyboardInterrupt:
        interrupted = True
        terminal.note(terminal.say("grade.folder-interrupted"))
    finally:
        outcomes.close()
    terminal.clear_progress()
    rows = [sheet.rows[guard_cell(one.name)] for one in bots if sheet.has(one)]
    if pages is not None:
        pages.write(rows, exam, others)
    if options.as_json:
        say = terminal.say
        reasons = {name: without_folders(say.explain(why)) for name, why in others.items()}
        report = {"file": str(sheet.path), "bots": len(bots), "graded": rows}
        terminal.json(writable({**report, "not_graded": reasons}))
    else:
        _print_sheet(sheet, rows, terminal)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


@dataclass(frozen=True)
class _Pages:
    """The page of a folder, and next to it a folder with a page for each bot."""

    path: Path
    terminal: Terminal

    @property
    def _folder(self) -> Path:
        return self.path.with_name(f"{self.path.stem}-bots")

    def add(self, name: str, outcome: Grade) -> None:
        """Writes the page of a bot."""
        with naming(self._folder):
            self._folder.mkdir(exist_ok=True)
        _write_page(self._of(name), outcome, self.terminal)

    def write(
        self, rows: list[dict[str, str]], exam: Exam, others: Mapping[str, UsageError]
    ) -> None:
        """Writes the page of the folder."""
        from papan.arena.grade.reports import class_page

        names = [row["bot"] for row in rows if self._of(row["bot"]).exists()]
        pages = {name: f"{self._folder.name}/{self._of(name).name}" for name in names}
        text = class_page(rows, exam, others, pages, self.terminal.say.language)
        with naming(self.path):
            write_whole(self.path, text, errors="replace")

    def _of(self, name: str) -> Path:
        return self._folder / f"{name}.html"


def _print_sheet(sheet: GradeSheet, rows: list[dict[str, str]], terminal: Terminal) -> None:
    """Prints the grades of a folder."""
    cells = [
        (row["bot"], f"{row['legal']}/{row['asked']}", row["reached"] or "–", row["summary"])
        for row in rows
    ]
    names = ("bot", "legal", "reached", "summary")
    terminal.show(_table("folder", names, cells, terminal.say))
    terminal.line(terminal.say("grade.written", file=sheet.path))
