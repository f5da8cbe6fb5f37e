"""When a search ends: depth, time, nodes, or somebody's word."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from papan.errors import InvalidLimit
from papan.kernel.operations import MAX_PLY

#: A search without any limit thinks so long.
DEFAULT_SECONDS = 1.0

#: The largest transposition table, in MB.
LARGEST_MB = 16_384

_LONGEST = 10.0**9  # seconds; more is refused as a slip of the pen
_MOST_NODES = 10**18


@dataclass(frozen=True)
class Limit:
    """The first of these that is met ends a search.

    Attributes:
        depth: plies, 1 … 128.
        seconds: wall-clock time from the start of the search.
        nodes: positions visited, the root included.

    Raises:
        InvalidLimit: a number is out of range.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        _check("depth", self.depth, 1, MAX_PLY, whole=True)
        _check("time", self.seconds, 0.001, _LONGEST)
        _check("nodes", self.nodes, 1, _MOST_NODES, whole=True)

    @property
    def only_depth(self) -> bool:
        """Whether nothing but a depth is given."""
        return self.depth is not None and self.seconds is None and self.nodes is None

    def or_default(self) -> Limit:
        """This limit, or `DEFAULT_SECONDS` where nothing is limited."""
        return self if self != Limit() else Limit(seconds=DEFAULT_SECONDS)


def _check(what: str, value: float | None, low: float, high: float, *, whole: bool = False) -> None:
    if value is None:
        return
    broken = whole and not isinstance(value, Integral)
    if broken or math.isnan(value) or not low <= value <= high:
        expected = f"{low:g} … {high:g}"
        raise InvalidLimit("limit.range", what=f"@limit.{what}", value=value, expected=expected)


@dataclass
class Stop:
    """A switch that ends a running search from any thread; it stays thrown."""

    _thrown: threading.Event = field(default_factory=threading.Event)
    _workspaces: list[Any] = field(default_factory=list)

    def watch(self, workspace: Any) -> None:
        """Makes the switch act on the search that uses this workspace."""
        self._workspaces.append(workspace)
        if self.is_set():
            workspace.stop = 1

    def set(self) -> None:
        """Throws the switch."""
        self._thrown.set()
        for workspace in self._workspaces:
            workspace.stop = 1

    def is_set(self) -> bool:
        """Whether the switch was thrown."""
        return self._thrown.is_set()


def run_stoppable(work: Callable[[], None], stop: Stop, seconds: float | None = None) -> None:
    """Runs `work` in a thread of its own, so that this one can watch the clock and hear Ctrl-C.

    The switch is thrown after `seconds`, or when this thread is interrupted; either way the end
    of `work` is waited for. What `work` raises is raised here.
    """
    ended = threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="papan-search", daemon=True).start()
    try:
        # An event, because an interrupted Thread.join of Python 3.11 takes the thread for dead.
        ended.wait(seconds)
    finally:
        if not ended.is_set():
            stop.set()
        ended.wait()
    if errors:
        raise errors[0]
