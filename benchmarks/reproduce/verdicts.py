"""Statements of the sources in words, with measurements and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from papan.messages import ENGLISH
from papan.stats.counts import Trinomial
from papan.stats.elo import score_interval

from .claims import (
    CONTRADICTED,
    FIRST,
    HOLDS,
    SECOND,
    UNDECIDED,
    verdict,
)

#: "Never" holds if there is no case and the interval of the share ends below this.
_SELDOM = 0.05

Row = dict[str, Any]
Measures = Mapping[str, list[Row]]


def statements_of(measures: Measures) -> list[Row]:
    """Returns a row for each statement and case: value, 95 % interval, unit and verdict.

    `statement` is the last part of the message key of the statement.
    """
    return [*_leads(measures), *_costs(measures), *_traps(measures), *_formations(measures)]


def _leads(measures: Measures) -> Iterator[Row]:
    """Yields minimax's lead over local search after a quarter of the rounds, and at the end."""
    for row in measures.get("lead_by_round", ()):
        rounds = row["rounds"]
        early = max(1, rounds // 4)
        for statement, after, better in (
            ("leads-early", early, SECOND),
            ("leads-late", rounds, FIRST),
        ):
            case = f"after {after} of {rounds} rounds"
            yield _row(statement, case, row["leads"][after - 1], ("pieces", 0, better))


def _costs(measures: Measures) -> Iterator[Row]:
    """Yields time and memory of genetic search, divided by those of minimax."""
    for row in measures.get("move_costs", ()):
        for what in ("time", "space"):
            case = f"{row['rounds']} rounds"
            yield _row(f"cheaper-{what}", case, row[what], ("ratio", 1, SECOND))


def _traps(measures: Measures) -> Iterator[Row]:
    """Yields the scores of players that know the depth of minimax or its program."""
    for row in measures.get("trap_scores", ()):
        case = f"depth {row['depth']}, {row['rounds']} rounds, {row['games']} games"
        interval = (row["score"], row["low"], row["high"])
        yield _row(f"trapped-by-{row['knows']}", case, interval, ("share", 0.5, FIRST))


def _formations(measures: Measures) -> Iterator[Row]:
    """Yields the homework's statements about the two heuristics for Corners."""
    for row in measures.get("stuck_formations", ()):
        first, second = row["evaluations"]
        case = f"{first} – {second}, depth {row['depth']}, {row['games']} games"
        if first == "matched":
            stuck, games = row["stuck"][0], row["games"]
            low, high = score_interval(Trinomial(stuck, 0, games - stuck))
            judged = _row("never-sticks", case, (stuck / games, low, high), ("share", 0, SECOND))
            never = HOLDS if high < _SELDOM else UNDECIDED
            yield {**judged, "verdict": CONTRADICTED if stuck else never}
            # A win against the weaker heuristic `corner` would not prove optimal play.
            if second == "stuck":
                score = (row["score"], row["low"], row["high"])
                yield _row("not-optimal", case, score, ("share", 0.5, SECOND))
        else:
            yield _row("sticks", case, row["surplus"], ("share", 0, FIRST))


def _row(statement: str, case: str, measured: Any, question: tuple[str, float, str]) -> Row:
    """Returns a row with its verdict.

    `question` has the unit, the neutral value, and the statement: the value lies above (`first`) or
    below (`second`) the neutral value.
    """
    (value, low, high), (unit, even, better) = measured, question
    interval = None if low is None or high is None else (low, high)
    return {
        "statement": statement,
        "case": case,
        "value": value,
        "low": low,
        "high": high,
        "unit": unit,
        "verdict": verdict(better, interval, even),
    }


def number(value: float | None, unit: str) -> str:
    """Formats a value; a dash for None."""
    if value is None:
        return "–"
    if unit == "share":
        return f"{100 * value:.1f} %"
    return f"{value:.3g}×" if unit == "ratio" else f"{value:+.2f}".replace("-", "−")


def interval(row: Row) -> str:
    """Formats the interval of a row."""
    low, high = (number(row[end], row["unit"]) for end in ("low", "high"))
    return f"{low} … {high}"


def cells_of(row: Row) -> list[str]:
    """Returns statement, case, value and interval in English."""
    words = ENGLISH(f"reproduce.statement.{row['statement']}")
    return [words, row["case"], number(row["value"], row["unit"]), interval(row)]
