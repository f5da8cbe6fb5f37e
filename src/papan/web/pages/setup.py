"""The form that sets up a game, and the return game."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core.game import Game
from papan.errors import UsageError
from papan.messages import Messages
from papan.players.levels import NAMES as LEVELS
from papan.web import render
from papan.web.pages.forms import read_form
from papan.web.pages.house import house
from papan.web.rooms import (
    KINDS,
    SIDES,
    Clock,
    Refused,
    Room,
    Seat,
    check_names,
    new_room_id,
    new_token,
    other,
)
from papan.web.security import state_of
from papan.web.view import player_name

#: Clocks that the form offers: what it sends → seconds to begin with, and for each move.
CLOCKS: Mapping[str, tuple[float, float]] = {
    "none": (0, 0),
    "1+1": (60, 1),
    "3+2": (180, 2),
    "10+5": (600, 5),
    "30+0": (1800, 0),
}

_DEFAULT_LEVEL = "medium"


async def setup(request: Request) -> Response:
    """The form, and what comes of it."""
    kind = request.path_params["kind"]
    if kind not in KINDS:
        raise HTTPException(404)
    if request.method == "POST":
        form = await read_form(request)
        try:
            room = room_of(request, kind, form)
        except UsageError as error:
            problem = render.messages(request).explain(error)
            return _form(request, kind, form, problem, status=400)
        await house(request).lobby.add(room)
        return render.see(request, "game", id=room.id)
    return _form(request, kind, dict(request.query_params), "", status=200)


def _form(
    request: Request, kind: str, form: dict[str, str], problem: str, *, status: int
) -> Response:
    choices = house(request).choices
    offered = choices.games()
    chosen = form.get("game", "")
    game = chosen if chosen in offered else next(iter(offered))
    return render.page(
        request,
        "setup.html",
        status=status,
        kind=kind,
        games={name: choices.game(name, {}) for name in offered},
        game=game,
        options=choices.options(game),
        form=form,
        problem=problem,
        levels=LEVELS,
        default_level=_DEFAULT_LEVEL,
        named=list(choices.settings.players),
        players=choices.players(),
        clocks=list(CLOCKS),
    )


def room_of(request: Request, kind: str, form: Mapping[str, str]) -> Room:
    """The game that a form describes.

    Raises:
        UsageError: something in it is not allowed; names it.
    """
    choices, (session, _) = house(request).choices, state_of(request)
    game = choices.game(form.get("game", ""), form)
    if form.get("clock", "none") not in CLOCKS:
        raise Refused("web.refused.clock")
    initial, increment = CLOCKS[form.get("clock", "none")]
    number = secrets.randbelow(2**31)
    return Room(
        id=new_room_id(),
        kind=kind,
        game=game.spec,
        owner=session,
        seats=_seats(request, kind, form, game),
        clock=Clock(initial, increment),
        token=new_token() if kind == "link" else "",
        seed=number,
        began=time.time(),
    )


def _seats(request: Request, kind: str, form: Mapping[str, str], game: Game) -> dict[str, Seat]:
    """Who sits where."""
    (session, _), say = state_of(request), render.messages(request)
    if kind == "watch":
        return {side: _program(request, form, side, game, say) for side in SIDES}
    side = form.get("side", "x")
    if side == "random":
        side = secrets.choice(SIDES)
    if side not in SIDES:
        raise Refused("web.refused.side")
    me = Seat(check_names((), form.get("name", "")), session=session)
    if kind == "solo":
        facing = _program(request, form, "opponent", game, say)
        check_names([facing.name], me.name)
    elif kind == "shared":
        facing = Seat(check_names([me.name], form.get("other", "")), session=session)
    else:
        facing = Seat("")
    seats = {side: me, other(side): facing}
    return {side: seats[side] for side in SIDES}


def _program(
    request: Request, form: Mapping[str, str], field: str, game: Game, say: Messages
) -> Seat:
    """The seat of the program that a form names: the spec that was typed, or else the choice."""
    typed = form.get(f"{field}_spec", "").strip()
    text = typed or form.get(field, _DEFAULT_LEVEL)
    found = house(request).choices.player(text, game)
    name = text.partition(":")[2] if text.startswith("named:") else player_name(found, say)
    return Seat(name, player=found)


async def again(request: Request) -> Response:
    """The return game: the same players, with sides exchanged where people meet by a link."""
    await read_form(request)
    lobby, (session, _) = house(request).lobby, state_of(request)
    room = await lobby.find(request.path_params["id"])
    if not room.sides_of(session) and room.owner != session:
        raise Refused("web.refused.spectator")
    if room.next:
        return render.see(request, "game", id=room.next)
    if room.kind == "link" and not room.over:
        raise Refused("web.refused.going")
    following = _return_game(room)
    await lobby.add(following)
    if room.kind == "link":

        def point(room: Room) -> None:
            room.next = room.next or following.id
            room.version += 1

        room = await lobby.change(room.id, point)
        return render.see(request, "game", id=room.next)
    return render.see(request, "game", id=following.id)


def _return_game(room: Room) -> Room:
    seats = {side: replace(seat) for side, seat in room.seats.items()}
    if room.kind == "link":
        seats = {side: seats[other(side)] for side in SIDES}
    return Room(
        id=new_room_id(),
        kind=room.kind,
        game=room.game,
        owner=room.owner,
        seats=seats,
        start=room.start,
        clock=Clock(room.clock.initial, room.clock.increment),
        token=new_token() if room.kind == "link" else "",
        seed=room.seed + 1,
        began=time.time(),
    )


ROUTES: list[BaseRoute] = [
    Route("/new/{kind}", setup, name="setup", methods=["GET", "POST"]),
    Route("/game/{id}/again", again, name="again", methods=["POST"]),
]
