"""The application: routes, what every request passes, start and end."""

from __future__ import annotations

import asyncio
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

from papan.errors import InvalidGame, PapanError
from papan.web.analysis import page as analysis
from papan.web.analysis.analysis_jobs import AnalysisJobs
from papan.web.api import page as api_page
from papan.web.api import routes as api
from papan.web.game import board_sheet, setup
from papan.web.game import page as game
from papan.web.home import page as home
from papan.web.live.live_games import LiveGames, NoLiveGame
from papan.web.live.live_store import LiveStore
from papan.web.live.subscriptions import Subscriptions
from papan.web.puzzles import page as puzzles
from papan.web.records import page as records
from papan.web.server import render
from papan.web.server.allowed import Allowed
from papan.web.server.app_state import AppState, ServerSettings
from papan.web.server.connections import on_loop_error
from papan.web.server.request_params import Left
from papan.web.server.security import Askers, Guard, OwnNames, Sessions, secret_key
from papan.web.share import page as share
from papan.web.tournaments import page as tournaments
from papan.web.tournaments.tournaments import Tournaments
from papan.web.tree import page as tree
from papan.web.tree.page import TreeCache
from papan.web.workers.engine_pool import EngineFailed, EnginePool, warm_tasks
from papan.web.workers.fair_queue import TooBusy

_LOG = logging.getLogger("papan.web")

#: All pages.
ROUTES: list[BaseRoute] = [
    *home.ROUTES,
    *setup.ROUTES,
    *game.ROUTES,
    *board_sheet.ROUTES,
    *analysis.ROUTES,
    *records.ROUTES,
    *puzzles.ROUTES,
    *share.ROUTES,
    *tournaments.ROUTES,
    *tree.ROUTES,
    *api_page.ROUTES,
]


def create_app(settings: ServerSettings) -> Starlette:
    """The application, as an ASGI server runs it."""
    interface = api.create_api()
    known = Sessions.of(secret_key(settings.folder), settings.session_seconds)
    names, askers = OwnNames(settings), Askers()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running = app.state.papan = interface.state.papan = open_app_state(settings, askers)
        app.state.api = interface
        names.look_up()
        asyncio.get_running_loop().set_exception_handler(on_loop_error)
        app.state.fragments = OrderedDict()
        await running.live_store.forget_old()
        await running.pool.start()
        await running.tournaments.start()
        # What is loaded by now stays. Looking through it for garbage again and again would stop
        # all games for 0.1 to 0.2 s each time, and double the cost of a page.
        gc.collect()
        gc.freeze()
        try:
            yield
        finally:
            gc.unfreeze()
            await running.analysis_jobs.close()
            await running.tournaments.close()
            await running.live_games.close()
            await running.pool.close()
            running.live_store.close()

    return Starlette(
        routes=[*ROUTES, Mount("/api", interface)],
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, settings=settings, known=known, names=names, askers=askers),
            Middleware(GZipMiddleware, minimum_size=1500, compresslevel=4),
            Middleware(render.FailingRules, answer=on_failing_rule),
        ],
        exception_handlers={
            HTTPException: on_http_error,
            PapanError: on_refusal,
            Left: on_leaving,
            Exception: on_failure,
        },
    )


def open_app_state(settings: ServerSettings, askers: Askers) -> AppState:
    """Everything that the pages need."""
    allowed = Allowed(settings)
    warm = warm_tasks(list(allowed.games().values())) if settings.warm else []
    needed = len(allowed.games()) if settings.warm else 0
    pool = EnginePool(settings.processes, warm, needed, askers)
    live_store, subscriptions = LiveStore(settings.database), Subscriptions()
    return AppState(
        settings,
        allowed,
        live_store,
        pool,
        subscriptions,
        live_games=LiveGames(
            live_store, pool, subscriptions, settings.games_in_memory, settings.values
        ),
        analysis_jobs=AnalysisJobs(pool, subscriptions, settings.values),
        tournaments=Tournaments(live_store.store, subscriptions, settings.folder),
        tree_cache=TreeCache(pool),
    )


async def on_http_error(request: Request, error: Exception) -> Response:
    """A page for an address that is not there, or a method that it does not take."""
    status = cast(HTTPException, error).status_code
    name = {404: "web.sorry.absent", 405: "web.sorry.method"}.get(status, "web.sorry.bad")
    return render.sorry(request, status, render.messages(request)(name))


#: The statuses of refusals; all others are 400.
_STATUS = {NoLiveGame: 404, TooBusy: 429, EngineFailed: 503}


async def on_refusal(request: Request, error: Exception) -> Response:
    """A page that says why something was refused."""
    said = cast(PapanError, error)
    text = render.explained(request, said)
    return render.sorry(request, _STATUS.get(type(said), 400), text)


def on_failing_rule(request: Request, error: InvalidGame) -> Response:
    """A page that says that the game's own rules have failed."""
    return render.sorry(request, render.FAILED_RULE, render.messages(request)("web.sorry.rule"))


async def on_leaving(request: Request, error: Exception) -> Response:
    """An answer that is not sent: the browser has gone."""
    return Response(status_code=499)


async def on_failure(request: Request, error: Exception) -> Response:
    """A page for a mistake of ours."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return render.sorry(request, 500, render.messages(request)("web.sorry.failed"))
