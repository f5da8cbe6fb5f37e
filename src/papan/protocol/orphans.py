"""Kills orphaned processes of programs whose supervisor was killed.

A supervisor becomes the parent of all processes that its program leaves behind (`supervisor.py`).
But a program runs with the user's rights and can kill its supervisor. Therefore, on Linux, this
process is a subreaper too: it becomes the parent of such orphans and kills them.

Orphans are distinguished from other children of this process by their session: supervisors and
programs start their own sessions, and no process can join another session.
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

#: Pause in seconds while killed orphans are not dead yet.
_PAUSE = 0.001


class _Supervisors:
    """The supervisors that this process has started and not yet reaped."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # children must not be listed while a supervisor is started
        self.running = set[int]()


_SUPERVISORS = _Supervisors()


def start_supervisor(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Starts a supervisor and registers it, so that its program's orphans come to this process."""
    with _SUPERVISORS.lock:
        become_subreaper()
        process = start()
        _SUPERVISORS.running.add(process.pid)
        return process


def forget_supervisor(supervisor: int) -> None:
    """Removes a reaped supervisor from the list."""
    with _SUPERVISORS.lock:
        _SUPERVISORS.running.discard(supervisor)


def start_time(process: int) -> int:
    """Returns the start time of a process in clock ticks since boot; 0 if unknown."""
    return int((stat_fields(process) or ["0"] * (START + 1))[START])


def end_orphans(since: int, seconds: float) -> None:
    """Kills and reaps the orphans that programs left to this process.

    Args:
        since: processes that started earlier are not touched; in clock ticks since boot.
        seconds: time limit in seconds.
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
            # A dead orphan leaves its children to this process: kill new ones at once.
            time.sleep(_PAUSE if orphans <= before else 0)
            before = orphans


def _orphans(since: int) -> set[int]:
    """Returns the children of this process that belong to another session."""
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
