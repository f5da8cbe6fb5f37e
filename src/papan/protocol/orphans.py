"""The last parent of what programs have started: this process, when their supervisor was killed.

A supervisor takes all along that its program leaves behind (`supervisor.py`). A program runs with
the rights of the one who has started it, though, and may kill its supervisor. On Linux this process
is a subreaper too: what is left then becomes its child, and is ended here.

An orphan is told from a child that this process has made for itself by its session: supervisors and
programs begin sessions of their own, and no process can enter another one's.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable

from papan.protocol.supervisor import START, become_subreaper, children_of, stat_fields

#: Pause between two looks at orphans that have been killed and are not dead yet, in seconds.
_PAUSE = 0.001


class _Supervisors:
    """The supervisors that this process has started and not reaped."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # no look at children while one of them is being started
        self.running = set[int]()


_SUPERVISORS = _Supervisors()


def start_supervisor(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Starts a supervisor, of whose program this process gets what it leaves behind."""
    with _SUPERVISORS.lock:
        become_subreaper()
        process = start()
        _SUPERVISORS.running.add(process.pid)
        return process


def let_go(supervisor: int) -> None:
    """Takes note that a supervisor has been reaped."""
    with _SUPERVISORS.lock:
        _SUPERVISORS.running.discard(supervisor)


def start_time(process: int) -> int:
    """The time at which a process was started, in clock ticks since boot; 0 if it is not known."""
    return int((stat_fields(process) or ["0"] * (START + 1))[START])


def end_orphans(since: int, seconds: float) -> None:
    """Kills and reaps all that has come to this process from programs.

    Args:
        since: older processes are left alone; in clock ticks since boot.
        seconds: most of the time that this takes.
    """
    deadline, before = time.monotonic() + seconds, set[int]()
    with _SUPERVISORS.lock:
        while (orphans := _orphans(since)) and time.monotonic() < deadline:
            for process in orphans:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            for process in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process, os.WNOHANG)
            # What is dead leaves its children here: they are new, and may be in a hurry.
            time.sleep(_PAUSE if orphans <= before else 0)
            before = orphans


def _orphans(since: int) -> set[int]:
    """The children of this process that it has not made for itself."""
    own = os.getsid(0)
    return {
        child
        for child in children_of(os.getpid()) - _SUPERVISORS.running
        if _session(child) != own and start_time(child) >= since
    }


def _session(process: int) -> int:
    try:
        return os.getsid(process)
    except ProcessLookupError:
        return os.getsid(0)
