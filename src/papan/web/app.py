"""The application: routes, what every request passes, start and end."""

from __future__ import annotations

import gc
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount

from papan.errors import PapanError
from papan.web import render
from papan.web.choices import Choices
from papan.web.contests import Contests
from papan.web.gallery import Gallery
from papan.web.lobby import Lobby, NoRoom
from papan.web.pages import (
    analysis,
    api,
    api_page,
    game,
    home,
    options,
    records,
    setup,
    teach,
    tournament,
)
from papan.web.pages.house import House
from papan.web.persistence import Keeper
from papan.web.push import Hub
from papan.web.security import Guard
from papan.web.sessions import Sessions, secret_key
from papan.web.settings import Settings
from papan.web.studies import Studies
from papan.web.thinking import Pool, ThinkingFailed, TooBusy, warm_tasks

_LOG = logging.getLogger("papan.web")

#: All pages.
ROUTES: list[BaseRoute] = [
    *home.ROUTES,
    *setup.ROUTES,
    *game.ROUTES,
    *options.ROUTES,
    *analysis.ROUTES,
    *records.ROUTES,
    *tournament.ROUTES,
    *teach.ROUTES,
    *api_page.ROUTES,
]


def create_app(settings: Settings) -> Starlette:
    """The application, as an ASGI server runs it."""
    interface = api.create_api()
    known = Sessions.of(secret_key(settings.folder), settings.session_seconds)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        house = app.state.house = interface.state.house = open_house(settings)
        app.state.api = interface
        app.state.fragments = OrderedDict()
        await house.keeper.forget_old()
        await house.pool.start()
        await house.contests.start()
        # What is loaded by now stays. Looking through it for garbage again and again would stop
        # all games for 0.1 to 0.2 s each time, and double the cost of a page.
        gc.collect()
        gc.freeze()
        try:
            yield
        finally:
            gc.unfreeze()
            await house.studies.close()
            await house.contests.close()
            await house.lobby.close()
            await house.pool.close()
            house.keeper.close()

    return Starlette(
        routes=[*ROUTES, Mount("/api", interface)],
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, settings=settings, known=known),
            Middleware(GZipMiddleware, minimum_size=1500, compresslevel=4),
        ],
        exception_handlers={
            HTTPException: on_http_error,
            PapanError: on_refusal,
            Exception: on_failure,
        },
    )


def open_house(settings: Settings) -> House:
    """Everything that the pages need."""
    choices = Choices(settings)
    warm = warm_tasks(list(choices.games().values())) if settings.warm else []
    pool = Pool(settings.processes, warm, len(choices.games()) if settings.warm else 0)
    keeper, hub = Keeper(settings.database), Hub()
    lobby = Lobby(keeper, pool, hub, settings.rooms_in_memory)
    studies, contests = Studies(pool, hub), Contests(keeper.store, hub, settings.folder)
    gallery = Gallery(pool)
    return House(settings, choices, keeper, pool, hub, lobby, studies, contests, gallery)


async def on_http_error(request: Request, error: Exception) -> Response:
    """A page for an address that is not there, or a method that it does not take."""
    status = cast(HTTPException, error).status_code
    name = {404: "web.sorry.absent", 405: "web.sorry.method"}.get(status, "web.sorry.bad")
    return render.sorry(request, status, render.messages(request)(name))


#: The statuses of refusals; all others are 400.
_STATUS = {NoRoom: 404, TooBusy: 429, ThinkingFailed: 503}


async def on_refusal(request: Request, error: Exception) -> Response:
    """A page that says why something was refused."""
    said = cast(PapanError, error)
    text = render.messages(request).explain(said)
    return render.sorry(request, _STATUS.get(type(said), 400), text)


async def on_failure(request: Request, error: Exception) -> Response:
    """A page for a mistake of ours."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return render.sorry(request, 500, render.messages(request)("web.sorry.failed"))
