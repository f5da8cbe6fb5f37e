"""The page of a class: all bots of a folder, ranked, with links to their own pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from urllib.parse import quote

from papan.arena.grade.exam import Exam
from papan.arena.grade.html_report import Drawing, document, interval_bar, table, titles
from papan.arena.grade.strength import LADDER
from papan.errors import UsageError
from papan.messages import Messages
from papan.protocol.process import without_folders

#: A row of the grade sheet.
Row = Mapping[str, str]


def class_page(
    rows: Iterable[Row],
    exam: Exam,
    others: Mapping[str, UsageError],
    pages: Mapping[str, str],
    language: str = "en",
) -> str:
    """Returns the HTML page.

    Args:
        rows: rows of the grade sheet.
        exam: description of the exam.
        others: files that were not graded, with the reason.
        pages: address of each bot's own page; may lack some bots.
        language: language that is shown first.
    """
    ranking = rank_rows(rows)

    def body(say: Messages) -> Iterator[str]:
        levels = [level for level in LADDER if any(row[level] for row in ranking)]
        heads = titles(say, "rank", "bot", "reached", "legal")
        cells = [_cells(number, row, levels, pages) for number, row in enumerate(ranking, start=1)]
        yield f"<p>{escape(say('grade.ranking'))}</p>"
        yield from table([*heads, *levels, *titles(say, "summary")], cells)
        if others:
            yield f"<h2>{escape(say('grade.not-graded'))}</h2>"
            reasons = {name: without_folders(say.explain(why)) for name, why in others.items()}
            yield from table(titles(say, "file", "reason"), reasons.items())

    return document(exam.game, body, language)


def rank_rows(rows: Iterable[Row]) -> list[Row]:
    """Returns the rows of a sheet, best bot first.

    Bots are compared by the highest level beaten, then by the score against the next level, then by
    the share of legal moves.
    """
    return sorted(rows, key=_strength, reverse=True)


def _strength(row: Row) -> tuple[int, float, float]:
    beaten = LADDER.index(row["reached"]) + 1 if row["reached"] else 0
    above = [float(row[level] or 0) for level in LADDER[beaten:][:1]]
    return beaten, sum(above), int(row["legal"]) / max(1, int(row["asked"]))


def _cells(
    number: int, row: Row, levels: Sequence[str], pages: Mapping[str, str]
) -> Iterator[object]:
    name = row["bot"]
    yield number
    is_linked = name in pages
    yield Drawing(f'<a href="{quote(pages[name])}">{escape(name)}</a>') if is_linked else name
    yield row["reached"] or "–"
    yield f"{row['legal']}/{row['asked']}"
    for level in levels:
        yield _score(*(row[f"{level}{part}"] for part in ("_low", "", "_high")))
    yield row["summary"]


def _score(low: str, score: str, high: str) -> object:
    """Returns a score with its interval, as text and as a bar."""
    if not score:
        return "–"
    text = f"{float(score):.0f} % ({float(low):.0f} … {float(high):.0f})"
    return Drawing(f"{text}<br>{interval_bar(*(float(end) / 100 for end in (low, score, high)))}")
