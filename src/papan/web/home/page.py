"""The menu, instructions, rules, options, about, exit, and static files."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import json
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
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
from papan.figures.palette import look_class
from papan.figures.pieces import sample
from papan.figures.svg import Picture, drawing
from papan.messages import Messages
from papan.usercode import registry
from papan.web.board import pictures
from papan.web.board.words import own_words, rules_text
from papan.web.engines.engine_pool import EnginePool
from papan.web.http import preferences, render
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import read_form, service_of, state_of
from papan.web.http.security import SESSION_COOKIE, is_operator
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


#: Entries of the menu: ways to play, rooms, and other pages. Pages that are not installed are
#: skipped.
PLAY = tuple(Item("setup", kind, (("kind", kind),)) for kind in ("solo", "shared", "link", "watch"))
ROOMS = tuple(
    Item(name, name) for name in ("analysis", "puzzles", "tournament", "records", "teach")
)
MORE = tuple(
    Item(name, name) for name in ("gallery", "instructions", "options", "api", "about", "exit")
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

#: Returns the values for the part of the puzzle of the day; None without puzzles.
FindPuzzle = Callable[[Request], Mapping[str, Any] | None]


async def menu(
    request: Request, find_unfinished: FindUnfinished, find_puzzle: FindPuzzle
) -> Response:
    """The menu, with a splash while the engines are prepared."""
    pool, going = service_of(request, EnginePool), await find_unfinished(request)
    return render.page(
        request,
        "home/menu.html",
        ways=_there(request, PLAY[1:]) + _there(request, ROOMS),
        more=_there(request, MORE),
        count=len(service_of(request, Allowed).all_games()),
        going=going,
        board=_board_of(request, going.position) if going else "",
        puzzle=find_puzzle(request),
        progress=pool.progress,
        splash=not pool.ready or "splash" in request.query_params,
    )


def _board_of(request: Request, position: Position) -> str:
    """Returns the address of the picture of a position."""
    name = service_of(request, Allowed).public.text(position.game.spec)
    return pictures.address(request, {"game": name, "position": str(position)})


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
    """The rules of a game, with pictures of it."""
    name = request.path_params["game"]
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    if name not in allowed.all_games():
        raise HTTPException(404)
    game = allowed.game(name, {})
    text, translated = rules_text(type(game), wanted.language)
    moves = await asyncio.to_thread(_example, game)
    return render.page(
        request,
        "home/rules.html",
        game=game,
        name=name,
        sentence=sentence_of(name, game, render.messages(request)),
        text=render.markdown(_HEADING.sub("", text)),
        untranslated=bool(text) and not translated,
        figures=_figures(request, name, game, moves),
        ways=_there(request, PLAY),
        operator=is_operator(request),
    )


#: The heading of a page of rules, which the page has already.
_HEADING = re.compile(r"\A#[^\n]*\n")

#: Number of example games, their maximum number of moves, and the time limit in seconds.
_EXAMPLES, _LONGEST_EXAMPLE, _EXAMPLE_SECONDS = 8, 200, 1.0


@functools.lru_cache(maxsize=64)
def _example(game: Game) -> tuple[tuple[str, ...], bool]:
    """Returns the moves of a random game, and whether it is finished; preferably one with a
    winning line."""
    found: tuple[tuple[str, ...], bool] = ((), False)
    until = time.monotonic() + _EXAMPLE_SECONDS
    for seed in range(_EXAMPLES):
        moves: list[str] = []
        position = game.start()
        for move, after in position.random_walk(random.Random(seed), _LONGEST_EXAMPLE):
            moves.append(move)
            position = after
            if time.monotonic() > until:
                return found if found[0] else (tuple(moves), False)
        over = position.outcome() is not None
        if over and position.winning_line():
            return tuple(moves), True
        if over > found[1] or not found[0]:
            found = tuple(moves), over
    return found


def _figures(
    request: Request, name: str, game: Game, example: tuple[tuple[str, ...], bool]
) -> list[tuple[str, str]]:
    """Returns the caption and the address of each picture: the start, a move, the end."""
    (moves, over), say = example, render.messages(request)
    ply = min(len(moves) - 1, max(2, len(moves) // 4))
    shown: list[tuple[str, tuple[str, ...]]] = [(say("web.rules.start"), ())]
    if ply > 0:
        shown.append((say("web.rules.move", move=moves[ply - 1], ply=ply), moves[:ply]))
    if over:
        shown.append((say("web.rules.end"), moves))
    start = {"game": name, "position": str(game.start())}
    return [
        (caption, pictures.address(request, {**start, "moves": " ".join(played)}))
        for caption, played in shown
    ]


async def gallery(request: Request) -> Response:
    """The page of all games with pictures and links to their rules."""
    return render.page(request, "home/gallery.html")


def sentence_of(name: str, game: Game, say: Messages) -> str:
    """Returns one sentence about a game: translated if possible, else from the game."""
    for message in (f"web.gallery.{name.replace('_', '-')}", f"web.help.about-{name}"):
        if (found := say(message)) != message:
            return found
    sentence = " ".join(own_words(type(game)).split()).partition(". ")[0]
    return sentence.removesuffix(".") + "." if sentence else ""


def _small_picture(position: Position, style: Style) -> Picture:
    """Returns a picture of a board with few elements, because a page shows many of them."""
    layout = Layout.of(position.game, coordinates=False)
    inside = small_board(position, NO_MARKS, style)
    name = f"papan-board{look_class(layout.look)}"
    return drawing(name, (layout.width, layout.height), inside, title=position.game.title)


async def about(request: Request) -> Response:
    """The page about Papan."""
    return render.page(request, "home/about.html", version=metadata.version("papan"))


_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "woff2": "font/woff2"}


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


def make_routes(find_unfinished: FindUnfinished, find_puzzle: FindPuzzle) -> list[BaseRoute]:
    """Returns the routes of these pages."""
    show_menu = functools.partial(menu, find_unfinished=find_unfinished, find_puzzle=find_puzzle)
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
