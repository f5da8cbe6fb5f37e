"""How often something may be done: a bucket of tokens for each browser and each address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

#: Buckets that are remembered; the one used longest ago is forgotten, which is to say full.
MOST_BUCKETS = 20_000


@dataclass
class Rate:
    """Tokens that come back at a steady pace.

    Attributes:
        a_second: how fast.
        at_once: how many there are at the most.
        clock: what tells the time, in seconds.
    """

    a_second: float
    at_once: float
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def allows(self, who: str) -> bool:
        """Takes a token; returns whether there was one."""
        now = self.clock()
        tokens, then = self._buckets.pop(who, (self.at_once, now))
        tokens = min(self.at_once, tokens + (now - then) * self.a_second)
        allowed = tokens >= 1
        self._buckets[who] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return allowed
