"""Analysis: any position, set up by hand or pasted, and what an engine thinks of it.

The address carries all of it: `game`, `position` (a line), `moves` made from there, `ply` (the
one that is shown) and `tool` (what a click on a square does: a move, or putting a piece there).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.game import Position
from papan.core.pieces import Content
from papan.errors import PapanError
from papan.figures.board import Arrangement, Marks, Style, board_svg
from papan.figures.chart import Look, evaluation_chart
from papan.figures.highlights import squares_of
from papan.figures.pieces import sample
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.web.analysis import explain
from papan.web.analysis.analysis_jobs import GameAnalysis, PositionAnalysis
from papan.web.analysis.analysis_state import (
    PLAY,
    AnalysisState,
    analysis_state_of,
    changed,
    clicked,
    moved,
    pasted,
)
from papan.web.analysis.board_editor import EMPTY, Draft
from papan.web.game import board_sheet
from papan.web.game.view import (
    Action,
    BoardSquare,
    actions_of,
    content_in_words,
    dots_of,
    in_words,
    last_of,
    paired,
    side_names,
    square_buttons,
    square_rows,
    words_of,
)
from papan.web.live.subscriptions import push
from papan.web.server import render, request_params
from papan.web.server.allowed import Allowed, GameOption
from papan.web.server.request_params import app_state, read_form, state_of

#: How long an engine may look, in seconds, and how many lines it may show.
SECONDS = (3, 10, 30, 60)
MOST_LINES = 5


# --- pages ----------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The page; a click on a square leads to the address of what comes of it."""
    values = dict(request.query_params)
    allowed = app_state(request).allowed
    subject = analysis_state_of(allowed, values)
    try:
        after = _done(subject, values)
    except PapanError as error:
        return await _page(request, replace(subject, problem=error), status=400)
    if after is not None:
        return _go(request, after)
    return await _page(request, subject)


def _done(subject: AnalysisState, values: Mapping[str, str]) -> AnalysisState | None:
    """The state after what an address asks to be done; None if it only asks to be shown."""
    if "square" in values:
        return clicked(subject, values["square"])
    if "move" in values:
        return moved(subject, values["move"])
    if "setup" in values:
        return changed(subject, values)
    return None


def _go(request: Request, subject: AnalysisState) -> Response:
    """Sends the browser to the address of a subject."""
    where = f"{render.path(request, 'analysis')}?{subject.query()}"
    return RedirectResponse(where, status_code=303)


async def paste(request: Request) -> Response:
    """Takes a position line or a record, which is too long for an address's form."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    allowed = app_state(request).allowed
    subject = analysis_state_of(allowed, form)
    try:
        return _go(request, pasted(allowed, subject, form.get("text", "")))
    except PapanError as error:
        return await _page(request, replace(subject, problem=error), status=400)


async def search(request: Request) -> Response:
    """Lets an engine look at the position, or at the whole game; or stops it."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    (session, _), home = state_of(request), app_state(request)
    subject = analysis_state_of(home.allowed, form)
    if "stop" in form:
        home.analysis_jobs.stop(session)
    elif subject.problem is not None:
        raise subject.problem
    elif "sweep" in form:
        sides = tuple(position.side for position in subject.positions)
        home.analysis_jobs.begin_sweep(session, subject.whole_game, sides)
    else:
        lines = request_params.whole(form, "lines", 1, MOST_LINES, 3)
        seconds = request_params.whole(form, "seconds", 1, SECONDS[-1], SECONDS[1])
        home.analysis_jobs.begin(
            session, replace(subject.question, lines=lines, seconds=float(seconds))
        )
    if render.is_fragment(request):
        return await _page(request, subject)
    return _go(request, subject)


async def _page(request: Request, subject: AnalysisState, status: int = 200) -> Response:
    context = await asyncio.to_thread(context_of, request, subject)
    return render.page(request, "analysis/analysis.html", status=status, **context)


def context_of(connection: HTTPConnection, subject: AnalysisState) -> dict[str, Any]:
    """Values for the template."""
    say, (session, wanted) = render.messages(connection), state_of(connection)
    home = app_state(connection)
    position = subject.position
    study = home.analysis_jobs.study(session, subject.question) if position else None
    sweep = home.analysis_jobs.sweep(session, subject.whole_game) if subject.moves else None
    offered = {name: home.allowed.game(name, {}) for name in home.allowed.games()}
    return {
        "subject": subject,
        "sheet": board_sheet.address(connection, subject.game),
        "problem": render.explained(connection, subject.problem),
        "offered": offered,
        "options": _options(home.allowed, subject),
        "study": study,
        "sweep": sweep,
        "finding": Finding.of(position, study, say) if position and study else None,
        "graph": _graph(subject, sweep, say) if sweep else None,
        "pairs": paired(subject.positions, subject.moves),
        "tools": _tools(subject, wanted.style, say),
        "seconds": SECONDS,
        "most_lines": MOST_LINES,
        "plies": Draft(subject.game, subject.line).plies,
        **_board(subject, study, say, wanted.style),
    }


def _tools(subject: AnalysisState, style: Style, say: Messages) -> list[tuple[str, str, str]]:
    """The things that a click can put on a square: name, words, and a picture for pieces."""
    kinds = {piece.letter: piece for piece in subject.game.pieces}
    found: list[tuple[str, str, str]] = []
    for tool in subject.draft.palette:
        piece = kinds.get(tool)
        if piece is not None:
            shape = piece.picture or style.shape(piece.owner)
            words = content_in_words(Content(piece, None, piece.owner), "", side_names(say), say)
            picture = sample(piece.colour or piece.owner, shape, piece.letter)
            found.append((tool, ", ".join(words), picture))
        elif tool == EMPTY:
            found.append((tool, say("web.analysis.tool-empty"), ""))
        else:
            found.append((tool, say("web.analysis.tool-steps", steps=tool), ""))
    return found


def _board(
    subject: AnalysisState, study: PositionAnalysis | None, say: Messages, style: Style
) -> dict[str, Any]:
    """The picture and its squares."""
    position = subject.position
    try:
        shown = Arrangement.of(position) if position else subject.draft.shown()
    except PapanError:
        return {"board": "", "cells": "", "said": (), "words": ""}
    begun = subject.begun
    does = actions_of(begun) if begun else {}
    best = study.found.get("move") if position and study else None
    marks = Marks(
        last=last_of(subject.positions, subject.moves, subject.ply) if position else (),
        targets=dots_of(begun, does) if begun else (),
        selected=subject.chosen,
        hint=squares_of(position, best) if position and best else (),
    )
    title = say("web.game.board", game=subject.game.title)
    return {
        "board": board_svg(shown, marks=marks, style=style, title=title),
        "cells": _cells(square_rows(shown, say, does, marks=Marks(last=marks.last)), subject.tool),
        "said": words_of(begun) if begun else (),
        "words": in_words(shown, say),
    }


def _cells(rows: list[list[BoardSquare]], tool: str) -> Markup:
    """The squares as buttons that send their own names, whatever they do."""
    put = "" if tool == PLAY else " put"
    looks = {"source": "from"}
    named = []
    for square in itertools.chain.from_iterable(rows):
        state = looks.get(square.action.state, square.action.state) + put
        named.append(replace(square, action=Action(state, "square", square.name)))
    return square_buttons([named])


@dataclass(frozen=True)
class Finding:
    """The findings of an engine, as the page shows them.

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
    lines: list[explain.ShownLine]
    why: list[str]
    facts: str
    proven: bool

    @classmethod
    def of(cls, position: Position, study: PositionAnalysis, say: Messages) -> Finding | None:
        """The finding of a study; None as long as there is none."""
        found = study.found
        if not found:
            return None
        value = explain.sign(position) * found["score"]
        nodes, nps = _thousands(found["nodes"]), _thousands(found["nps"])
        return cls(
            explain.value_in_words(position, value, say),
            explain.better_side(value),
            round(100 * explain.share_of_x(position, value)),
            explain.shown_lines(position, found, say) if found["pv"] else [],
            explain.why(position, found, say),
            say("web.analysis.facts", depth=found["depth"], nodes=nodes, nps=nps),
            found["proven"],
        )


def _thousands(count: int) -> str:
    """A large number, short: `12 k`, `3.4 M`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return str(count)


def _graph(subject: AnalysisState, sweep: GameAnalysis, say: Messages) -> dict[str, Any]:
    """The evaluation over the game, and its turning points."""
    positions = subject.positions
    values = explain.flat_values(sweep, positions)
    turns = explain.turns(sweep, positions)
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
        "turns": [(ply, explain.turn_in_words(sweep, positions, ply, say)) for ply in turns],
        "known": known,
        "all": len(values),
    }


def _options(allowed: Allowed, subject: AnalysisState) -> list[GameOption]:
    """The options of the game that have a few values, with what they are now."""
    known = allowed.known()
    name = next((name for name in known if subject.name.partition(":")[0] == name), subject.name)
    if name not in known:
        return []
    return [
        replace(option, default=str(getattr(subject.game, option.name)))
        for option in allowed.options(name)
    ]


async def choose(request: Request) -> Response:
    """Leads to the start position of a game with options."""
    values = dict(request.query_params)
    allowed = app_state(request).allowed
    game = allowed.game(values.get("game", ""), values)
    name = allowed.public.text(game.spec)
    where = f"{render.path(request, 'analysis')}?{urlencode({'game': name})}"
    return RedirectResponse(where, status_code=303)


async def follow(socket: WebSocket) -> None:
    """Sends the page whenever the engine has found something better."""
    session, _ = state_of(socket)
    try:
        subject = analysis_state_of(app_state(socket).allowed, dict(socket.query_params))
    except PapanError:
        subject = None

    async def text() -> str:
        assert subject is not None
        context = await asyncio.to_thread(context_of, socket, subject)
        return render.html(socket, "analysis/analysis.html", fragment=True, **context)

    analysis_jobs = app_state(socket).analysis_jobs
    await push(socket, analysis_jobs.topic(session), text if subject else None)


ROUTES: list[BaseRoute] = [
    Route("/analysis", show, name="analysis"),
    Route("/analysis/choose", choose, name="analysis-choose"),
    Route("/analysis/paste", paste, name="analysis-paste", methods=["POST"]),
    Route("/analysis/search", search, name="analysis-search", methods=["POST"]),
    WebSocketRoute("/analysis/live", follow, name="analysis-live"),
]
