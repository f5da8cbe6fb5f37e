"""Limits of a move or search (depth, time, nodes), the clocks of a game, and the stop switch."""

from __future__ import annotations

import _thread
import contextlib
import functools
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

#: A function that returns the time in seconds, from any monotonic clock.
Now = Callable[[], float]

#: Time limit in seconds of a search without any limit.
DEFAULT_SECONDS = 1.0

#: Seconds after the time limit during which a move is still accepted; covers the delays of the
#: machine.
MARGIN = 0.25

#: Seconds on the clock that are never planned for: communication with the arbiter takes time.
RESERVE = 0.05
#: Largest number of own moves that time is planned for. Most games end earlier, and time spent on
#: early moves gains more.
MOST_MOVES = 30
#: Largest share of the remaining time for one move, increment included.
LARGEST_SHARE = 0.5
#: Shortest time limit in seconds.
LEAST = 0.001

#: Size of the largest transposition table, in MB.
LARGEST_MB = 16_384
#: Default memory of a solver, in MB (2²⁰ bytes).
DEFAULT_MB = 2048
#: Largest share of the machine's memory for the tables of solvers.
MOST_OF_MEMORY = 0.75

_LONGEST = 10.0**9  # seconds; larger limits are rejected as typing errors
_MOST_NODES = 10**18

#: Longest delay in seconds before a search reacts to a signal such as Ctrl-C.
_PATIENCE = 0.05
#: CPU time in seconds without a visited position after which a search is considered to hang in a
#: rule of its game.
STANDSTILL = 3.0


@dataclass(frozen=True)
class Clocks:
    """The clocks of a game before a move, in seconds; a side without a clock is missing.

    Attributes:
        left: remaining time by side, `x` and `o`; below zero, only the margin is left.
        increment: seconds that a side gains with each of its moves.
        move_seconds: time limit of a single move; None for no such limit.
        margin: seconds after the time limit during which a move is still accepted.
    """

    left: Mapping[str, float] = field(default_factory=dict)
    increment: Mapping[str, float] = field(default_factory=dict)
    move_seconds: float | None = None
    margin: float = MARGIN


@dataclass(frozen=True)
class Limit:
    """The limits of a search; the first one that is reached ends it.

    Attributes:
        depth: plies, 1 … 128.
        seconds: wall-clock time from the start of the search; in a game with clocks, a fair share
            of the remaining time.
        nodes: positions visited, including the root.
        clocks: the clocks of the game, for players that plan their own time; None without clocks.
        processor: True if `seconds` is processor time of the search's thread, which a busy machine
            does not shorten.

    Raises:
        InvalidLimit: a number is out of range.

    Examples:
        >>> papan.Limit(depth=4, seconds=0.5).depth
        4
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    # Excluded from `repr`, because events and exams derive the names under which games are stored
    # from it. The limit of an event itself never has clocks.
    clocks: Clocks | None = field(default=None, repr=False)
    processor: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        _check("depth", self.depth, 1, MAX_PLY, is_integer=True)
        _check("time", self.seconds, LEAST, _LONGEST)
        _check("nodes", self.nodes, 1, _MOST_NODES, is_integer=True)
        if not isinstance(self.clocks, Clocks | None):
            raise refuse("clocks", self.clocks, "Clocks")

    @property
    def only_depth(self) -> bool:
        """True if only the depth is limited."""
        return self.depth is not None and self.seconds is None and self.nodes is None

    def or_default(self) -> Limit:
        """Returns this limit, or a limit of `DEFAULT_SECONDS` if nothing is limited."""
        if (self.depth, self.seconds, self.nodes) != (None, None, None):
            return self
        return replace(self, seconds=DEFAULT_SECONDS)

    def on(self, clocks: Clocks, position: Position) -> Limit:
        """Returns this limit in a game with clocks, for the side to move of a position."""
        shares = [] if self.seconds is None else [self.seconds]
        if (left := clocks.left.get(position.side)) is not None:
            increment = clocks.increment.get(position.side, 0.0)
            shares.append(seconds_for_move(position, left, increment))
        return replace(self, seconds=min(shares, default=None), clocks=clocks)

    def most_seconds(self, side: str) -> float | None:
        """Returns the seconds after which a side loses on time, margin included; None for no
        limit, or for processor time, which only the search itself can measure.
        """
        if self.processor:
            return None
        if self.clocks is None:
            return None if self.seconds is None else self.seconds + MARGIN
        ends = (self.clocks.left.get(side), self.clocks.move_seconds)
        known = [end for end in ends if end is not None]
        return max(0.0, min(known) + self.clocks.margin) if known else None


def tightest(limit: Limit, own: Limit) -> Limit:
    """Returns the smaller limit of each kind, with the clocks of the first."""

    def least(first: Any, second: Any) -> Any:
        return min((n for n in (first, second) if n is not None), default=None)

    return replace(
        limit,
        depth=least(limit.depth, own.depth),
        seconds=least(limit.seconds, own.seconds),
        nodes=least(limit.nodes, own.nodes),
    )


def seconds_for_move(position: Position, left: float, increment: float = 0.0) -> float:
    """Returns the time to spend on a move: an equal share of the remaining time, plus the
    increment.

    Args:
        position: the position, which limits the number of remaining moves.
        left: remaining time of the side to move, in seconds.
        increment: seconds added for each move.

    Returns:
        Seconds, at least `LEAST`. Otherwise at most the remaining time minus `RESERVE`.
    """
    plies = int(rules.max_plies_left(position.state))
    # If turns do not alternate, this side may have to make all of the moves.
    own_moves = (plies + 1) // 2 if rules.turns_alternate(position.state) else plies
    usable = max(0.0, left - RESERVE)
    share = usable / max(1, min(own_moves, MOST_MOVES)) + increment
    # The last own move may use all usable time, since no move follows.
    most = usable if own_moves <= 1 else usable * LARGEST_SHARE
    return max(LEAST, min(share, most))


def _check(
    what: str, value: float | None, low: float, high: float, *, is_integer: bool = False
) -> None:
    if value is None:
        return
    # Rejects `bool`, and NaN, for which both comparisons are false.
    is_number = isinstance(value, Integral if is_integer else Real) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        expected, quoted = f"{low:g} … {high:g}", quoted_value(value)
        raise InvalidLimit("limit.range", what=f"@limit.{what}", value=quoted, expected=expected)


@dataclass
class Stop:
    """A switch by which any thread stops a running search; it cannot be reset."""

    _thrown: threading.Event = field(default_factory=threading.Event)
    _workspaces: list[Any] = field(default_factory=list)
    _positions: list[Callable[[], Position]] = field(default_factory=list)
    _asides: int = 0

    @classmethod
    def over(cls, workspace: Any, position: Position | Callable[[], Position]) -> Stop:
        """Returns a switch for the search from a position with this workspace."""
        stop = cls()
        stop.watch(workspace, position)
        return stop

    def watch(
        self, workspace: Any, position: Position | Callable[[], Position], *, instead: bool = False
    ) -> None:
        """Connects the switch with the search from a position with this workspace.

        The position may be a function that returns the current position of the search. With
        `instead`, the switch forgets the last search, so that the memory of its workspace is free.
        """
        place = slice(-1 if instead else len(self._workspaces), None)
        self._workspaces[place] = [workspace]
        self._positions[place] = [position if callable(position) else lambda: position]
        if self.is_set():
            workspace.stop = 1

    def set(self) -> None:
        """Stops the search."""
        self._thrown.set()
        for workspace in self._workspaces:
            workspace.stop = 1

    def is_set(self) -> bool:
        """Returns whether the search was stopped."""
        return self._thrown.is_set()

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Suspends the standstill watch while the search does work other than visiting
        positions.
        """
        self._asides += 1
        try:
            yield
        finally:
            self._asides -= 1

    def check(self) -> None:
        """Raises the error of a search that found a move outside the game's stated limits.

        Raises:
            InvalidGame: `most_moves` or `largest_move` of the game is too small.
        """
        for workspace in self._workspaces:
            if workspace.misfit:
                raise InvalidGame("limit.misfit", most=workspace.ordered.shape[1])


class _Pulse:
    """A watch that detects when a search has stopped making progress.

    Progress means that the number of visited positions or of searches grows. Compiled rules of
    users' files cannot be interrupted and may run forever.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._seen = (-1, -1)
        self._since = 0.0

    def look(self) -> None:
        """Checks the progress; call it regularly.

        Raises:
            InvalidGame: the search hangs in a rule.
        """
        workspaces = self._stop._workspaces
        seen = len(workspaces), sum(int(workspace.nodes) for workspace in workspaces)
        # CPU time, so that a suspended or busy machine is not mistaken for a hanging rule.
        now = time.process_time()
        if seen != self._seen or self._stop._asides > 0 or _is_compiling():
            self._seen, self._since = seen, now
        if now - self._since < STANDSTILL:
            return
        self._since = now
        if self._stop._positions:
            _require_ends(self._stop._positions[-1]())  # of the search that started last


def _require_ends(position: Position) -> None:
    """Raises the error for a hanging search if the game's rules come from a user's file."""
    from papan.usercode.loader import is_users
    from papan.usercode.smoke_test import find_overrun

    if is_users(position.game):  # some of Papan's own solvers do not count nodes
        find_overrun(position)
        raise InvalidGame("limit.standstill", text=position.game.name, seconds=STANDSTILL)


def _is_compiling() -> bool:
    """Returns whether any thread is compiling, or loading compiled code from the cache."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    if compiler is None:
        return False
    lock = compiler.global_compiler_lock._lock  # `is_locked` only covers the calling thread
    if not lock.acquire(blocking=False):
        return True
    lock.release()
    return False


def run_stoppable(
    work: Callable[[], None], stop: Stop, seconds: float | None = None, *, processor: bool = False
) -> None:
    """Runs `work` in a separate thread, so that the calling thread can receive Ctrl-C.

    The switch is set after `seconds`, of real time or of `processor` time of the thread, or when
    the calling thread is interrupted. Either way the function waits for the end of `work`.
    Exceptions of `work` are raised here. A thread that hangs in a user's compiled rule cannot be
    stopped: it keeps using a processor until the program ends.

    Raises:
        InvalidGame: the game has more moves, or larger numbers of moves, than it states, or one of
            its rules hangs.
    """
    # Only a bare lock and lists: Ctrl-C inside an `Event`, or while a `Thread` starts, can leave
    # their locks held, so that both threads wait forever.
    over, marks = _thread.allocate_lock(), list[str]()
    errors: list[BaseException] = []
    pulse = _Pulse(stop)

    def run() -> None:
        marks.append("begun")
        # The deadline is set in this thread, since Ctrl-C can interrupt the other one at any point.
        with _deadline(stop, seconds, thread_clock() if processor else time.monotonic):
            try:
                work()
            except BaseException as error:
                errors.append(error)
        marks.append("over")
        over.release()

    def wait() -> None:
        # A signal just before the wait does not end it, hence the short timeout.
        while "over" not in marks:
            if not over.acquire(timeout=_PATIENCE):
                pulse.look()

    over.acquire()
    try:
        _thread.start_new_thread(run, ())
        wait()
    except InvalidGame:
        stop.set()  # in case the rule returns after all
        raise
    except BaseException:
        stop.set()
        if marks:  # a thread that has not started yet will stop at once
            wait()
        raise
    stop.check()
    if errors:
        explain_failure(errors[0], "search")  # may come from a solver or technique in a user's file
        raise errors[0]


def thread_clock() -> Now:
    """Returns a clock of the processor time of the calling thread, which any thread can read."""
    if not hasattr(time, "pthread_getcpuclockid"):  # not on Windows and macOS
        return time.process_time
    return functools.partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))


@contextlib.contextmanager
def _deadline(stop: Stop, seconds: float | None, now: Now) -> Iterator[None]:
    """Sets a switch after some seconds on a clock that is at most as fast as real time, unless the
    block ends first."""
    if seconds is None:
        yield
        return
    over, end = threading.Event(), now() + seconds

    def watch() -> None:
        with contextlib.suppress(OSError):  # the thread of the clock has ended
            while not over.wait(max(0.0, end - now())):
                if now() >= end:
                    stop.set()
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def memory_of_machine() -> int:
    """Returns the memory of this machine in bytes, or `LARGEST_MB` if the system does not report
    it.
    """
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return LARGEST_MB * 2**20
