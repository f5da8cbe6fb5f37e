"""Sharing a position: moves, line, link, picture, and games that continue from it.

The address has the fields of the analysis: `game`, `position`, `moves` and `ply`.
"""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core import spec
from papan.figures.board import board_picture
from papan.web.board.line import GameLine, read_line
from papan.web.board.players import KINDS
from papan.web.board.view import BoardView, last_marks
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import OPTION, service_of, state_of

#: Width of a saved picture in pixels.
_WIDTH = 720


async def show(request: Request) -> Response:
    """The page."""
    allowed, (_, wanted) = service_of(request, Allowed), state_of(request)
    line = read_line(allowed, request.query_params)
    assert line.position is not None
    query, analysis = _query(request, line), render.path(request, "analysis")
    say, over = render.messages(request), line.position.outcome() is not None
    return render.page(
        request,
        "records/share.html",
        line=line,
        query=query,
        link=f"{request.url.scheme}://{request.url.netloc}{analysis}?{query}",
        moves=" ".join(line.moves[: line.ply]),
        continued=[] if over else [kind for kind in KINDS if kind != "watch"],
        start=_start(line),
        board=BoardView.of(line.positions, line.moves, line.ply, say=say, style=wanted.style),
    )


async def picture(request: Request) -> Response:
    """The board as a separate picture."""
    line = read_line(service_of(request, Allowed), request.query_params)
    assert line.position is not None
    drawn = board_picture(
        line.position,
        marks=last_marks(line.positions, line.moves, line.ply),
        size=_WIDTH,
    )
    headers = {"Content-Disposition": 'attachment; filename="papan-board.svg"'}
    return Response(str(drawn), media_type="image/svg+xml", headers=headers)


def _query(request: Request, line: GameLine) -> str:
    """Returns the analysis query of a line with its variations and name."""
    fields = {name: request.query_params.get(name, "") for name in ("others", "title")}
    return urlencode(line.fields() | {name: text for name, text in fields.items() if text})


def _start(line: GameLine) -> str:
    """Returns the query of the form for a new game from the shown position."""
    name, options = spec.split(line.name)
    given = (part.partition("=") for part in options.split(",") if part)
    fields = {"game": name} | {f"{OPTION}{key}": value for key, _, value in given}
    return urlencode(fields | {"position": line.text})


ROUTES: list[BaseRoute] = [
    Route("/share", show, name="share"),
    Route("/share/board.svg", picture, name="share-picture"),
]
