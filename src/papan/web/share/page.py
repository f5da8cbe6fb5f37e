"""A position to be taken along: moves, line, link, picture; and games that go on from it.

The address is that of the analysis: `game`, `position`, `moves` and `ply`.
"""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core import spec
from papan.errors import UsageError
from papan.figures.board import board_picture
from papan.web.analysis.analysis_state import AnalysisState, analysis_state_of
from papan.web.game.view import last_marks, still_board
from papan.web.live.live_game import KINDS
from papan.web.server import render
from papan.web.server.allowed import Allowed
from papan.web.server.request_params import OPTION, app_state, state_of

#: The width of a picture that is kept, in pixels.
_WIDTH = 720


async def show(request: Request) -> Response:
    """The page."""
    allowed, (_, wanted) = app_state(request).allowed, state_of(request)
    subject = _subject(allowed, request)
    assert subject.position is not None
    query, analysis = subject.query(), render.path(request, "analysis")
    say, over = render.messages(request), subject.position.outcome() is not None
    return render.page(
        request,
        "share/share.html",
        subject=subject,
        query=query,
        link=f"{request.url.scheme}://{request.url.netloc}{analysis}?{query}",
        moves=" ".join(subject.moves[: subject.ply]),
        continued=[] if over else [kind for kind in KINDS if kind != "watch"],
        start=_start(subject),
        **still_board(subject.positions, subject.moves, subject.ply, wanted.style, say),
    )


async def picture(request: Request) -> Response:
    """The board as a picture that stands alone."""
    subject = _subject(app_state(request).allowed, request)
    assert subject.position is not None
    drawn = board_picture(
        subject.position,
        marks=last_marks(subject.positions, subject.moves, subject.ply),
        size=_WIDTH,
    )
    headers = {"Content-Disposition": 'attachment; filename="papan-board.svg"'}
    return Response(str(drawn), media_type="image/svg+xml", headers=headers)


def _subject(allowed: Allowed, request: Request) -> AnalysisState:
    """The position that an address names.

    Raises:
        PapanError: it names none.
    """
    subject = analysis_state_of(allowed, dict(request.query_params))
    if subject.position is None or subject.problem is not None:
        raise subject.problem or UsageError("web.analysis.not-yet")
    return subject


def _start(subject: AnalysisState) -> str:
    """The query of the form that sets up a game from the position that is shown."""
    name, options = spec.split(subject.name)
    given = (part.partition("=") for part in options.split(",") if part)
    fields = {"game": name} | {f"{OPTION}{key}": value for key, _, value in given}
    return urlencode(fields | {"position": subject.line})


ROUTES: list[BaseRoute] = [
    Route("/share", show, name="share"),
    Route("/share/board.svg", picture, name="share-picture"),
]
