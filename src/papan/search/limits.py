"""Limits of a move or search: depth, time, nodes, the clocks of a game, and a switch to stop it."""

from __future__ import annotations

import _thread
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any

from papan.core.arguments import quoted_value, refuse
from papan.core.game import Position
from papan.errors import InvalidGame, InvalidLimit
from papan.rules import operations as rules
from papan.rules.dispatch import explain_failure
from papan.rules.operations import MAX_PLY

#: Returns the time in seconds, on any scale that only goes forward.
Now = Callable[[], float]

#: The time of a search without any limit, in seconds.
DEFAULT_SECONDS = 1.0

#: Time after its limit at which a move is still taken, in seconds: what the machine, not the
#: player, may take.
MARGIN = 0.25

#: Time on a clock that a plan never spends, in seconds: it is lost between this program and the
#: arbiter's clock.
RESERVE = 0.05
#: Own moves that a plan reckons with at most: most games end before, and an early move that was
#: thought about well is worth more than a late one.
MOST_MOVES = 30
#: Part of what is left that one move takes at most, increment or not.
LARGEST_SHARE = 0.5
#: The shortest limit of time, in seconds.
LEAST = 0.001

#: The largest transposition table, in MB.
LARGEST_MB = 16_384
#: Default memory of a solver, in MB (2²⁰ bytes).
DEFAULT_MB = 2048
#: Largest part of the machine's memory that the tables of solvers take.
MOST_OF_MEMORY = 0.75

_LONGEST = 10.0**9  # seconds; more is refused as a slip of the pen
_MOST_NODES = 10**18

#: So long a signal may wait until it is heard during a search, in seconds.
_PATIENCE = 0.05
#: A search that visits no position in so much processor time hangs in one of its game's rules, in
#: seconds.
STANDSTILL = 3.0


@dataclass(frozen=True)
class Clocks:
    """Reading of a game's clocks before a move, in seconds; a side without a clock is missing.

    Attributes:
        left: by side, `x` and `o`. Below zero, only the margin is left.
        increment: what a side gets back for each move that it makes.
        move_seconds: the longest time for any one move; None for no such limit.
        margin: how long after its time a move is still taken.
    """

    left: Mapping[str, float] = field(default_factory=dict)
    increment: Mapping[str, float] = field(default_factory=dict)
    move_seconds: float | None = None
    margin: float = MARGIN


@dataclass(frozen=True)
class Limit:
    """The first of these that is met ends a search.

    Attributes:
        depth: plies, 1 … 128.
        seconds: wall-clock time from the start of the search. In a game with clocks, a fair share
            of what is left.
        nodes: positions visited, the root included.
        clocks: the clocks of the game, for a player that has its own idea of a fair share; None
            where it has none.

    Raises:
        InvalidLimit: a number is out of range.

    Example:
        >>> papan.Limit(depth=4, seconds=0.5).depth
        4
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    # Not shown: the names of events and exams, by which stored games are found again, are made
    # from what is shown of a limit, and an event's own limit never has clocks.
    clocks: Clocks | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _check("depth", self.depth, 1, MAX_PLY, is_integer=True)
        _check("time", self.seconds, LEAST, _LONGEST)
        _check("nodes", self.nodes, 1, _MOST_NODES, is_integer=True)
        if not isinstance(self.clocks, Clocks | None):
            raise refuse("clocks", self.clocks, "Clocks")

    @property
    def only_depth(self) -> bool:
        """True if nothing but a depth is given."""
        return self.depth is not None and self.seconds is None and self.nodes is None

    def or_default(self) -> Limit:
        """This limit, or `DEFAULT_SECONDS` where nothing is limited."""
        if (self.depth, self.seconds, self.nodes) != (None, None, None):
            return self
        return replace(self, seconds=DEFAULT_SECONDS)

    def on(self, clocks: Clocks, position: Position) -> Limit:
        """This limit in a game with clocks, for the side to move of a position."""
        shares = [] if self.seconds is None else [self.seconds]
        if (left := clocks.left.get(position.side)) is not None:
            increment = clocks.increment.get(position.side, 0.0)
            shares.append(seconds_for_move(position, left, increment))
        return replace(self, seconds=min(shares, default=None), clocks=clocks)

    def most_seconds(self, side: str) -> float | None:
        """Time after which the flag of a side falls, margin included; None if it never does."""
        if self.clocks is None:
            return None if self.seconds is None else self.seconds + MARGIN
        ends = (self.clocks.left.get(side), self.clocks.move_seconds)
        known = [end for end in ends if end is not None]
        return max(0.0, min(known) + self.clocks.margin) if known else None


def tightest(limit: Limit, own: Limit) -> Limit:
    """The limit that holds both: the smaller of each kind, and the clocks of the first."""

    def least(first: Any, second: Any) -> Any:
        return min((n for n in (first, second) if n is not None), default=None)

    return replace(
        limit,
        depth=least(limit.depth, own.depth),
        seconds=least(limit.seconds, own.seconds),
        nodes=least(limit.nodes, own.nodes),
    )


def seconds_for_move(position: Position, left: float, increment: float = 0.0) -> float:
    """The time to spend on a move: an equal share of what is left for each move still to make,
    and the increment.

    Args:
        position: tells how many moves there may still be.
        left: on the mover's clock, in seconds.
        increment: what the mover gets back for each move, in seconds.

    Returns:
        Seconds; never more than what is left without `RESERVE`, as long as that is `LEAST` or more.
    """
    plies = int(rules.max_plies_left(position.state))
    # A side that may move again may have to make all of them.
    own_moves = (plies + 1) // 2 if rules.turns_alternate(position.state) else plies
    usable = max(0.0, left - RESERVE)
    share = usable / max(1, min(own_moves, MOST_MOVES)) + increment
    # The last own move may take all that is usable: nothing has to be kept for another.
    most = usable if own_moves <= 1 else usable * LARGEST_SHARE
    return max(LEAST, min(share, most))


def _check(
    what: str, value: float | None, low: float, high: float, *, is_integer: bool = False
) -> None:
    if value is None:
        return
    # Not NaN, which is in no range, and no `bool`.
    is_number = isinstance(value, Integral if is_integer else Real) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        expected, quoted = f"{low:g} … {high:g}", quoted_value(value)
        raise InvalidLimit("limit.range", what=f"@limit.{what}", value=quoted, expected=expected)


@dataclass
class Stop:
    """A switch that ends a running search from any thread; it stays thrown."""

    _thrown: threading.Event = field(default_factory=threading.Event)
    _workspaces: list[Any] = field(default_factory=list)
    _positions: list[Callable[[], Position]] = field(default_factory=list)
    _asides: int = 0

    @classmethod
    def over(cls, workspace: Any, position: Position | Callable[[], Position]) -> Stop:
        """A switch that acts on the search below a position that uses this workspace."""
        stop = cls()
        stop.watch(workspace, position)
        return stop

    def watch(self, workspace: Any, position: Position | Callable[[], Position]) -> None:
        """Makes the switch act on the search below a position that uses this workspace.

        The position may be a function, which tells where the search is.
        """
        self._workspaces.append(workspace)
        self._positions.append(position if callable(position) else lambda: position)
        if self.is_set():
            workspace.stop = 1

    def set(self) -> None:
        """Throws the switch."""
        self._thrown.set()
        for workspace in self._workspaces:
            workspace.stop = 1

    def is_set(self) -> bool:
        """True once the switch was thrown."""
        return self._thrown.is_set()

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """While the search does something else than to visit positions: nobody waits for one."""
        self._asides += 1
        try:
            yield
        finally:
            self._asides -= 1

    def check(self) -> None:
        """Passes unless a search that it can end has met a move for which there was no room.

        Raises:
            InvalidGame: the game's bounds are not those of its moves.
        """
        for workspace in self._workspaces:
            if workspace.misfit:
                raise InvalidGame("limit.misfit", most=workspace.ordered.shape[1])


class _Pulse:
    """Tells, from looks at it in turn, whether a search goes on: by the positions that it visits,
    and the searches that it begins.

    Compiled rules of users' files cannot be interrupted, and may never come to an end.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._seen = (-1, -1)
        self._since = 0.0

    def look(self) -> None:
        """To be called now and then.

        Raises:
            InvalidGame: the search hangs in a rule.
        """
        workspaces = self._stop._workspaces
        seen = len(workspaces), sum(int(workspace.nodes) for workspace in workspaces)
        # The processor's time, so that a halt of the machine or its being busy do not count.
        now = time.process_time()
        if seen != self._seen or self._stop._asides > 0 or _is_compiling():
            self._seen, self._since = seen, now
        if now - self._since < STANDSTILL:
            return
        self._since = now
        if self._stop._positions:
            _require_ends(self._stop._positions[-1]())  # of the one that was begun last


def _require_ends(position: Position) -> None:
    """Raises the error for a search that hangs, if a user's rules are what it hangs in."""
    from papan.usercode.loader import is_users
    from papan.usercode.smoke_test import find_overrun

    if is_users(position.game):  # Papan's own solvers do not all count as they go
        find_overrun(position)
        raise InvalidGame("limit.standstill", text=position.game.name, seconds=STANDSTILL)


def _is_compiling() -> bool:
    """True if any thread compiles, or reads compiled code from its folder."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    if compiler is None:
        return False
    lock = compiler.global_compiler_lock._lock  # `is_locked` tells of the thread that asks alone
    if not lock.acquire(blocking=False):
        return True
    lock.release()
    return False


def run_stoppable(work: Callable[[], None], stop: Stop, seconds: float | None = None) -> None:
    """Runs `work` in a thread of its own, so that this one can hear Ctrl-C.

    The switch is thrown after `seconds`, or when this thread is interrupted; either way the end
    of `work` is waited for. What `work` raises is raised here. A thread that hangs in a compiled
    rule of a user's is left behind, and takes a processor until the program ends.

    Raises:
        InvalidGame: the game has more moves, or larger numbers of moves, than it says; or one of
            its rules does not come to an end.
    """
    # Nothing but a bare lock and lists: Ctrl-C inside an `Event` or a `Thread` that is being
    # started can leave their locks taken, and both threads waiting.
    over, marks = _thread.allocate_lock(), list[str]()
    errors: list[BaseException] = []
    pulse = _Pulse(stop)

    def run() -> None:
        marks.append("begun")
        # Watched from here, since Ctrl-C can end the other thread's watch at any point of it.
        with _deadline(stop, seconds):
            try:
                work()
            except BaseException as error:
                errors.append(error)
        marks.append("over")
        over.release()

    def wait() -> None:
        # A signal that comes just before the wait does not wake it: it is heard after a while.
        while "over" not in marks:
            if not over.acquire(timeout=_PATIENCE):
                pulse.look()

    over.acquire()
    try:
        _thread.start_new_thread(run, ())
        wait()
    except InvalidGame:
        stop.set()  # for a thread whose rule comes to an end after all
        raise
    except BaseException:
        stop.set()
        if marks:  # if it has not begun, it ends at once when it does
            wait()
        raise
    stop.check()
    if errors:
        explain_failure(errors[0], "search")  # of a solver or a technique in a user's file
        raise errors[0]


@contextlib.contextmanager
def _deadline(stop: Stop, seconds: float | None) -> Iterator[None]:
    """Throws a switch after some seconds, unless the end of the block comes first."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def memory_of_machine() -> int:
    """The memory of this machine in bytes, or the most that can be asked for if it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return LARGEST_MB * 2**20
