"""Games against programs on a server's own pages: the browser plays, the server keeps the result.

The page is that of an exported game, in the language and looks of the visitor. A finished game is
sent to the server, which plays it again and stores it like any other.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from papan.browser.modules import Module, is_ready, module_for
from papan.core.game import Game
from papan.core.notation import SIDES
from papan.play.table import GameInPlay, Termination
from papan.records.model import Record, now
from papan.web.board import board_sheet
from papan.web.board.words import BEST, LEVELS
from papan.web.export.site import GamePage, as_json, view_at_start
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.refusals import Refused
from papan.web.http.request_params import (
    offered_game,
    read_form,
    read_moves,
    service_of,
    state_of,
)
from papan.web.http.settings import ServerSettings
from papan.web.play.live_game import check_names, new_game_id, other
from papan.web.play.live_store import LiveStore

_PROGRAMS = {level: level for level in LEVELS} | {BEST: "best"}


@functools.lru_cache(maxsize=64)
def _module(game: Game) -> Module:
    return module_for(game)


def can_play_here(settings: ServerSettings, game: Game, form: Mapping[str, str]) -> bool:
    """Returns whether a browser can play the game that a form describes by itself.

    Its script says that it has WebAssembly; the program is a level, no clock runs, and the game has
    a module.
    """
    usual = not form.get("position") and form.get("clock", "none") == "none"
    program = not form.get("opponent_spec") and form.get("opponent") in _PROGRAMS
    wanted = form.get("here") == "1" and not settings.server_engines
    return wanted and usual and program and is_ready(game)


async def show(request: Request) -> Response:
    """The page of a game against a program."""
    query = request.query_params
    game = offered_game(service_of(request, Allowed), query.get("game", ""))
    program, side = query.get("opponent", ""), query.get("side", "x")
    if program not in _PROGRAMS or side not in SIDES or not is_ready(game):
        raise HTTPException(404)
    name = check_names((), query.get("name", ""))
    page = GamePage(game, await asyncio.to_thread(_module, game))
    say, (_, wanted) = render.messages(request), state_of(request)
    players = {side: "", other(side): _PROGRAMS[program]}
    facts = page.data((wanted.language,), wanted.style) | {
        "wasm": {"url": _address(request, game, "wasm")},
        "weights": {"url": _address(request, game, "bin")} if page.module.weights else None,
        "engine": {"url": render.asset(request, "engine.js")},
        "players": players,
        "me": name,
        "record": render.path(request, "here-record"),
        "spec": game.spec,
        "analysis": f"{render.path(request, 'analysis')}?{urlencode({'game': game.spec})}",
    }
    return render.page(
        request,
        "export/page.html",
        sheet=partial(board_sheet.address, request, game),
        data=as_json(facts),
        analysis=facts["analysis"],
        **page.context(view_at_start(game, say, wanted)),
    )


def _address(request: Request, game: Game, kind: str) -> str:
    return f"{render.path(request, 'module', kind=kind)}?{urlencode({'game': game.spec})}"


async def module(request: Request) -> Response:
    """The module of an offered game, or the tables of its evaluation."""
    game = offered_game(service_of(request, Allowed), request.query_params.get("game", ""))
    kind = request.path_params["kind"]
    if kind not in ("wasm", "bin") or not is_ready(game):
        raise HTTPException(404)
    found = await asyncio.to_thread(_module, game)
    content = found.wasm if kind == "wasm" else found.weights
    types = {"wasm": "application/wasm", "bin": "application/octet-stream"}
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(content, media_type=types[kind], headers=headers)


async def record(request: Request) -> Response:
    """Stores a finished game; answers with its id."""
    form = await read_form(request, longest=20_000)
    session, _ = state_of(request)
    game = offered_game(service_of(request, Allowed), form.get("game", ""))
    side, program = form.get("side", ""), form.get("opponent", "")
    if side not in SIDES or program not in _PROGRAMS.values():
        raise Refused("web.refused.form")
    name = check_names((), form.get("name", ""))
    table = GameInPlay(game.start())
    for move in read_moves(form.get("moves", "")):
        table.make(move, 0.0)
    if form.get("resigned") == "1" and not table.is_over:
        table.resign(side)
    if not table.is_over:
        raise Refused("web.refused.form")
    spec = BEST if program == "best" else program
    names = {side: name, other(side): spec}
    found = Record(
        game=game.spec,
        x=names["x"],
        o=names["o"],
        moves=tuple(table.moves),
        result=table.result,
        termination=table.termination.value if table.cause else Termination.RULES.value,
        start="",
        played=now(),
        id=new_game_id(),
    )
    await service_of(request, LiveStore).add_record(found, {side: session})
    return JSONResponse({"id": found.id})


ROUTES: list[BaseRoute] = [
    Route("/here", show, name="here"),
    Route("/here/record", record, name="here-record", methods=["POST"]),
    Route("/module/{kind}", module, name="module"),
]
