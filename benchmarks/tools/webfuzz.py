"""Invalid messages over HTTP and live connections, and their effect on the server.

Each sender has a cookie and its own game, so that some messages get past the first checks. Another
game, whose address the senders know, must not change.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.tools.webclient import FORM, Visitor, begin
from benchmarks.tools.webserver import WebServer

#: Number of simultaneous senders, and of messages after which each gets a new cookie and game.
STRANGERS = 8
RENEWED = 400

#: One of `LIVE_SHARE` messages goes over a live connection.
LIVE_SHARE = 8

#: Allowed statuses of a healthy server; 503 means that an engine had no time.
FINE = frozenset({200, 303, 307, 400, 403, 404, 405, 413, 422, 429, 431, 503})

_PATHS = (
    "/", "/new/{kind}", "/game/{game}", "/game/{game}/move", "/game/{game}/{action}",
    "/game/{game}/previews", "/game/{game}/again", "/game/{game}?ply={text}&from={text}",
    "/join/{game}/{text}", "/options", "/records?{field}={text}", "/records/{game}",
    "/records/{text}.json", "/analysis?{field}={text}", "/analysis/paste", "/rules/{text}",
    "/static/{text}", "/tournament/{text}", "/tournament/{text}/stop", "/teach?{field}={text}",
    "/api/games/{text}", "/api/positions?game={text}&position={text}",
    "/api/records?{field}={text}",
    "/api/live/{game}", "/api/live/{game}/moves", "/api/openapi.json", "/{text}",
)  # fmt: skip
_WORDS = (
    "", "0", "-1", "99999999999999999999", "1e308", "nan", "x", "o", "draw", "d4", "f3f4", "a0",
    "adjacency", "platforms", "corners", "adjacency:size=9999", "corners:", "python:/etc/passwd",
    "ugi:/bin/sh -c id", "named:x", "engine:time=1e9", "mcts:threads=9999", "../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd", "%00", "%ff%fe", "<script>alert(1)</script>", "' OR 1=1 --",
    "{{7*7}}", "z9", "${jndi:ldap://x}", "\u202e", "🂡" * 9, "é", "a" * 300, "b" * 5000,
    "ooo5/8/8 x", "/" * 40,
)  # fmt: skip
_FIELDS = (
    "move", "ply", "game", "option.size", "option.level", "option.rounds", "option.first",
    "name", "other", "side", "opponent",
    "opponent_spec", "x", "o", "clock", "theme", "language", "back", "only", "position", "moves",
    "text", "record", "page", "since", "result", "player", "depth", "algorithm", "from", "tool",
    "square", "offset", "limit",
)  # fmt: skip
_KINDS = ("solo", "shared", "link", "watch", "none")
_ACTIONS = ("undo", "resign", "draw", "accept", "decline", "reset", "hint", "again", "no-such")
_METHODS = ("GET",) * 9 + ("POST",) * 9 + ("PUT", "DELETE", "HEAD", "PATCH", "OPTIONS")


@dataclass
class Fuzz:
    """The result of fuzzing.

    Attributes:
        statuses: status → number of answers; `live` for messages over live connections, `cut` for
            connections that the server closed without an answer.
        wrong: messages after which something went wrong.
        untouched: True if the other game is unchanged.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    untouched: bool = False


def fuzz(server: WebServer, messages: int, seed: int) -> Fuzz:
    """Sends messages, which are the same for the same seed except for the games' addresses."""
    return asyncio.run(_fuzz(server, messages, seed))


async def _fuzz(server: WebServer, messages: int, seed: int) -> Fuzz:
    found, victim = Fuzz(), Visitor(server.port)
    path = await begin(victim)
    for move in ("d4", "e5"):
        await victim.post(f"{path}/move", {"move": move})
    before = await _state(victim, path)
    share = messages // STRANGERS
    await asyncio.gather(
        *(_stranger(server, path, share, seed * STRANGERS + i, found) for i in range(STRANGERS))
    )
    found.untouched = before == await _state(victim, path)
    victim.leave()
    return found


#: Parts about spectators and presence, which strangers may change.
_COMPANY = re.compile(
    r'<p class="hint" id="onlookers">.*?</p>|<span class="badge away-badge">.*?</span>'
)


async def _state(victim: Visitor, path: str) -> str:
    """Returns everything that the page and the API show of a game."""
    victim.leave()  # the server may close an idle connection
    page = await victim.get(path)
    plain = await victim.get(f"/api/live/{path.rpartition('/')[2]}")
    return _COMPANY.sub("", page.text) + plain.text


async def _stranger(server: WebServer, victim: str, share: int, seed: int, found: Fuzz) -> None:
    chance = random.Random(seed)
    visitor, games = Visitor(server.port), [victim.rpartition("/")[2]]
    for number in range(share):
        if number % RENEWED == 0:
            visitor.leave()
            visitor = Visitor(server.port)
            own = await begin(visitor)
            games = [games[0], own.rpartition("/")[2], "no-such-game"]
        if chance.randrange(LIVE_SHARE) == 0:
            await _live(visitor, chance, chance.choice(games), found)
        else:
            await _request(visitor, chance, games, found)
    visitor.leave()


async def _request(visitor: Visitor, chance: random.Random, games: list[str], found: Fuzz) -> None:
    method, path = chance.choice(_METHODS), _path(chance, games)
    headers, body = _headers(visitor, chance), b""
    if method not in ("GET", "HEAD"):
        kind, body = chance.choice(_BODIES)(chance)
        headers["Content-Type"] = kind
    what = f"{method} {path[:120]} {headers} {body[:120]!r}"
    try:
        answer = await visitor.send(method, path, headers, body)
    except TimeoutError:
        found.wrong.append(f"no answer: {what}")
    except (OSError, EOFError):
        found.statuses["cut"] += 1
    else:
        found.statuses[str(answer.status)] += 1
        if answer.status not in FINE:
            found.wrong.append(f"{answer.status}: {what}")


def _path(chance: random.Random, games: list[str]) -> str:
    path = chance.choice(_PATHS).format(
        kind=chance.choice(_KINDS),
        game=chance.choice(games),
        action=chance.choice(_ACTIONS),
        field=chance.choice(_FIELDS),
        text=chance.choice(_WORDS),
    )
    safe = path.encode().decode("latin-1")
    return "".join(c if "!" <= c <= "~" else f"%{ord(c):02x}" for c in safe)


def _headers(visitor: Visitor, chance: random.Random) -> dict[str, str]:
    """Returns the headers of our own pages, with one wrong header in a third of the requests."""
    headers = visitor.headers()
    if chance.randrange(3) == 0:
        name = chance.choice(("Host", "Origin", "Cookie", "Papan-Fragment", "Accept-Language"))
        headers[name] = _printable(chance.choice(_WORDS))
    return headers


def _printable(text: str) -> str:
    return "".join(c for c in text if " " <= c <= "~")


def _form(chance: random.Random) -> tuple[str, bytes]:
    fields = {chance.choice(_FIELDS): chance.choice(_WORDS) for _ in range(chance.randrange(9))}
    return FORM, "&".join(f"{name}={text}" for name, text in fields.items()).encode()


def _json(chance: random.Random) -> tuple[str, bytes]:
    fields: dict[str, object] = {chance.choice(_FIELDS): chance.choice(_WORDS) for _ in range(4)}
    fields[chance.choice(_FIELDS)] = chance.choice(([], {}, None, True, -1, 1e300, [[[]]]))
    return "application/json", json.dumps(fields).encode()


def _bytes(chance: random.Random) -> tuple[str, bytes]:
    size = chance.choice((1, 30, 3000, 70_000))
    kind = chance.choice((FORM, "application/json", "multipart/form-data", "nonsense", ""))
    return kind, chance.randbytes(size)


_BODIES: tuple[Callable[[random.Random], tuple[str, bytes]], ...] = (_form, _form, _json, _bytes)


async def _live(visitor: Visitor, chance: random.Random, game: str, found: Fuzz) -> None:
    """Sends something over a live connection, on which the server expects nothing."""
    origins = (visitor.origin, visitor.origin, "http://evil.example", "null")
    found.statuses["live"] += 1
    try:
        async with connect(
            f"ws://127.0.0.1:{visitor.port}/game/{game}/live",
            origin=chance.choice(origins),  # type: ignore[arg-type]  # a NewType of str
            additional_headers={"Cookie": visitor.cookie},
            close_timeout=2,
        ) as socket:
            for _ in range(chance.randrange(4)):
                await socket.send(chance.choice((chance.choice(_WORDS), chance.randbytes(50))))
    except TimeoutError:
        found.wrong.append(f"no live connection to {game}, and no refusal")
    except (OSError, EOFError, WebSocketException):
        pass
