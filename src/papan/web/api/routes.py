"""JSON over HTTP for programs, under `/api`: games, positions, searches, records, live games.

Its OpenAPI document is `/api/openapi.json`; the page `/api` shows the same without any network.
What changes something, or costs time, is a POST with the header `Origin`, like all of them here.
Whatever is wrong with a request is said in one sentence: `{"error": "…"}`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, FastAPI, Path, Query
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from papan.core import spec
from papan.core.game import Position
from papan.core.notation import SIDES
from papan.errors import InvalidGame, InvalidSpec, PapanError
from papan.search import registry as algorithms
from papan.usercode import loader
from papan.web.game.setup import live_game_of
from papan.web.game.told import previews
from papan.web.home.page import rules_text
from papan.web.live.live_game import KINDS, LiveGame, Refused
from papan.web.live.live_games import NoLiveGame
from papan.web.records.page import PAGE, RecordFilters, described
from papan.web.server import render, request_params
from papan.web.server.allowed import CEILINGS, LONGEST_SPEC, Allowed
from papan.web.server.request_params import OPTION, app_state, state_of
from papan.web.workers.engine_pool import EngineFailed
from papan.web.workers.engine_worker import EngineRequest
from papan.web.workers.fair_queue import TooBusy

#: What a search may take, in seconds, and how many lines it may show.
MOST_SECONDS = 10.0
MOST_LINES = 10
DEEPEST = 64

#: What a program may ask for in the options of an algorithm.
_CEILINGS = {**CEILINGS, "memory": 64, "lines": MOST_LINES, "simulations": 10_000_000}

_STATUS = {NoLiveGame: 404, TooBusy: 429, EngineFailed: 503}


class ApiAnswer(JSONResponse):
    """JSON of whatever a game or a player has said: UTF-8 has no lone surrogates."""

    def render(self, content: Any) -> bytes:
        """The bytes of an answer."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


class SearchRequest(BaseModel):
    """A search to be made."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=LONGEST_SPEC, examples=["adjacency:rounds=8"])
    position: str = Field("", max_length=request_params.LONGEST_LINE)
    moves: list[Annotated[str, Field(max_length=20)]] = Field(
        [], max_length=request_params.MOST_MOVES
    )
    algorithm: str = Field("engine", max_length=LONGEST_SPEC)
    depth: int | None = Field(None, ge=1, le=DEEPEST)
    seconds: float = Field(1.0, gt=0, le=MOST_SECONDS, allow_inf_nan=False)
    lines: int = Field(1, ge=1, le=MOST_LINES)


class GameRequest(BaseModel):
    """A game to be set up: what the form on the page asks for."""

    model_config = ConfigDict(extra="forbid")

    kind: Annotated[str, Field(examples=["solo"], pattern=f"^({'|'.join(KINDS)})$")] = "solo"
    game: str = Field(max_length=LONGEST_SPEC, examples=["adjacency"])
    options: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]] = (
        Field({}, max_length=10)
    )
    name: str = Field("", max_length=200)
    other: str = Field("", max_length=200)
    side: str = Field("x", max_length=10)
    opponent: str = Field("medium", max_length=LONGEST_SPEC)
    x: str = Field("medium", max_length=LONGEST_SPEC)
    o: str = Field("medium", max_length=LONGEST_SPEC)
    clock: str = Field("none", max_length=10)


class MoveRequest(BaseModel):
    """A move in a live game."""

    model_config = ConfigDict(extra="forbid")

    move: str = Field(max_length=20, examples=["c4"])


class RecordsQuery(BaseModel):
    """A page of kept games to be listed."""

    game: Annotated[str, Field(max_length=400)] = ""
    player: Annotated[str, Field(max_length=400)] = ""
    event: Annotated[str, Field(max_length=400)] = ""
    result: Annotated[str, Field(max_length=400)] = ""
    since: Annotated[str, Field(max_length=400)] = ""
    page: Annotated[int, Field(ge=1, le=4000)] = 1


router = APIRouter()

GameName = Annotated[str, Query(max_length=LONGEST_SPEC, examples=["platforms:size=4"])]
Line = Annotated[str, Query(max_length=request_params.LONGEST_LINE)]
Moves = Annotated[str, Query(max_length=4_000, examples=["b2 b1"])]
Id = Annotated[str, Path(max_length=64)]


# --- games and positions --------------------------------------------------------------------------


@router.get("/games", tags=["games"])
async def list_games(request: Request) -> dict[str, Any]:
    """The games that are offered, with their options."""
    allowed = app_state(request).allowed
    return {"games": [_game(allowed, name) for name in allowed.games()]}


@router.get("/games/{name}", tags=["games"])
async def get_game(request: Request, name: Id) -> dict[str, Any]:
    """One game: its options, its start position and its rules in Markdown."""
    allowed, (_, wanted) = app_state(request).allowed, state_of(request)
    if name not in allowed.games():
        raise HTTPException(404)
    game = allowed.game(name, {})
    text = rules_text(type(game).__module__, wanted.language, game.__doc__ or "")
    return {**_game(allowed, name), "start": str(game.start()), "rules": text}


def _game(allowed: Allowed, name: str) -> dict[str, Any]:
    game = allowed.game(name, {})
    options = {
        key: {
            "default": facts["default"],
            "now": getattr(game, key),
            "expected": spec.expected(facts),
        }
        for key, facts in spec.options_of(type(game)).items()
    }
    return {
        "name": name,
        "title": game.title,
        "spec": allowed.public.text(game.spec),
        "options": options,
    }


@router.get("/positions", tags=["positions"])
async def get_position(
    request: Request, game: GameName, position: Line = "", moves: Moves = ""
) -> dict[str, Any]:
    """A position, after moves if any are given: its line, its legal moves, who has won."""
    allowed = app_state(request).allowed
    found = request_params.offered_game(allowed, game)
    played = request_params.positions_of(found, position, request_params.read_moves(moves))
    return _position(allowed, played[-1])


def _position(allowed: Allowed, position: Position) -> dict[str, Any]:
    outcome = position.outcome()
    contents, board = position.game.contents(position.state), position.game.board
    pieces = {
        side: [place.name for place in board.places if contents[place.number].owner == side]
        for side in SIDES
    }
    return {
        "game": allowed.public.text(position.game.spec),
        "position": str(position),
        "side": position.side,
        "moves": position.moves(),
        "outcome": outcome and outcome.value,
        "pieces": pieces,
    }


# --- searches -------------------------------------------------------------------------------------


@router.post("/search", tags=["search"])
async def search(request: Request, wanted: Annotated[SearchRequest, Body()]) -> dict[str, Any]:
    """Searches a position; answers with the keys of `papan search --json`."""
    home, (session, _) = app_state(request), state_of(request)
    game = request_params.offered_game(home.allowed, wanted.game)
    line, moves = " ".join(wanted.position.split()), tuple(wanted.moves)
    request_params.positions_of(game, line, moves)
    task = EngineRequest(
        "search",
        game.spec,
        line,
        moves,
        player=_algorithm(wanted),
        seconds=wanted.seconds,
        depth=wanted.depth or 0,
    )
    found = await request_params.unless_left(request, home.pool.run(task, session))
    return {**found, "game": home.allowed.public.text(game.spec)}


@router.get("/values", tags=["search"])
async def get_values(
    request: Request,
    game: GameName,
    position: Line = "",
    moves: Moves = "",
    seconds: Annotated[float, Query(gt=0, le=MOST_SECONDS, allow_inf_nan=False)] = 1.0,
) -> dict[str, Any]:
    """The proven value of each legal move, as far as that is known in the time; answers with the
    keys of `papan values --json`."""
    home, (session, _) = app_state(request), state_of(request)
    found = request_params.offered_game(home.allowed, game)
    line, played = " ".join(position.split()), request_params.read_moves(moves)
    request_params.positions_of(found, line, played)
    task = EngineRequest(
        "values",
        found.spec,
        line,
        played,
        seconds=seconds,
        databases=home.settings.values,
    )
    values = await request_params.unless_left(request, home.pool.run(task, session))
    return {**values, "game": home.allowed.public.text(found.spec)}


def _algorithm(wanted: SearchRequest) -> str:
    """The spec of the algorithm, checked.

    Raises:
        InvalidSpec: there is none of that name, or it asks for more than a guest gets.
    """
    text = wanted.algorithm
    if loader.split(text) or spec.split(text)[0] not in algorithms.names():
        # A file that a visitor names is never loaded: it would run.
        raise spec.unknown("spec.unknown-algorithm", text, dict.fromkeys(algorithms.names()))
    if wanted.lines > 1:
        name, options = spec.split(text)
        text = f"{name}:{','.join(filter(None, [options, f'lines={wanted.lines}']))}"
    found = algorithms.algorithm(text)
    for key, most in _CEILINGS.items():
        value = getattr(found, key, 0)
        if isinstance(value, int | float) and value > most:
            expected = f"≤ {most:g}"
            raise InvalidSpec("spec.bad-value", option=key, text=f"{value:g}", expected=expected)
    if "memory" in spec.options_of(type(found)) and "memory=" not in text:
        text = f"{text}{',' if ':' in text else ':'}memory={_CEILINGS['memory']}"
    return text


# --- records --------------------------------------------------------------------------------------


@router.get("/records", tags=["records"])
async def list_records(request: Request, query: Annotated[RecordsQuery, Query()]) -> dict[str, Any]:
    """Kept games, the newest first, a page at a time."""
    allowed, store = app_state(request).allowed, app_state(request).live_store.store
    page = query.page
    wanted = RecordFilters.read({**query.model_dump(), "page": str(page)})

    def look_up() -> tuple[list[dict[str, Any]], int]:
        filters, offset = wanted.as_kept(allowed, store), PAGE * (page - 1)
        found = store.find(limit=PAGE, offset=offset, newest_first=True, **filters)
        games = [described(allowed.public.record(record)) for record in found]
        return games, store.count(**filters)

    found, count = await asyncio.to_thread(look_up)
    return {"count": count, "page": page, "pages": max(1, -(-count // PAGE)), "games": found}


@router.get("/records/{id}", tags=["records"])
async def get_record(request: Request, id: Id) -> dict[str, Any]:
    """One kept game."""
    record = await asyncio.to_thread(app_state(request).live_store.store.get, id)
    if record is None:
        raise HTTPException(404)
    return described(app_state(request).allowed.public.record(record))


# --- live games -----------------------------------------------------------------------------------


@router.post("/live", tags=["live games"], status_code=201)
async def begin_live(request: Request, wanted: Annotated[GameRequest, Body()]) -> dict[str, Any]:
    """Sets up a live game; the cookie of the answer is its player's."""
    options = {f"{OPTION}{name}": value for name, value in wanted.options.items()}
    form = {**options, **wanted.model_dump(exclude={"kind", "options"})}
    live = live_game_of(request, wanted.kind, form)
    await app_state(request).live_games.add(live)
    return _live(request, live)


@router.get("/live/{id}", tags=["live games"])
async def get_live(request: Request, id: Id) -> dict[str, Any]:
    """A live game as it stands."""
    return _live(request, await app_state(request).live_games.find(id))


@router.post("/live/{id}/moves", tags=["live games"])
async def play_live(
    request: Request, id: Id, wanted: Annotated[MoveRequest, Body()]
) -> dict[str, Any]:
    """Makes a move in a live game, for the player whose cookie comes with it."""
    session, _ = state_of(request)
    live = await app_state(request).live_games.change(
        id, lambda live: live.play(session, wanted.move, time.time())
    )
    return _live(request, live)


@router.get("/live/{id}/turns", tags=["live games"])
async def get_turns(request: Request, id: Id) -> dict[str, Any]:
    """The squares that each move would turn, for the player who is to move: move → squares."""
    live, (session, _) = await app_state(request).live_games.find(id), state_of(request)
    mine = live.going and live.turn in live.sides_of(session)
    return {"ply": len(live.moves), "moves": previews(live.position) if mine else {}}


@router.get("/live/{id}/values", tags=["live games"])
async def get_live_values(request: Request, id: Id) -> dict[str, Any]:
    """The proven value of each legal move of a live game, for the player who is to move, where
    hints are given; answers with the keys of `papan values --json`."""
    home, (session, _) = app_state(request), state_of(request)
    found = await request_params.unless_left(request, home.live_games.values(id, session))
    return {**found, "game": home.allowed.public.text(found["game"])}


def _live(request: Request, live: LiveGame) -> dict[str, Any]:
    (session, _), allowed = state_of(request), app_state(request).allowed
    now, table = time.time(), live.table
    return {
        "id": live.id,
        "kind": live.kind,
        "start": live.start,
        "played": list(live.moves),
        "players": {side: allowed.public.text(seat.public) for side, seat in live.seats.items()},
        "yours": live.sides_of(session),
        "saved": not app_state(request).live_store.in_memory_only(live.id),
        "waiting": live.waiting,
        "result": table.result or None,
        "termination": table.termination.value if table.is_over else None,
        "clock": {side: round(table.clock.now_left(side, live.turn, now), 1) for side in SIDES}
        if table.clock.initial
        else None,
        **_position(allowed, live.position),
    }


# --- what is wrong --------------------------------------------------------------------------------


async def on_refusal(request: Request, error: Exception) -> Response:
    """One sentence for what was refused."""
    said = cast(PapanError, error)
    text = render.explained(request, said)
    return ApiAnswer({"error": text}, status_code=_STATUS.get(type(said), 400))


async def on_invalid(request: Request, error: Exception) -> Response:
    """One sentence that names the first field that is wrong."""
    problem = cast(RequestValidationError, error).errors()[0]
    where = [str(part) for part in problem["loc"] if part not in ("body", "query", "path")]
    expected = ", ".join(f"{key} {value}" for key, value in _bounds(problem))
    said = Refused(
        "web.api.expected" if expected else "web.api.invalid",
        text=".".join(where)[:80] or "JSON",
        **({"expected": expected} if expected else {}),
    )
    return await on_refusal(request, said)


_BOUNDS = {"ge": "≥", "le": "≤", "gt": ">", "lt": "<", "max_length": "≤"}


def _bounds(problem: Any) -> Iterator[tuple[str, Any]]:
    """The bounds that a value has not kept to: sign, number."""
    for key, value in problem.get("ctx", {}).items():
        if key in _BOUNDS:
            yield _BOUNDS[key], value


async def on_http_error(request: Request, error: Exception) -> Response:
    """One sentence for what is not there."""
    status = cast(HTTPException, error).status_code
    name = {404: "web.sorry.absent", 405: "web.sorry.method"}.get(status, "web.sorry.bad")
    return ApiAnswer({"error": render.messages(request)(name)}, status_code=status)


def on_failing_rule(request: Request, error: InvalidGame) -> Response:
    """One sentence: the game's own rules have failed."""
    said = render.messages(request)("web.sorry.rule")
    return ApiAnswer({"error": said}, status_code=render.FAILED_RULE)


async def on_leaving(request: Request, error: Exception) -> Response:
    """An answer that is not sent: the browser has gone."""
    return Response(status_code=499)


def create_api() -> FastAPI:
    """The interface, to be mounted at `/api`; `state.papan` is to be the running server."""
    made = FastAPI(
        title="Papan",
        summary="Games, positions, searches, records and live games.",
        version="1",
        docs_url=None,
        redoc_url=None,
        default_response_class=ApiAnswer,
        responses={"4XX": {"description": 'What was wrong, in one sentence: `{"error": "…"}`'}},
        exception_handlers={
            PapanError: on_refusal,
            request_params.Left: on_leaving,
            RequestValidationError: on_invalid,
            HTTPException: on_http_error,
        },
    )
    made.add_middleware(render.FailingRules, answer=on_failing_rule)
    made.include_router(router)
    return made
