"""`papan reproduce`: repeats the experiments of the sources."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import JsonOptions, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError, unwritable

if TYPE_CHECKING:
    from papan.campaign import CampaignProgress
    from papan.messages import Messages

#: Parts of the reproduction that `--only` can name.
SECTIONS = ("reports", "horizon", "lead", "cost", "traps", "corners", "platforms")

#: Default folder of files.
DEFAULT_FOLDER = "reproduction"


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions(SeedOptions, JsonOptions):
    """Options of `papan reproduce`."""

    only: str | None = option("--only SECTION", "only", None, choices=SECTIONS)
    quick: bool = option("--quick", "quick", False)
    workers: str = option("--workers N", "workers", "0")
    out: str = option("--out FOLDER", "out", DEFAULT_FOLDER, complete=completion.folders)


@command(ReproduceOptions)
def reproduce(options: ReproduceOptions, terminal: Terminal) -> int:
    """Plays and measures missing results, writes the tables, prints claims and verdicts."""
    run = _plan(options, terminal)
    terminal.start_clock()
    interrupted = False
    try:
        run.run()
    except KeyboardInterrupt:
        interrupted = True
    terminal.clear_progress()
    settings = {"command": _command(options), "seed": run.seed, "interrupted": interrupted}
    report = load_module("report").write_report(run.findings, settings, run.folder)
    if interrupted:
        terminal.note(terminal.say("reproduce.interrupted"))
    if options.as_json:
        terminal.json(report)
    else:
        _print(report, terminal)
        terminal.line(terminal.say("reproduce.written", folder=run.folder))
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def load_module(name: str) -> Any:
    """Returns a module of `benchmarks/reproduce`, which is `papan.reproduce` in an installed
    package.

    Raises:
        UsageError: Neither exists.
    """
    if find_spec("papan.reproduce") is not None:
        return import_module(f"papan.reproduce.{name}")
    root = Path(__file__).parents[3]
    if not (root / "benchmarks" / "reproduce").is_dir():
        raise UsageError("reproduce.missing", text=root / "benchmarks" / "reproduce")
    # Worker processes inherit the path and import the module by the same name.
    if str(root) not in sys.path:
        sys.path.append(str(root))
    return import_module(f"benchmarks.reproduce.{name}")


def _command(options: ReproduceOptions) -> str:
    """Returns the command that creates the same tables."""
    words = ["papan reproduce", *(["--quick"] if options.quick else [])]
    return " ".join(words + ([f"--only {options.only}"] if options.only else []))


def _plan(options: ReproduceOptions, terminal: Terminal) -> Any:
    """Returns the run that the options describe.

    Raises:
        UsageError: An option is invalid, or the folder cannot be written.
    """
    plan = load_module("plan")

    def show(progress: CampaignProgress) -> None:
        part, done, total = progress
        terminal.progress(
            terminal.say(f"reproduce.{part}", bar=_bar(done, total), done=done, total=total)
        )

    try:
        return load_module("run").Reproduction(
            plan.QUICK if options.quick else plan.FULL,
            Path(options.out),
            parse.seed(options.seed),
            only=options.only or "",
            workers=parse.whole(options.workers, "--workers", 0),
            on_progress=show,
        )
    except OSError as error:
        raise unwritable(options.out, error) from None


_BAR_WIDTH = 24


def _bar(done: int, total: int) -> str:
    """Returns a progress bar."""
    full = _BAR_WIDTH * done // max(1, total)
    return "█" * full + "░" * (_BAR_WIDTH - full)


def _print(report: dict[str, Any], terminal: Terminal) -> None:
    """Prints each cell: the claim of the source, our result, and the verdict."""
    from rich.table import Table

    say = terminal.say
    for section, rows in report["cells"].items():
        judged = section == "reports"
        columns = ["cell", *(["claim"] if judged else []), "score", "counts", "interval", "time"]
        table = Table(title=say(f"reproduce.section.{section}"), title_justify="left")
        for column in [*columns, *(["verdict"] if judged else [])]:
            table.add_column(say(f"reproduce.column.{column}"))
        for row in rows:
            table.add_row(*_cells(row, say, judged))
        terminal.show(table)
    if report["statements"]:
        table = Table(title=say("reproduce.section.statements"), title_justify="left")
        for column in ("claim", "cell", "measured", "interval", "verdict"):
            table.add_column(say(f"reproduce.column.{column}"))
        for row in report["statements"]:
            table.add_row(*_statement(row, say))
        terminal.show(table)


def _statement(row: dict[str, Any], say: Messages) -> list[str]:
    words = say(f"reproduce.statement.{row['statement']}")
    return [words, *load_module("verdicts").cells_of(row)[1:], _verdict(row, say)]


def _verdict(row: dict[str, Any], say: Messages) -> str:
    return say(f"reproduce.verdict.{row['verdict']}".replace(" ", "-"))


def _cells(row: dict[str, Any], say: Messages, judged: bool) -> list[str]:
    report = load_module("report")
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
        _verdict(row, say),
    ]
