"""Analysis: any position, set up by hand or pasted, and what an engine thinks of it.

The address carries all of it: `game`, `position` (a line), `moves` made from there, `ply` (the
one that is shown) and `tool` (what a click on a square does: a move, or putting a piece there).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.board.pieces import Content
from papan.core.game import Position
from papan.core.notation import SIDES
from papan.errors import PapanError, UsageError
from papan.figures.board import Arrangement, Marks, Style, board_picture
from papan.figures.chart import Look, evaluation_chart
from papan.figures.pieces import sample
from papan.figures.svg import Markup
from papan.figures.values import MoveValue, by_step
from papan.messages import Messages
from papan.records.model import UNFINISHED, Record
from papan.records.text import write
from papan.web.analysis import explain, overlay, variations
from papan.web.analysis.analysis_jobs import (
    SHOWN_LINES,
    AnalysisJobs,
    PositionAnalysis,
)
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
from papan.web.analysis.game_review import GameReview
from papan.web.analysis.proofs import ValueHistory
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
    still_board,
    words_of,
)
from papan.web.live.subscriptions import push
from papan.web.server import render, request_params
from papan.web.server.allowed import Allowed, GameOption
from papan.web.server.request_params import app_state, options_in, read_form, state_of

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
        subject = replace(subject, problem=error)
        return await _page(request, subject, status=400, typed=form.get("text", ""))


async def search(request: Request) -> Response:
    """Lets an engine look at the position, or at the whole game; or stops it."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    (session, _), home = state_of(request), app_state(request)
    subject = analysis_state_of(home.allowed, form)
    if "stop" in form:
        home.analysis_jobs.stop(session)
    elif subject.problem is not None:
        raise subject.problem
    else:
        _begin(home.analysis_jobs, session, subject, form)
    if render.is_fragment(request):
        return await _page(request, subject)
    return _go(request, subject)


def _begin(
    jobs: AnalysisJobs, session: str, subject: AnalysisState, form: Mapping[str, str]
) -> None:
    """Begins to look at the game (`sweep`), at the position, or at both (`whole`)."""
    if subject.moves and ("sweep" in form or "whole" in form):
        sides = tuple(position.side for position in subject.positions)
        jobs.begin_sweep(session, subject.whole_game, sides)
    if subject.position is not None and subject.position.moves() and "sweep" not in form:
        lines = request_params.whole(form, "lines", 1, MOST_LINES, SHOWN_LINES)
        seconds = request_params.whole(form, "seconds", 1, SECONDS[-1], SECONDS[1])
        question = replace(subject.question, lines=lines, seconds=float(seconds))
        jobs.begin(session, question, subject.position.side)


async def _page(
    request: Request, subject: AnalysisState, status: int = 200, typed: str = ""
) -> Response:
    context = await asyncio.to_thread(context_of, request, subject, typed)
    return render.page(request, "analysis/analysis.html", status=status, **context)


def context_of(
    connection: HTTPConnection, subject: AnalysisState, typed: str = ""
) -> dict[str, Any]:
    """Values for the template; `typed` is what was pasted and could not be read."""
    say, (session, wanted) = render.messages(connection), state_of(connection)
    home = app_state(connection)
    position = subject.position
    study = home.analysis_jobs.study(session, subject.question) if position else None
    sweep = home.analysis_jobs.sweep(session, subject.whole_game) if subject.moves else None
    offered = {name: home.allowed.game(name, {}) for name in home.allowed.games()}
    review = GameReview(sweep, subject.positions, say) if sweep else None
    finding = Finding.of(position, study, say) if position and study else None
    return {
        "subject": subject,
        "sheet": board_sheet.address(connection, subject.game),
        "problem": render.explained(connection, subject.problem),
        "offered": offered,
        "options": _options(home.allowed, subject),
        "study": study,
        "sweep": sweep,
        "finding": finding,
        "bar": finding or (_passing(subject, review) if review else None),
        "graph": _graph(subject, review) if review else None,
        "proofs": ValueHistory.of(subject, sweep, say),
        "tree": variations.branches(subject.lines) if subject.others else (),
        "judged": review.signs() if review else {},
        "typed": typed or subject.line,
        "pairs": paired(subject.positions, subject.moves),
        "tools": _tools(subject, wanted.style, say),
        "seconds": SECONDS,
        "most_lines": MOST_LINES,
        "plies": Draft(subject.game, subject.line).plies,
        **_board(subject, finding, say, wanted.style),
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
    subject: AnalysisState, finding: Finding | None, say: Messages, style: Style
) -> dict[str, Any]:
    """The picture, its squares, and the layer of values over them."""
    position = subject.position
    try:
        shown = Arrangement.of(position) if position else subject.draft.shown()
    except PapanError:
        return {"board": "", "layer": "", "cells": "", "said": (), "worth": {}, "words": ""}
    begun = subject.begun
    does = actions_of(begun) if begun else {}
    values = finding.values if finding else {}
    worth = by_step(begun, values) if begun else {}
    marks = Marks(
        last=last_of(subject.positions, subject.moves, subject.ply) if position else (),
        targets=dots_of(begun, does) if begun else (),
        selected=subject.chosen,
    )
    title = say("web.game.board", game=subject.game.title)
    return {
        "board": board_picture(shown, marks=marks, style=style, title=title),
        "layer": overlay.layer(begun, values, finding.lines, coordinates=style.coordinates)
        if begun and finding
        else "",
        "cells": _cells(
            square_rows(shown, say, does, marks=Marks(last=marks.last)), subject.tool, worth
        ),
        "said": words_of(begun) if begun else (),
        "worth": {**worth, **values},
        "words": in_words(shown, say),
    }


def _cells(rows: list[list[BoardSquare]], tool: str, worth: Mapping[str, MoveValue]) -> Markup:
    """The squares as buttons that send their own names, whatever they do, and say what the move
    is worth that goes on there."""
    put = "" if tool == PLAY else " put"
    looks = {"source": "from"}
    named = []
    for square in itertools.chain.from_iterable(rows):
        state = looks.get(square.action.state, square.action.state) + put
        label = square.label
        if square.name in worth:
            label = f"{label}, {worth[square.name].words}"
        action = Action(state, "square", square.name)
        named.append(replace(square, action=action, label=label))
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
        values: what each legal move is worth, as far as it is known.
    """

    value: str
    side: str
    share: int
    lines: list[explain.ShownLine] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    facts: str = ""
    proven: bool = False
    values: Mapping[str, MoveValue] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position, study: PositionAnalysis, say: Messages) -> Finding | None:
        """The finding of a study; None as long as there is none."""
        found, settled = study.found, overlay.settled_score(study.proofs)
        if not found:
            return None
        score = found["score"] if settled is None else settled
        value, proven = explain.sign(position) * score, bool(found["proven"]) or settled is not None
        chance = explain.chance(position, value, proven=proven)
        nodes, nps = _thousands(found["nodes"]), _thousands(found["nps"])
        return cls(
            explain.standing(position, value, say, proven=proven),
            explain.better_side(value),
            explain.per_cent(chance),
            explain.shown_lines(position, found, say) if found["pv"] else [],
            explain.why(position, found, say),
            say("web.analysis.facts", depth=found["depth"], nodes=nodes, nps=nps),
            proven,
            overlay.with_proofs(
                position, overlay.move_values(position, study.values, say), study.proofs, say
            ),
        )


def _thousands(count: int) -> str:
    """A large number, short: `12 k`, `3.4 M`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return str(count)


def _passing(subject: AnalysisState, review: GameReview) -> Finding | None:
    """The finding of the look at the whole game about the position that is shown, for the bar."""
    chance = review.chances[subject.ply]
    if chance is None:
        return None
    side = explain.better_side(chance - 0.5)
    return Finding(review.stood(subject.ply), side, explain.per_cent(chance))


def _graph(subject: AnalysisState, review: GameReview) -> dict[str, Any]:
    """The chances over the game, its turning points, and how accurate the sides were."""
    say, turns = review.say, review.turns()
    chart = evaluation_chart(
        say("web.analysis.graph"),
        say("web.analysis.plies"),
        [None if chance is None else 100 * chance - 50 for chance in review.chances],
        turning=turns,
        bound=50,
        axis=lambda mark: f"{mark + 50:.0f} %",
        here=subject.ply,
        look=Look(standalone=False),
    )
    accuracies = {side: review.accuracy(side) for side in SIDES}
    return {
        "chart": chart,
        "turns": [(ply, review.turn_in_words(ply)) for ply in turns],
        "accuracies": {side: share for side, share in accuracies.items() if share is not None},
        "known": review.known,
        "all": len(review.chances),
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
    game = allowed.game(values.get("game", ""), options_in(values))
    name = allowed.public.text(game.spec)
    where = f"{render.path(request, 'analysis')}?{urlencode({'game': name})}"
    return RedirectResponse(where, status_code=303)


async def preview(request: Request) -> Response:
    """The board of a position alone, with its last move: what a line of the engine leads to."""
    allowed, (_, wanted) = app_state(request).allowed, state_of(request)
    subject = analysis_state_of(allowed, dict(request.query_params))
    if subject.position is None or subject.problem is not None:
        raise subject.problem or UsageError("web.analysis.not-yet")
    say, ply = render.messages(request), subject.ply
    style = replace(wanted.style, coordinates=False)
    board = still_board(subject.positions, subject.moves, ply, style, say)["board"]
    return Response(str(board), media_type="image/svg+xml")


async def export(request: Request) -> Response:
    """The tree of variations as a record, with parentheses; it can be pasted again."""
    allowed = app_state(request).allowed
    subject = analysis_state_of(allowed, dict(request.query_params))
    if subject.problem is not None:
        raise subject.problem
    name, start = subject.name, subject.fields().get("position", "")
    told = write(Record(name, "?", "?", (), UNFINISHED, start=start, event=subject.title))
    text = f"{told}{variations.written(subject.lines)}\n"
    headers = {"Content-Disposition": 'attachment; filename="analysis.txt"'}
    return PlainTextResponse(text, headers=headers)


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
    Route("/analysis/board", preview, name="analysis-board"),
    Route("/analysis/export", export, name="analysis-export"),
    Route("/analysis/paste", paste, name="analysis-paste", methods=["POST"]),
    Route("/analysis/search", search, name="analysis-search", methods=["POST"]),
    WebSocketRoute("/analysis/live", follow, name="analysis-live"),
]
