"""`papan bench [KIND…]`: what the searches cost, and the signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from papan.cli import completion
from papan.cli.parameters import Json
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.core import spec

if TYPE_CHECKING:
    from papan.search.bench.sheet import Sheet

#: What can be measured, each by the module of `papan.search.bench` with that name.
KINDS = ("speed", "signature", "tables", "ablation", "algorithms", "threads")
DEFAULT_KINDS = ("speed", "signature")


def bench(
    ctx: typer.Context,
    kinds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KIND]…",
            help="cli.argument.bench",
            autocompletion=completion.benches,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="cli.option.quick-bench")] = False,
    as_json: Json = False,
) -> None:
    """Measures one kind after the other; on Ctrl-C, reports what is finished."""
    terminal = ctx.ensure_object(Terminal)
    chosen = list(dict.fromkeys(kinds or DEFAULT_KINDS))
    for kind in chosen:
        if kind not in KINDS:
            raise spec.unknown("bench.unknown", kind, dict.fromkeys(KINDS))
    report: dict[str, Any] = {"machine": machine(), "quick": quick}
    interrupted = False
    for kind in chosen:
        if not interrupted:
            report[kind], interrupted = _measure(kind, quick, terminal, as_json)
    if interrupted:
        report["interrupted"] = True
        terminal.note(terminal.say("bench.interrupted"))
    if as_json:
        terminal.json(report)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def machine() -> dict[str, Any]:
    """What times depend on: processor, versions, and how busy the machine is."""
    import os
    import platform
    from importlib import metadata

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": platform.processor() or platform.machine(),
        "cpus": os.cpu_count(),
        "load": None if load is None else round(load, 2),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "papan": metadata.version("papan"),
    }


def _measure(
    kind: str, quick: bool, terminal: Terminal, as_json: bool
) -> tuple[dict[str, Any], bool]:
    """The report of one kind, and whether it was interrupted; shown unless it is for JSON."""
    from importlib import import_module

    module = import_module(f"papan.search.bench.{kind}")
    rows: list[Any] = []
    interrupted = False
    terminal.start_clock()
    try:
        for row in module.measure(quick):
            rows.append(row)
            terminal.progress(f"{kind}: {len(rows)}")
    except KeyboardInterrupt:
        interrupted = True
    terminal.clear_progress()
    if rows and not as_json:
        _show(kind, module.sheet(rows), terminal)
    return {"rows": [asdict(row) for row in rows], **module.summary(rows)}, interrupted


def _show(kind: str, sheet: Sheet, terminal: Terminal) -> None:
    from rich.table import Table

    say = terminal.say
    table = Table(title=say(f"bench.{kind}"), title_justify="left", box=None, pad_edge=False)
    for number, column in enumerate(sheet.columns):
        table.add_column(say(column), justify="right" if _is_numeric(sheet, number) else "left")
    for row in sheet.rows:
        table.add_row(*map(say, row))
    terminal.show(table)
    for message, values in sheet.notes:
        terminal.line(say(message, **values))
    terminal.line()


def _is_numeric(sheet: Sheet, number: int) -> bool:
    """Whether a column starts with a digit in every row that has something to say there."""
    cells: Sequence[str] = [row[number] for row in sheet.rows if row[number].strip("–")]
    return bool(cells) and all(cell[0].isdigit() and "/" not in cell for cell in cells)
