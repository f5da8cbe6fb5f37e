"""A watchdog for rules that are endless or use too much memory.

A thread polls the processor time of the watched thread and the memory of the process. If a limit is
exceeded, it raises an exception in the watched thread at the current line, and again if the
exception was caught or lost. Code that waits in C, such as `time.sleep`, is not interrupted.

A rule may become endless only late in a game, beyond the smoke test. So after a user's game is
loaded, another thread watches the rules in all threads.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import linecache
import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TextIO, cast

from papan.errors import InvalidGame
from papan.rules.dispatch import Operation

#: Processor time limit of one call of a rule, and of loading the file, in seconds.
SECONDS = 2.0
#: Limit of the memory growth of the process meanwhile, in MB.
MEGABYTES = 1024

_LOOK_SECONDS = 0.05
#: Seconds before the exception is raised again, so that `finally` blocks can run.
_AGAIN_SECONDS = 1.0
_MB = 1 << 20


class Overrun(BaseException):
    """The watched thread exceeded a limit; not caught by `except Exception`."""


class TimeOverrun(Overrun):
    """The thread exceeded its processor time."""


class MemoryOverrun(Overrun):
    """The process exceeded its memory."""


class Watchdog:
    """Watches a thread from `start` to `stop`.

    Args:
        thread: the thread; by default the current one.
        patience: processor time beyond `SECONDS`, in seconds.
    """

    def __init__(self, thread: int | None = None, patience: float = 0.0) -> None:
        self._thread = threading.get_ident() if thread is None else thread
        self._patience = patience
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._raised = False
        self._again = 0.0
        self._clock = _clock_of(self._thread)
        self._memory = memory()
        self.renew()

    def renew(self) -> None:
        """Restarts the time limit."""
        self._deadline = self._now() + SECONDS + self._patience

    def rest(self) -> None:
        """Suspends the limits until `renew`."""
        self._deadline = math.inf

    def start(self) -> None:
        """Starts watching."""
        threading.Thread(target=self._watch, name="papan-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Stops watching; raises nothing from then on."""
        with self._lock:
            self._done.set()
            # Only if an exception may be pending: cancelling without one makes CPython check for it
            # for ever, which is slow, and hangs under a profiler.
            if self._raised:
                _raise_in(self._thread, None)

    def look(self, rule: FrameType | None = None) -> None:
        """Raises an exception in the thread if a limit is exceeded.

        Args:
            rule: the thread's call of a rule that was seen before; if it has ended meanwhile,
                nothing is raised.
        """
        kind, now = self._excess(), time.monotonic()
        with self._lock:
            if kind is None or now < self._again or self._done.is_set():
                return
            # Last, because other threads run while the excess is measured.
            if rule is None or _rule_at_work(sys._current_frames().get(self._thread)) is rule:
                self._raised = True
                self._again = now + _AGAIN_SECONDS
                _raise_in(self._thread, kind)

    def _watch(self) -> None:
        while not self._done.wait(_LOOK_SECONDS):
            self.look()

    def _excess(self) -> type[Overrun] | None:
        if self._deadline == math.inf:
            return None
        if self._now() > self._deadline:
            return TimeOverrun
        return MemoryOverrun if memory() - self._memory > MEGABYTES * _MB else None

    def _now(self) -> float:
        if self._clock is None:
            return time.monotonic()
        try:
            return time.clock_gettime(self._clock)
        except OSError:  # the thread has ended
            return 0.0


@contextlib.contextmanager
def watched() -> Iterator[Watchdog]:
    """Watches the current thread inside.

    Raises:
        Overrun: Anywhere inside.
    """
    watchdog = Watchdog()
    watchdog.start()
    try:
        yield watchdog
    finally:
        watchdog.stop()


def memory() -> int:
    """Returns the resident memory of this process in bytes; 0 if unknown."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _clock_of(thread: int) -> int | None:
    """Returns the clock of a thread's processor time; None if the system has none."""
    try:
        return time.pthread_getcpuclockid(thread)
    except (AttributeError, OSError):
        return None


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raises an exception in a thread as soon as it runs Python; None takes it back."""
    raised = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


# --- rules in all threads -------------------------------------------------------------------------

#: Polling interval of the guard, in seconds.
_GUARD_SECONDS = 0.25
_GUARD_PATIENCE = 0.5

#: Code objects of methods in users' files, and the files.
_methods: set[CodeType] = set()
_files: set[str] = set()
_guards: list[threading.Thread] = []


def guard(game: type, rules_of: type) -> None:
    """Limits each call of a rule of a user's game to `SECONDS` and `MEGABYTES`, in every thread;
    calls beyond raise `Overrun`.

    Args:
        game: the game.
        rules_of: the base class; methods of the game that override it count as rules.
    """
    own = (
        getattr(member, "fget", member)
        for name, member in vars(game).items()
        if name in dir(rules_of)
    )
    _methods.update(member.__code__ for member in own if hasattr(member, "__code__"))
    _files.add(str(sys.modules[game.__module__].__file__))
    if not any(each.is_alive() for each in _guards):
        _guards[:] = [threading.Thread(target=_guard, name="papan-guard", daemon=True)]
        _guards[0].start()


def _guard() -> None:
    """Keeps a watchdog for each running call of a rule."""
    calls: dict[int, tuple[FrameType, Watchdog]] = {}
    while True:
        time.sleep(_GUARD_SECONDS)
        found = {}
        for thread, frame in sys._current_frames().items():
            if (rule := _rule_at_work(frame)) is not None:
                call = calls.get(thread)
                if call is None or call[0] is not rule:
                    # Later than a watchdog that the caller of the rule may have set.
                    call = rule, Watchdog(thread, _GUARD_PATIENCE)
                found[thread] = call
        calls = found
        for rule, dog in calls.values():
            dog.look(rule)


def _rule_at_work(frame: FrameType | None) -> FrameType | None:
    """Returns the outermost call of a user's rule in the stack of a frame; None if there is none.

    The frame belongs to another thread, which continues meanwhile. In rare cases `f_back` of an
    ending call is not a frame (Python 3.11); the next poll repeats the walk.
    """
    found = None
    while frame is not None:
        caller: object = frame.f_back
        if not isinstance(caller, FrameType | None):
            return None
        called = caller is not None and caller.f_code is Operation.__call__.__code__
        if frame.f_code in _methods or (called and frame.f_code.co_filename in _files):
            found = frame
        frame = caller
    return found


# --- protection of the process -------------------------------------------------------------------


class Aside:
    """Stdout for users' files: stderr, because stdout is for results."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)

    def close(self) -> None:
        """Raises `OSError`, because other code uses the stream."""
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@contextlib.contextmanager
def shielded(path: Path) -> Iterator[None]:
    """Keeps a user's file from writing to stdout inside, and restores stdout and the recursion
    limit afterwards.

    Raises:
        InvalidGame: The file lowered the recursion limit, which Papan itself needs.
    """
    limit, stdout = sys.getrecursionlimit(), None
    with contextlib.suppress(OSError):  # it was closed when the program started
        stdout = os.dup(1)
    try:
        with contextlib.redirect_stdout(cast(TextIO, Aside())):
            yield
    finally:
        lowered = sys.getrecursionlimit() < limit
        sys.setrecursionlimit(limit)
        if stdout is not None:
            os.dup2(stdout, 1)
            os.close(stdout)
        if lowered:
            lines = enumerate(linecache.getlines(str(path)), start=1)
            line = next((number for number, text in lines if "setrecursionlimit" in text), "?")
            reason = InvalidGame("game-file.recursion", limit=limit)
            raise InvalidGame("game-file.raises", text=path.name, line=line, reason=reason)
