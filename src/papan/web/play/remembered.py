"""The last form of a browser, in a cookie, as the default of the next form."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response

from papan.errors import PapanError
from papan.web.http.allowed import Allowed
from papan.web.http.preferences import LAST_GAME_COOKIE, LONGEST, OPTIONS_SECONDS
from papan.web.http.request_params import service_of, state_of
from papan.web.play.live_game import LiveGame
from papan.web.play.live_games import LiveGames

#: Stored fields of the form.
FIELDS = ("game", "name", "other", "opponent")


def last_fields(request: Request) -> dict[str, str]:
    """Returns the fields of the last form; empty for a new browser. A game that is no longer
    offered is omitted."""
    found = _read(request)
    if found.get("game") not in service_of(request, Allowed).all_games():
        found.pop("game", None)
    return {name: found[name] for name in FIELDS if found.get(name)}


def remember(request: Request, response: Response, form: Mapping[str, str], id: str) -> None:
    """Stores a form and the id of its game in the browser."""
    known = last_fields(request) | {name: form[name] for name in FIELDS if form.get(name)}
    written = urlencode(known | {"live": id})
    if len(written) <= LONGEST:
        response.set_cookie(
            LAST_GAME_COOKIE,
            written,
            max_age=OPTIONS_SECONDS,
            path=request.scope.get("root_path", "") or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )


async def find_unfinished(request: Request) -> LiveGame | None:
    """Returns the last game that the browser created, if it is unfinished."""
    id, (session, _) = _read(request).get("live", ""), state_of(request)
    if not id:
        return None
    try:
        live = await service_of(request, LiveGames).find(id)
    except PapanError:
        return None
    return live if not live.over and live.sides_of(session) else None


def _read(request: Request) -> dict[str, str]:
    cookie = request.cookies.get(LAST_GAME_COOKIE, "")
    return dict(parse_qsl(cookie)) if len(cookie) <= LONGEST else {}
