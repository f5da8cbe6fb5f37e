"""Training a game and measuring its levels, for the operator of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.game import Game
from papan.errors import PapanError, UsageError
from papan.figures.chart import Look, Point, RatingRow, ratings_chart, score_chart
from papan.learn.training import milestone_of
from papan.learn.weights import found_for, read
from papan.messages import Messages
from papan.players.level_file import evaluation_digest, measured_levels
from papan.stats.counts import Trinomial
from papan.stats.elo import normal_error
from papan.web.board.words import side_choices
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import options_in, read_form, service_of, state_of
from papan.web.http.security import check_operator, is_operator, is_secret, set_cookie
from papan.web.http.settings import ServerSettings
from papan.web.http.subscriptions import push
from papan.web.training.trainings import KINDS, LEVELS, TRAINING, TrainingJob, Trainings


async def show(request: Request) -> Response:
    """The page of a game. The form of options leads to the address of the game with options."""
    values = dict(request.query_params)
    if not is_operator(request) and service_of(request, ServerSettings).operator_secret:
        return _ask_secret(request, values, "", status=403)
    check_operator(request)
    if options := options_in(values):
        return _go(request, service_of(request, Allowed).game(values.get("game", ""), options))
    return await _page(request, _game(request, values))


async def enter(request: Request) -> Response:
    """Makes the browser that sends the secret the operator's."""
    form = await read_form(request)
    if not is_secret(service_of(request, ServerSettings), form.get("secret", "")):
        say = render.messages(request)
        return _ask_secret(request, form, say("web.training.no-secret"), status=403)
    response = render.see(request, "train", urlencode({"game": form.get("game", "")}))
    set_cookie(request, response)
    return response


async def act(request: Request) -> Response:
    """Starts a training or a measurement, or stops the running one."""
    check_operator(request)
    form = await read_form(request)
    game, trainings = _game(request, form), service_of(request, Trainings)
    what = form.get("do", "")
    if what == "stop":
        trainings.stop()
    elif what in KINDS:
        trainings.begin(game, what)
    else:
        raise UsageError("web.training.unknown")
    if render.is_fragment(request):
        return await _page(request, game)
    return _go(request, game)


async def follow(socket: WebSocket) -> None:
    """Sends the page after each step of the running task."""
    game = None
    if is_operator(socket):
        try:
            game = _game(socket, dict(socket.query_params))
        except PapanError:
            game = None

    async def text() -> str:
        assert game is not None
        context = await asyncio.to_thread(context_of, socket, game)
        return render.html(socket, "training/train.html", fragment=True, **context)

    await push(socket, Trainings.TOPIC, text if game else None)


# --- parts ----------------------------------------------------------------------------------------


def _game(connection: HTTPConnection, values: Mapping[str, str]) -> Game:
    return request_params.offered_game(service_of(connection, Allowed), values.get("game", ""))


def _go(request: Request, game: Game) -> Response:
    """Redirects the browser to the page of a game."""
    name = service_of(request, Allowed).public.text(game.spec)
    return render.see(request, "train", urlencode({"game": name}))


def _ask_secret(
    request: Request, values: Mapping[str, str], problem: str, *, status: int
) -> Response:
    game = values.get("game", "")
    return render.page(request, "training/operator.html", status=status, game=game, problem=problem)


async def _page(request: Request, game: Game) -> Response:
    context = await asyncio.to_thread(context_of, request, game)
    return render.page(request, "training/train.html", **context)


def context_of(connection: HTTPConnection, game: Game) -> dict[str, Any]:
    """Returns the values for the template."""
    say, (_, wanted) = render.messages(connection), state_of(connection)
    allowed, trainings = service_of(connection, Allowed), service_of(connection, Trainings)
    name, running = allowed.public.text(game.spec), trainings.running
    jobs = {kind: trainings.find(game.spec, kind) for kind in KINDS}
    query = urlencode({"game": name})
    return {
        "game": game,
        "name": name,
        "base": allowed.base_name(name),
        "here_path": render.path(connection, "train"),
        "query": query,
        "live": f"{render.path(connection, 'train-live')}?{query}" if running else "",
        "options": allowed.current_options(name, game),
        "side_choices": side_choices(game, wanted, say),
        "running": running,
        "other": allowed.public.text(running.game) if running else "",
        "jobs": jobs,
        "state": {kind: job and say(f"web.training.{job.state}") for kind, job in jobs.items()},
        "steps": {kind: _step(job, say) for kind, job in jobs.items()},
        "results": {kind: _result(connection, job, say) for kind, job in jobs.items()},
        "known": {TRAINING: _weights(game, say), LEVELS: _levels(game, say)},
        "charts": {TRAINING: _curve(jobs[TRAINING], say), LEVELS: _ratings(game, say)},
    }


def _step(job: TrainingJob | None, say: Messages) -> str:
    """Returns the newest step of a task in words; empty before the first one."""
    if job is None or not job.progress:
        return ""
    step = job.progress[-1]
    if job.kind == LEVELS:
        return say(
            "web.training.level-step",
            stage=step["stage"],
            level=step["level"],
            score=round(100 * step["score"]),
            total=step["total"],
        )
    milestone = milestone_of(step)
    return say(
        "web.training.step",
        games=milestone.games,
        speed=milestone.plies_per_second,
        fixed=_score(milestone.against_fixed),
    )


def _score(counts: Trinomial) -> str:
    """Returns a score with half the width of its 95 % interval."""
    if not counts.games:
        return "–"
    return f"{100 * counts.score:.0f} ± {100 * normal_error(counts):.0f} %"


def _result(connection: HTTPConnection, job: TrainingJob | None, say: Messages) -> str:
    """Returns the result of a finished task in words: whether it is used, and why."""
    if job is None or not job.over:
        return ""
    if job.problem is not None:
        return render.explain(connection, job.problem)
    found = job.result
    if job.kind == LEVELS:
        if not found or len(found["levels"]) < 2:
            done = bool(found) and found["complete"]
            return say("web.training.one-level" if done else "web.training.no-levels")
        state = "complete" if found["complete"] else "used" if found["used"] else "unfinished"
        return say(f"web.training.levels-{state}", count=len(found["levels"]), games=found["games"])
    if not found or not found["last"]:
        return say("web.training.none-measured")
    name = "used" if found["used"] else "weaker"
    facts = found["strength"] if found["kept"] else found["last"]
    return say(
        f"web.training.{name}" if found["kept"] else "web.training.not-kept",
        score=f"{100 * facts['score']:.0f} ± {100 * facts['error']:.0f}",
        games=facts["games"],
    )


def _weights(game: Game, say: Messages) -> str:
    """Returns a sentence about the weights of a game."""
    path = found_for(game)
    if path is None:
        return say("web.training.no-weights")
    try:
        weights, _ = read(path, game)
    except PapanError as error:
        return say.explain(error)
    facts = weights.strength
    score, interval = (100 * float(facts.get(name, 0)) for name in ("score", "error"))
    return say(
        "web.training.weights" if weights.is_stronger else "web.training.weak-weights",
        games=weights.training.get("games", 0),
        score=f"{score:.0f} ± {interval:.0f}",
    )


def _levels(game: Game, say: Messages) -> str:
    """Returns a sentence about the level file of a game."""
    try:
        levels = measured_levels(game)
    except PapanError as error:
        return say.explain(error)
    if levels is None:
        return say("web.training.unmeasured")
    count, games = len(levels.levels), levels.facts.get("games", 0)
    text = say("web.training.measured", count=count, games=games)
    digest = levels.facts.get("evaluation")
    if digest is not None and digest != evaluation_digest(game):
        return f"{text} {say('web.training.outdated')}"
    return text


def _curve(job: TrainingJob | None, say: Messages) -> str:
    """Returns the learning curve: the scores of each measurement; empty before the first one."""
    milestones = [milestone_of(step) for step in job.progress] if job else []
    series = {
        say(f"web.training.{name}"): [
            _point(milestone.seconds, counts)
            for milestone in milestones
            if (counts := getattr(milestone, attribute)).games
        ]
        for name, attribute in (("fixed", "against_fixed"), ("best", "against_best"))
    }
    if not any(series.values()):
        return ""
    title, label = say("web.training.curve"), say("web.training.curve-seconds")
    return score_chart(title, label, series, look=Look(standalone=False))


def _point(seconds: float, counts: Trinomial) -> Point:
    score, error = counts.score, normal_error(counts)
    return Point(round(seconds, 1), score, max(0.0, score - error), min(1.0, score + error))


def _ratings(game: Game, say: Messages) -> str:
    """Returns the ratings of the measured levels; empty without a level file."""
    try:
        levels = measured_levels(game)
    except PapanError:
        return ""
    if levels is None or len(levels.levels) < 2:
        return ""
    rows = [
        RatingRow(say("web.level.number", number=number), level.elo, level.error)
        for number, level in reversed(list(enumerate(levels.levels, start=1)))
    ]
    return ratings_chart(say("web.training.ratings"), "Elo", rows, look=Look(standalone=False))


ROUTES: list[BaseRoute] = [
    Route("/train", show, name="train", methods=["GET"]),
    Route("/train", act, name="train-act", methods=["POST"]),
    Route("/train/operator", enter, name="train-operator", methods=["POST"]),
    WebSocketRoute("/train/live", follow, name="train-live"),
]
