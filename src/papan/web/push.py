"""Who looks at which game. Each looker has a switch, not a queue: whoever is slow gets the newest
state next time, and nothing piles up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Live connections of one browser, and of all.
MOST_A_BROWSER = 12
MOST = 5000


@dataclass(eq=False)
class Looker:
    """One page that shows a game."""

    room: str
    session: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """All pages that show live games."""

    def __init__(self) -> None:
        self._lookers: dict[str, set[Looker]] = {}
        self._sessions: Counter[str] = Counter()

    @contextmanager
    def looking(self, room: str, session: str) -> Iterator[Looker | None]:
        """While inside, a page is told of changes; None if there are too many already."""
        if self._sessions[session] >= MOST_A_BROWSER or self._sessions.total() >= MOST:
            yield None
            return
        looker = Looker(room, session)
        self._lookers.setdefault(room, set()).add(looker)
        self._sessions[session] += 1
        try:
            yield looker
        finally:
            self._leave(looker)

    def _leave(self, looker: Looker) -> None:
        self._lookers[looker.room].discard(looker)
        if not self._lookers[looker.room]:
            del self._lookers[looker.room]
        self._sessions[looker.session] -= 1
        if not self._sessions[looker.session]:
            del self._sessions[looker.session]

    def watched(self, room: str) -> bool:
        """Whether any page shows the game."""
        return room in self._lookers

    def lookers(self, room: str) -> int:
        """How many pages show the game."""
        return len(self._lookers.get(room, ()))

    def tell(self, room: str) -> None:
        """Says that a game has changed."""
        for looker in self._lookers.get(room, ()):
            looker.changed.set()
