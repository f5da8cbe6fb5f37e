"""`papan tablebase GAME`: the result of every position of a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import JsonOptions, argument, option
from papan.cli.solve import DEFAULT_MB
from papan.cli.terminal import EXIT_DONE, Terminal, align_columns, solving
from papan.errors import UsageError

if TYPE_CHECKING:
    from papan.messages import Messages
    from papan.search.limits import Stop
    from papan.tablebase.building import BuildProgress
    from papan.tablebase.lookup import Tablebase


@dataclass(frozen=True, kw_only=True)
class TablebaseOptions(JsonOptions):
    """Options of `papan tablebase`."""

    game: str = argument("GAME", "game-or-tablebase", complete=completion.games)
    memory: str = option("--memory MB", "memory", DEFAULT_MB)
    rules: str | None = option("--game FILE", "game-file", None, complete=completion.files)
    workers: str = option("--workers N", "build-workers", "1")
    cluster: str | None = option("--cluster ADDRESS", "tablebase-cluster", None, rank=4)
    insecure_cluster: bool = option("--insecure-cluster", "insecure-cluster", False, rank=4)
    out: str | None = option("--out -o FILE", "tablebase-out", None, complete=completion.files)
    anyway: bool = option("--anyway", "anyway", False)
    pruned: bool = option("--pruned", "pruned", False)
    verify: bool = option("--verify", "verify", False)


@command(TablebaseOptions)
def tablebase(options: TablebaseOptions, terminal: Terminal) -> int:
    """Builds or opens a tablebase, verifies it on request, and prints its counts."""
    megabytes = parse.number(options.memory, "--memory", 1)
    workers = parse.whole(options.workers, "--workers", 0) or os.cpu_count() or 1
    terminal.start_clock()
    result = _build_or_open(options, megabytes, workers, terminal)
    _print(result, options.verify, terminal, options.as_json)
    return EXIT_DONE


def _build_or_open(
    options: TablebaseOptions, megabytes: float, workers: int, terminal: Terminal
) -> Tablebase:
    """Returns the tablebase, verified if requested.

    Raises:
        PapanError: The tablebase cannot be built or opened, or is wrong.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    from papan.search.limits import Stop
    from papan.tablebase.lookup import Tablebase, verify
    from papan.tablebase.store import is_tablebase
    from papan.usercode.registry import game

    stop = Stop()
    with solving(terminal, stop.set):
        if is_tablebase(options.game):
            rules = None if options.rules is None else game(options.rules)
            result = Tablebase.open(options.game, rules)
        elif options.rules is not None:
            raise UsageError("tablebase.no-file", text=options.game)
        else:
            result = _build(options, megabytes, workers, terminal, stop)
        if options.verify:
            verify(result, workers=workers, stop=stop, on_progress=_reporter(terminal))
        return result


def _build(
    options: TablebaseOptions, megabytes: float, workers: int, terminal: Terminal, stop: Stop
) -> Tablebase:
    from papan.tablebase.build import build, prepare, require_buildable
    from papan.usercode.registry import game

    start = game(options.game).start()
    out = None if options.out is None else Path(options.out)
    require_buildable(start, options.pruned)  # before minutes of compiling
    with terminal.compiling("search.compiling", algorithm="tablebase", game=start.game.name):
        prepare(start)
    terminal.start_clock()
    with parse.cluster(options.cluster, options.insecure_cluster) as executor:
        return build(
            start, out=out, memory_mb=megabytes, workers=workers, executor=executor,
            anyway=options.anyway, pruned=options.pruned, stop=stop,
            on_progress=_reporter(terminal),
        )  # fmt: skip


def _reporter(terminal: Terminal) -> Callable[[BuildProgress], None]:
    return lambda done: terminal.progress(progress(done, terminal.say))


def progress(done: BuildProgress, say: Messages) -> str:
    """Returns the progress in one line."""
    share = "" if done.share is None else f"{100 * done.share:.0f} %"
    left = "–" if done.left is None else f"{done.left:.0f}"
    rate, positions = f"{done.rate:,.0f}", f"{done.positions:,}"
    expected = "–" if done.total is None else f"{done.total:,.0f}"
    return say(
        f"tablebase.{done.stage}", positions=positions, rate=rate, expected=expected, share=share,
        left=left,
    )  # fmt: skip


def _print(result: Tablebase, verified: bool, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        compared = result.positions if verified else None
        terminal.json({**result.as_dict(), "verified": compared})
        return
    say, value = terminal.say, result.value(result.root)
    number = value.margin if value.plies is None else value.plies
    method = say(f"tablebase.{result.header['method']}")
    rows: dict[str, object] = {
        say("tablebase.game"): result.game.spec,
        say("tablebase.method"): say("tablebase.pruned", method=method)
        if result.is_pruned
        else method,
        say("tablebase.positions"): f"{result.positions:,}",
        say("tablebase.images"): f"{result.images:,}",
        say("tablebase.value"): f"{say(f'tablebase.{value.outcome}')} {number or ''}".strip(),
    }
    if verified:
        rows[say("tablebase.verified")] = f"{result.positions:,}"
    terminal.pairs(rows)
    for line in table(result, say):
        terminal.line(line)


def table(result: Tablebase, say: Messages) -> list[str]:
    """Returns counts of positions by outcome and distance, as lines of text."""
    counts = {name: dict(each) for name, each in result.counts.items() if each}
    label = say("tablebase.margin" if result.has_margins else "tablebase.plies-left")
    heads = [label, *(say(f"tablebase.{name}") for name in counts)]
    totals = [say("tablebase.total"), *(f"{sum(each.values()):,}" for each in counts.values())]
    numbers = sorted({number for each in counts.values() for number in each})
    body = [
        [str(number), *(f"{each[number]:,}" if number in each else "" for each in counts.values())]
        for number in numbers
    ]
    return align_columns([heads, *body, totals], right=range(len(heads)))
