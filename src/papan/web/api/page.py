"""The page `/api`: the OpenAPI document in a readable form, offline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.web.http import render


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


ROUTES: list[BaseRoute] = [Route("/api", page, name="api")]
