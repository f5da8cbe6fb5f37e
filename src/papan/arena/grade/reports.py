"""Reports of grades: a self-contained HTML page in both languages, and a CSV file."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from papan.arena.grade.exam import Exam, Grade, Submission, sentence
from papan.arena.grade.strength import EVEN, LADDER
from papan.errors import UsageError, naming
from papan.messages import LANGUAGES, Messages
from papan.play.table import Termination
from papan.protocol.process import without_folders
from papan.whole_files import whole_file

#: Width and height of a bar in pixels; the middle is an even score.
WIDTH, HEIGHT = 240, 14

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;
color:#1d2733;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
.lead{font-size:1.1rem}
table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
code{overflow-wrap:anywhere;white-space:pre-line}.wide{overflow-x:auto}
label{margin-right:1rem}
"""


def page(outcome: Grade, language: str = "en") -> str:
    """Returns the HTML page of a grade; `language` is shown first."""
    title = f"{outcome.name} – {outcome.exam.game}"
    return document(title, lambda say: _body(outcome, say), language)


def document(title: str, body: Callable[[Messages], Iterable[str]], language: str) -> str:
    """Returns a page with the same content in each language; `language` is shown first."""
    title = escape(title)
    switches = "".join(_switch(each, each == language) for each in LANGUAGES)
    hidden = "".join(
        f"#l-{each}:not(:checked)~section[lang={each}]{{display:none}}" for each in LANGUAGES
    )
    sections = "".join(
        f'<section lang="{each}">{"".join(body(Messages(each)))}</section>' for each in LANGUAGES
    )
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}{hidden}</style>"
        f"{switches}<h1>{title}</h1>{sections}</html>\n"
    )


def _switch(language: str, checked: bool) -> str:
    mark = " checked" if checked else ""
    name = escape(Messages(language)("grade.language"))
    return (
        f'<input type="radio" name="l" id="l-{language}"{mark}><label for="l-{language}" '
        f'lang="{language}">{name}</label>'
    )


def _body(outcome: Grade, say: Messages) -> Iterator[str]:
    yield f'<p class="lead">{escape(sentence(outcome, say))}</p>'
    if not outcome.finished:
        yield f"<p>{escape(say('grade.unfinished'))}</p>"
    yield from _legality(outcome, say)
    yield from _time(outcome, say)
    if outcome.levels:
        yield f"<h2>{escape(say('grade.strength'))}</h2>"
        yield from table(titles(say, *LEVEL_HEADS), level_rows(outcome))
    yield from _blunders(outcome, say)


def _legality(outcome: Grade, say: Messages) -> Iterator[str]:
    yield f"<h2>{escape(say('grade.legality'))}</h2>"
    yield from table(titles(say, *KIND_HEADS), kind_rows(outcome, say))
    faults = [
        (
            fault["position"],
            say.ending(fault["termination"]),
            "\n".join(filter(None, (fault["detail"] or fault["given"], fault["printed"]))),
        )
        for fault in outcome.answers.as_dict()["examples"]
    ]
    if faults:
        yield from table(titles(say, "position", "fault", "what"), faults)


def _time(outcome: Grade, say: Messages) -> Iterator[str]:
    yield f"<h2>{escape(say('grade.time'))}</h2>"
    yield from table(titles(say, *TIME_HEADS), [time_row(outcome)])


#: Columns of the tables, also in the terminal; a row may have a bar at its end.
KIND_HEADS = ("kind", "asked", "legal")
TIME_HEADS = ("ready", "median", "p95", "longest", "overruns")
LEVEL_HEADS = ("level", "games", "score", "interval")
BLUNDER_HEADS = ("wins", "wins-thrown", "draws", "draws-thrown")


def kind_rows(outcome: Grade, say: Messages) -> Iterator[tuple[object, ...]]:
    """Yields the requested and the legal moves for each kind of positions."""
    for kind, counts in outcome.answers.as_dict()["kinds"].items():
        asked, legal = counts["asked"], counts["legal"]
        yield say(f"grade.kind-{kind}"), asked, legal, _bar(legal / asked)


def time_row(outcome: Grade) -> tuple[object, ...]:
    """Returns the times of moves and the number of late ones."""
    times = outcome.answers.times()
    cells = [milliseconds(times[name]) for name in ("ready", "median", "p95", "max")]
    return (*cells, times["overruns"])


def blunder_row(outcome: Grade) -> tuple[object, ...]:
    """Returns the won and drawn positions, and how many were lost."""
    counts = outcome.blunders.as_dict()
    return tuple(counts[name.replace("-", "_")] for name in BLUNDER_HEADS)


def level_rows(outcome: Grade) -> Iterator[tuple[object, ...]]:
    """Yields the score and its interval against each level."""
    for result in outcome.levels:
        low, high = result.interval
        yield (
            result.level,
            result.tally.games,
            f"{100 * result.tally.single.score:.0f} %",
            f"{100 * low:.0f} … {100 * high:.0f} %",
            interval_bar(low, result.tally.single.score, high),
        )


def _blunders(outcome: Grade, say: Messages) -> Iterator[str]:
    yield f"<h2>{escape(say('grade.blunders-title'))}</h2>"
    report = outcome.blunders.as_dict()
    if not report["critical"]:
        yield f"<p>{escape(say('grade.no-proofs'))}</p>"
        return
    yield from table(titles(say, *BLUNDER_HEADS), [blunder_row(outcome)])
    rows = [
        (
            blunder["position"],
            blunder["move"],
            " → ".join(say(f"grade.{blunder[key]}") for key in ("had", "left")),
            " ".join(blunder["best"]),
        )
        for blunder in report["examples"]
    ]
    if rows:
        yield from table(titles(say, "position", "move", "worth", "best"), rows)


class Drawing(str):
    """An SVG picture, which is inserted without escaping."""


def titles(say: Messages, *names: str) -> list[str]:
    return [say(f"grade.{name}") for name in names]


def table(heads: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    head = "".join(f"<th>{escape(title)}</th>" for title in heads)
    yield f'<div class="wide"><table><tr>{head}</tr>'
    for row in rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</table></div>"


def _cell(value: object) -> str:
    if isinstance(value, Drawing):
        return f"<td>{value}</td>"
    if isinstance(value, int):
        return f'<td class="n">{value}</td>'
    return f"<td><code>{escape(str(value))}</code></td>"


def milliseconds(seconds: float | None) -> str:
    """Returns a time in milliseconds for display; `–` for None."""
    return "–" if seconds is None else f"{1000 * seconds:.1f} ms"


def _bar(share: float) -> Drawing:
    """Returns a bar that is filled to a share (0 … 1) of its width."""
    return _svg(
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#e4e8ee"/>'
        f'<rect width="{WIDTH * share:.1f}" height="{HEIGHT}" fill="#2b6cb0"/>'
    )


def interval_bar(low: float, score: float, high: float) -> Drawing:
    """Returns a bar with the interval of a score, a tick at the score and a line at one half."""
    low, score, high, even = (WIDTH * share for share in (low, score, high, EVEN))
    return _svg(
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#e4e8ee"/>'
        f'<rect x="{low:.1f}" y="3" width="{high - low:.1f}" height="{HEIGHT - 6}" fill="#7aa7d6"/>'
        f'<rect x="{score - 1.5:.1f}" width="3" height="{HEIGHT}" fill="#1a4e8a"/>'
        f'<path d="M{even} 0V{HEIGHT}" stroke="#1d2733" stroke-dasharray="2 2"/>'
    )


def _svg(inside: str) -> Drawing:
    return Drawing(f'<svg width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">{inside}</svg>')


# --- the page of a class

#: A row of the grade sheet.
Row = Mapping[str, str]


def class_page(
    rows: Iterable[Row],
    exam: Exam,
    others: Mapping[str, UsageError],
    pages: Mapping[str, str],
    language: str = "en",
) -> str:
    """Returns the HTML page of a folder: all bots, ranked, with links to their own pages.

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


# --- the CSV file

_FAULTS = {
    "illegal": Termination.ILLEGAL_MOVE,
    "late": Termination.TIME,
    "crashes": Termination.CRASH,
    "floods": Termination.FLOOD,
}

#: Column names; scores are in percent, from the bot's view.
COLUMNS = (
    "bot",
    "asked",
    "legal",
    *_FAULTS,
    "median_ms",
    "p95_ms",
    "max_ms",
    "reached",
    *(f"{level}{part}" for level in LADDER for part in ("", "_low", "_high", "_games")),
    "critical",
    "wins_thrown",
    "draws_thrown",
    "summary",
    "digest",
    "exam",
)

#: First characters that make a spreadsheet treat a cell as a formula, and possibly run it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class GradeSheet:
    """A CSV file of grades, one row per bot.

    A row is written as soon as its bot is finished, so an interruption loses at most the current
    bot. If the same exam runs again, the rows of unchanged bots are kept.

    Args:
        path: path of the file; rows of the same exam are kept.
        exam: description of the exam.

    Raises:
        UsageError: the file cannot be written, or is not a grade sheet.
    """

    def __init__(self, path: str, exam: Exam) -> None:
        self.path, self.exam = Path(path), exam_name(exam)
        try:
            self.rows = {row["bot"]: row for row in self._read() if row["exam"] == self.exam}
            self._write_all()
        except (OSError, ValueError, csv.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError("usage.unwritable", text=path, reason=reason) from None

    def has(self, submission: Submission) -> bool:
        """Returns True if the sheet has a bot and the bot is unchanged."""
        row = self.rows.get(guard_cell(submission.name))
        return row is not None and row["digest"] == submission.digest

    def add(self, submission: Submission, outcome: Grade, say: Messages) -> None:
        """Writes the row of a bot."""
        row = {"bot": submission.name, "digest": submission.digest, "exam": self.exam}
        cells = {name: str(value) for name, value in {**summary_cells(outcome, say), **row}.items()}
        cells |= {name: guard_cell(cells[name]) for name in ("bot", "summary")}
        self.rows[cells["bot"]] = cells
        self._write_all()

    def _read(self) -> list[dict[str, str]]:
        """Returns the complete rows of the file."""
        if not self.path.exists() or not self.path.stat().st_size:
            return []
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise UsageError("grade.other-file", text=self.path)
            return [row for row in reader if None not in row.values() and None not in row]

    def _write_all(self) -> None:
        """Writes the whole file; the old file stays until the new one is complete."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(self.rows[name] for name in sorted(self.rows))
        with naming(self.path), whole_file(self.path, lasting=True) as file:
            # With a byte order mark, because spreadsheets assume another encoding without it.
            file.write(text.getvalue().encode("utf-8-sig", errors="replace"))


def exam_name(exam: Exam) -> str:
    """Returns a short name of an exam; exams with different settings have different names."""
    return hashlib.sha256(repr(exam).encode()).hexdigest()[:8]


def guard_cell(text: str) -> str:
    """Returns a text that a spreadsheet does not treat as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def summary_cells(outcome: Grade, say: Messages) -> Mapping[str, Any]:
    """Returns the columns of a grade; unknown values are empty."""
    cells: dict[str, Any] = dict.fromkeys(COLUMNS, "")
    faults, times = outcome.answers.faults, outcome.answers.times()
    cells |= {"asked": len(outcome.answers.moves), "legal": outcome.answers.legal}
    cells |= {name: faults[kind.value] for name, kind in _FAULTS.items()}
    for name in ("median", "p95", "max"):
        if times[name] is not None:
            cells[f"{name}_ms"] = f"{1000 * times[name]:.1f}"
    for result in outcome.levels:
        facts = result.as_dict()
        for part, key in (("", "score"), ("_low", "low"), ("_high", "high")):
            cells[f"{result.level}{part}"] = f"{100 * facts[key]:.1f}"
        cells[f"{result.level}_games"] = facts["games"]
    blunders = outcome.blunders
    return cells | {
        "reached": outcome.reached or "",
        "critical": blunders.critical,
        "wins_thrown": blunders.count_thrown("win"),
        "draws_thrown": blunders.count_thrown("draw"),
        "summary": sentence(outcome, say),
    }
