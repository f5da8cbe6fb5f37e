"""Pages that show something live: who has subscribed to which topic, and the websocket that sends.

Each subscriber has a switch, not a queue: a slow browser gets the newest state next time, and
nothing piles up.
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

#: Somebody who loads a page again has not left: it may take so many seconds.
GRACE = 4.0
_ROUNDING = 0.05

#: Where more pages than this show a topic, they do not hear of who comes and goes.
MOST_COUNTED = 100

#: Live connections of one browser, and of all.
MOST_A_BROWSER = 12
MOST = 5000


@dataclass(eq=False)
class Subscriber:
    """One page that shows a topic."""

    topic: str
    session: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Subscriptions:
    """All pages that show something live."""

    def __init__(self) -> None:
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._sessions: Counter[str] = Counter()
        self._left: dict[tuple[str, str], float] = {}

    @contextmanager
    def subscribe(
        self, topic: str, session: str, *, social: bool = False
    ) -> Iterator[Subscriber | None]:
        """While inside, a page hears of changes; None if there are too many already. With `social`
        the other pages of the topic hear of it when somebody comes or goes."""
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
        """Forgets who has left for good."""
        if self._left.get((topic, session), 0.0) <= time.monotonic() + _ROUNDING:
            self._left.pop((topic, session), None)
            self._tell(topic)

    def _tell(self, topic: str) -> None:
        """Says that somebody has come or gone, where there are so few that each one counts."""
        if self.subscribers(topic) <= MOST_COUNTED:
            self.notify(topic)

    def present(self, topic: str) -> set[str]:
        """The browsers that show the topic, or have left it a moment ago: to load it again."""
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
        """Says that a topic has changed."""
        for subscriber in self._subscribers.get(topic, ()):
            subscriber.changed.set()


#: What a page may say over its live connection before it is closed: it has nothing to say.
MOST_MESSAGES = 30

#: The least time between two pages that are sent, in seconds; and by how much it grows for each
#: subscriber, since each browser has its own language and looks.
PACE = 0.25
PACE_A_SUBSCRIBER = 0.02


#: Makes the page as it is now; None if it has not changed.
News = Callable[[], Awaitable[str | None]]


async def push(
    socket: WebSocket, topic: str, news: News | None, *, pace: float = PACE, social: bool = False
) -> None:
    """Sends a page at first and at each change of a topic, until the browser goes.

    Args:
        socket: the connection, not accepted yet.
        topic: its name in the subscriptions.
        news: makes the page; None if there is nothing to be looked at.
        pace: the least time between two pages, in seconds; 0 sends each change at once.
        social: whether those who look on hear of who comes and goes.
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
    """Waits until the browser goes, or says too much; then ends everything."""
    with contextlib.suppress(WebSocketDisconnect, KeyError, RuntimeError):
        for _ in range(MOST_MESSAGES):
            await socket.receive_text()
    ended.cancel()


async def _send(socket: WebSocket, news: News, subscriber: Subscriber, pace: float) -> None:
    subscriptions = service_of(socket, Subscriptions)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, PapanError):
        while True:
            # Before the page is made: a change while it is made is sent next time.
            subscriber.changed.clear()
            text = await news()
            if text is not None:
                await socket.send_text(text)
            await subscriber.changed.wait()
            if pace:
                wait = max(pace, PACE_A_SUBSCRIBER * subscriptions.subscribers(subscriber.topic))
                # Not all at the same moment: other requests to the server get their turn.
                await asyncio.sleep(random.uniform(0.5 * wait, 1.5 * wait))
