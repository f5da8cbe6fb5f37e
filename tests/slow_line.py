"""A line to a server that is slow, or cut: what goes over it comes later, or not at all.

The browser's own throttling does not slow the frames of a live connection; this does.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from types import TracebackType

from support import PATIENCE

#: Bytes that are passed on in one go.
_PIECE = 65536


class SlowLine:
    """A port of this machine that leads to another one.

    Args:
        port: where it leads.
        delay: how much later everything arrives, in seconds, on each way.
    """

    def __init__(self, port: int, delay: float) -> None:
        self.target, self.delay, self.port = port, delay, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> str:
        """Where the server is found over this line, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Ends all connections, and takes no new ones."""
        self._do(self._cut())

    def mend(self) -> None:
        """Takes connections again, at the same port."""
        self._do(self._listen())

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in [*self._open]:
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            there = await asyncio.open_connection("127.0.0.1", self.target)
            self._open |= {writer, there[1]}
            await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes on what comes, each piece when its time has come."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = self._loop.create_task(self._send(pieces, writer))
        self._tasks.add(sending)
        with contextlib.suppress(OSError):
            while piece := await reader.read(_PIECE):
                pieces.put_nowait((self._loop.time() + self.delay, piece))
        pieces.put_nowait((self._loop.time() + self.delay, b""))
        await sending
        self._open.discard(writer)

    async def _send(
        self, pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(due - self._loop.time())
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
        writer.close()

    def _do(self, work: asyncio._CoroutineLike[None]) -> None:
        async def done() -> None:
            await work

        asyncio.run_coroutine_threadsafe(done(), self._loop).result(PATIENCE)

    def __enter__(self) -> SlowLine:
        self._thread.start()
        self.mend()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    async def _end(self) -> None:
        await self._cut()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
