"""The menu, instructions, rules, options, about, exit, and static files."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, NoMatchFound, Route

from papan.core.game import Game, Position
from papan.figures.board import NO_MARKS, Layout, Marks, Style, board_picture, small_board
from papan.figures.palette import look_class, look_of
from papan.figures.pieces import sample
from papan.figures.svg import Picture, drawing
from papan.messages import Messages
from papan.usercode import registry
from papan.web.board.words import rules_text
from papan.web.engines.engine_pool import EnginePool
from papan.web.http import preferences, render
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import read_form, service_of, state_of
from papan.web.http.security import SESSION_COOKIE
from papan.web.http.settings import ServerSettings


@dataclass(frozen=True)
class Item:
    """An entry of the menu.

    Attributes:
        page: the name of the route.
        name: the last word of its messages.
        params: parameters of the address.
    """

    page: str
    name: str
    params: tuple[tuple[str, str], ...] = ()


#: Entries of the menu: games, and other pages. Pages that are not installed are skipped.
PLAY = tuple(Item("setup", kind, (("kind", kind),)) for kind in ("solo", "shared", "link", "watch"))
MORE = tuple(
    Item(name, name)
    for name in (
        "gallery",
        "analysis",
        "puzzles",
        "tournament",
        "records",
        "teach",
        "api",
        "instructions",
        "options",
        "about",
        "exit",
    )
)


def _there(request: Request, items: tuple[Item, ...]) -> list[tuple[Item, str]]:
    """Returns the entries with installed pages and their addresses."""
    found = []
    for item in items:
        try:
            found.append((item, render.path(request, item.page, **dict(item.params))))
        except NoMatchFound:
            continue
    return found


#: Finds the unfinished game of a browser; None if there is none.
FindUnfinished = Callable[[Request], Awaitable[Any]]


async def menu(request: Request, find_unfinished: FindUnfinished) -> Response:
    """The menu, with a splash while the engines are prepared."""
    pool, (_, wanted) = service_of(request, EnginePool), state_of(request)
    allowed = service_of(request, Allowed)
    shown = await asyncio.to_thread(_draw_games, tuple(allowed.games().items()), wanted.style)
    position = registry.game("adjacency").start()
    for move in _COVER:
        position = position.play(move)
    return render.page(
        request,
        "home/menu.html",
        play=_there(request, PLAY),
        more=_there(request, MORE),
        games=_with_sentences(shown, render.messages(request)),
        looks=sorted({look_of(game) for _, game, _ in shown} - {"plain"}),
        going=await find_unfinished(request),
        progress=pool.progress,
        splash=not pool.ready or "splash" in request.query_params,
        cover=board_picture(
            position, marks=Marks(last=_COVER[-1:]), style=wanted.style, title="Papan"
        ),
    )


#: Moves of the picture on the menu.
_COVER = ("c2", "f7", "c3", "f6", "d3", "e6", "d4", "e5", "e4", "d5", "f4", "c5", "d6", "e3")


async def warmup(request: Request) -> Response:
    """Sends the progress of the preparation."""

    async def events() -> AsyncIterator[str]:
        async for done, steps in service_of(request, EnginePool).changes():
            yield f"data: {json.dumps({'done': done, 'steps': steps})}\n\n"
            if await request.is_disconnected():
                return

    return StreamingResponse(events(), media_type="text/event-stream")


async def instructions(request: Request) -> Response:
    """The page of instructions with links to the rules."""
    allowed = service_of(request, Allowed)
    games = {name: allowed.game(name, {}) for name in allowed.games()}
    say = render.messages(request)
    told = [(name, game, sentence_of(name, game, say)) for name, game in games.items()]
    return render.page(request, "home/instructions.html", games=told)


async def rules(request: Request) -> Response:
    """The rules of a game."""
    name = request.path_params["game"]
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    if name not in allowed.all_games():
        raise HTTPException(404)
    game = allowed.game(name, {})
    return render.page(
        request,
        "home/rules.html",
        game=game,
        name=name,
        text=render.markdown(
            rules_text(type(game).__module__, wanted.language, game.__doc__ or "")
        ),
        board=board_picture(game.start(), style=wanted.style, title=game.title),
    )


async def gallery(request: Request) -> Response:
    """The page of further games with pictures and links."""
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    shown = await asyncio.to_thread(_draw_games, _pairs(allowed.gallery()), wanted.style)
    games = _with_sentences(shown, render.messages(request))
    return render.page(request, "home/gallery.html", games=games, kinds=PLAY)


def _pairs(names: list[str]) -> tuple[tuple[str, str], ...]:
    """Returns names that are also specs."""
    return tuple((name, name) for name in names)


def _with_sentences(
    shown: list[tuple[str, Game, Picture]], say: Messages
) -> list[tuple[str, Game, Picture, str]]:
    """Returns pictured games with one sentence each."""
    return [(name, game, board, sentence_of(name, game, say)) for name, game, board in shown]


def sentence_of(name: str, game: Game, say: Messages) -> str:
    """Returns one sentence about a game: translated if possible, else from the game."""
    for message in (f"web.gallery.{name.replace('_', '-')}", f"web.help.about-{name}"):
        if (found := say(message)) != message:
            return found
    text = game.__doc__ or ""
    # The default docstring of a dataclass lists its fields.
    own = "" if text.startswith(f"{type(game).__name__}(") else text
    sentence = " ".join(own.split()).partition(". ")[0]
    return sentence.removesuffix(".") + "." if sentence else ""


@functools.lru_cache(maxsize=16)
def _draw_games(
    names: tuple[tuple[str, str], ...], style: Style
) -> list[tuple[str, Game, Picture]]:
    """Returns games by name with pictures of their starts, or of a later position if the start is
    empty."""
    plain, found = dataclasses.replace(style, coordinates=False), []
    for name, spec in names:
        position = registry.game(spec).start()
        contents = position.game.contents(position.state).values()
        if not any(content.piece or content.number for content in contents):
            *_, (_, position) = position.random_walk(random.Random(_SEED), len(contents) // 4)
        found.append((name, position.game, _small_picture(position, plain)))
    return found


def _small_picture(position: Position, style: Style) -> Picture:
    """Returns a picture of a board with few elements, because a page shows many of them."""
    layout = Layout.of(position.game, coordinates=False)
    inside = small_board(position, NO_MARKS, style)
    name = f"papan-board{look_class(layout.look)}"
    return drawing(name, (layout.width, layout.height), inside, title=position.game.title)


#: Seed of the random moves on the pictures, chosen because the positions look natural.
_SEED = 5


async def about(request: Request) -> Response:
    """The page about Papan."""
    return render.page(request, "home/about.html", version=metadata.version("papan"))


_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


async def static(request: Request) -> Response:
    """A static file."""
    name = request.path_params["name"]
    if name in render.SHEETS:
        return Response(render.SHEETS[name](), media_type="text/css", headers=render.KEPT)
    if name not in {file.name for file in render.STATIC.iterdir()}:
        raise HTTPException(404)
    is_script = name.endswith(".js")
    content = render.script(name).encode() if is_script else (render.STATIC / name).read_bytes()
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind, headers=render.KEPT)


async def options(request: Request) -> Response:
    """The form of options and its submission."""
    _, wanted = state_of(request)
    if request.method == "POST":
        form = await read_form(request)
        if form.get("only") == "language":
            form = {**dataclasses.asdict(wanted), **form}
        chosen = preferences.preferences_of(form, wanted.language)
        back = form.get("back", "")
        response = (
            RedirectResponse(_local(back), status_code=303)
            if back.startswith("/")
            else render.see(request, "options")
        )
        response.set_cookie(
            preferences.OPTIONS_COOKIE,
            chosen.to_cookie(),
            max_age=preferences.OPTIONS_SECONDS,
            path=request.scope.get("root_path", "") or "/",
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response
    position = registry.game("adjacency:size=4").start().play("b3")
    return render.page(
        request,
        "home/options.html",
        allowed=preferences.CHOICES,
        sample=sample,
        board=board_picture(position, marks=Marks(last=["b3"]), style=wanted.style, title="Papan"),
        platforms=_platforms(wanted),
    )


def _platforms(wanted: preferences.Preferences) -> Picture:
    """Returns a small picture of Platforms with the chosen size and level."""
    game = registry.game(
        "platforms:size={size},level={level}".format(**wanted.options_of("platforms"))
    )
    return _small_picture(game.start(), dataclasses.replace(wanted.style, coordinates=False))


async def leave(request: Request) -> Response:
    """Asks for confirmation; the submitted form ends the session or stops the server."""
    stop = _stopper(request)
    if request.method != "POST":
        return render.page(request, "home/exit.html", can_stop=stop is not None)
    form = await read_form(request)
    ends = form.get("end") == "server" and stop is not None
    response = render.page(request, "home/farewell.html", ended=ends)
    # Without this header, the same response could renew the session cookie.
    response.headers["Cache-Control"] = "no-store"
    for cookie in (SESSION_COOKIE, preferences.LAST_GAME_COOKIE):
        response.delete_cookie(cookie, path=request.scope.get("root_path", "") or "/")
    if ends and stop is not None:
        response.background = BackgroundTask(stop)
    return response


def _stopper(request: Request) -> Callable[[], None] | None:
    """Returns the function that stops the server; None unless `papan web` serves only this
    machine."""
    found: Callable[[], None] | None = getattr(request.app.state, "stop", None)
    return found if service_of(request, ServerSettings).private else None


def _local(address: str) -> str:
    """Returns the path and query of an address, without its host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    if parts.netloc or parts.scheme or "\\" in address or address.startswith("//"):
        return "/"
    return parts.path + (f"?{parts.query}" if parts.query else "")


def make_routes(find_unfinished: FindUnfinished) -> list[BaseRoute]:
    """Returns the routes of these pages."""
    show_menu = functools.partial(menu, find_unfinished=find_unfinished)
    return [Route("/", show_menu, name="menu"), *_ROUTES]


_ROUTES: list[BaseRoute] = [
    Route("/warmup", warmup, name="warmup"),
    Route("/instructions", instructions, name="instructions"),
    Route("/rules/{game}", rules, name="rules"),
    Route("/games", gallery, name="gallery"),
    Route("/about", about, name="about"),
    Route("/static/{name}", static, name="static"),
    Route("/exit", leave, name="exit", methods=["GET", "POST"]),
    Route("/options", options, name="options", methods=["GET", "POST"]),
]
