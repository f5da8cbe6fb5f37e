"""The child process that tests a user's game file before any other process runs it.

    python -m papan.usercode.sandbox_worker FILE [OPTIONS]

It loads the file and, with options, runs the smoke test of the game. The report has `error`, the
error or null, and `files`, the paths of all files that were opened or imported, except those of
Python and Papan. Output of the file is discarded, because the file will be loaded again.

`isolate` turns any process into such a child. It writes the line `ready` and reports as lines of
JSON to the original stdout. Reports with `at` are progress; the last report has no `at`. If the
process dies early or gets SIGUSR1, it writes a traceback, even while C code runs.
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
    """Tests a file; the exit of this process, with its threads, is part of the test."""
    before = set(sys.modules)
    reporter = isolate(_ROOM_MB, _LONGEST)
    error = _error_in(path, options)
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
    """Prepares this process to run a user's file: output is discarded, memory and time are limited,
    and every exit is reported with its line.

    Args:
        room_mb: additional address space in MB.
        seconds: time limit of the process, in case its parent died.
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


def _error_in(path: str, options: str | None) -> dict[str, Any] | None:
    """Returns the error of a file; None if it passes."""
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
    """Writes a traceback at every exit of this process, and adds the names of opened files to a
    list."""
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
    """Limits the address space and the lifetime of this process."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        most = held + (room_mb << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        signal.alarm(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
