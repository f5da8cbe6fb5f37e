"""A grade as a self-contained HTML page in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from papan.arena.grade.exam import Grade, ending, sentence
from papan.arena.grade.strength import EVEN
from papan.messages import LANGUAGES, Messages

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
        yield from table(titles(say, "level", "games", "score", "interval"), _levels(outcome))
    yield from _blunders(outcome, say)


def _legality(outcome: Grade, say: Messages) -> Iterator[str]:
    report = outcome.answers.as_dict()
    yield f"<h2>{escape(say('grade.legality'))}</h2>"
    rows = [
        (
            say(f"grade.kind-{kind}"),
            counts["asked"],
            counts["legal"],
            _bar(counts["legal"] / counts["asked"]),
        )
        for kind, counts in report["kinds"].items()
    ]
    yield from table(titles(say, "kind", "asked", "legal"), rows)
    faults = [
        (
            fault["position"],
            ending(fault["termination"], say),
            "\n".join(filter(None, (fault["detail"] or fault["given"], fault["printed"]))),
        )
        for fault in report["examples"]
    ]
    if faults:
        yield from table(titles(say, "position", "fault", "what"), faults)


def _time(outcome: Grade, say: Messages) -> Iterator[str]:
    times = outcome.answers.times()
    yield f"<h2>{escape(say('grade.time'))}</h2>"
    cells = [milliseconds(times[name]) for name in ("ready", "median", "p95", "max")]
    yield from table(
        titles(say, "ready", "median", "p95", "longest", "overruns"), [(*cells, times["overruns"])]
    )


def _levels(outcome: Grade) -> Iterator[tuple[object, ...]]:
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
    counts = [(report[name] for name in ("wins", "wins_thrown", "draws", "draws_thrown"))]
    yield from table(titles(say, "wins", "wins-thrown", "draws", "draws-thrown"), counts)
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
