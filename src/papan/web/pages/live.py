"""Pages that are sent again when what they show has changed."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.errors import PapanError
from papan.web.pages.house import house
from papan.web.push import Looker
from papan.web.security import POLICY_VIOLATION, state_of

#: What a page may say over its live connection before it is closed: it has nothing to say.
MOST_MESSAGES = 30

#: A page is sent so often at the most: once in so many seconds, and less often where many look:
#: each of them costs so much more, as every browser has its own language and looks.
PACE = 0.25
PACE_A_LOOKER = 0.02


async def push(socket: WebSocket, topic: str, text: Callable[[], Awaitable[str]] | None) -> None:
    """Sends a page's text at first and at each change of a topic, until the browser goes.

    Args:
        socket: the connection, not accepted yet.
        topic: what is looked at, in the hub.
        text: makes the text; None if there is nothing to be looked at.
    """
    session, _ = state_of(socket)
    with house(socket).hub.looking(topic, session) as looker:
        if looker is None or text is None:
            await socket.close(POLICY_VIOLATION)
            return
        await socket.accept()
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, socket, group.cancel_scope)
            await _send(socket, text, looker)
            group.cancel_scope.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _listen(socket: WebSocket, ended: anyio.CancelScope) -> None:
    """Waits until the browser goes, or says too much; then ends everything."""
    with contextlib.suppress(WebSocketDisconnect, KeyError, RuntimeError):
        for _ in range(MOST_MESSAGES):
            await socket.receive_text()
    ended.cancel()


async def _send(socket: WebSocket, text: Callable[[], Awaitable[str]], looker: Looker) -> None:
    hub = house(socket).hub
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, PapanError):
        while True:
            looker.changed.clear()
            await socket.send_text(await text())
            await looker.changed.wait()
            pace = max(PACE, PACE_A_LOOKER * hub.lookers(looker.room))
            # Not all at the same moment: whatever else is asked of the server gets its turn.
            await asyncio.sleep(random.uniform(0.5 * pace, 1.5 * pace))
