"""A browser without a window: cookies, forms and live connections; cheap enough for hundreds."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

#: Timeout of an answer in seconds.
PATIENCE = 120.0

FORM = "application/x-www-form-urlencoded"
_SNAPSHOT = re.compile(r'<script type="application/json" id="snapshot">(.*?)</script>', re.DOTALL)
_PLIES = re.compile(r'data-plies="(\d+)"')
_COOKIE = re.compile(r"papan_session=[^;]+")


class Answer(NamedTuple):
    """A response of the server."""

    status: int
    headers: Mapping[str, str]
    text: str


class Visitor:
    """A browser with a persistent connection and a cookie.

    Args:
        port: port of the server on this machine.
    """

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    @property
    def origin(self) -> str:
        """Origin of requests from the server's own pages."""
        return f"http://127.0.0.1:{self.port}"

    async def get(self, path: str) -> Answer:
        """Requests a page."""
        return await self.send("GET", path, self.headers())

    async def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Sends a form, like the script of the pages."""
        headers = self.headers() | {"Content-Type": FORM, "Papan-Fragment": "1"}
        return await self.send("POST", path, headers, urlencode(fields).encode())

    def headers(self) -> dict[str, str]:
        """Returns the headers of every request."""
        return {"Host": self.origin[7:], "Origin": self.origin, "Cookie": self.cookie}

    async def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Answer:
        """Sends any request.

        Raises:
            OSError: the connection broke.
            asyncio.IncompleteReadError: the connection broke during an answer.
        """
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {headers[name]}" for name in headers)]
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
        raw = head.encode("latin-1", "replace") + body
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._exchange(raw, bodiless=method == "HEAD")
        except BaseException:
            self.leave()
            raise

    async def _exchange(self, raw: bytes, *, bodiless: bool) -> Answer:
        reader, head = await self._head(raw)
        first, *lines = head.decode("latin-1").strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines)}
        text = "" if bodiless else await _body(reader, headers)
        if headers.get("connection") == "close":
            self.leave()
        found = _COOKIE.search(headers.get("set-cookie", ""))
        self.cookie = found[0] if found else self.cookie
        return Answer(int(first.split()[1]), headers, text)

    async def _head(self, raw: bytes) -> tuple[asyncio.StreamReader, bytes]:
        """Sends a request; returns the stream of the answer and its head."""
        if self._streams is not None:
            # The server may close an idle connection at this moment; browsers then send again.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                return await self._head_from(*self._streams, raw)
            self.leave()
        self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        return await self._head_from(*self._streams, raw)

    async def _head_from(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, raw: bytes
    ) -> tuple[asyncio.StreamReader, bytes]:
        writer.write(raw)
        return reader, await reader.readuntil(b"\r\n\r\n")

    def live(self, path: str) -> connect:
        """Returns the live connection of a game's page."""
        return connect(
            f"ws://127.0.0.1:{self.port}{path}/live",
            origin=self.origin,  # type: ignore[arg-type]  # a NewType of str
            additional_headers={"Cookie": self.cookie},
            compression=None,
            open_timeout=PATIENCE,
            ping_timeout=PATIENCE,
        )

    def leave(self) -> None:
        """Closes the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> str:
    if headers.get("transfer-encoding") != "chunked":
        size = int(headers.get("content-length", "0"))
        return (await reader.readexactly(size)).decode("utf-8", "replace")
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts).decode("utf-8", "replace")


async def begin(visitor: Visitor, kind: str = "shared", **fields: str) -> str:
    """Creates a game, by default for two people at one screen; returns the path of its page."""
    form = {"game": "adjacency", "name": "Ani", "other": "Budi", **fields}
    answer = await visitor.post(f"/new/{kind}", form)
    if answer.status != 303:
        raise RuntimeError(f"no game: {answer.status} {answer.text[:200]}")
    return answer.headers["location"]


def targets(page: str) -> list[str]:
    """Returns the moves that a page offers to its script."""
    found = _SNAPSHOT.search(page)
    return [text for text, *_ in json.loads(found[1])["moves"]] if found else []


def plies(page: str) -> int:
    """Returns the number of moves of the game on a page."""
    found = _PLIES.search(page)
    return int(found[1]) if found else -1


__all__ = ["Answer", "ClientConnection", "Visitor", "begin", "plies", "targets"]
