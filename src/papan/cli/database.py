"""`papan database GAME`: the result of every position of a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.cli.command import command
from papan.cli.options import argument, option, read_cluster, read_number, read_whole
from papan.cli.solve import DEFAULT_MB
from papan.cli.terminal import EXIT_DONE, Terminal, aligned, solving
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.messages import Messages
    from papan.search.limits import Stop
    from papan.tablebase.database import Database
    from papan.tablebase.work import BuildProgress


@dataclass(frozen=True, kw_only=True)
class DatabaseOptions:
    """Options of `papan database`."""

    game: str = argument("game-or-database")
    rules: str | None = option("game-file", None)
    memory: str = option("memory", DEFAULT_MB)
    workers: str = option("build-workers", "1")
    out: str | None = option("database-out", None)
    cluster: str | None = option("database-cluster", None)
    insecure_cluster: bool = option("insecure-cluster", False)
    anyway: bool = option("anyway", False)
    pruned: bool = option("pruned", False)
    verify: bool = option("verify", False)
    as_json: bool = option("json", False)


@command(DatabaseOptions)
def database(options: DatabaseOptions, terminal: Terminal) -> int:
    """Makes or opens a database, verifies it if asked to, and prints its counts."""
    megabytes = read_number(options.memory, "--memory", 1)
    workers = read_whole(options.workers, "--workers", 0) or os.cpu_count() or 1
    terminal.start_clock()
    found = _found(options, megabytes, workers, terminal)
    _print(found, options.verify, terminal, options.as_json)
    return EXIT_DONE


def _found(
    options: DatabaseOptions, megabytes: float, workers: int, terminal: Terminal
) -> Database:
    """The database that was asked for, verified if that was asked for too.

    Raises:
        PapanError: it cannot be made or opened, or is wrong.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    from papan.search.limits import Stop
    from papan.tablebase.files import is_database

    stop = Stop()
    with solving(terminal, stop.set):
        if is_database(options.game):
            return _opened(options, workers, terminal, stop)
        if options.rules is not None:
            raise UsageError("database.no-file", text=options.game)
        return _made(options, megabytes, workers, terminal, stop)


def _made(
    options: DatabaseOptions, megabytes: float, workers: int, terminal: Terminal, stop: Stop
) -> Database:
    from papan.tablebase.build import build, prepare
    from papan.tablebase.verify import verify
    from papan.usercode.registry import game

    start = game(options.game).start()
    out = None if options.out is None else Path(options.out)
    reporting = _reporter(terminal)
    with terminal.compiling("search.compiling", algorithm="database", game=start.game.name):
        prepare(start)
    terminal.start_clock()
    with read_cluster(options.cluster, options.insecure_cluster) as executor:
        found = build(
            start, out=out, memory_mb=megabytes, workers=workers, executor=executor,
            anyway=options.anyway, pruned=options.pruned, stop=stop, on_progress=reporting,
        )  # fmt: skip
    if options.verify:
        verify(found, workers=workers, stop=stop, on_progress=reporting)
    return found


def _opened(options: DatabaseOptions, workers: int, terminal: Terminal, stop: Stop) -> Database:
    from papan.tablebase.database import Database
    from papan.tablebase.verify import verify
    from papan.usercode.registry import game

    found = Database.open(options.game, None if options.rules is None else game(options.rules))
    if options.verify:
        verify(found, workers=workers, stop=stop, on_progress=_reporter(terminal))
    return found


def _reporter(terminal: Terminal) -> Callable[[BuildProgress], None]:
    return lambda done: terminal.progress(progress(done, terminal.say))


def progress(done: BuildProgress, say: Messages) -> str:
    """Progress of the work, on one line."""
    share = "" if done.share is None else f"{100 * done.share:.0f} %"
    left = "–" if done.left is None else f"{done.left:.0f}"
    rate, positions = f"{done.rate:,.0f}", f"{done.positions:,}"
    expected = "–" if done.total is None else f"{done.total:,.0f}"
    return say(
        f"database.{done.stage}", positions=positions, rate=rate, expected=expected, share=share,
        left=left,
    )  # fmt: skip


def _print(found: Database, verified: bool, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        compared = found.positions if verified else None
        terminal.json({**found.as_dict(), "verified": compared})
        return
    say, value = terminal.say, found.value(found.root)
    number = value.margin if value.plies is None else value.plies
    method = say(f"database.{found.header['method']}")
    rows: dict[str, object] = {
        say("database.game"): found.game.spec,
        say("database.method"): say("database.pruned", method=method)
        if found.is_pruned
        else method,
        say("database.positions"): f"{found.positions:,}",
        say("database.images"): f"{found.images:,}",
        say("database.value"): f"{say(f'database.{value.outcome}')} {number or ''}".strip(),
    }
    if verified:
        rows[say("database.verified")] = f"{found.positions:,}"
    terminal.pairs(rows)
    for line in table(found, say):
        terminal.line(line)


def table(found: Database, say: Messages) -> list[str]:
    """Counts of positions by outcome and distance, as lines of text."""
    counts = {name: dict(each) for name, each in found.counts.items() if each}
    label = say("database.margin" if found.has_margins else "database.plies-left")
    heads = [label, *(say(f"database.{name}") for name in counts)]
    totals = [say("database.total"), *(f"{sum(each.values()):,}" for each in counts.values())]
    numbers = sorted({number for each in counts.values() for number in each})
    body = [
        [str(number), *(f"{each[number]:,}" if number in each else "" for each in counts.values())]
        for number in numbers
    ]
    return aligned([heads, *body, totals], right=range(len(heads)))
