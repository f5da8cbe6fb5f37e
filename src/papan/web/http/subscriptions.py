"""Pages with live content: subscribers by topic, and the WebSocket that sends updates.

Each subscriber has an event instead of a queue: a slow browser gets the newest state at the next
update, and no messages pile up.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from papan.errors import PapanError
from papan.web.http.request_params import service_of, state_of
from papan.web.http.security import POLICY_VIOLATION

#: Seconds after which a closed page counts as left; a reload takes less.
GRACE = 4.0
_ROUNDING = 0.05

#: Maximum number of pages that are notified when somebody joins or leaves.
MOST_COUNTED = 100

#: Maximum live connections of a browser, and in total.
MOST_A_BROWSER = 12
MOST = 5000


@dataclass(eq=False)
class Subscriber:
    """A page that shows a topic."""

    topic: str
    session: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Subscriptions:
    """All pages with live content."""

    def __init__(self) -> None:
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._sessions: Counter[str] = Counter()
        self._left: dict[tuple[str, str], float] = {}

    @contextmanager
    def subscribe(
        self, topic: str, session: str, *, social: bool = False
    ) -> Iterator[Subscriber | None]:
        """Notifies a page of changes inside the block; None if there are too many pages. With
        `social`, the other pages of the topic are notified when somebody joins or leaves."""
        if self._sessions[session] >= MOST_A_BROWSER or self._sessions.total() >= MOST:
            yield None
            return
        subscriber = Subscriber(topic, session)
        self._subscribers.setdefault(topic, set()).add(subscriber)
        self._sessions[session] += 1
        if social:
            self._tell(topic)
        try:
            yield subscriber
        finally:
            self._leave(subscriber)
            if social:
                self._left[topic, session] = time.monotonic() + GRACE
                asyncio.get_running_loop().call_later(GRACE, self._gone, topic, session)

    def _gone(self, topic: str, session: str) -> None:
        """Removes pages that left for good."""
        if self._left.get((topic, session), 0.0) <= time.monotonic() + _ROUNDING:
            self._left.pop((topic, session), None)
            self._tell(topic)

    def _tell(self, topic: str) -> None:
        """Notifies others that somebody joined or left, in small groups only."""
        if self.subscribers(topic) <= MOST_COUNTED:
            self.notify(topic)

    def present(self, topic: str) -> set[str]:
        """Returns the browsers that show the topic or left it a moment ago, perhaps to reload."""
        here = {subscriber.session for subscriber in self._subscribers.get(topic, ())}
        return here | {session for about, session in self._left if about == topic}

    def _leave(self, subscriber: Subscriber) -> None:
        self._subscribers[subscriber.topic].discard(subscriber)
        if not self._subscribers[subscriber.topic]:
            del self._subscribers[subscriber.topic]
        self._sessions[subscriber.session] -= 1
        if not self._sessions[subscriber.session]:
            del self._sessions[subscriber.session]

    def watched(self, topic: str) -> bool:
        """True if any page shows the topic."""
        return topic in self._subscribers

    def subscribers(self, topic: str) -> int:
        """Number of pages that show the topic."""
        return len(self._subscribers.get(topic, ()))

    def notify(self, topic: str) -> None:
        """Signals a change of a topic."""
        for subscriber in self._subscribers.get(topic, ()):
            subscriber.changed.set()


#: Maximum messages from a page; pages have nothing to send.
MOST_MESSAGES = 30

#: Minimum interval between two pages in seconds, and its increase for each subscriber, because
#: each browser has its own language and looks.
PACE = 0.25
PACE_A_SUBSCRIBER = 0.02


#: Renders the current page; None if it has not changed.
News = Callable[[], Awaitable[str | None]]


async def push(
    socket: WebSocket, topic: str, news: News | None, *, pace: float = PACE, social: bool = False
) -> None:
    """Sends a page at first and after each change of a topic, until the browser leaves.

    Args:
        socket: the connection, not accepted yet.
        topic: the topic.
        news: renders the page; None if there is nothing to show.
        pace: minimum interval between two pages in seconds; 0 sends each change at once.
        social: true if others are notified when somebody joins or leaves.
    """
    session, _ = state_of(socket)
    subscriptions = service_of(socket, Subscriptions)
    with subscriptions.subscribe(topic, session, social=social) as subscriber:
        if subscriber is None or news is None:
            await socket.close(POLICY_VIOLATION)
            return
        await socket.accept()
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, socket, group.cancel_scope)
            await _send(socket, news, subscriber, pace)
            group.cancel_scope.cancel()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _listen(socket: WebSocket, ended: anyio.CancelScope) -> None:
    """Waits until the browser leaves or sends too much; then cancels the connection."""
    with contextlib.suppress(WebSocketDisconnect, KeyError, RuntimeError):
        for _ in range(MOST_MESSAGES):
            await socket.receive_text()
    ended.cancel()


async def _send(socket: WebSocket, news: News, subscriber: Subscriber, pace: float) -> None:
    subscriptions = service_of(socket, Subscriptions)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, PapanError):
        while True:
            # Cleared before rendering, so that a change during rendering is sent next time.
            subscriber.changed.clear()
            text = await news()
            if text is not None:
                await socket.send_text(text)
            await subscriber.changed.wait()
            if pace:
                wait = max(pace, PACE_A_SUBSCRIBER * subscriptions.subscribers(subscriber.topic))
                # Spread out, so that other requests are served in between.
                await asyncio.sleep(random.uniform(0.5 * wait, 1.5 * wait))
