"""The process in which a user's game file is tried out before any other runs it.

    python -m papan.usercode.sandbox_worker FILE [OPTIONS]

It loads the file and, with options, runs the smoke test of the game. The report has `error`, the
error that was found or null, and `files`, the paths of all files that were opened or imported,
except those of Python and Papan. What the file prints goes nowhere: it will be printed when the
file is loaded again.

`isolate` makes any process such a child: the line `ready`, then reports as lines of JSON go to what
was stdout. A report with `at` tells the progress; the last report has no `at`. If the process dies
before, or gets SIGUSR1, it writes a traceback there, even while C code runs.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from papan.errors import PapanError
from papan.usercode import loader, sandbox
from papan.usercode.failures import failure
from papan.usercode.watchdog import MEGABYTES

#: Address space that the smoke test may take, in MB.
_ROOM_MB = 2 * MEGABYTES
#: Time limit of the process, in seconds, if its parent has died.
_LONGEST = 60

_leave = os._exit


def main(path: str, options: str | None = None) -> None:
    """Tries out a file; the end of this process, with its threads, is part of the test."""
    before = set(sys.modules)
    reporter = isolate(_ROOM_MB, _LONGEST)
    error = _found(path, options)
    imported = [getattr(sys.modules[name], "__file__", "") for name in {*sys.modules} - before]
    reporter.write({"error": error, "files": _outside([*reporter.opened, *imported])})


class Reporter:
    """Writes reports to the parent process.

    Attributes:
        opened: the names of all files that were opened since `isolate`.
    """

    def __init__(self, stream: int, opened: list[Any]) -> None:
        self._stream, self.opened = stream, opened

    def write(self, report: Mapping[str, Any]) -> None:
        """Writes a report as a line of JSON."""
        os.write(self._stream, f"\n{json.dumps(report)}\n".encode())


def isolate(room_mb: int, seconds: int) -> Reporter:
    """Prepares this process to run a user's file: what the file prints goes nowhere, memory and
    life are limited, and each end of the process is reported with its line.

    Args:
        room_mb: address space that the process may take beyond what it has, in MB.
        seconds: the process ends after this time even if its parent has died.
    """
    stream = os.dup(1)
    with open(os.devnull, "r+b") as nothing:
        for number in range(3):
            os.dup2(nothing.fileno(), number)
    opened: list[Any] = []
    _note_ends(stream, opened)
    _limit(room_mb, seconds)
    sandbox.inside = True
    os.write(stream, sandbox.READY)
    return Reporter(stream, opened)


def _outside(names: list[Any]) -> list[str]:
    """Returns the files among names that belong neither to Python nor to Papan, sorted."""
    package = Path(sandbox.__file__).parent.parent
    inside = (sys.prefix, sys.base_prefix, package, "/proc", "/sys", "/dev")
    files = set()
    for name in names:
        with contextlib.suppress(OSError, ValueError, TypeError):  # a number, or a name with NUL
            path = Path(os.fsdecode(name)).resolve()
            is_inside = any(path.is_relative_to(folder) for folder in inside)
            if path.is_file() and not is_inside and "__pycache__" not in path.parts:
                files.add(str(path))
    return sorted(files)


def _found(path: str, options: str | None) -> dict[str, Any] | None:
    """The error of a file; None where it is sound."""
    try:
        if options is None:
            loader.load(path)
        else:
            loader.build(path, options)
    except PapanError as error:
        return sandbox.portable(error)
    except BaseException as error:  # Ctrl-C that the file sends itself
        return sandbox.portable(failure(error, Path(path)))
    return None


def _note_ends(stream: int, opened: list[Any]) -> None:
    """Has every end of this process write down the line at which it came, and adds the names of
    files to a list as they are opened."""
    faulthandler.enable(stream, all_threads=False)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, stream, all_threads=False)

    def leave(status: int) -> NoReturn:
        faulthandler.dump_traceback(stream, all_threads=False)
        _leave(status)

    def audit(event: str, args: tuple[Any, ...]) -> None:
        if event == "os.kill" and args[0] == os.getpid():
            faulthandler.dump_traceback(stream, all_threads=False)
        elif event == "open":
            opened.append(args[0])
        elif event in ("os.fork", "os.forkpty"):
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))  # two processes with one game

    os._exit = leave
    sys.addaudithook(audit)


def _limit(room_mb: int, seconds: int) -> None:
    """Limits the address space of this process, and its life."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        most = held + (room_mb << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        signal.alarm(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
