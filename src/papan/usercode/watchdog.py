"""A watchdog for rules that never come to an end, or take more and more memory.

A thread looks now and then at the processor time of the watched one, and at the memory of the
process. Where either is too much, it raises an exception in the watched thread, at the line that
is being run, and again if that was caught, or came where Python drops it. Code that waits in C, as
in `time.sleep`, is not interrupted.

A rule may come to no end only late in a game, which the smoke test does not reach. So once a
user's game is loaded, another thread looks at what all threads do, and interrupts such a rule too.
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

#: Processor time that one rule, or the file itself, may take, in seconds.
SECONDS = 2.0
#: Memory by which the process may grow meanwhile, in MB.
MEGABYTES = 1024

_LOOK_SECONDS = 0.05
#: The time to clear up, until it is raised again.
_AGAIN_SECONDS = 1.0
_MB = 1 << 20


class Overrun(BaseException):
    """The watched thread was stopped: rules that catch `Exception` do not catch it."""


class TimeOverrun(Overrun):
    """It has taken more processor time than it may."""


class MemoryOverrun(Overrun):
    """It has taken more memory than it may."""


class Watchdog:
    """Watches a thread, from `start` to `stop`.

    Args:
        thread: the thread; the one that makes it, if None.
        patience: processor time that it may take beyond `SECONDS`, in seconds.
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
        """Gives the thread its time anew."""
        self._deadline = self._now() + SECONDS + self._patience

    def rest(self) -> None:
        """Lets the thread do what it likes, until it is given its time anew."""
        self._deadline = math.inf

    def start(self) -> None:
        """Begins to watch."""
        threading.Thread(target=self._watch, name="papan-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Ends it; nothing is raised from then on."""
        with self._lock:
            self._done.set()
            # Only where one may be on its way: taking back what was not raised keeps CPython
            # looking for it for ever, slowly, and not coming on at all where it is profiled.
            if self._raised:
                _raise_in(self._thread, None)

    def look(self) -> None:
        """Raises in the thread what has become too much, if it has."""
        kind, now = self._excess(), time.monotonic()
        with self._lock:
            if kind is not None and now >= self._again and not self._done.is_set():
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
    """While inside, the thread is watched.

    Raises:
        Overrun: anywhere inside.
    """
    watchdog = Watchdog()
    watchdog.start()
    try:
        yield watchdog
    finally:
        watchdog.stop()


def memory() -> int:
    """The memory that this process holds, in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _clock_of(thread: int) -> int | None:
    """The clock of a thread's processor time, which stands still while others run; None where
    there is none."""
    try:
        return time.pthread_getcpuclockid(thread)
    except (AttributeError, OSError):
        return None


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raises an exception in a thread as soon as it runs Python; None takes it back."""
    raised = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


# --- rules that are at work anywhere -------------------------------------------------------------

#: How often the guard looks at what all threads do, in seconds.
_GUARD_SECONDS = 0.25
_GUARD_PATIENCE = 0.5

#: The code of the methods of games in users' files, and those files.
_methods: set[CodeType] = set()
_files: set[str] = set()
_guards: list[threading.Thread] = []


def guard(game: type, rules_of: type) -> None:
    """From now on, each call of a rule in the file of a user's game is held to `SECONDS` and
    `MEGABYTES`, in every thread: it raises `Overrun` where it takes more.

    Args:
        game: the game.
        rules_of: the base class whose methods, where the game overrides them, count as rules.
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
    """Keeps a watchdog on each call of a rule that it meets, as long as it meets the same one."""
    calls: dict[int, tuple[FrameType, Watchdog]] = {}
    while True:
        time.sleep(_GUARD_SECONDS)
        found = {}
        for thread, frame in sys._current_frames().items():
            if (rule := _rule_at_work(frame)) is not None:
                call = calls.get(thread)
                if call is None or call[0] is not rule:
                    # Later than the one that whoever called the rule may have set on it.
                    call = rule, Watchdog(thread, _GUARD_PATIENCE)
                found[thread] = call
        calls = found
        for _, dog in calls.values():
            dog.look()


def _rule_at_work(frame: FrameType | None) -> FrameType | None:
    """Returns the outermost call of a user's rule that leads to a frame; None if there is none.

    The frame belongs to another thread, which goes on while this one looks. In rare cases
    `f_back` of a call that just ends is not a frame (Python 3.11); the next look repeats the walk.
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


# --- what a user's file does to the process ------------------------------------------------------


class Aside:
    """Stdout as a user's file has it: stderr, since stdout is for results."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)

    def close(self) -> None:
        """Fails: others use it too."""
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@contextlib.contextmanager
def shielded(path: Path) -> Iterator[None]:
    """While inside, a user's file cannot write to stdout. Stdout and the recursion limit are as
    before afterwards.

    Raises:
        InvalidGame: the file has lowered the recursion limit, with which Papan itself would fail.
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
