"""`papan grade GAME PLAYER`: one bot, or a folder of them, examined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli import completion
from papan.cli.match import Workers
from papan.cli.parameters import GameSpec, Json, Seconds, Seed, read_limit, read_seed, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal, printable
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.arena.grade import Exam, Grade, Submission
    from papan.arena.grade.csv_report import Sheet
    from papan.messages import Messages

Bot = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="cli.argument.bot", autocompletion=completion.players),
]
HtmlFile = Annotated[str | None, typer.Option("--html", metavar="FILE", help="cli.option.html")]
CsvFile = Annotated[str | None, typer.Option("--csv", metavar="FILE", help="cli.option.csv")]
Positions = Annotated[str, typer.Option("--positions", metavar="N", help="cli.option.positions")]
LevelPairs = Annotated[str, typer.Option("--pairs", metavar="N", help="cli.option.level-pairs")]

#: What a move may take unless something else is said, in seconds.
DEFAULT_SECONDS = "1"
DEFAULT_POSITIONS = "1000"
DEFAULT_PAIRS = "20"


def grade(
    ctx: typer.Context,
    game: GameSpec,
    player: Bot,
    html: HtmlFile = None,
    csv: CsvFile = None,
    time: Seconds = None,
    positions: Positions = DEFAULT_POSITIONS,
    pairs: LevelPairs = DEFAULT_PAIRS,
    workers: Workers = "1",
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Examines a bot, or all bots of a folder; on Ctrl-C, what is finished is reported."""
    terminal = ctx.ensure_object(Terminal)
    exam = _exam(game, time or DEFAULT_SECONDS, positions=positions, pairs=pairs, seed=seed or "0")
    processes = read_whole(workers, "--workers", 0)
    terminal.start_clock()
    if Path(player).is_dir():
        if html is not None:
            raise UsageError("grade.one-page", text=player)
        _grade_folder(exam, player, csv, terminal=terminal, workers=processes, as_json=as_json)
        return
    _grade_one(exam, player, terminal, html=html, csv=csv, workers=processes, as_json=as_json)


def _exam(game: str, time: str, *, positions: str, pairs: str, seed: str) -> Exam:
    """The exam that the words describe.

    Raises:
        UsageError: one of them is wrong.
    """
    from papan.arena.grade import Exam
    from papan.core import registry

    limit = read_limit(time=time)
    assert limit.seconds is not None
    return Exam(
        registry.game(game).spec,
        limit.seconds,
        read_whole(positions, "--positions", 1),
        read_whole(pairs, "--pairs", 1),
        read_seed(seed),
    )


# --- one bot


def _grade_one(
    exam: Exam,
    word: str,
    terminal: Terminal,
    *,
    html: str | None,
    csv: str | None,
    workers: int,
    as_json: bool,
) -> None:
    from papan.arena.grade import Grade, grade
    from papan.arena.grade.csv_report import Sheet
    from papan.players.registry import player

    spec = player(spec_of(word)).spec
    sheet = Sheet(csv, exam) if csv is not None else None
    page = _opened(html) if html is not None else None
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
        sheet.add(_only(word, spec), outcome, terminal.say)
    _print(outcome, terminal, as_json)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def spec_of(word: str) -> str:
    """The spec of a player: a spec, or a file that is a bot."""
    from papan.arena.grade.submissions import spec_of_file

    path = Path(word)
    return (spec_of_file(path) or word) if path.is_file() else word


def _only(word: str, spec: str) -> Submission:
    """The one bot that is graded, as a line of a sheet has it."""
    from papan.arena.grade import Submission

    return Submission(Path(word).name if Path(word).is_file() else word, spec, "")


def _opened(path: str) -> Path:
    """The file for the page, which is made now, so that nobody waits for an exam in vain.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        Path(path).touch()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unwritable", text=path, reason=reason) from None
    return Path(path)


def _write_page(path: Path, outcome: Grade, terminal: Terminal) -> None:
    from papan.arena.grade.html_report import page

    text = page(outcome, terminal.say.language)
    path.write_text(text, encoding="utf-8", errors="replace")


def _show(terminal: Terminal) -> Any:
    """What shows the progress of one exam."""

    def show(part: str, done: int, total: int) -> None:
        known = {"positions": "grade.at-positions", "proofs": "grade.at-proofs"}
        message = known.get(part, "grade.at-level")
        terminal.progress(terminal.say(message, level=part, done=done, total=total))

    return show


def _print(outcome: Grade, terminal: Terminal, as_json: bool) -> None:
    from papan.arena.grade.summary import sentence

    summary = sentence(outcome, terminal.say)
    if as_json:
        terminal.json(_writable({**outcome.as_dict(), "summary": summary}))
        return
    terminal.show(*_tables(outcome, terminal.say))
    terminal.line(printable(summary))


def _writable(value: Any) -> Any:
    """A report without lone surrogates, which UTF-8 does not have."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _writable(each) for key, each in value.items()}
    return [_writable(each) for each in value] if isinstance(value, list) else value


def _tables(outcome: Grade, say: Messages) -> list[Any]:
    """Legality, time, strength and blunders as tables for people."""
    from papan.arena.grade.html_report import milliseconds
    from papan.arena.grade.summary import ending

    answers, times = outcome.answers.as_dict(), outcome.answers.times()
    kinds = [
        (say(f"grade.kind-{kind}"), counts["asked"], counts["legal"])
        for kind, counts in answers["kinds"].items()
    ]
    faults = [
        (fault["position"], ending(fault["termination"], say), fault["given"] or fault["detail"])
        for fault in answers["examples"]
    ]
    taken = [milliseconds(times[name]) for name in ("median", "p95", "max")]
    levels = [
        (
            result.level,
            result.tally.games,
            f"{100 * result.tally.single.score:.0f} %",
            "{:.0f} … {:.0f} %".format(*(100 * end for end in result.interval)),
        )
        for result in outcome.levels
    ]
    found = outcome.blunders.as_dict()
    blunders = [[found[key] for key in ("wins", "wins_thrown", "draws", "draws_thrown")]]
    tables = [
        _table("legality", ("kind", "asked", "legal"), kinds, say),
        _table("faults-title", ("position", "fault", "what"), faults, say),
        _table(
            "time", ("median", "p95", "longest", "overruns"), [(*taken, times["overruns"])], say
        ),
        _table("strength", ("level", "games", "score", "interval"), levels, say),
        _table("blunders-title", ("wins", "wins-thrown", "draws", "draws-thrown"), blunders, say),
    ]
    return [table for table in tables if table.row_count]


#: Columns that hold words.
_TEXTS = ("fault", "what", "reached", "summary")


def _table(title: str, names: tuple[str, ...], rows: Any, say: Messages) -> Any:
    """A table of rich's."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=say(f"grade.{title}"), title_justify="left")
    for index, name in enumerate(names):
        is_text = index == 0 or name in _TEXTS
        table.add_column(say(f"grade.{name}"), justify="left" if is_text else "right")
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    return table


# --- a folder of them


def _grade_folder(
    exam: Exam, folder: str, csv: str | None, *, terminal: Terminal, workers: int, as_json: bool
) -> None:
    from papan.arena.grade import grade_folder, submissions
    from papan.arena.grade.csv_report import Sheet

    if csv is None:
        raise UsageError("grade.needs-csv", text=folder)
    found, sheet = submissions(folder), Sheet(csv, exam)
    left = [submission for submission in found if not sheet.has(submission)]
    interrupted = False
    outcomes = grade_folder(exam, left, _show(terminal), workers=workers)
    try:
        for submission, outcome in outcomes:
            sheet.add(submission, outcome, terminal.say)
            done = {"done": sum(map(sheet.has, found)), "total": len(found)}
            terminal.note(printable(terminal.say("grade.one-done", text=submission.name, **done)))
    except KeyboardInterrupt:
        interrupted = True
        terminal.note(terminal.say("grade.folder-interrupted"))
    finally:
        outcomes.close()
    terminal.clear_progress()
    _print_sheet(sheet, found, terminal, as_json)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _print_sheet(sheet: Sheet, found: list[Submission], terminal: Terminal, as_json: bool) -> None:
    """Prints what is known of the bots of a folder."""
    from papan.arena.grade.csv_report import guarded

    rows = [sheet.rows[guarded(one.name)] for one in found if sheet.has(one)]
    if as_json:
        terminal.json({"file": str(sheet.path), "bots": len(found), "graded": rows})
        return
    cells = [
        (row["bot"], f"{row['legal']}/{row['asked']}", row["reached"] or "–", row["summary"])
        for row in rows
    ]
    names = ("bot", "legal", "reached", "summary")
    terminal.show(_table("folder", names, cells, terminal.say))
    terminal.line(terminal.say("grade.written", file=sheet.path))
