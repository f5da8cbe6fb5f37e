"""`papan bench [KIND…]`: speed of the searches, and the signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from papan.cli import completion
from papan.cli.command import command
from papan.cli.options import JsonOptions, argument, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.core import spec

#: Kinds of `papan.bench`, repeated here because its import takes long.
KINDS = ("speed", "signature")


@dataclass(frozen=True, kw_only=True)
class BenchOptions(JsonOptions):
    """Options of `papan bench`."""

    kinds: tuple[str, ...] = argument(
        "[KIND]…", "bench", (), complete=completion.benches, many=True
    )
    quick: bool = option("--quick", "quick-bench", False)


@command(BenchOptions)
def bench(options: BenchOptions, terminal: Terminal) -> int:
    """Runs the measurements one by one; on Ctrl-C, reports the finished ones."""
    chosen = list(dict.fromkeys(options.kinds or KINDS))
    for kind in chosen:
        if kind not in KINDS:
            raise spec.unknown("bench.unknown", kind, dict.fromkeys(KINDS))
    report: dict[str, Any] = {"machine": machine(), "quick": options.quick}
    interrupted = False
    for kind in chosen:
        if not interrupted:
            report[kind], interrupted = _measure(kind, options, terminal)
    if interrupted:
        report["interrupted"] = True
        terminal.note(terminal.say("bench.interrupted"))
    if options.as_json:
        terminal.json(report)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def machine() -> dict[str, Any]:
    """Returns the facts that times depend on: processor, versions, load."""
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


def _measure(kind: str, options: BenchOptions, terminal: Terminal) -> tuple[dict[str, Any], bool]:
    """Returns the report of a kind, and true if it was interrupted; prints it unless JSON is
    requested."""
    from papan.bench import MEASUREMENTS

    measurement = MEASUREMENTS[kind]
    rows: list[Any] = []
    interrupted = False
    terminal.start_clock()
    try:
        for row in measurement.measure(options.quick):
            rows.append(row)
            terminal.progress(f"{kind}: {len(rows)}")
    except KeyboardInterrupt:
        interrupted = True
    terminal.clear_progress()
    summary = measurement.summarise(rows)
    if rows and not options.as_json:
        _show(kind, [row.cells() for row in rows], terminal)
        note = measurement.note(summary)
        if note:
            terminal.line(terminal.say(note, **summary))
        terminal.line()
    return {"rows": [asdict(row) for row in rows], **summary}, interrupted


def _show(kind: str, rows: Sequence[Mapping[str, str | float]], terminal: Terminal) -> None:
    """Prints a table with numbers aligned to the right."""
    from rich.table import Table

    say = terminal.say
    table = Table(title=say(f"bench.{kind}"), title_justify="left", box=None, pad_edge=False)
    for heading, cell in rows[0].items():
        table.add_column(say(heading), justify="left" if isinstance(cell, str) else "right")
    for row in rows:
        table.add_row(*map(_text, row.values()))
    terminal.show(table)


def _text(cell: str | float) -> str:
    if isinstance(cell, float):
        return f"{cell:,.4f}" if cell < 10 else f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
