"""JSON over HTTP for programs, under `/api`: games, positions, searches, records, live games.

The OpenAPI document is `/api/openapi.json`; the page `/api` shows the same offline. Requests that
change something or cost time are POST requests, which need the header `Origin` like all others of
this server. Errors have one sentence: `{"error": "…"}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, FastAPI, Path, Query
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from papan.core import spec
from papan.errors import InvalidSpec, PapanError
from papan.search import registry as algorithms
from papan.usercode import loader
from papan.web.board.line import position_as_json
from papan.web.board.words import rules_text
from papan.web.engines.engine_pool import EnginePool
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http import render, request_params
from papan.web.http.allowed import CEILINGS, LONGEST_SPEC, Allowed
from papan.web.http.refusals import Refused, status_of
from papan.web.http.request_params import service_of, state_of
from papan.web.http.settings import ServerSettings


@dataclass(frozen=True)
class ApiParameter:
    """A parameter of an operation: its name, its type in words, and whether it is required."""

    name: str
    kind: str
    needed: bool


@dataclass(frozen=True)
class ApiOperation:
    """An operation as the page shows it.

    Attributes:
        id: the last word of its message, and its anchor.
        method: `GET` or `POST`.
        path: path below `/api`.
        parameters: parameters in the address or the body.
        example: a command line that calls it.
        address: an address to try it.
        body: the example body.
    """

    id: str
    method: str
    path: str
    parameters: list[ApiParameter]
    example: str
    address: str
    body: str


async def page(request: Request) -> Response:
    """The OpenAPI document in a readable form."""
    base = str(request.base_url).rstrip("/")
    interface: FastAPI = request.app.state.api
    schema = interface.openapi()
    groups: dict[str, list[ApiOperation]] = {}
    for path, methods in schema["paths"].items():
        for method, facts in methods.items():
            found = _operation(base, path, method, facts, schema)
            groups.setdefault(facts["tags"][0], []).append(found)
    return render.page(request, "api/api.html", groups=groups, base=base)


def _operation(base: str, path: str, method: str, facts: Any, schema: Any) -> ApiOperation:
    parameters = [
        ApiParameter(each["name"], _kind(each["schema"]), each.get("required", False))
        for each in facts.get("parameters", [])
    ]
    body = _body(facts, schema)
    for name, each in body.get("properties", {}).items():
        parameters.append(ApiParameter(name, _kind(each), name in body.get("required", [])))
    name = _NAMES[method.upper(), path]
    sample = _SAMPLES.get((method, path), "")
    address = f"/api{path}".replace("{name}", "corners") + (sample if method == "get" else "")
    body = sample if method == "post" else ""
    example = _example(base, method, address.replace("{id}", "ID"), body)
    return ApiOperation(name, method.upper(), path, parameters, example, address, body)


#: Names of the operations in messages.
_NAMES = {
    ("GET", "/games"): "list-games",
    ("GET", "/games/{name}"): "get-game",
    ("GET", "/positions"): "get-position",
    ("POST", "/search"): "search",
    ("GET", "/values"): "get-values",
    ("GET", "/records"): "list-records",
    ("GET", "/records/{id}"): "get-record",
    ("POST", "/live"): "begin-live",
    ("GET", "/live/{id}"): "get-live",
    ("GET", "/live/{id}/turns"): "get-turns",
    ("GET", "/live/{id}/values"): "get-live-values",
    ("POST", "/live/{id}/moves"): "play-live",
}

#: Parameters and bodies of the examples.
_SAMPLES = {
    ("get", "/positions"): "?game=platforms&moves=b2",
    ("get", "/values"): "?game=platforms&moves=b2",
    ("get", "/records"): "?game=adjacency&result=draw",
    ("post", "/search"): '{"game": "platforms", "depth": 12}',
    ("post", "/live"): '{"game": "adjacency", "options": {"rounds": "8"}, "name": "Ani"}',
    ("post", "/live/{id}/moves"): '{"move": "c4"}',
}


def _example(base: str, method: str, address: str, body: str) -> str:
    """Returns a command line that calls an operation."""
    if method == "get":
        return f"curl '{base}{address}'"
    headers = f"-H 'Origin: {base}' -H 'Content-Type: application/json'"
    return f"curl '{base}{address}' {headers} -d '{body}'"


def _body(facts: Any, schema: Any) -> Any:
    """Returns the schema of the body of an operation; empty without a body."""
    content = facts.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return schema["components"]["schemas"].get(name, {}) if name else {}


def _kind(facts: Any) -> str:
    """Returns a type with its bounds: `integer 1 … 64`."""
    found = next((each for each in facts.get("anyOf", []) if each.get("type") != "null"), facts)
    low = found.get("minimum", found.get("exclusiveMinimum"))
    high = found.get("maximum", found.get("maxLength"))
    kind = found.get("type", "")
    if kind == "string" and high is not None:
        return f"string ≤ {high}"
    return f"{kind} {low:g} … {high:g}" if low is not None and high is not None else kind


# --- operations -----------------------------------------------------------------------------------

#: Maximum time of a search in seconds, and maximum number of lines.
MOST_SECONDS = 10.0
MOST_LINES = 10
DEEPEST = 64

#: Maximum values of options of an algorithm.
_CEILINGS = {**CEILINGS, "memory": 64, "lines": MOST_LINES, "simulations": 10_000_000}


class ApiAnswer(JSONResponse):
    """A JSON response with the texts of games and players; UTF-8 cannot encode lone surrogates."""

    def render(self, content: Any) -> bytes:
        """The bytes of the response."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


class SearchRequest(BaseModel):
    """The body of a search request."""

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


router = APIRouter()

GameName = Annotated[str, Query(max_length=LONGEST_SPEC, examples=["platforms:size=4"])]
Line = Annotated[str, Query(max_length=request_params.LONGEST_LINE)]
Moves = Annotated[str, Query(max_length=4_000, examples=["b2 b1"])]
Id = Annotated[str, Path(max_length=64)]


# --- games and positions --------------------------------------------------------------------------


@router.get("/games", tags=["games"])
async def list_games(request: Request) -> dict[str, Any]:
    """The offered games with their options."""
    allowed = service_of(request, Allowed)
    return {"games": [_game(allowed, name) for name in allowed.games()]}


@router.get("/games/{name}", tags=["games"])
async def get_game(request: Request, name: Id) -> dict[str, Any]:
    """One game: its options, its start position and its rules in Markdown."""
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    if name not in allowed.games():
        raise HTTPException(404)
    game = allowed.game(name, {})
    text, _ = rules_text(type(game), wanted.language)
    return {**_game(allowed, name), "start": str(game.start()), "rules": text}


def _game(allowed: Allowed, name: str) -> dict[str, Any]:
    game = allowed.game(name, {})
    options = {
        key: {
            "default": facts["default"],
            "now": getattr(game, key),
            "expected": spec.describe_expected(facts),
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
    """A position after optional moves: its line, its legal moves, the winner."""
    allowed = service_of(request, Allowed)
    rules = request_params.offered_game(allowed, game)
    played = request_params.positions_of(rules, position, request_params.read_moves(moves))
    return position_as_json(allowed, played[-1])


# --- searches -------------------------------------------------------------------------------------


@router.post("/search", tags=["search"])
async def search(request: Request, wanted: Annotated[SearchRequest, Body()]) -> dict[str, Any]:
    """Searches a position; the keys are those of `papan search --json`."""
    game = request_params.offered_game(service_of(request, Allowed), wanted.game)
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
    return await _run(request, task)


@router.get("/values", tags=["search"])
async def get_values(
    request: Request,
    game: GameName,
    position: Line = "",
    moves: Moves = "",
    seconds: Annotated[float, Query(gt=0, le=MOST_SECONDS, allow_inf_nan=False)] = 1.0,
) -> dict[str, Any]:
    """The proven values of legal moves, as far as the time allows; the keys are those of `papan
    values --json`."""
    rules = request_params.offered_game(service_of(request, Allowed), game)
    line, played = " ".join(position.split()), request_params.read_moves(moves)
    request_params.positions_of(rules, line, played)
    task = EngineRequest(
        "values",
        rules.spec,
        line,
        played,
        seconds=seconds,
        tablebases=service_of(request, ServerSettings).values,
    )
    return await _run(request, task)


async def _run(request: Request, task: EngineRequest) -> dict[str, Any]:
    """Returns the result of a task of the visitor, with the public name of its game."""
    session, _ = state_of(request)
    running = service_of(request, EnginePool).run(task, session)
    result = await request_params.unless_left(request, running)
    return {**result, "game": service_of(request, Allowed).public.text(task.game)}


def _algorithm(wanted: SearchRequest) -> str:
    """Returns the validated spec of the algorithm.

    Raises:
        InvalidSpec: The algorithm does not exist, or an option exceeds the limit for visitors.
    """
    text = wanted.algorithm
    if loader.split(text) or spec.split(text)[0] not in algorithms.names():
        # Loading a file runs it, so files that a visitor names are never loaded.
        raise spec.unknown("spec.unknown-algorithm", text, dict.fromkeys(algorithms.names()))
    if wanted.lines > 1:
        name, options = spec.split(text)
        text = f"{name}:{','.join(filter(None, [options, f'lines={wanted.lines}']))}"
    algorithm = algorithms.algorithm(text)
    for key, most in _CEILINGS.items():
        value = getattr(algorithm, key, 0)
        if isinstance(value, int | float) and value > most:
            expected = f"≤ {most:g}"
            raise InvalidSpec("spec.bad-value", option=key, text=f"{value:g}", expected=expected)
    if "memory" in spec.options_of(type(algorithm)) and "memory=" not in text:
        text = f"{text}{',' if ':' in text else ':'}memory={_CEILINGS['memory']}"
    return text


# --- errors ---------------------------------------------------------------------------------------


async def on_refusal(request: Request, error: Exception) -> Response:
    """Returns one sentence for a rejected request."""
    refusal = cast(PapanError, error)
    text = render.explain(request, refusal)
    return ApiAnswer({"error": text}, status_code=status_of(refusal))


async def on_invalid(request: Request, error: Exception) -> Response:
    """Returns one sentence that names the first invalid field."""
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
    """Returns the violated bounds of a value: sign, number."""
    for key, value in problem.get("ctx", {}).items():
        if key in _BOUNDS:
            yield _BOUNDS[key], value


async def on_http_error(request: Request, error: Exception) -> Response:
    """Returns one sentence for an unknown address."""
    status = cast(HTTPException, error).status_code
    name = {404: "web.sorry.absent", 405: "web.sorry.method"}.get(status, "web.sorry.bad")
    return ApiAnswer({"error": render.messages(request)(name)}, status_code=status)


async def on_leaving(request: Request, error: Exception) -> Response:
    """Returns an empty response to a closed connection."""
    return Response(status_code=499)


def create_api(*routers: APIRouter) -> FastAPI:
    """Returns the API to mount at `/api`; `state.services` must be the services of the pages.

    Args:
        routers: the operations of the features.
    """
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
    for each in (router, *routers):
        made.include_router(each)
    return made


ROUTES: list[BaseRoute] = [Route("/api", page, name="api")]
