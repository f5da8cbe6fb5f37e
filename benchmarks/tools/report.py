"""The report of a benchmark: tables of measurements, and checks of promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable


class CannotMeasure(RuntimeError):
    """Signals that a benchmark cannot run here; the message has the reason."""


@dataclass(frozen=True)
class Table:
    """A table of measurements; the heading of each column has the unit."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str | int | float, ...]] = field(default_factory=list)

    def add(self, *cells: str | int | float) -> None:
        """Adds a row with one cell per column."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        self.rows.append(cells)


@dataclass(frozen=True)
class Check:
    """A promise, and whether it was kept.

    Attributes:
        what: the measured quantity with its unit.
        measured: the measured value.
        promised: the expected value as text.
        kept: True if the promise was kept.
        timed: True if the result depends on the load of the machine.
    """

    what: str
    measured: str | int | float
    promised: str
    kept: bool
    timed: bool


@dataclass
class Report:
    """The results of a benchmark."""

    tables: list[Table] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    def expect_equal(self, what: str, measured: int | str, promised: int | str) -> None:
        """Checks that a result equals the promised one."""
        self.checks.append(Check(what, measured, str(promised), measured == promised, timed=False))

    def expect_least(self, what: str, measured: float, least: float) -> None:
        """Checks that a measurement is at least the promised one."""
        self.checks.append(Check(what, measured, f"≥ {least:g}", measured >= least, timed=True))

    def expect_below(self, what: str, measured: float, limit: float) -> None:
        """Checks that a measurement is below a limit."""
        self.checks.append(Check(what, measured, f"< {limit:g}", measured < limit, timed=True))

    @property
    def kept(self) -> bool:
        """True if every promise was kept."""
        return all(check.kept for check in self.checks)

    def as_dict(self) -> dict[str, Any]:
        """Returns the report for JSON."""
        return {"kept": self.kept, **asdict(self)}


def show(report: Report, console: Console) -> None:
    """Prints a report."""
    for table in report.tables:
        console.print(_drawn(table.title, table.columns, table.rows))
    if report.checks:
        rows = [
            (check.what, check.measured, check.promised, "kept" if check.kept else "BROKEN")
            for check in report.checks
        ]
        console.print(_drawn("Promises", ("", "measured", "promised", ""), rows))


def _drawn(
    title: str, columns: tuple[str, ...], rows: Sequence[tuple[str | int | float, ...]]
) -> RichTable:
    drawn = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD)
    for index, column in enumerate(columns):
        numbers = all(not isinstance(row[index], str) for row in rows)
        drawn.add_column(column, justify="right" if numbers else "left")
    for row in rows:
        drawn.add_row(*(_text(cell) for cell in row))
    return drawn


def _text(cell: str | int | float) -> str:
    if isinstance(cell, float):
        return f"{cell:,.1f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else cell
