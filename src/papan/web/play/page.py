"""The page of a live game and its actions, and live games in the API."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Body, Path
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.game import Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.errors import PapanError, UsageError
from papan.figures.highlights import flips
from papan.figures.svg import Markup
from papan.web.board import board_sheet
from papan.web.board.line import fields_of, position_as_json, query_of
from papan.web.board.snapshot import preview_moves
from papan.web.board.view import refusal
from papan.web.board.words import KINDS
from papan.web.http import render, request_params
from papan.web.http.allowed import LONGEST_SPEC, Allowed
from papan.web.http.refusals import Refused
from papan.web.http.request_params import OPTION, read_form, service_of, state_of
from papan.web.http.subscriptions import Subscriptions, push
from papan.web.play import setup
from papan.web.play.game_view import NOBODY, GameView
from papan.web.play.live_game import LiveGame
from papan.web.play.live_games import LiveGames
from papan.web.play.live_store import LiveStore
from papan.web.play.setup import live_game_of


def qr_code(text: str) -> Markup:
    """Returns a text as a QR code; empty for an empty text."""
    if not text:
        return Markup()
    import segno

    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(border=4, light="#fff", dark="#000", omitsize=True, svgclass="qr")
    return Markup(drawn)


#: Number of cached fragments, about 26 kB each.
KEPT_FRAGMENTS = 256


class FragmentCache(OrderedDict[object, str]):
    """The most recently rendered fragments."""


def view_of(
    connection: HTTPConnection,
    live: LiveGame,
    *,
    ply: int | None = None,
    chosen: Sequence[str] = (),
    notice: str = "",
) -> GameView:
    """Returns a game as the browser of a request sees it."""
    session, wanted = state_of(connection)
    plies = len(live.moves)
    shown = plies if ply is None else max(0, min(ply, plies))
    present = frozenset(service_of(connection, Subscriptions).present(live.id))
    say = render.messages(connection)
    return GameView(live, session, say, wanted, shown, chosen, notice, present)


async def find_unfinished(request: Request) -> GameView | None:
    """Returns the last game that the browser created, if it is unfinished."""
    live = await setup.find_unfinished(request)
    return view_of(request, live) if live else None


def context_of(connection: HTTPConnection, view: GameView) -> dict[str, Any]:
    """Returns the values for the template of the game page."""
    live = view.live
    invitation = ""
    if live.waiting and live.owner == view.session:
        link = render.path(connection, "join", id=live.id, token=live.token)
        invitation = (
            f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}{link}"
        )
    fields = fields_of(service_of(connection, Allowed), live) if live.over and live.moves else {}
    side = view.sides[0] if len(view.sides) == 1 else ""
    return {
        "view": view,
        "live": live,
        "invitation": invitation,
        "code": qr_code(invitation),
        "analysis": urlencode(fields),
        "mistakes": fields | {"side": side} if fields else {},
        "sheet": partial(board_sheet.address, connection, view.position.game),
        "unsaved": service_of(connection, LiveStore).in_memory_only(live.id),
    }


async def show(request: Request) -> Response:
    """The page at any ply of the game."""
    live = await service_of(request, LiveGames).find(request.path_params["id"])
    ply = _number(request.query_params.get("ply"))
    chosen = request.query_params.get("from", "").split(_COMMA)
    view = view_of(request, live, ply=ply, chosen=chosen)
    return render.page(request, "play/game.html", **context_of(request, view))


#: Separator of the steps of a move in addresses and forms.
_COMMA = ","


def _number(text: str | None) -> int | None:
    """Returns a number of an address; None without one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else None


async def move(request: Request) -> Response:
    """Makes a move, takes a step of a move, or explains a rejected click."""
    form = await read_form(request)
    session, _ = state_of(request)
    live_games = service_of(request, LiveGames)
    live = await live_games.find(request.path_params["id"])
    ply = _number(form.get("ply"))
    text = form.get("move", "")
    if ply is not None and ply != len(live.moves):
        if _is_made(live, session, ply, text):
            return answer(request, live)
        raise Refused("web.refused.stale")
    if live.turn in live.sides_of(session) and live.going:
        begun = Partial.of(live.position, form.get("from", "").split(_COMMA))
        click = _read_click(begun, form)
        if click is None:
            return _answer_refusal(request, live, begun, form.get("step", text))
        if isinstance(click, Partial):
            return _answer_steps(request, live, click)
        text = click
    live = await live_games.change(live.id, lambda live: live.play(session, text, time.time()))
    return answer(request, live)


def _is_made(live: LiveGame, session: str, ply: int, move: str) -> bool:
    """True if the move was already made: browsers send it again if the response was lost."""
    before = live.table.positions[ply].side if ply < len(live.moves) else ""
    return before in live.sides_of(session) and live.moves[ply] == move


def _read_click(begun: Partial, form: Mapping[str, str]) -> str | Partial | None:
    """Returns the move of a form, or its steps so far; None without either."""
    text = form.get("move", "")
    if "step" not in form and any(text == move.text for move in preview_moves(begun.position)):
        return text
    after = begun.apply_touch(begun.step(form.get("step", text)))
    if after is None or after.chosen_move is None:
        return after
    return begun.position.game.write_move(after.chosen_move)


def _answer_steps(request: Request, live: LiveGame, begun: Partial) -> Response:
    """Returns the page with the steps of an unfinished move."""
    if render.is_fragment(request):
        view = view_of(request, live, chosen=begun.names)
        return render.page(request, "play/game.html", **context_of(request, view))
    query = urlencode({"from": _COMMA.join(begun.names)}, safe=_COMMA) if begun.steps else ""
    return render.see(request, "game", query=query, id=live.id)


def _answer_refusal(request: Request, live: LiveGame, begun: Partial, text: str) -> Response:
    notice = refusal(begun, text, render.messages(request))
    view = view_of(request, live, chosen=begun.names, notice=notice)
    return render.page(request, "play/game.html", status=400, **context_of(request, view))


def answer(request: Request, live: LiveGame) -> Response:
    """Returns the page after an action."""
    if render.is_fragment(request):
        return HTMLResponse(fragment_of(request, live))
    return render.see(request, "game", id=live.id)


def fragment_of(connection: HTTPConnection, live: LiveGame) -> str:
    """Returns the changing part of the page for the browser of a request.

    The response to a move and the update over the live connection are the same fragment, so it is
    cached. Pages with clocks or a running compilation are rendered anew, because they show the
    time.
    """
    if live.table.clock.initial or live.preparing:
        return _render_fragment(connection, live)
    here = (connection.url.netloc, connection.scope.get("root_path", ""))
    unsaved = service_of(connection, LiveStore).in_memory_only(live.id)
    company = view_of(connection, live).company()
    key = (live.id, live.version, unsaved, company, *state_of(connection), *here)
    kept = service_of(connection, FragmentCache)
    if key not in kept:
        kept[key] = _render_fragment(connection, live)
        if len(kept) > KEPT_FRAGMENTS:
            kept.popitem(last=False)
    return kept[key]


def _render_fragment(connection: HTTPConnection, live: LiveGame) -> str:
    context = context_of(connection, view_of(connection, live))
    return render.html(connection, "play/game.html", fragment=True, **context)


Act = Callable[[LiveGame, str, Mapping[str, str]], None]

#: Actions of the buttons: address → change.
ACTIONS: Mapping[str, Act] = {
    "undo": lambda live, session, form: live.undo(session, time.time()),
    "resign": lambda live, session, form: live.resign(session),
    "draw": lambda live, session, form: live.offer_draw(session),
    "accept": lambda live, session, form: live.answer_draw(session, True),
    "decline": lambda live, session, form: live.answer_draw(session, False),
    "hints": lambda live, session, form: live.want_hints(session),
    "grant": lambda live, session, form: live.answer_request(session, True, time.time()),
    "refuse": lambda live, session, form: live.answer_request(session, False, time.time()),
    "pause": lambda live, session, form: live.set_pace(session, ""),
    "step": lambda live, session, form: live.set_pace(session, "", once=True),
    "slow": lambda live, session, form: live.set_pace(session, "slow"),
    "steady": lambda live, session, form: live.set_pace(session, "steady"),
    "quick": lambda live, session, form: live.set_pace(session, "quick"),
    "reset": lambda live, session, form: live.reset(session, time.time()),
}


async def act(request: Request) -> Response:
    """Runs the action of a button."""
    form = await read_form(request)
    session, _ = state_of(request)
    action = ACTIONS.get(request.path_params["action"])
    if action is None:
        raise HTTPException(404)
    live_games = service_of(request, LiveGames)
    live = await live_games.change(
        request.path_params["id"], lambda live: action(live, session, form)
    )
    return answer(request, live)


async def hint(request: Request) -> Response:
    """Marks a good move."""
    await read_form(request)
    session, _ = state_of(request)
    live = await service_of(request, LiveGames).hint(request.path_params["id"], session)
    return answer(request, live)


async def values(request: Request) -> Response:
    """Shows the proven values of moves."""
    await read_form(request)
    session, _ = state_of(request)
    live_games = service_of(request, LiveGames)
    return answer(request, await live_games.show_values(request.path_params["id"], session))


async def follow(socket: WebSocket) -> None:
    """Sends the page after each change of the game, until the browser leaves."""
    id, live_games = socket.path_params["id"], service_of(socket, LiveGames)
    # The page sends its version, so that an unchanged page is not sent again.
    shown: object = _number(socket.query_params.get("version"))

    async def news() -> str | None:
        nonlocal shown
        live = await live_games.find(id)
        now = (live.version, view_of(socket, live).company(), live.preparing)
        known = now if now[1] != NOBODY else live.version
        shown, before = now, shown
        if before in (now, known):
            return None
        return fragment_of(socket, live)

    try:
        await live_games.find(id)
    except PapanError:
        await push(socket, id, None)
    else:
        await push(socket, id, news, pace=0, social=True)


async def share(request: Request) -> Response:
    """Redirects to the page for sharing a position."""
    live = await service_of(request, LiveGames).find(request.path_params["id"])
    ply = _number(request.query_params.get("ply"))
    query = query_of(service_of(request, Allowed), live, min(ply or 0, len(live.moves)))
    if not query:
        raise HTTPException(404)
    return render.see(request, "share", query=query)


async def join(request: Request) -> Response:
    """The invitation, which takes the open seat."""
    session, _ = state_of(request)
    live = await service_of(request, LiveGames).find(request.path_params["id"])
    if live.sides_of(session) or not live.waiting:
        return render.see(request, "game", id=live.id)
    form, problem = {}, ""
    if request.method == "POST":
        form = await read_form(request)
        try:
            name, token = form.get("name", ""), request.path_params["token"]
            await service_of(request, LiveGames).change(
                live.id, lambda live: live.sit(session, name, token, time.time())
            )
            return render.see(request, "game", id=live.id)
        except UsageError as error:
            problem = render.explain(request, error)
    return render.page(
        request,
        "play/join.html",
        status=400 if problem else 200,
        live=live,
        view=view_of(request, live),
        form=form,
        problem=problem,
    )


ROUTES: list[BaseRoute] = [
    Route("/game/{id}", show, name="game"),
    Route("/game/{id}/move", move, name="move", methods=["POST"]),
    Route("/game/{id}/hint", hint, name="hint", methods=["POST"]),
    Route("/game/{id}/values", values, name="game-values", methods=["POST"]),
    Route("/game/{id}/share", share, name="game-share"),
    WebSocketRoute("/game/{id}/live", follow, name="live"),
    Route("/game/{id}/{action}", act, name="act", methods=["POST"]),
    Route("/join/{id}/{token}", join, name="join", methods=["GET", "POST"]),
]


# --- in the API ----------------------------------------------------------------------------------

router = APIRouter(tags=["live games"])

Id = Annotated[str, Path(max_length=64)]

#: Number of positions with cached previews.
_KEPT = 512
#: Maximum number of legal moves for previews; more would take longer than a move.
_MOST_FORETOLD = 300


class GameRequest(BaseModel):
    """The body of a request for a new live game, with the fields of the form."""

    model_config = ConfigDict(extra="forbid")

    kind: Annotated[str, Field(examples=["solo"], pattern=f"^({'|'.join(KINDS)})$")] = "solo"
    game: str = Field(max_length=LONGEST_SPEC, examples=["adjacency"])
    options: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]] = (
        Field({}, max_length=10)
    )
    name: str = Field("", max_length=200)
    other: str = Field("", max_length=200)
    side: str = Field("x", max_length=10)
    opponent: str = Field("medium", max_length=LONGEST_SPEC)
    x: str = Field("medium", max_length=LONGEST_SPEC)
    o: str = Field("medium", max_length=LONGEST_SPEC)
    clock: str = Field("none", max_length=10)


class MoveRequest(BaseModel):
    """A move in a live game."""

    model_config = ConfigDict(extra="forbid")

    move: str = Field(max_length=20, examples=["c4"])


@lru_cache(_KEPT)
def previews(position: Position) -> dict[str, list[str]]:
    """Returns the squares that each legal move turns: move → squares."""
    moves = position.moves()
    return {move: flips(position, move) for move in moves if len(moves) <= _MOST_FORETOLD}


@router.post("/live", status_code=201)
async def begin_live(request: Request, wanted: Annotated[GameRequest, Body()]) -> dict[str, Any]:
    """Creates a live game; the cookie of the response identifies the player."""
    options = {f"{OPTION}{name}": value for name, value in wanted.options.items()}
    form = {**options, **wanted.model_dump(exclude={"kind", "options"})}
    live = live_game_of(request, wanted.kind, form)
    await service_of(request, LiveGames).add(live)
    return _live(request, live)


@router.get("/live/{id}")
async def get_live(request: Request, id: Id) -> dict[str, Any]:
    """The state of a live game."""
    return _live(request, await service_of(request, LiveGames).find(id))


@router.post("/live/{id}/moves")
async def play_live(
    request: Request, id: Id, wanted: Annotated[MoveRequest, Body()]
) -> dict[str, Any]:
    """Makes a move in a live game for the player of the cookie."""
    session, _ = state_of(request)
    live = await service_of(request, LiveGames).change(
        id, lambda live: live.play(session, wanted.move, time.time())
    )
    return _live(request, live)


@router.get("/live/{id}/turns")
async def get_turns(request: Request, id: Id) -> dict[str, Any]:
    """The squares that each move turns, for the player to move: move → squares."""
    live, (session, _) = await service_of(request, LiveGames).find(id), state_of(request)
    mine = live.going and live.turn in live.sides_of(session)
    return {"ply": len(live.moves), "moves": previews(live.position) if mine else {}}


@router.get("/live/{id}/values")
async def get_live_values(request: Request, id: Id) -> dict[str, Any]:
    """The proven values of moves in a live game, for the player to move, if hints are allowed; the
    keys are those of `papan values --json`."""
    session, _ = state_of(request)
    proving = service_of(request, LiveGames).values(id, session)
    result = await request_params.unless_left(request, proving)
    return {**result, "game": service_of(request, Allowed).public.text(result["game"])}


def _live(request: Request, live: LiveGame) -> dict[str, Any]:
    (session, _), allowed = state_of(request), service_of(request, Allowed)
    now, table = time.time(), live.table
    return {
        "id": live.id,
        "kind": live.kind,
        "start": live.start,
        "played": list(live.moves),
        "players": {side: allowed.public.text(seat.public) for side, seat in live.seats.items()},
        "yours": live.sides_of(session),
        "saved": not service_of(request, LiveStore).in_memory_only(live.id),
        "waiting": live.waiting,
        "result": table.result or None,
        "termination": table.termination.value if table.is_over else None,
        "clock": {side: round(table.clock.now_left(side, live.turn, now), 1) for side in SIDES}
        if table.clock.initial
        else None,
        **position_as_json(allowed, live.position),
    }
