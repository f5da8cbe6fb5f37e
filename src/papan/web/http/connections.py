"""Connections to the server: their number, and the time limit of a request.

A connection without a complete request in time is closed. If an address, or the server, has too
many connections, a new one replaces the one that has waited longest without a request. So
half-open connections keep no visitor out. The limit is below the number of files that the process
may open.
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

#: Time limit of a request including its body, in seconds.
REQUEST_SECONDS = 15.0

#: Maximum number of connections if the limit of open files allows it.
MOST = 6000

#: Length of the listen queue.
BACKLOG = 100

#: Reserved files: for `BACKLOG`, the store and the pipes to engines.
RESERVED = BACKLOG + 60

#: Share of all connections for one address; a whole class may share one.
SHARE_OF_ADDRESS = 0.75

_FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def most_connections() -> int:
    """Returns the number of connections that the limit of open files allows."""
    try:
        import resource
    except ModuleNotFoundError:  # not a Unix
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(16, min(MOST, files - RESERVED))


@dataclass
class Connections:
    """All open connections.

    Attributes:
        most: maximum number of connections.
        seconds: time limit of a request.
    """

    most: int
    seconds: float = REQUEST_SECONDS
    _at: dict[str, dict[LimitedProtocol, None]] = field(default_factory=dict)

    def admit(self, new: LimitedProtocol) -> None:
        """Accepts a connection, if necessary in place of another one, or closes it."""
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
        """Closes the connection that has waited longest without a request; returns false if there
        is none."""
        for each in list(there):
            # Live connections are handed to another protocol, so their end is not reported here.
            if each.waits or each.transport.is_closing():
                each.transport.abort()
                self.release(each)
                return True
        return False

    def release(self, each: LimitedProtocol) -> None:
        """Removes a closed connection."""
        there = self._at.get(each.address, {})
        there.pop(each, None)
        if not there:
            self._at.pop(each.address, None)

    def protocol(self, **settings: Any) -> LimitedProtocol:
        """Creates the protocol object of a connection for uvicorn."""
        return LimitedProtocol(self, **settings)


class StrictConnection(h11.Connection):
    """HTTP parser that rejects requests with both `Content-Length` and `Transfer-Encoding`.

    A proxy in front of the server may use the other length and treat the rest of the body as the
    next request of another client (RFC 9112, section 6.3).
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
        self._wait_no_more_if_asked()  # the next request may be received already (pipelining)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._wait_no_more()
        self.waits = True
        self._deadline = self.loop.call_later(self.all_open.seconds, self.transport.abort)

    def _wait_no_more_if_asked(self) -> None:
        """Cancels the time limit once a complete request has arrived."""
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and not cycle.more_body:
            self._wait_no_more()

    def _wait_no_more(self) -> None:
        self.waits = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs errors of the event loop; a lack of files only once a minute."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _FULL:
        _log_full(str(error), int(time.monotonic() / 60))
    else:
        loop.default_exception_handler(context)


@functools.lru_cache(16)
def _log_full(reason: str, minute: int) -> None:
    _LOG.warning("no more connections can be taken: %s", reason)
