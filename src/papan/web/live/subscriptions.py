"""Pages that show something live: who has subscribed to which topic, and the websocket that sends.

Each subscriber has a switch, not a queue: a slow browser gets the newest state next time, and
nothing piles up.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.errors import PapanError
from papan.web.server.app_state import app_state
from papan.web.server.security import POLICY_VIOLATION, state_of

#: Live connections of one browser, and of all.
MOST_A_BROWSER = 12
MOST = 5000


@dataclass(eq=False)
class Subscriber:
    """One page that shows a game."""

    topic: str
    session: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Subscriptions:
    """All pages that show live games."""

    def __init__(self) -> None:
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._sessions: Counter[str] = Counter()

    @contextmanager
    def subscribe(self, topic: str, session: str) -> Iterator[Subscriber | None]:
        """While inside, a page is told of changes; None if there are too many already."""
        if self._sessions[session] >= MOST_A_BROWSER or self._sessions.total() >= MOST:
            yield None
            return
        subscriber = Subscriber(topic, session)
        self._subscribers.setdefault(topic, set()).add(subscriber)
        self._sessions[session] += 1
        try:
            yield subscriber
        finally:
            self._leave(subscriber)

    def _leave(self, subscriber: Subscriber) -> None:
        self._subscribers[subscriber.topic].discard(subscriber)
        if not self._subscribers[subscriber.topic]:
            del self._subscribers[subscriber.topic]
        self._sessions[subscriber.session] -= 1
        if not self._sessions[subscriber.session]:
            del self._sessions[subscriber.session]

    def watched(self, topic: str) -> bool:
        """Whether any page shows the game."""
        return topic in self._subscribers

    def subscribers(self, topic: str) -> int:
        """How many pages show the game."""
        return len(self._subscribers.get(topic, ()))

    def notify(self, topic: str) -> None:
        """Says that a game has changed."""
        for subscriber in self._subscribers.get(topic, ()):
            subscriber.changed.set()


#: What a page may say over its live connection before it is closed: it has nothing to say.
MOST_MESSAGES = 30

#: A page is sent so often at the most: once in so many seconds, and less often where many look:
#: each of them costs so much more, as every browser has its own language and looks.
PACE = 0.25
PACE_A_SUBSCRIBER = 0.02


async def push(socket: WebSocket, topic: str, text: Callable[[], Awaitable[str]] | None) -> None:
    """Sends a page's text at first and at each change of a topic, until the browser goes.

    Args:
        socket: the connection, not accepted yet.
        topic: what is looked at, in the subscriptions.
        text: makes the text; None if there is nothing to be looked at.
    """
    session, _ = state_of(socket)
    with app_state(socket).subscriptions.subscribe(topic, session) as subscriber:
        if subscriber is None or text is None:
            await socket.close(POLICY_VIOLATION)
            return
        await socket.accept()
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, socket, group.cancel_scope)
            await _send(socket, text, subscriber)
            group.cancel_scope.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _listen(socket: WebSocket, ended: anyio.CancelScope) -> None:
    """Waits until the browser goes, or says too much; then ends everything."""
    with contextlib.suppress(WebSocketDisconnect, KeyError, RuntimeError):
        for _ in range(MOST_MESSAGES):
            await socket.receive_text()
    ended.cancel()


async def _send(
    socket: WebSocket, text: Callable[[], Awaitable[str]], subscriber: Subscriber
) -> None:
    subscriptions = app_state(socket).subscriptions
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, PapanError):
        while True:
            subscriber.changed.clear()
            await socket.send_text(await text())
            await subscriber.changed.wait()
            pace = max(PACE, PACE_A_SUBSCRIBER * subscriptions.subscribers(subscriber.topic))
            # Not all at the same moment: whatever else is asked of the server gets its turn.
            await asyncio.sleep(random.uniform(0.5 * pace, 1.5 * pace))
