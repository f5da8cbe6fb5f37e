"""The form for a new game, and the rematch."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.errors import PapanError, UsageError
from papan.figures.board import board_picture
from papan.messages import Messages
from papan.play.clock import Clock
from papan.play.table import GameInPlay
from papan.records.store import Store
from papan.web.board.words import (
    BEST,
    DEFAULT_LEVEL,
    KINDS,
    LEVELS,
    QUICK_LEVEL,
    choices_of,
    level_name,
    player_name,
    side_choices,
    side_names,
)
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.preferences import LAST_GAME_COOKIE, LONGEST, OPTIONS_SECONDS
from papan.web.http.refusals import Refused
from papan.web.http.request_params import (
    OPTION,
    options_in,
    positions_of,
    read_form,
    service_of,
    state_of,
)
from papan.web.http.security import is_operator
from papan.web.http.settings import ServerSettings
from papan.web.play.live_game import LiveGame, Seat, check_names, new_game_id, new_token, other
from papan.web.play.live_games import LiveGames

#: Offered clocks: form value → total seconds, and seconds for each move.
CLOCKS: Mapping[str, tuple[float, float]] = {
    "none": (0, 0),
    "1+1": (60, 1),
    "3+2": (180, 2),
    "10+5": (600, 5),
    "30+0": (1800, 0),
}


#: Returns whether a browser can play the game of a form by itself.
PlaysHere = Callable[[ServerSettings, Game, Mapping[str, str]], bool]


async def setup(plays_here: PlaysHere, request: Request) -> Response:
    """The form and its submission."""
    kind = request.path_params["kind"]
    if kind not in KINDS:
        raise HTTPException(404)
    if request.method == "POST":
        form = await read_form(request)
        form = _usual_fields(request, form) | form
        try:
            here = await _address_here(plays_here, request, kind, form)
            live = None if here else live_game_of(request, kind, form)
        except UsageError as error:
            problem = render.explain(request, error)
            return await _form(request, kind, form, problem, status=400)
        if live is None:
            response = render.see(request, "here", query=here)
            remember(request, response, form, "")
            return response
        await service_of(request, LiveGames).add(live)
        response = render.see(request, "game", id=live.id)
        remember(request, response, form, live.id)
        return response
    wanted = last_fields(request) | dict(request.query_params)
    return await _form(request, kind, wanted, "", status=200)


async def _address_here(
    plays_here: PlaysHere, request: Request, kind: str, form: Mapping[str, str]
) -> str:
    """Returns the query of the page for a game that the browser plays by itself; empty if the
    server must play."""
    game = service_of(request, Allowed).game(form.get("game", ""), options_in(form))
    settings = service_of(request, ServerSettings)
    if kind != "solo" or not await asyncio.to_thread(plays_here, settings, game, form):
        return ""
    side, name = form.get("side", "x"), check_names((), form.get("name", ""))
    side = secrets.choice(SIDES) if side == "random" else side
    if side not in SIDES:
        raise Refused("web.refused.side")
    fields = {"game": game.spec, "opponent": form["opponent"], "side": side, "name": name}
    return urlencode(fields | {"number": secrets.randbelow(10**9)})


def _usual_fields(request: Request, form: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields that a click on a board omits: name, level and options."""
    if "name" in form or request.path_params["kind"] != "solo":
        return {}
    name = last_fields(request).get("name") or render.messages(request)("web.setup.me")
    chosen = state_of(request)[1].options_of(form.get("game", ""))
    options = {f"{OPTION}{option}": value for option, value in chosen.items()}
    return {"name": name, "opponent": QUICK_LEVEL, **options}


async def _form(
    request: Request, kind: str, form: dict[str, str], problem: str, *, status: int
) -> Response:
    allowed = service_of(request, Allowed)
    game = form.get("game") or next(iter(allowed.games()))
    played = allowed.game(game, {})
    if not form.get("position"):
        wanted = state_of(request)[1].options_of(game)
        form = {f"{OPTION}{name}": value for name, value in wanted.items()} | form
    start = None
    if form.get("position") and not problem:
        try:
            start = _start(allowed.game(game, options_in(form)), form)
        except PapanError as error:
            problem, status = render.explain(request, error), 400
    say = render.messages(request)
    levels = choices_of(played, say)
    values = [level.value for level in levels]
    return render.page(
        request,
        "play/setup.html",
        status=status,
        start=start and board_picture(start, style=state_of(request)[1].style),
        kind=kind,
        game=game,
        title=played.title,
        options=allowed.options(game),
        form=form,
        names=side_names(allowed.game(game, {}), say),
        side_choices=side_choices(allowed.game(game, {}), state_of(request)[1], say),
        problem=problem,
        levels=levels,
        untaught=allowed.is_untaught(game),
        operator=is_operator(request),
        results=await count_own_results(request, played.spec, say),
        default_level=DEFAULT_LEVEL if DEFAULT_LEVEL in values else LEVELS[0],
        named=list(allowed.settings.players),
        players=allowed.players(),
        clocks=list(CLOCKS),
    )


async def count_own_results(request: Request, game: str, say: Messages) -> list[tuple[str, str]]:
    """Returns levels and results in words, weakest first, of games of a name with any options."""
    session, _ = state_of(request)
    kept = await asyncio.to_thread(service_of(request, Store).results_of, session)
    counts: dict[str, Counter[str]] = {}
    for each in kept:
        if each.game.partition(":")[0] == game.partition(":")[0]:
            counter = counts.setdefault(each.player, Counter())
            counter.update(won=each.won, drawn=each.drawn, lost=each.lost)
    return [
        (level_name(level, say) or level, say("web.setup.result", **counts[level]))
        for level in (*LEVELS, BEST)
        if level in counts
    ]


def live_game_of(request: Request, kind: str, form: Mapping[str, str]) -> LiveGame:
    """Returns the game that a form describes.

    Raises:
        UsageError: A field is invalid; the message names it.
    """
    allowed, (session, _) = service_of(request, Allowed), state_of(request)
    game = allowed.game(form.get("game", ""), options_in(form))
    if form.get("clock", "none") not in CLOCKS:
        raise Refused("web.refused.clock")
    initial, increment = CLOCKS[form.get("clock", "none")]
    start = _start(game, form)
    number = secrets.randbelow(2**31)
    return LiveGame(
        id=new_game_id(),
        kind=kind,
        game=game.spec,
        owner=session,
        seats=_seats(request, kind, form, game),
        start=str(start) if form.get("position") else "",
        table=GameInPlay(start, clock=Clock(initial, increment), began=time.time()),
        token=new_token() if kind == "link" else "",
        seed=number,
    )


def _start(game: Game, form: Mapping[str, str]) -> Position:
    """Returns the first position: that of the form, or the start of the game.

    Raises:
        PapanError: The position is invalid, or the game is over there.
    """
    start = positions_of(game, form.get("position", ""))[0]
    if start.outcome() is not None:
        raise Refused("web.refused.ended")
    return start


def _seats(request: Request, kind: str, form: Mapping[str, str], game: Game) -> dict[str, Seat]:
    """Returns the two seats of the form."""
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
    """Returns the seat of the program in a form: the typed spec, or else the chosen level."""
    typed = form.get(f"{field}_spec", "").strip()
    text = typed or form.get(field, DEFAULT_LEVEL)
    player = service_of(request, Allowed).player(text, game)
    name = text.partition(":")[2] if text.startswith("named:") else player_name(player, say)
    return Seat(name, player=player)


async def again(request: Request) -> Response:
    """The rematch: the same players, with swapped sides in games by link."""
    await read_form(request)
    live_games, (session, _) = service_of(request, LiveGames), state_of(request)
    live = await live_games.find(request.path_params["id"])
    if not live.sides_of(session) and live.owner != session:
        raise Refused("web.refused.spectator")
    if live.next:
        return render.see(request, "game", id=live.next)
    if live.kind == "link" and not live.over:
        raise Refused("web.refused.going")
    following = _return_game(live)
    await live_games.add(following)
    if live.kind == "link":

        def point(live: LiveGame) -> None:
            live.next = live.next or following.id
            live.version += 1

        live = await live_games.change(live.id, point)
        return render.see(request, "game", id=live.next)
    return render.see(request, "game", id=following.id)


def _return_game(live: LiveGame) -> LiveGame:
    seats, clock = {side: replace(seat) for side, seat in live.seats.items()}, live.table.clock
    if live.kind == "link":
        seats = {side: seats[other(side)] for side in SIDES}
    return LiveGame(
        id=new_game_id(),
        kind=live.kind,
        game=live.game,
        owner=live.owner,
        seats=seats,
        start=live.start,
        table=GameInPlay(
            live.table.start, clock=Clock(clock.initial, clock.increment), began=time.time()
        ),
        token=new_token() if live.kind == "link" else "",
        seed=live.seed + 1,
    )


def make_routes(plays_here: PlaysHere) -> list[BaseRoute]:
    """Returns the routes; `plays_here` decides which games a browser plays by itself."""
    begin = partial(setup, plays_here)
    return [
        Route("/new/{kind}", begin, name="setup", methods=["GET", "POST"]),
        Route("/game/{id}/again", again, name="again", methods=["POST"]),
    ]


# --- the last form, in a cookie, as the default of the next one ----------------------------------

#: Stored fields of the form.
FIELDS = ("game", "name", "other", "opponent")


def last_fields(request: Request) -> dict[str, str]:
    """Returns the fields of the last form; empty for a new browser. A game that is no longer
    offered is omitted."""
    found = _read(request)
    if found.get("game") not in service_of(request, Allowed).all_games():
        found.pop("game", None)
    return {name: found[name] for name in FIELDS if found.get(name)}


def remember(request: Request, response: Response, form: Mapping[str, str], id: str) -> None:
    """Stores a form and the id of its game in the browser."""
    known = last_fields(request) | {name: form[name] for name in FIELDS if form.get(name)}
    written = urlencode(known | {"live": id})
    if len(written) <= LONGEST:
        response.set_cookie(
            LAST_GAME_COOKIE,
            written,
            max_age=OPTIONS_SECONDS,
            path=request.scope.get("root_path", "") or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )


async def find_unfinished(request: Request) -> LiveGame | None:
    """Returns the last game that the browser created, if it is unfinished."""
    id, (session, _) = _read(request).get("live", ""), state_of(request)
    if not id:
        return None
    try:
        live = await service_of(request, LiveGames).find(id)
    except PapanError:
        return None
    return live if not live.over and live.sides_of(session) else None


def _read(request: Request) -> dict[str, str]:
    cookie = request.cookies.get(LAST_GAME_COOKIE, "")
    return dict(parse_qsl(cookie)) if len(cookie) <= LONGEST else {}
