"""Checks of every request, headers of every response, and the operator of the server.

- The `Host` must be a name of this server. Otherwise a foreign page could reach a local server
  through its own domain (DNS rebinding). IP addresses cannot be rebound.
- Requests that change something must come from pages of this server (`Origin`: scheme, name and
  port).
- The size of bodies and the number of requests are limited.
- A browser is identified by a random id in a signed cookie; the server stores nothing.
- The content security policy allows only scripts and styles of this server.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from papan.messages import Messages
from papan.web.http import preferences
from papan.web.http.refusals import Forbidden
from papan.web.http.request_params import service_of, state_of
from papan.web.http.settings import LOOPBACK, ServerSettings

SESSION_COOKIE = "papan_session"
_KEY_FILE = "web-secret"
_ID_BYTES = 12


def secret_key(folder: Path) -> str:
    """Returns the key for signing cookies: created once, readable only by its owner."""
    path = folder / _KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_text(encoding="ascii").strip()
        if key:
            return key
        handle = os.open(path, os.O_WRONLY)  # empty: a server was killed after creating it
    key = secrets.token_hex(32)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key


@dataclass
class Sessions:
    """Signs and reads the session cookie.

    Attributes:
        signer: the signer.
        seconds: lifetime of a cookie.
    """

    signer: TimestampSigner
    seconds: int

    @classmethod
    def of(cls, key: str, seconds: int) -> Sessions:
        """Returns the sessions of a key."""
        return cls(TimestampSigner(key, salt="papan-session"), seconds)

    def new(self) -> str:
        """Returns the id of a new browser."""
        return secrets.token_hex(_ID_BYTES)

    def write(self, session: str) -> str:
        """Returns the value of the cookie, valid from now on."""
        return self.signer.sign(session).decode("ascii")

    def read(self, cookie: str) -> tuple[str, float]:
        """Returns the id in a cookie and its age in seconds; an empty id if forged or expired."""
        try:
            value, signed = self.signer.unsign(cookie, max_age=self.seconds, return_timestamp=True)
        except (BadSignature, ValueError, OverflowError):
            return "", 0.0
        age = self.signer.get_timestamp() - signed.timestamp()
        return value.decode("ascii", "replace"), age


#: Maximum number of buckets; the least recently used one is dropped, so it is full again.
MOST_BUCKETS = 20_000


@dataclass
class RateLimit:
    """A token bucket.

    Attributes:
        a_second: tokens per second.
        at_once: maximum number of tokens.
        clock: the clock, in seconds.
    """

    a_second: float
    at_once: float
    clock: Callable[[], float] = time.monotonic
    # Tokens and the time of their count; new tokens are added on the next access.
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def allows(self, who: str) -> bool:
        """Takes a token; returns false if there is none."""
        now = self.clock()
        tokens, then = self._buckets.pop(who, (self.at_once, now))
        tokens = min(self.at_once, tokens + (now - then) * self.a_second)
        allowed = tokens >= 1
        self._buckets[who] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return allowed


#: Maximum bytes of a body.
LARGEST_BODY = 64 * 1024

#: Methods that change nothing.
SAFE = ("GET", "HEAD", "OPTIONS")

#: Factor of the limits of an address over those of a browser; a whole class may share an address.
BROWSERS_AN_ADDRESS = 60

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",  # games run in the browser, too
            "worker-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: browsers would then send forms with the origin `null`.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

#: Close code of a rejected WebSocket (policy violation).
POLICY_VIOLATION = 1008


class TooLarge(Exception):
    """The body is larger than `LARGEST_BODY`."""


class OwnNames:
    """The host names of a server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._open = not settings.local
        self._names = {*LOOPBACK, *(name.lower() for name in settings.hosts)}
        if self._open:
            self._names.add(socket.gethostname().lower())

    def look_up(self) -> None:
        """Starts a look-up of the full host name, once. A slow DNS server takes many seconds, so
        requests do not wait."""
        if self._open:
            threading.Thread(target=self._ask, name="papan-own-name", daemon=True).start()

    def _ask(self) -> None:
        self._names.add(socket.getfqdn().lower())

    def has(self, host: str) -> bool:
        """True if a `Host` header names this server."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        return bool(name) and (name in self._names or (self._open and _in_numbers(name)))


def _in_numbers(name: str) -> bool:
    """True if a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(headers: Headers, scheme: str) -> bool:
    """True if a request comes from a page of this server.

    Args:
        headers: headers of the request.
        scheme: scheme of the request: `http`, `https`, `ws` or `wss`.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None:
        return headers.get("sec-fetch-site") == "same-origin"
    # Browsers write an origin without path, user or default port.
    return bool(host) and origin == f"{_PAGE_SCHEMES.get(scheme, scheme)}://{host.lower()}"


#: The scheme of the page that opens a live connection.
_PAGE_SCHEMES = {"ws": "http", "wss": "https"}


#: Maximum number of browsers with stored addresses.
MOST_KNOWN = 20_000


@dataclass(frozen=True)
class Asker:
    """A browser, as the fair queue identifies it.

    Attributes:
        address: its address.
        name: its session; empty for all browsers of the address without a cookie.
    """

    address: str
    name: str


@dataclass
class Askers:
    """The addresses of browsers, from their last requests."""

    _known: OrderedDict[str, Asker] = field(default_factory=OrderedDict)

    def note(self, session: str, address: str, *, known: bool) -> None:
        """Stores the address of a request; `known` is true if it had a valid cookie."""
        self._known[session] = Asker(address, session if known else "")
        self._known.move_to_end(session)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def of(self, session: str) -> Asker:
        """Returns the asker of a session."""
        return self._known.get(session) or Asker("", session)


class Guard:
    """The middleware, which adds `session` and `preferences` to the state of a request."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        *,
        known: Sessions,
        names: OwnNames,
        askers: Askers,
    ) -> None:
        self.askers = askers
        self.app, self.settings, self.sessions, self.names = app, settings, known, names
        pace, burst = settings.actions_a_second, settings.actions_at_once
        self.browsers = RateLimit(pace, burst)
        self.addresses = RateLimit(pace * BROWSERS_AN_ADDRESS, burst * BROWSERS_AN_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        renewed = self._recognise(scope, headers)
        state, address = scope["state"], (scope.get("client") or ("?",))[0]
        self.askers.note(state["session"], address, known=state["known"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        answer = _with_headers(send, renewed)
        try:
            await self.app(scope, _limited(receive), answer)
        except TooLarge:
            await _refuse(scope, receive, send, 413, "web.refused.large")

    def _recognise(self, scope: Scope, headers: Headers) -> str | None:
        """Identifies the browser; returns the cookie to set, if any."""
        given = _cookies(headers)
        state = scope.setdefault("state", {})
        state["preferences"] = preferences.read_preferences(
            given.get(preferences.OPTIONS_COOKIE, "")[: preferences.LONGEST + 1],
            headers.get("accept-language", "")[: preferences.LONGEST],
            self.settings.language,
        )
        session, age = self.sessions.read(given.get(SESSION_COOKIE, ""))
        state["known"] = bool(session)
        state["session"] = session or self.sessions.new()
        # Renewed after half its lifetime, so that most responses need no cookie.
        if session and age < self.sessions.seconds / 2:
            return None
        secure = "; Secure" if scope.get("scheme") in ("https", "wss") else ""
        path = scope.get("root_path", "") or "/"
        return (
            f"{SESSION_COOKIE}={self.sessions.write(state['session'])}; Path={path}; "
            f"HttpOnly; SameSite=Lax; Max-Age={self.sessions.seconds}{secure}"
        )

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Returns the status and message of a rejected request; None if it is allowed."""
        if not self.names.has(headers.get("host", "")):
            return 400, "web.refused.host"
        if scope["type"] == "http" and scope["method"] in SAFE:
            return None
        if not same_origin(headers, scope["scheme"]):
            return 403, "web.refused.origin"
        size = headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > LARGEST_BODY:
            return 413, "web.refused.large"
        state = scope["state"]
        address = (scope.get("client") or ("?",))[0]
        fine = self.addresses.allows(address)
        # A browser without a cookie is new in each request: only its address can be counted.
        if state["known"]:
            fine = self.browsers.allows(state["session"]) and fine
        return None if fine else (429, "web.refused.often")


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        found = SimpleCookie(headers.get("cookie", "")[:8192])
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, message: str) -> None:
    """Responds with one sentence."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    say = Messages(scope["state"]["preferences"].language)
    response = PlainTextResponse(say(message), status_code=status, headers=HEADERS)
    if status == 429:
        response.headers["Retry-After"] = "1"
    await response(scope, receive, send)


def _limited(receive: Receive) -> Receive:
    """Returns the stream of the body, which raises `TooLarge` beyond the limit."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > LARGEST_BODY:
                raise TooLarge
        return message

    return limited


def _with_headers(send: Send, cookie: str | None) -> Send:
    """Adds the headers to a response, and the cookie if one is due."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if cookie is not None and "cache-control" not in headers:
                headers.append("Set-Cookie", cookie)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return answer


# --- the operator --------------------------------------------------------------------------------
#
# The operator of the server may start work that changes files of the server. The rule, from
# `docs/how-to/web.md`:
#
# - On a server that only this machine can reach (`ServerSettings.private`), each visitor from the
#   loopback address is the operator, unless a proxy passed the request on.
# - With an operator's secret (`ServerSettings.operator_secret`), a browser that sent the secret is
#   the operator, too. Its signed cookie is bound to its session and invalid with another secret.
# - No other visitor.

OPERATOR_COOKIE = "papan_operator"

#: Lifetime of the cookie in seconds: a working day.
COOKIE_SECONDS = 12 * 3600

#: Headers of proxies. A proxy on this machine connects from the loopback address.
_PROXY = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def is_operator(connection: HTTPConnection) -> bool:
    """Returns True if a request comes from the operator of the server."""
    settings = service_of(connection, ServerSettings)
    return (settings.private and _is_from_here(connection)) or _has_secret(connection, settings)


def check_operator(connection: HTTPConnection) -> None:
    """Does nothing for the operator.

    Raises:
        Forbidden: The request comes from another visitor.
    """
    if not is_operator(connection):
        raise Forbidden("web.refused.operator")


def is_secret(settings: ServerSettings, text: str) -> bool:
    """Returns True if a text is the operator's secret."""
    secret = settings.operator_secret
    return bool(secret) and hmac.compare_digest(secret.encode(), text.encode())


def set_cookie(connection: HTTPConnection, response: Response) -> None:
    """Makes the browser of a request the operator's."""
    session, _ = state_of(connection)
    response.set_cookie(
        OPERATOR_COOKIE,
        _signer(service_of(connection, ServerSettings)).sign(session).decode("ascii"),
        max_age=COOKIE_SECONDS,
        path=connection.scope.get("root_path", "") or "/",
        secure=connection.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def _is_from_here(connection: HTTPConnection) -> bool:
    """Returns True for a request from the loopback address that no proxy passed on."""
    if connection.client is None or any(name in connection.headers for name in _PROXY):
        return False
    try:
        return ipaddress.ip_address(connection.client.host).is_loopback
    except ValueError:
        return False


def _has_secret(connection: HTTPConnection, settings: ServerSettings) -> bool:
    if not settings.operator_secret:
        return False
    try:
        cookie = connection.cookies.get(OPERATOR_COOKIE, "")
        found = _signer(settings).unsign(cookie, max_age=COOKIE_SECONDS)
    except (BadSignature, ValueError, OverflowError):
        return False
    session, _ = state_of(connection)
    return hmac.compare_digest(found, session.encode())


def _signer(settings: ServerSettings) -> TimestampSigner:
    return TimestampSigner(settings.operator_secret, salt="papan-operator")
