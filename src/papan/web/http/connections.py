"""Connections to the server: how many there may be, and how long each may take for a request.

A connection that sends no whole request in time is closed. Where there are too many, at one address
or in all, the one that has waited longest without a request makes room for a new one: so half-open
connections keep no visitor out. They are fewer than the files that the process may open.
"""

from __future__ import annotations

import asyncio
import errno
import functools
import logging
import time
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_LOG = logging.getLogger("papan.web")

#: A request, with its body, has to be there after so many seconds.
REQUEST_SECONDS = 15.0

#: Connections at the most, where the process may open enough files.
MOST = 6000

#: Connections that are taken in one go, before any can be refused.
BACKLOG = 100

#: Files that are kept free: for `BACKLOG`, and for the database and the pipes to engines.
RESERVED = BACKLOG + 60

#: The share of all connections that one address may have: a class sits behind one.
SHARE_OF_ADDRESS = 0.75

_FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def most_connections() -> int:
    """Number of connections for which there are files."""
    try:
        import resource
    except ModuleNotFoundError:  # not a Unix
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(16, min(MOST, files - RESERVED))


@dataclass
class Connections:
    """All that are open.

    Attributes:
        most: how many there may be.
        seconds: how long each may take for a request.
    """

    most: int
    seconds: float = REQUEST_SECONDS
    _at: dict[str, dict[LimitedProtocol, None]] = field(default_factory=dict)

    def admit(self, new: LimitedProtocol) -> None:
        """Takes a connection in, in the place of another if there are too many; or ends it."""
        here = self._at.get(new.address, {})
        if len(here) >= self.most * SHARE_OF_ADDRESS:
            full = here
        elif sum(map(len, self._at.values())) >= self.most:
            full = max(self._at.values(), key=len)
        else:
            full = {}
        if full and not self._make_room(full):
            new.transport.abort()
        self._at.setdefault(new.address, {})[new] = None

    def _make_room(self, there: dict[LimitedProtocol, None]) -> bool:
        """Ends the connection that has waited longest without a request; False if there is none."""
        for each in list(there):
            # Live connections are passed on when they begin: their end is not heard of here.
            if each.waits or each.transport.is_closing():
                each.transport.abort()
                self.release(each)
                return True
        return False

    def release(self, each: LimitedProtocol) -> None:
        """Forgets a connection."""
        there = self._at.get(each.address, {})
        there.pop(each, None)
        if not there:
            self._at.pop(each.address, None)

    def protocol(self, **settings: Any) -> LimitedProtocol:
        """Makes a connection's protocol, as uvicorn asks for it."""
        return LimitedProtocol(self, **settings)


class StrictConnection(h11.Connection):
    """HTTP that refuses a request with both `Content-Length` and `Transfer-Encoding`.

    A server in front of this one may use the other length, and take the rest of the body for the
    next request of somebody else (RFC 9112, section 6.3).
    """

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class LimitedProtocol(H11Protocol):
    """HTTP on one connection."""

    def __init__(self, connections_: Connections, **settings: Any) -> None:
        super().__init__(**settings)
        self.conn = StrictConnection(h11.SERVER)
        self.all_open = connections_
        self.address = ""
        self.waits = True
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._wait()
        self.all_open.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        self.all_open.release(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_no_more_if_asked()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()
        self._wait_no_more_if_asked()  # the next request may have come with the one before

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._wait_no_more()
        self.waits = True
        self._deadline = self.loop.call_later(self.all_open.seconds, self.transport.abort)

    def _wait_no_more_if_asked(self) -> None:
        """Ends the waiting if there is a whole request to be answered."""
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and not cycle.more_body:
            self._wait_no_more()

    def _wait_no_more(self) -> None:
        self.waits = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs what goes wrong in the event loop; that there are no more files, once a minute."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _FULL:
        _log_full(str(error), int(time.monotonic() / 60))
    else:
        loop.default_exception_handler(context)


@functools.lru_cache(16)
def _log_full(reason: str, minute: int) -> None:
    _LOG.warning("no more connections can be taken: %s", reason)
