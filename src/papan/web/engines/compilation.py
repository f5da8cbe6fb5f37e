"""The progress of a compilation, measured in compiled parts: kernels, rules and helpers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

#: Estimated number of parts of the first compilation; searches of the package's games have 80 to
#: 130.
FIRST_PARTS = 100

#: Compilations with fewer parts do not correct the estimate, since the cache had the others.
FEW_PARTS = 20

#: Duration of the last part, the machine code of the whole kernel, as a share of all others.
LAST_SHARE = 0.6

#: Number of parts from which their rate is used, since the first ones include imports.
RATED_PARTS = 10

#: Maximum number of remembered kinds of tasks.
_MOST_KINDS = 200


@dataclass
class Compilation:
    """A running compilation.

    Attributes:
        expected: estimated number of parts.
        began: its start, in seconds since the epoch.
        done: number of compiled parts.
        last: the end of the last compiled part.
    """

    expected: int
    began: float = field(default_factory=time.time)
    done: int = 0
    last: float = 0.0

    def note(self, done: int, now: float) -> None:
        """Stores the number of compiled parts."""
        self.done, self.last = done, now

    @property
    def parts(self) -> int:
        """The number of parts: the estimate, raised if there are more."""
        return self.expected if self.done < self.expected else self.done * 5 // 4 + 1

    @property
    def until(self) -> float | None:
        """The end at the rate of this compilation so far, in seconds since the epoch; None before
        the rate is known."""
        if self.done < RATED_PARTS:
            return None
        left = self.parts * (1 + LAST_SHARE) - self.done
        return self.last + left * (self.last - self.began) / self.done


class PartCounts:
    """The number of parts of earlier compilations, by kind of task."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def begin(self, kind: str) -> Compilation:
        """Returns a new compilation with the parts of the last one of the same kind."""
        return Compilation(self._counts.get(kind, FIRST_PARTS))

    def remember(self, kind: str, compilation: Compilation) -> None:
        """Stores the number of parts of a finished compilation."""
        if compilation.done < FEW_PARTS:
            return
        self._counts.pop(kind, None)
        self._counts[kind] = compilation.done
        if len(self._counts) > _MOST_KINDS:
            del self._counts[next(iter(self._counts))]
