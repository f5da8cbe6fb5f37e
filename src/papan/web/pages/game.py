"""The page of a live game: what it shows, and what can be done there."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.errors import PapanError, UsageError
from papan.figures.highlights import squares_of
from papan.web import render
from papan.web.pages.forms import read_form
from papan.web.pages.house import house
from papan.web.rooms import Refused, Room
from papan.web.security import POLICY_VIOLATION, state_of
from papan.web.subjects import query_of
from papan.web.view import GameView, refusal

#: What a page may say over its live connection before it is closed: it has nothing to say.
MOST_MESSAGES = 30

#: Fragments that are kept for who is told of the same change: some 26 kB each.
KEPT_FRAGMENTS = 256


def view_of(
    connection: HTTPConnection,
    room: Room,
    *,
    ply: int | None = None,
    source: str = "",
    notice: str = "",
) -> GameView:
    """A game as the asking browser sees it."""
    session, wanted = state_of(connection)
    plies = len(room.moves)
    shown = plies if ply is None else max(0, min(ply, plies))
    return GameView(room, session, render.messages(connection), wanted, shown, source, notice)


def context_of(connection: HTTPConnection, view: GameView) -> dict[str, Any]:
    """What the template of the game page is given."""
    room = view.room
    invitation = ""
    if room.waiting and room.owner == view.session:
        link = render.path(connection, "join", id=room.id, token=room.token)
        invitation = (
            f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}{link}"
        )
    analysis = query_of(house(connection).choices, room) if room.over and room.moves else ""
    return {"view": view, "room": room, "invitation": invitation, "analysis": analysis}


async def show(request: Request) -> Response:
    """The page, at any ply of the game."""
    room = await house(request).lobby.find(request.path_params["id"])
    ply = _number(request.query_params.get("ply"))
    source = request.query_params.get("from", "")
    view = view_of(request, room, ply=ply)
    if source in {squares_of(view.position, move)[0] for move in _pairs(view)}:
        view = view_of(request, room, ply=ply, source=source)
    return render.page(request, "game.html", **context_of(request, view))


def _pairs(view: GameView) -> list[str]:
    return [move for move in view.moves if len(squares_of(view.position, move)) > 1]


def _number(text: str | None) -> int | None:
    """A number in an address; None where there is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else None


async def move(request: Request) -> Response:
    """Makes a move; chooses a piece; or explains why nothing can be done there."""
    form = await read_form(request)
    text = form.get("move", "")
    session, _ = state_of(request)
    lobby = house(request).lobby
    room = await lobby.find(request.path_params["id"])
    ply = _number(form.get("ply"))
    if ply is not None and ply != len(room.moves):
        raise Refused("web.refused.stale")
    if room.turn in room.sides_of(session) and room.going:
        legal = room.position.moves()
        if text not in legal and any(squares_of(room.position, m)[:1] == [text] for m in legal):
            return _selected(request, room, text)
        if text not in legal:
            return _explained(request, room, refusal(room.position, text, render.messages(request)))
    room = await lobby.change(room.id, lambda room: room.play(session, text, time.time()))
    return answer(request, room)


def _selected(request: Request, room: Room, source: str) -> Response:
    if render.is_fragment(request):
        view = view_of(request, room, source=source)
        return render.page(request, "game.html", **context_of(request, view))
    return render.see(request, "game", query=f"from={source}", id=room.id)


def _explained(request: Request, room: Room, notice: str) -> Response:
    view = view_of(request, room, notice=notice)
    return render.page(request, "game.html", status=400, **context_of(request, view))


def answer(request: Request, room: Room) -> Response:
    """The page after something was done."""
    if render.is_fragment(request):
        return HTMLResponse(fragment_of(request, room))
    return render.see(request, "game", id=room.id)


def fragment_of(connection: HTTPConnection, room: Room) -> str:
    """The part of the page that may have changed, for the asking browser.

    Whoever moves is answered and told of the change at the same time: what was made for the one is
    sent for the other, too. Clocks tell the time, so pages with clocks are made anew.
    """
    if room.clock.initial:
        return _made(connection, room)
    here = (connection.url.netloc, connection.scope.get("root_path", ""))
    key = (room.id, room.version, *state_of(connection), *here)
    kept: OrderedDict[object, str] = connection.app.state.fragments
    if key not in kept:
        kept[key] = _made(connection, room)
        if len(kept) > KEPT_FRAGMENTS:
            kept.popitem(last=False)
    return kept[key]


def _made(connection: HTTPConnection, room: Room) -> str:
    context = context_of(connection, view_of(connection, room))
    return render.html(connection, "game.html", fragment=True, **context)


Act = Callable[[Room, str, Mapping[str, str]], None]

#: What the buttons of the page do: their address → the change.
ACTIONS: Mapping[str, Act] = {
    "undo": lambda room, session, form: room.undo(session, time.time()),
    "resign": lambda room, session, form: room.resign(session),
    "draw": lambda room, session, form: room.offer_draw(session),
    "accept": lambda room, session, form: room.answer_draw(session, True),
    "decline": lambda room, session, form: room.answer_draw(session, False),
    "reset": lambda room, session, form: room.reset(session, time.time()),
}


async def act(request: Request) -> Response:
    """Does what a button of the page says."""
    form = await read_form(request)
    session, _ = state_of(request)
    action = ACTIONS.get(request.path_params["action"])
    if action is None:
        raise HTTPException(404)
    lobby = house(request).lobby
    room = await lobby.change(request.path_params["id"], lambda room: action(room, session, form))
    return answer(request, room)


async def hint(request: Request) -> Response:
    """Marks a good move."""
    await read_form(request)
    session, _ = state_of(request)
    room = await house(request).lobby.hint(request.path_params["id"], session)
    return answer(request, room)


async def live(socket: WebSocket) -> None:
    """Sends the page whenever the game changes, until the browser goes."""
    home = house(socket)
    session, _ = state_of(socket)
    try:
        room = await home.lobby.find(socket.path_params["id"])
    except PapanError:
        await socket.close(POLICY_VIOLATION)
        return
    with home.hub.looking(room.id, session) as looker:
        if looker is None:
            await socket.close(POLICY_VIOLATION)
            return
        await socket.accept()
        async with anyio.create_task_group() as both:
            both.start_soon(_push, socket, room.id, looker.changed)
            await _listen(socket)
            both.cancel_scope.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _listen(socket: WebSocket) -> None:
    """Waits until the browser goes, or says too much."""
    with contextlib.suppress(WebSocketDisconnect, KeyError, RuntimeError):
        for _ in range(MOST_MESSAGES):
            await socket.receive_text()


async def _push(socket: WebSocket, id: str, changed: asyncio.Event) -> None:
    # A page that was just made knows its version; it is not sent once more.
    shown = _number(socket.query_params.get("version"))
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, PapanError):
        while True:
            room = await house(socket).lobby.find(id)
            if room.version != shown:
                shown = room.version
                await socket.send_text(fragment_of(socket, room))
            await changed.wait()
            changed.clear()


async def join(request: Request) -> Response:
    """The invitation: says who invites to what, and takes the seat."""
    home = house(request)
    session, _ = state_of(request)
    room = await home.lobby.find(request.path_params["id"])
    if room.sides_of(session) or not room.waiting:
        return render.see(request, "game", id=room.id)
    form, problem = {}, ""
    if request.method == "POST":
        form = await read_form(request)
        try:
            name, token = form.get("name", ""), request.path_params["token"]
            await home.lobby.change(
                room.id, lambda room: room.sit(session, name, token, time.time())
            )
            return render.see(request, "game", id=room.id)
        except UsageError as error:
            problem = render.messages(request).explain(error)
    return render.page(
        request,
        "join.html",
        status=400 if problem else 200,
        room=room,
        view=view_of(request, room),
        form=form,
        problem=problem,
    )


ROUTES: list[BaseRoute] = [
    Route("/game/{id}", show, name="game"),
    Route("/game/{id}/move", move, name="move", methods=["POST"]),
    Route("/game/{id}/hint", hint, name="hint", methods=["POST"]),
    WebSocketRoute("/game/{id}/live", live, name="live"),
    Route("/game/{id}/{action}", act, name="act", methods=["POST"]),
    Route("/join/{id}/{token}", join, name="join", methods=["GET", "POST"]),
]
