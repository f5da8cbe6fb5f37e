"""The queue of the engine pool, fair to addresses and, within an address, to browsers.

Turns are round-robin: first the address served longest ago among those with the fewest running
tasks, then its browser served longest ago. A visitor with a thousand sessions gets the share of
one address. All requests of an address without a cookie count as one browser, because each of them
would be a new one.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Collection, Iterator
from typing import Generic, Protocol, TypeVar

from papan.web.http.refusals import TooBusy
from papan.web.http.security import Asker

#: Maximum queued tasks: of one browser, of one address (perhaps a whole class), and in total.
MOST_OF_BROWSER = 4
MOST_OF_ADDRESS = 240
MOST_WAITING = 600


class Asked(Protocol):
    """A task and the browser that requested it."""

    @property
    def asker(self) -> Asker:
        """The browser that waits for the task."""


J = TypeVar("J", bound=Asked)


class FairQueue(Generic[J]):
    """The queued tasks."""

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
        """Adds a task at the end of its browser's tasks.

        Raises:
            TooBusy: Too many tasks are queued.
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
        """Removes a task if it is still queued."""
        browsers = self._addresses.get(job.asker.address, OrderedDict())
        jobs = browsers.get(job.asker.name, deque())
        if job in jobs:
            jobs.remove(job)
            self._tidy(job.asker)

    def take(self, running: Collection[J], processes: int) -> J | None:
        """Returns the next task in fair order; None if no task may start.

        Args:
            running: running tasks.
            processes: number of processes. Browsers without a cookie leave one process to others.
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
        """Returns the number of shares of which a browser gets one.

        Addresses share equally, and so do the browsers of each address.
        """
        askers = {asker, *(job.asker for job in (*running, *self))}
        of = Counter(each.address for each in askers)
        return len(of) * of[asker.address]

    def _tidy(self, asker: Asker) -> None:
        """Removes a browser and an address without queued tasks."""
        browsers = self._addresses[asker.address]
        if not browsers[asker.name]:
            del browsers[asker.name]
        if not browsers:
            del self._addresses[asker.address]
