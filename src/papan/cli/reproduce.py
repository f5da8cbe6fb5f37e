"""`papan reproduce`: the sources' tables, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli.match import Workers
from papan.cli.parameters import Json, Seed, read_seed, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.arena.reproduce import Run
    from papan.messages import Messages

Only = Annotated[str | None, typer.Option("--only", metavar="SECTION", help="cli.option.only")]
Folder = Annotated[str, typer.Option("--out", metavar="FOLDER", help="cli.option.out")]
Quick = Annotated[bool, typer.Option("--quick", help="cli.option.quick")]

#: Where files go if nothing else is said.
DEFAULT_FOLDER = "reproduction"


def reproduce(
    ctx: typer.Context,
    only: Only = None,
    quick: Quick = False,
    out: Folder = DEFAULT_FOLDER,
    workers: Workers = "0",
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Plays and measures what is not known yet, writes the tables, prints claims and verdicts."""
    from papan.arena.reproduce import write_report

    terminal = ctx.ensure_object(Terminal)
    run = _plan(only, out, quick=quick, workers=workers, seed=seed or "0", terminal=terminal)
    terminal.start_clock()
    interrupted = False
    try:
        run.run()
    except KeyboardInterrupt:
        interrupted = True
    terminal.clear_progress()
    settings = {
        "command": _command(quick, only),
        "seed": run.seed,
        "interrupted": interrupted,
    }
    found = write_report(run.findings, settings, run.folder)
    if interrupted:
        terminal.note(terminal.say("reproduce.interrupted"))
    if as_json:
        terminal.json(found)
    else:
        _print(found, terminal)
        terminal.line(terminal.say("reproduce.written", folder=run.folder))
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _command(quick: bool, only: str | None) -> str:
    """The words that make the same tables again."""
    words = ["papan reproduce", *(["--quick"] if quick else [])]
    return " ".join(words + ([f"--only {only}"] if only else []))


def _plan(
    only: str | None, out: str, *, quick: bool, workers: str, seed: str, terminal: Terminal
) -> Run:
    """The run that the words describe.

    Raises:
        UsageError: one of them is wrong, or the folder cannot be written to.
    """
    from papan.arena.reproduce import FULL, QUICK, SECTIONS, Run

    if only is not None and only not in SECTIONS:
        expected = ", ".join(SECTIONS)
        raise UsageError("spec.bad-value", option="--only", text=only, expected=expected)

    def show(what: str, done: int, total: int) -> None:
        terminal.progress(
            terminal.say(f"reproduce.{what}", bar=_bar(done, total), done=done, total=total)
        )

    processes, number = read_whole(workers, "--workers", 0), read_seed(seed)
    try:
        return Run(
            QUICK if quick else FULL,
            Path(out),
            number,
            only=only or "",
            workers=processes,
            on_progress=show,
        )
    except OSError as error:
        raise UsageError("usage.unwritable", text=out, reason=error.strerror) from None


_BAR_WIDTH = 24


def _bar(done: int, total: int) -> str:
    """A progress bar."""
    full = _BAR_WIDTH * done // max(1, total)
    return "█" * full + "░" * (_BAR_WIDTH - full)


def _print(found: dict[str, Any], terminal: Terminal) -> None:
    """Prints each cell: the source's claim beside our result, and the verdict."""
    from rich.table import Table

    say = terminal.say
    for section, rows in found["cells"].items():
        judged = section == "reports"
        columns = ["cell", *(["claim"] if judged else []), "score", "counts", "interval", "time"]
        table = Table(title=say(f"reproduce.section.{section}"), title_justify="left")
        for column in [*columns, *(["verdict"] if judged else [])]:
            table.add_column(say(f"reproduce.column.{column}"))
        for row in rows:
            table.add_row(*_cells(row, say, judged))
        terminal.show(table)


def _cells(row: dict[str, Any], say: Messages, judged: bool) -> list[str]:
    from papan.arena.reproduce import report

    names = ("report", "pairing", "rounds", "evaluation", "depth", "size", "level")
    label = " · ".join(str(row[name]) for name in names if name in row)
    times = " / ".join(report.duration(spent) for spent in row["ms"])
    result = [report.percent(row["score"]), report.outcome(row), report.interval(row), times]
    if not judged:
        return [label, *result]
    return [
        label,
        row["claim"] or "–",
        *result,
        say(f"reproduce.verdict.{row['verdict']}".replace(" ", "-")),
    ]
