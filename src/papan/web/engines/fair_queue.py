"""The queue before the engines: fair to addresses, and within an address to browsers.

Turns go round: to the address served longest ago, of those with the fewest tasks at work, and there
to the browser served longest ago. A visitor that asks a thousand times under a thousand names
takes one address's share. Requests without a cookie are one browser of their address: else each of
them would be a new one.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Collection, Iterator
from typing import Generic, Protocol, TypeVar

from papan.web.http.refusals import TooBusy
from papan.web.http.security import Asker

#: Tasks that may wait: of one browser, of one address (a class sits behind one), and in all.
MOST_OF_BROWSER = 4
MOST_OF_ADDRESS = 240
MOST_WAITING = 600


class Asked(Protocol):
    """A task with who has asked for it."""

    @property
    def asker(self) -> Asker:
        """The browser that waits for it."""


J = TypeVar("J", bound=Asked)


class FairQueue(Generic[J]):
    """Tasks that wait."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(self._waiting_at, self._addresses))

    def __iter__(self) -> Iterator[J]:
        for browsers in self._addresses.values():
            for jobs in browsers.values():
                yield from jobs

    def _waiting_at(self, address: str) -> int:
        return sum(map(len, self._addresses.get(address, {}).values()))

    def add(self, job: J) -> None:
        """Puts a task at the end of its browser's.

        Raises:
            TooBusy: too many wait.
        """
        address, name = job.asker.address, job.asker.name
        mine = self._addresses.get(address, OrderedDict()).get(name, deque())
        if (
            len(mine) >= MOST_OF_BROWSER
            or self._waiting_at(address) >= MOST_OF_ADDRESS
            or len(self) >= MOST_WAITING
        ):
            raise TooBusy("web.thinking.busy")
        self._addresses.setdefault(address, OrderedDict()).setdefault(name, deque()).append(job)

    def drop(self, job: J) -> None:
        """Takes a task out, if it still waits."""
        browsers = self._addresses.get(job.asker.address, OrderedDict())
        jobs = browsers.get(job.asker.name, deque())
        if job in jobs:
            jobs.remove(job)
            self._tidy(job.asker)

    def take(self, running: Collection[J], processes: int) -> J | None:
        """The next task in a fair order; None if none may begin.

        Args:
            running: tasks at work.
            processes: how many can be at work. Those without a cookie leave one to others.
        """
        at, of = Counter(job.asker.address for job in running), Counter(j.asker for j in running)
        for address in sorted(self._addresses, key=lambda address: at[address]):
            browsers = self._addresses[address]
            for name in sorted(browsers, key=lambda name: of[Asker(address, name)]):
                asker = Asker(address, name)
                if address and not name and of[asker] >= max(1, processes - 1):
                    continue
                job = browsers[name].popleft()
                browsers.move_to_end(name)
                self._addresses.move_to_end(address)
                self._tidy(asker)
                return job
        return None

    def crowd(self, asker: Asker, running: Collection[J]) -> int:
        """Number of equal shares among which a browser's is one: addresses share alike, and so do
        the browsers of each."""
        askers = {asker, *(job.asker for job in (*running, *self))}
        of = Counter(each.address for each in askers)
        return len(of) * of[asker.address]

    def _tidy(self, asker: Asker) -> None:
        """Forgets a browser and an address for which nothing waits."""
        browsers = self._addresses[asker.address]
        if not browsers[asker.name]:
            del browsers[asker.name]
        if not browsers:
            del self._addresses[asker.address]
