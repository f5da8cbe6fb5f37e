"""Analysis: any position, set up by hand or pasted, and what an engine thinks of it.

The address carries all of it: `game`, `position` (a line), `moves` made from there, `ply` (the
one that is shown) and `tool` (what a click on a square does: a move, or putting a piece there).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.game import Position
from papan.errors import PapanError
from papan.figures.board import board_svg
from papan.figures.chart import Look, evaluation_chart
from papan.figures.highlights import Marks, squares_of
from papan.messages import Messages
from papan.web import asking, boards, reasons, render
from papan.web.choices import Choices
from papan.web.drafts import Draft
from papan.web.pages.forms import read_form
from papan.web.pages.house import house
from papan.web.pages.live import push
from papan.web.security import state_of
from papan.web.studies import Study, Sweep
from papan.web.subjects import PLAY, Subject, changed, clicked, pasted, subject_of

#: How long an engine may look, in seconds, and how many lines it may show.
SECONDS = (3, 10, 30, 60)
MOST_LINES = 5


# --- pages ----------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The page; a click on a square leads to the address of what comes of it."""
    values = dict(request.query_params)
    choices = house(request).choices
    subject = subject_of(choices, values)
    try:
        after = _done(subject, values)
    except PapanError as error:
        return await _page(request, replace(subject, problem=error), status=400)
    if after is not None:
        return _go(request, after)
    return await _page(request, subject)


def _done(subject: Subject, values: Mapping[str, str]) -> Subject | None:
    """What an address asks to be done; None if it only asks to be shown something."""
    if "square" in values:
        return clicked(subject, values["square"])
    if "setup" in values:
        return changed(subject, values)
    return None


def _go(request: Request, subject: Subject) -> Response:
    """Sends the browser to the address of a subject."""
    where = f"{render.path(request, 'analysis')}?{subject.query()}"
    return RedirectResponse(where, status_code=303)


async def paste(request: Request) -> Response:
    """Takes a position line or a record, which is too long for an address's form."""
    form = await read_form(request, longest=asking.LONGEST_RECORD)
    choices = house(request).choices
    subject = subject_of(choices, form)
    try:
        return _go(request, pasted(choices, subject, form.get("text", "")))
    except PapanError as error:
        return await _page(request, replace(subject, problem=error), status=400)


async def search(request: Request) -> Response:
    """Lets an engine look at the position, or at the whole game; or stops it."""
    form = await read_form(request, longest=asking.LONGEST_RECORD)
    (session, _), home = state_of(request), house(request)
    subject = subject_of(home.choices, form)
    if "stop" in form:
        home.studies.stop(session)
    elif subject.problem is not None:
        raise subject.problem
    elif "sweep" in form:
        sides = tuple(position.side for position in subject.positions)
        home.studies.begin_sweep(session, subject.whole_game, sides)
    else:
        lines = asking.whole(form, "lines", 1, MOST_LINES, 3)
        seconds = asking.whole(form, "seconds", 1, SECONDS[-1], SECONDS[1])
        home.studies.begin(session, replace(subject.question, lines=lines, seconds=float(seconds)))
    if render.is_fragment(request):
        return await _page(request, subject)
    return _go(request, subject)


async def _page(request: Request, subject: Subject, status: int = 200) -> Response:
    context = await asyncio.to_thread(context_of, request, subject)
    return render.page(request, "analysis.html", status=status, **context)


def context_of(connection: HTTPConnection, subject: Subject) -> dict[str, Any]:
    """What the template is given."""
    say, (session, wanted) = render.messages(connection), state_of(connection)
    home = house(connection)
    position = subject.position
    study = home.studies.study(session, subject.question) if position else None
    sweep = home.studies.sweep(session, subject.whole_game) if subject.moves else None
    offered = {name: home.choices.game(name, {}) for name in home.choices.games()}
    return {
        "subject": subject,
        "problem": say.explain(subject.problem) if subject.problem else "",
        "offered": offered,
        "options": _options(home.choices, subject),
        "study": study,
        "sweep": sweep,
        "finding": Finding.of(position, study, say) if position and study else None,
        "graph": _graph(subject, sweep, say) if sweep else None,
        "pairs": boards.paired(subject.positions, subject.moves),
        "seconds": SECONDS,
        "most_lines": MOST_LINES,
        "plies": Draft(subject.game, subject.line).plies,
        **_board(subject, study, say, wanted.style),
    }


def _board(subject: Subject, study: Study | None, say: Messages, style: Any) -> dict[str, Any]:
    """The picture and its squares."""
    position = subject.position
    try:
        shown = position or subject.draft.shown()
    except PapanError:
        return {"board": "", "rows": [], "words": ""}
    last: list[str] = []
    if position and subject.ply:
        before = subject.positions[subject.ply - 1]
        last = boards.marked_last(before, subject.moves[subject.ply - 1])
    states: dict[str, str] = {}
    if position and subject.tool == PLAY:
        found = boards.actions(position, subject.source)
        states = {name: state for name, (state, _) in found.items()}
    hint: list[str] = []
    if position and study and study.found.get("move"):
        hint = squares_of(position, study.found["move"])
    marks = Marks(
        last=last,
        targets=[name for name, state in states.items() if state == "target"],
        selected=subject.source,
        hint=hint,
    )
    title = say("web.game.board", game=subject.game.title)
    return {
        "board": board_svg(shown, marks=marks, style=style, title=title),
        "rows": boards.rows(shown, say, states, last),
        "words": boards.in_words(shown, say),
    }


@dataclass(frozen=True)
class Finding:
    """What an engine has found, as the page shows it.

    Attributes:
        value: in short, `x`'s view.
        side: who is better.
        share: `x`'s part of the bar, in per cent.
        lines: the best lines.
        why: sentences.
        facts: depth, nodes, speed.
        proven: whether it is certain.
    """

    value: str
    side: str
    share: int
    lines: list[reasons.ShownLine]
    why: list[str]
    facts: str
    proven: bool

    @classmethod
    def of(cls, position: Position, study: Study, say: Messages) -> Finding | None:
        """The finding of a study; None as long as there is none."""
        found = study.found
        if not found:
            return None
        value = reasons.sign(position) * found["score"]
        nodes, nps = _thousands(found["nodes"]), _thousands(found["nps"])
        return cls(
            reasons.told_value(position, value, say),
            reasons.better_side(value),
            round(100 * reasons.share_of_x(position, value)),
            reasons.shown_lines(position, found, say) if found["pv"] else [],
            reasons.why(position, found, say),
            say("web.analysis.facts", depth=found["depth"], nodes=nodes, nps=nps),
            found["proven"],
        )


def _thousands(count: int) -> str:
    """A large number, short: `12 k`, `3.4 M`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return str(count)


def _graph(subject: Subject, sweep: Sweep, say: Messages) -> dict[str, Any]:
    """The evaluation over the game, and its turning points."""
    positions = subject.positions
    values = reasons.flat_values(sweep, positions)
    turns = reasons.turns(sweep, positions)
    chart = evaluation_chart(
        say("web.analysis.graph"),
        say("web.analysis.plies"),
        values,
        turning=turns,
        look=Look(standalone=False),
    )
    known = sum(value is not None for value in values)
    return {
        "chart": chart,
        "turns": [(ply, reasons.told_turn(sweep, positions, ply, say)) for ply in turns],
        "known": known,
        "all": len(values),
    }


@dataclass(frozen=True)
class Option:
    """An option of the game: what it is now, and what else it may be."""

    name: str
    about: str
    current: str
    choices: tuple[str, ...]


def _options(choices: Choices, subject: Subject) -> list[Option]:
    """The options of the game that have a few values."""
    name = next(
        (name for name in choices.games() if subject.name.partition(":")[0] == name), subject.name
    )
    if name not in choices.games():
        return []
    return [
        Option(offer.name, offer.about, str(getattr(subject.game, offer.name)), offer.choices)
        for offer in choices.options(name)
    ]


async def choose(request: Request) -> Response:
    """Leads to the start position of a game with options."""
    values = dict(request.query_params)
    choices = house(request).choices
    game = choices.game(values.get("game", ""), values)
    name = asking.name_of(choices, game)
    where = f"{render.path(request, 'analysis')}?{urlencode({'game': name})}"
    return RedirectResponse(where, status_code=303)


async def live(socket: WebSocket) -> None:
    """Sends the page whenever the engine has found something better."""
    session, _ = state_of(socket)
    try:
        subject = subject_of(house(socket).choices, dict(socket.query_params))
    except PapanError:
        subject = None

    async def text() -> str:
        assert subject is not None
        context = await asyncio.to_thread(context_of, socket, subject)
        return render.html(socket, "analysis.html", fragment=True, **context)

    studies = house(socket).studies
    await push(socket, studies.topic(session), text if subject else None)


ROUTES: list[BaseRoute] = [
    Route("/analysis", show, name="analysis"),
    Route("/analysis/choose", choose, name="analysis-choose"),
    Route("/analysis/paste", paste, name="analysis-paste", methods=["POST"]),
    Route("/analysis/search", search, name="analysis-search", methods=["POST"]),
    WebSocketRoute("/analysis/live", live, name="analysis-live"),
]
