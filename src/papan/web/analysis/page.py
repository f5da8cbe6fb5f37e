"""Analysis: any position, set up or pasted, with the engine's lines.

The address has the whole state: `game`, `position` (a line), `moves` from there, `ply` (the shown
one) and `tool` (the effect of a click on a square: a move, or putting a piece there).
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.board.pieces import Content
from papan.core.game import Position
from papan.core.notation import SIDES
from papan.errors import PapanError, UsageError
from papan.figures.board import Style
from papan.figures.chart import Look, evaluation_chart
from papan.figures.palette import PALETTE, look_class, look_of
from papan.figures.pieces import sample
from papan.figures.values import MoveValue
from papan.messages import Messages
from papan.records.model import UNFINISHED, Record
from papan.records.text import write, write_pgn
from papan.report import name_side
from papan.web.analysis import explain, variations
from papan.web.analysis.analysis_state import (
    AnalysisState,
    add_move,
    apply_setup,
    click,
    read_paste,
    read_state,
)
from papan.web.analysis.board_editor import EMPTY
from papan.web.board import board_sheet, move_values
from papan.web.board.judgement import GameJudgement, ValueHistory
from papan.web.board.snapshot import snapshot_at
from papan.web.board.view import BoardView
from papan.web.board.words import content_in_words, pair_moves, side_choices, side_names
from papan.web.engines import chances
from papan.web.engines.analysis_jobs import SHOWN_LINES, AnalysisJobs, PositionAnalysis
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import options_in, read_form, service_of, state_of
from papan.web.http.subscriptions import push

#: Maximum time of a search in seconds, and maximum number of lines.
SECONDS = (3, 10, 30, 60)
MOST_LINES = 5


# --- pages ----------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The page. A click on a square leads to the address of the result."""
    values = dict(request.query_params)
    allowed = service_of(request, Allowed)
    state = read_state(allowed, values)
    try:
        after = _apply(state, values)
    except PapanError as error:
        return await _page(request, replace(state, problem=error), status=400)
    if after is None:
        return await _page(request, state)
    if render.is_fragment(request):  # the script needs no second request
        return await _page(request, read_state(allowed, dict(parse_qsl(after.query()))))
    return _go(request, after)


def _apply(state: AnalysisState, values: Mapping[str, str]) -> AnalysisState | None:
    """Returns the state after the action of an address; None if the address has no action."""
    if "square" in values:
        return click(state, values["square"])
    if "move" in values:
        return add_move(state, values["move"])
    if "setup" in values:
        return apply_setup(state, values)
    return None


def _go(request: Request, state: AnalysisState) -> Response:
    """Redirects the browser to the address of a state."""
    return render.see(request, "analysis", state.query())


async def paste(request: Request) -> Response:
    """Reads a position line or record, which may be too long for an address."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    allowed = service_of(request, Allowed)
    state = read_state(allowed, form)
    try:
        return _go(request, read_paste(allowed, state, form.get("text", "")))
    except PapanError as error:
        state = replace(state, problem=error)
        return await _page(request, state, status=400, typed=form.get("text", ""))


async def search(request: Request) -> Response:
    """Starts the engine on the position or the whole game, or stops it."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    session, _ = state_of(request)
    state = read_state(service_of(request, Allowed), form)
    if "stop" in form:
        service_of(request, AnalysisJobs).stop(session)
    elif state.problem is not None:
        raise state.problem
    else:
        _begin(service_of(request, AnalysisJobs), session, state, form)
    if render.is_fragment(request):
        return await _page(request, state)
    return _go(request, state)


def _begin(jobs: AnalysisJobs, session: str, state: AnalysisState, form: Mapping[str, str]) -> None:
    """Starts a search of the game (`review`), of the position, or of both (`whole`)."""
    if state.moves and ("review" in form or "whole" in form):
        sides = tuple(position.side for position in state.positions)
        jobs.begin_review(session, state.whole_game, sides)
    if state.position is not None and state.position.moves() and "review" not in form:
        lines = request_params.whole(form, "lines", 1, MOST_LINES, SHOWN_LINES)
        seconds = request_params.whole(form, "seconds", 1, SECONDS[-1], SECONDS[1])
        question = replace(state.question, lines=lines, seconds=float(seconds))
        jobs.begin_analysis(session, question, state.position.side)


async def _page(
    request: Request, state: AnalysisState, status: int = 200, typed: str = ""
) -> Response:
    context = await asyncio.to_thread(context_of, request, state, typed)
    return render.page(request, "analysis/analysis.html", status=status, **context)


def context_of(connection: HTTPConnection, state: AnalysisState, typed: str = "") -> dict[str, Any]:
    """Returns the values for the template; `typed` is pasted text that could not be read."""
    say, (session, wanted) = render.messages(connection), state_of(connection)
    position = state.position
    jobs, allowed = service_of(connection, AnalysisJobs), service_of(connection, Allowed)
    # Copies: an analysis that ends meanwhile must not appear as ended with its earlier result.
    analysis = copy.copy(jobs.find_analysis(session, state.question)) if position else None
    review = copy.copy(jobs.find_review(session, state.whole_game)) if state.moves else None
    judgement = GameJudgement(review, state.positions, say) if review else None
    finding = Finding.of(position, analysis, say) if position and analysis else None
    return {
        "state": state,
        "sheet": board_sheet.address(connection, state.game),
        "look": look_class(look_of(state.game)),
        "problem": render.explain(connection, state.problem),
        "offered": {name: allowed.game(name, {}) for name in allowed.games()},
        "options": allowed.current_options(state.name, state.game),
        "side_choices": side_choices(state.game, wanted, say),
        "analysis": analysis,
        "review": review,
        "finding": finding,
        "bar": finding or (_passing(state, judgement) if judgement else None),
        "graph": _graph(state, judgement) if judgement else None,
        "proofs": ValueHistory.of(state, review, say),
        "tree": variations.branches(state.lines) if state.others else (),
        "judged": judgement.signs() if judgement else {},
        "typed": typed or state.text,
        "pairs": pair_moves(state.positions, state.moves),
        "sides": side_names(state.game, say),
        "tools": _tools(state, wanted.style, say),
        "seconds": SECONDS,
        "most_lines": MOST_LINES,
        "plies": state.shown_draft.plies,
        **_board(state, finding, say, wanted.style),
    }


def _tools(state: AnalysisState, style: Style, say: Messages) -> list[tuple[str, str, str]]:
    """Returns the contents that a click can put on a square: name, words, and a picture of
    pieces."""
    kinds = {piece.letter: piece for piece in state.game.pieces}
    look, sides = look_of(state.game), side_names(state.game, say)
    tools: list[tuple[str, str, str]] = []
    for tool in state.draft.palette:
        piece = kinds.get(tool)
        if piece is not None:
            shape = piece.picture or PALETTE[look].shape(piece.owner, style.shape(piece.owner))
            words = content_in_words(Content(piece, None, piece.owner), "", sides, say)
            picture = sample(piece.colour or piece.owner, shape, piece.letter, look)
            tools.append((tool, ", ".join(words), picture))
        elif tool == EMPTY:
            tools.append((tool, say("web.analysis.tool-empty"), ""))
        else:
            tools.append((tool, say("web.analysis.tool-steps", steps=tool), ""))
    return tools


def _board(
    state: AnalysisState, finding: Finding | None, say: Messages, style: Style
) -> dict[str, Any]:
    """Returns the board, its overlay and the data for the script; empty if the draft cannot be
    read."""
    if state.position is None:
        try:
            shown = state.draft.arrangement()
        except PapanError:
            return {"board": None, "layer": "", "snapshot": ""}
        return {"board": BoardView(state.game, shown, say, style), "layer": "", "snapshot": ""}
    positions, moves, ply = state.positions, state.moves, state.ply
    values = _shown_values(finding.values, state.shows_all) if finding else {}
    board = BoardView.of(
        positions, moves, ply, say=say, style=style, begun=state.begun, values=values
    )
    choices = finding.lines if finding and state.begun and not state.begun.steps else ()
    return {
        "board": board,
        "layer": explain.overlay(state.position, choices, coordinates=style.coordinates)
        if choices
        else "",
        "snapshot": snapshot_at(positions, moves, ply, board) if state.begun else "",
    }


def _shown_values(values: Mapping[str, MoveValue], shows_all: bool) -> Mapping[str, MoveValue]:
    """Returns the proven values and the best estimates; all values if requested.

    On a large board most estimates are equal, and their numbers would hide the best ones.
    """
    ranked = sorted(values.items(), key=lambda item: -item[1].score)
    best = {move for move, _ in ranked[: explain.MARKED_MOVES]}
    return {
        move: value for move, value in values.items() if shows_all or value.proven or move in best
    }


@dataclass(frozen=True)
class Finding:
    """An engine result as the page shows it.

    Attributes:
        value: short form, for `x`.
        side: the better side.
        share: `x`'s part of the evaluation bar in per cent.
        lines: the best lines.
        why: sentences.
        facts: depth, nodes, speed.
        proven: true if the value is proven.
        values: the known values of legal moves.
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
    def of(cls, position: Position, analysis: PositionAnalysis, say: Messages) -> Finding | None:
        """Returns the result of an analysis; None before the first result."""
        result, settled = analysis.result, move_values.find_proven_score(analysis.proofs)
        if not result:
            return None
        score = result["score"] if settled is None else settled
        value, proven = (
            chances.sign(position) * score,
            bool(result["proven"]) or settled is not None,
        )
        chance = chances.chance(position, value, proven=proven)
        nodes, nps = _thousands(result["nodes"]), _thousands(result["nps"])
        return cls(
            move_values.describe_value(position, value, say, proven=proven),
            chances.better_side(value),
            chances.per_cent(chance),
            explain.list_lines(position, result, say) if result["pv"] else [],
            explain.why(position, result, say),
            say("web.analysis.facts", depth=result["depth"], nodes=nodes, nps=nps),
            proven,
            move_values.with_proofs(
                position,
                move_values.value_moves(position, analysis.values, say),
                analysis.proofs,
                say,
            ),
        )


def _thousands(count: int) -> str:
    """Returns a short form of a large number: `12 k`, `3.4 M`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return str(count)


def _passing(state: AnalysisState, judgement: GameJudgement) -> Finding | None:
    """Returns the result of the game review for the shown position, for the evaluation bar."""
    chance = judgement.chances[state.ply]
    if chance is None:
        return None
    side = chances.better_side(chance - 0.5)
    return Finding(judgement.stood(state.ply), side, chances.per_cent(chance))


def _graph(state: AnalysisState, judgement: GameJudgement) -> dict[str, Any]:
    """Returns the winning chances over the game, the turning points, and the accuracy of both
    sides."""
    say, turns = judgement.say, judgement.turns()
    chart = evaluation_chart(
        say("web.analysis.graph", side=name_side(state.game, "x", say)),
        say("web.analysis.plies"),
        [None if chance is None else 100 * chance - 50 for chance in judgement.chances],
        turning=turns,
        bound=50,
        axis=lambda mark: f"{mark + 50:.0f} %",
        here=state.ply,
        look=Look(standalone=False),
    )
    accuracies = {side: judgement.accuracy(side) for side in SIDES}
    return {
        "chart": chart,
        "turns": [(ply, judgement.turn_in_words(ply)) for ply in turns],
        "accuracies": {side: share for side, share in accuracies.items() if share is not None},
        "known": judgement.count,
        "all": len(judgement.chances),
    }


async def choose(request: Request) -> Response:
    """Redirects to the start position of a game with options."""
    values = dict(request.query_params)
    allowed = service_of(request, Allowed)
    game = allowed.game(values.get("game", ""), options_in(values))
    name = allowed.public.text(game.spec)
    return render.see(request, "analysis", urlencode({"game": name}))


async def preview(request: Request) -> Response:
    """The board of a position with its last move, as a preview of a line of the engine."""
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    state = read_state(allowed, dict(request.query_params))
    if state.position is None or state.problem is not None:
        raise state.problem or UsageError("web.analysis.not-yet")
    say, ply = render.messages(request), state.ply
    style = replace(wanted.style, coordinates=False)
    board = BoardView.of(state.positions, state.moves, ply, say=say, style=style)
    return Response(str(board.svg()), media_type="image/svg+xml")


async def export(request: Request) -> Response:
    """The tree of variations as a record with parentheses, or as PGN; both can be pasted again."""
    allowed = service_of(request, Allowed)
    state = read_state(allowed, dict(request.query_params))
    if state.problem is not None:
        raise state.problem
    name, start = state.name, state.fields().get("position", "")
    record = Record(name, "?", "?", (), UNFINISHED, start=start, event=state.title)
    if state.game.has_book_notation:
        lines = [tuple(state.texts(line)) for line in state.lines]
        text, kind = write_pgn(record, state.positions[0], variations.to_text(lines)), "pgn"
    else:
        text, kind = f"{write(record)}{variations.to_text(state.lines)}\n", "txt"
    return render.attachment(text, "text/plain", f"analysis.{kind}")


async def follow(socket: WebSocket) -> None:
    """Sends the page again whenever the engine has a better result."""
    session, _ = state_of(socket)
    try:
        state = read_state(service_of(socket, Allowed), dict(socket.query_params))
    except PapanError:
        state = None

    async def text() -> str:
        assert state is not None
        context = await asyncio.to_thread(context_of, socket, state)
        return render.html(socket, "analysis/analysis.html", fragment=True, **context)

    analysis_jobs = service_of(socket, AnalysisJobs)
    await push(socket, analysis_jobs.topic(session), text if state else None)


ROUTES: list[BaseRoute] = [
    Route("/analysis", show, name="analysis"),
    Route("/analysis/choose", choose, name="analysis-choose"),
    Route("/analysis/board", preview, name="analysis-board"),
    Route("/analysis/export", export, name="analysis-export"),
    Route("/analysis/paste", paste, name="analysis-paste", methods=["POST"]),
    Route("/analysis/search", search, name="analysis-search", methods=["POST"]),
    WebSocketRoute("/analysis/live", follow, name="analysis-live"),
]
