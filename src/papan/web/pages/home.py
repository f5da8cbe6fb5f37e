"""The menu with the splash before it, instructions, about."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib import metadata, resources

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, NoMatchFound, Route

from papan.core import registry
from papan.figures.board import board_svg
from papan.figures.highlights import Marks
from papan.web import render
from papan.web.pages.house import house
from papan.web.security import state_of


@dataclass(frozen=True)
class Item:
    """An entry of the menu.

    Attributes:
        page: the name of the route.
        name: the last word of its messages.
        params: what the route's address needs.
    """

    page: str
    name: str
    params: tuple[tuple[str, str], ...] = ()


#: The menu: ways to play, and everything else. Pages that are not installed are left out.
PLAY = tuple(Item("setup", kind, (("kind", kind),)) for kind in ("solo", "shared", "link", "watch"))
MORE = tuple(
    Item(name, name)
    for name in (
        "analysis",
        "tournament",
        "records",
        "teach",
        "api",
        "instructions",
        "options",
        "about",
    )
)


def _there(request: Request, items: tuple[Item, ...]) -> list[tuple[Item, str]]:
    """The entries whose pages there are, with their addresses."""
    found = []
    for item in items:
        try:
            found.append((item, render.path(request, item.page, **dict(item.params))))
        except NoMatchFound:
            continue
    return found


async def menu(request: Request) -> Response:
    """The menu; while engines get ready, with the splash over it."""
    pool, (_, wanted) = house(request).pool, state_of(request)
    position = registry.game("adjacency").start()
    for move in _COVER:
        position = position.play(move)
    return render.page(
        request,
        "menu.html",
        play=_there(request, PLAY),
        more=_there(request, MORE),
        progress=pool.progress,
        splash=not pool.ready or "splash" in request.query_params,
        cover=board_svg(position, marks=Marks(last=_COVER[-1:]), style=wanted.style, title="Papan"),
    )


#: The moves of the game on the menu's picture.
_COVER = ("c2", "f7", "c3", "f6", "d3", "e6", "d4", "e5", "e4", "d5", "f4", "c5", "d6", "e3")


async def warmup(request: Request) -> Response:
    """Tells how far engines have got, as it happens."""

    async def events() -> AsyncIterator[str]:
        async for done, steps in house(request).pool.changes():
            yield f"data: {json.dumps({'done': done, 'steps': steps})}\n\n"
            if await request.is_disconnected():
                return

    return StreamingResponse(events(), media_type="text/event-stream")


async def instructions(request: Request) -> Response:
    """How to use the pages, and the rules of each game."""
    choices = house(request).choices
    games = {name: choices.game(name, {}) for name in choices.games()}
    return render.page(request, "instructions.html", games=games)


async def rules(request: Request) -> Response:
    """The rules of a game."""
    name = request.path_params["game"]
    choices, (_, wanted) = house(request).choices, state_of(request)
    if name not in choices.games():
        raise HTTPException(404)
    game = choices.game(name, {})
    return render.page(
        request,
        "rules.html",
        game=game,
        name=name,
        text=render.markdown(
            rules_text(type(game).__module__, wanted.language, game.__doc__ or "")
        ),
        board=board_svg(game.start(), style=wanted.style, title=game.title),
    )


def rules_text(module: str, language: str, otherwise: str) -> str:
    """The rules of a game of Papan's in a language; of others, what they say themselves."""
    if not module.startswith("papan.games."):
        return otherwise
    return (resources.files(module) / f"rules.{language}.md").read_text(encoding="utf-8")


async def about(request: Request) -> Response:
    """What this is."""
    return render.page(request, "about.html", version=metadata.version("papan"))


async def style(request: Request) -> Response:
    """The style sheet."""
    return Response(render.style_sheet(), media_type="text/css", headers=_KEPT)


#: Static files have addresses that change with their content.
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


async def static(request: Request) -> Response:
    """A static file."""
    name = request.path_params["name"]
    if name == "papan.css":
        return await style(request)
    if name not in {file.name for file in render.STATIC.iterdir()}:
        raise HTTPException(404)
    content = (render.STATIC / name).read_bytes()
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind, headers=_KEPT)


ROUTES: list[BaseRoute] = [
    Route("/", menu, name="menu"),
    Route("/warmup", warmup, name="warmup"),
    Route("/instructions", instructions, name="instructions"),
    Route("/rules/{game}", rules, name="rules"),
    Route("/about", about, name="about"),
    Route("/static/{name}", static, name="static"),
]
