"""Options: kept in the browser, as a cookie, so that the server renders them at once."""

from __future__ import annotations

import dataclasses
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core import registry
from papan.figures.board import board_svg
from papan.figures.highlights import Marks
from papan.figures.pieces import sample
from papan.web import preferences, render
from papan.web.pages.forms import read_form
from papan.web.security import state_of


async def options(request: Request) -> Response:
    """The form, and what comes of it."""
    _, wanted = state_of(request)
    if request.method == "POST":
        form = await read_form(request)
        if form.get("only") == "language":
            form = {**dataclasses.asdict(wanted), **form}
        chosen = preferences.read(form, wanted.language)
        response = render.see(request, "options")
        if form.get("back", "").startswith("/"):
            response.headers["Location"] = _local(form["back"])
        response.set_cookie(
            preferences.COOKIE,
            chosen.written(),
            max_age=preferences.COOKIE_SECONDS,
            path=request.scope.get("root_path", "") or "/",
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response
    position = registry.game("adjacency:size=4").start().play("b3")
    return render.page(
        request,
        "options.html",
        allowed=preferences.ALLOWED,
        sample=sample,
        board=board_svg(position, marks=Marks(last=["b3"]), style=wanted.style, title="Papan"),
    )


def _local(address: str) -> str:
    """An address of ours: its path and query alone."""
    parts = urlsplit(address)
    if parts.netloc or parts.scheme or "\\" in address or address.startswith("//"):
        return "/"
    return parts.path + (f"?{parts.query}" if parts.query else "")


ROUTES: list[BaseRoute] = [
    Route("/options", options, name="options", methods=["GET", "POST"]),
]
