"""The operator of the server: the person who may start work that changes files of the server.

The rule, from `docs/how-to/web.md`:

- On a server that only this machine can reach (`ServerSettings.private`), each visitor from the
  loopback address is the operator, unless a proxy passed the request on.
- With an operator's secret (`ServerSettings.operator_secret`), a browser that sent the secret is
  the operator, too. Its signed cookie is bound to its session and invalid with another secret.
- Nobody else.
"""

from __future__ import annotations

import hmac
import ipaddress

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection
from starlette.responses import Response

from papan.web.http.refusals import Forbidden
from papan.web.http.request_params import service_of, state_of
from papan.web.http.settings import ServerSettings

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
        Forbidden: The request comes from somebody else.
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
