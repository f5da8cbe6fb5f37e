"""The application: routes, middleware, start and end."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount

from papan.core import readiness
from papan.errors import PapanError
from papan.learn.weights import own_folder
from papan.web.analysis import page as analysis
from papan.web.api import page as api
from papan.web.board import board_sheet, pictures
from papan.web.engines.analysis_jobs import AnalysisJobs
from papan.web.engines.engine_pool import EnginePool, warm_tasks
from papan.web.export import page as export
from papan.web.home import page as home
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.connections import on_loop_error
from papan.web.http.refusals import status_of
from papan.web.http.request_params import Left
from papan.web.http.security import Askers, Guard, OwnNames, Sessions, secret_key
from papan.web.http.settings import ServerSettings
from papan.web.http.subscriptions import Subscriptions
from papan.web.play import page as game
from papan.web.play import setup
from papan.web.play.live_games import LiveGames
from papan.web.play.live_store import LiveStore
from papan.web.puzzles import mistakes
from papan.web.puzzles import page as puzzles
from papan.web.records import page as records
from papan.web.tournaments import page as tournaments
from papan.web.tournaments.tournaments import Tournaments
from papan.web.training import page as training
from papan.web.training.trainings import Trainings
from papan.web.tree import page as tree

_LOG = logging.getLogger("papan.web")

#: All pages.
ROUTES: list[BaseRoute] = [
    *home.make_routes(game.find_unfinished, puzzles.puzzle_of_the_day),
    *setup.make_routes(export.can_play_here),
    *export.ROUTES,
    *game.ROUTES,
    *board_sheet.ROUTES,
    *pictures.ROUTES,
    *analysis.ROUTES,
    *records.ROUTES,
    *puzzles.ROUTES,
    *mistakes.ROUTES,
    *tournaments.ROUTES,
    *training.ROUTES,
    *tree.ROUTES,
    *api.ROUTES,
]

# Every room has the chooser of games.
render.TEMPLATES.globals["choice_of_games"] = pictures.choice_of_games


def create_app(settings: ServerSettings) -> Starlette:
    """Returns the ASGI application."""
    readiness.stay_plain()  # a compiled rule without end would stop all games
    interface = api.create_api(records.router, game.router)
    known = Sessions.of(secret_key(settings.folder), settings.session_seconds)
    names, askers = OwnNames(settings), Askers()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        names.look_up()
        asyncio.get_running_loop().set_exception_handler(on_loop_error)
        # Engines and trainings inherit the folder of the weights that are trained here.
        with own_folder(settings.folder / "weights"):
            async with run_services(settings, askers) as services:
                app.state.services = interface.state.services = services
                app.state.api = interface
                # Objects loaded by now stay alive. Garbage collection of them would
                # stop all games for 0.1 to 0.2 s each time and double the cost of a page.
                gc.collect()
                gc.freeze()
                try:
                    yield
                finally:
                    gc.unfreeze()

    return Starlette(
        routes=[*ROUTES, Mount("/api", interface)],
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, settings=settings, known=known, names=names, askers=askers),
            Middleware(GZipMiddleware, minimum_size=1500, compresslevel=4),
        ],
        exception_handlers={
            HTTPException: on_http_error,
            PapanError: on_refusal,
            Left: on_leaving,
            Exception: on_failure,
        },
    )


@asynccontextmanager
async def run_services(
    settings: ServerSettings, askers: Askers
) -> AsyncIterator[Mapping[type[Any], Any]]:
    """Runs the services that outlive a request; yields them by their classes."""
    allowed = Allowed(settings)
    warm = warm_tasks(list(allowed.games().values())) if settings.warm else []
    needed = len(allowed.games()) if settings.warm else 0
    pool = EnginePool(settings.processes, warm, needed, askers)
    live_store, subscriptions = LiveStore(settings.database), Subscriptions()
    live_games = LiveGames(
        live_store, pool, subscriptions, settings.games_in_memory, settings.values
    )
    analysis_jobs = AnalysisJobs(pool, subscriptions, settings.values)
    hosted = Tournaments(live_store.store, subscriptions, settings.folder)
    trainings = Trainings(subscriptions)
    await live_store.forget_old()
    await pool.start()
    await hosted.start()
    services = (
        settings,
        allowed,
        pool,
        subscriptions,
        live_store,
        live_store.store,
        live_games,
        game.FragmentCache(),
        analysis_jobs,
        hosted,
        trainings,
        mistakes.ExerciseValues(pool),
        tree.TreeCache(pool),
    )
    try:
        yield {type(service): service for service in services}
    finally:
        await analysis_jobs.close()
        await hosted.close()
        await trainings.close()
        await live_games.close()
        await pool.close()
        live_store.close()


async def on_http_error(request: Request, error: Exception) -> Response:
    """The page for an unknown address or method."""
    status = cast(HTTPException, error).status_code
    name = {404: "web.sorry.absent", 405: "web.sorry.method"}.get(status, "web.sorry.bad")
    return render.sorry(request, status, render.messages(request)(name))


async def on_refusal(request: Request, error: Exception) -> Response:
    """The page with the reason of a rejected request."""
    refusal = cast(PapanError, error)
    text = render.explain(request, refusal)
    return render.sorry(request, status_of(refusal), text)


async def on_leaving(request: Request, error: Exception) -> Response:
    """Returns an empty response to a closed connection."""
    return Response(status_code=499)


async def on_failure(request: Request, error: Exception) -> Response:
    """The page for an internal error."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return render.sorry(request, 500, render.messages(request)("web.sorry.failed"))
