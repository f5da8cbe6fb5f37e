"""Tests a user's game file in a child process before this process runs it.

Loading a file runs it, and some of its errors cannot be stopped by a watchdog: `os._exit`, a crash
in C, an endless loop that catches all exceptions or waits in C. So a child process
(`papan.usercode.sandbox_worker`) first loads and tests each new file, with limits of time and
memory. If the child fails, the error names the last line that it reached. The digest of a file that
passes is stored next to the compiled code, with the digests of all files that it opened or
imported. If one of them changes, the file is tested again.

The sandbox is not a security boundary: the file runs with the rights of its user.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from papan import errors
from papan.errors import InvalidGame, PapanError
from papan.jit import code_store

#: Processor time limit of the child in seconds, for its start and the smoke test.
PROCESSOR_SECONDS = 4.0
#: Limit of the time in which the child waits without using the processor, in seconds.
IDLE_SECONDS = 3.0
#: Limit of real time on systems without process statistics, in seconds.
WALL_SECONDS = 20.0
#: First line of the child; all later failures are caused by the file.
READY = b"ready\n"

#: True in the child, which starts no further child.
inside = False

_LOOK_SECONDS = 0.05
_PIECE = 1 << 16
#: Time for the child to write its traceback, in seconds.
_LAST_WORDS_SECONDS = 0.5
#: A line of the child's traceback.
_FRAME = re.compile(rb'File "([^"\n]*)", line (\d+)')
#: The end of the first line of a traceback.
_STACK = b"(most recent call first)"
#: The files of the package that the result of a test depends on.
_DECIDING = (
    *("usercode/smoke_test.py", "usercode/watchdog.py", "usercode/loader.py"),
    *("usercode/failures.py", "usercode/contract/positions.py", "usercode/contract/case.py"),
    *("usercode/contract/rules.py", "usercode/contract/texts.py", "usercode/contract/locate.py"),
    *("usercode/sandbox_worker.py", "core/game.py"),
)

#: Results of this process by digest: an error; True for a file that passed just now; False for a
#: file that passed before or could not be tested.
_found: dict[str, PapanError | bool] = {}


def require_harmless(path: Path, options: str | None) -> bool:
    """Tests a file in a child process unless the same content passed before; returns true if it was
    tested just now.

    Args:
        path: the file.
        options: options of the game as in a spec; None to load the file without creating a game.

    Raises:
        PapanError: The error that the child reported, or an `InvalidGame` if the child died.
    """
    if inside:
        return False
    mark = _digest(path, options)
    if mark not in _found:
        _found[mark] = False if _is_remembered(mark) else _verdict(path, options, mark)
    found = _found[mark]
    if isinstance(found, PapanError):
        raise rebuilt(portable(found))  # anew: an error that is raised holds what raised it
    return found


def _digest(path: Path, options: str | None) -> str:
    """Returns a digest of the path, the content, the options and the testing code."""
    digest = hashlib.sha256(path.read_bytes())
    for part in (str(path), repr(options), sys.version):
        digest.update(part.encode(errors="surrogatepass"))
    for name in _DECIDING:
        digest.update((Path(__file__).parent.parent / name).read_bytes())
    return digest.hexdigest()


def _folder() -> Path:
    return code_store.cache_root() / "tried"


def _is_remembered(mark: str) -> bool:
    try:
        content = code_store.read(code_store.own_folder(_folder()) / mark)
        return content is not None and all(
            _digest_of(file) == digest for file, digest in json.loads(content).items()
        )
    except (OSError, ValueError, code_store.Untrusted, code_store.Damaged):
        return False


def _remember(mark: str, files: list[str]) -> None:
    """Stores, if possible, that a file has passed, and the files that it read."""
    with contextlib.suppress(OSError, code_store.Untrusted):
        content = json.dumps({file: _digest_of(file) for file in files})
        code_store.write(code_store.own_folder(_folder()) / mark, content.encode())


def _digest_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


# --- the child ----------------------------------------------------------------------------------


def _verdict(path: Path, options: str | None, mark: str) -> PapanError | bool:
    """The error that the child finds in a file, or True, which is remembered; False if no child
    could start."""
    arguments = [str(path), *([] if options is None else [options])]
    try:
        report = run_isolated("papan.usercode.sandbox_worker", arguments, path)
    except OSError:  # the watchdog of this process has to do
        return False
    except InvalidGame as error:
        return error
    if report["error"]:
        return rebuilt(report["error"])
    _remember(mark, report["files"])
    return True


def run_isolated(
    module: str,
    arguments: list[str],
    path: Path,
    on_progress: Callable[[dict[str, Any]], Patience] | None = None,
) -> dict[str, Any]:
    """Runs a module that runs a user's file in a child process; returns its report.

    Args:
        module: the module; its first call is `sandbox_worker.isolate`.
        arguments: command line arguments of the module.
        path: the user's file, named in errors.
        on_progress: called with each progress report of the child; returns the limits until the
            next report.

    Raises:
        InvalidGame: The child died or exceeded its time; the message names the last line of the
            file that it reached.
        OSError: The child could not start.
    """
    child = _start([sys.executable, "-P", "-m", module, *arguments])
    listener = _Listener(child, on_progress)
    try:
        excess = listener.run()
        if not listener.output.startswith(READY):
            raise ChildProcessError(f"exit status {child.wait()}")
        report = listener.report
        if report is None or (excess and not report.get("error")):
            raise _grief(listener.output, excess or _end(child.wait()), path)
        return report
    finally:
        _end_all(child)


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    """Starts the child in its own process group, with the import path of this process."""
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
    )


def _end_all(child: subprocess.Popen[bytes]) -> None:
    """Kills the child and all processes of its group."""
    with contextlib.suppress(OSError, AttributeError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


class _Listener:
    """Reads the output of a child.

    Attributes:
        output: the whole output: the line `READY`, reports as lines of JSON, and a traceback if the
            child died.
        report: the last report; None without one.
    """

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        on_progress: Callable[[dict[str, Any]], Patience] | None,
    ) -> None:
        assert child.stdout is not None  # `_start` asks for it
        self._child, self._pipe = child, child.stdout.fileno()
        self._on_progress, self._clock = on_progress, _Clock(child.pid)
        self._read = 0  # length of the output that was searched for reports
        self.output = b""
        self.report: dict[str, Any] | None = None

    def run(self) -> InvalidGame | None:
        """Reads until the child ends or exceeds its time; returns the error in the second case."""
        while (excess := self._clock.excess()) is None:
            if self._is_readable(_LOOK_SECONDS) and not self._read_piece():
                return None
        with contextlib.suppress(AttributeError):
            self._child.send_signal(signal.SIGUSR1)  # the child writes its traceback
        end = time.monotonic() + _LAST_WORDS_SECONDS
        while self._is_readable(max(0.0, end - time.monotonic())) and self._read_piece():
            pass
        return excess

    def _is_readable(self, seconds: float) -> bool:
        return bool(select.select([self._pipe], [], [], seconds)[0])

    def _read_piece(self) -> bool:
        """Reads the available output; returns false at the end."""
        piece = os.read(self._pipe, _PIECE)
        self.output += piece
        end = self.output.rfind(b"\n") + 1
        for line in self.output[self._read : end].splitlines():
            if line.startswith(b"{"):
                self._take(json.loads(line))
        self._read = max(self._read, end)
        return bool(piece)

    def _take(self, report: dict[str, Any]) -> None:
        if "at" not in report:
            self.report = report
        elif self._on_progress is not None:
            self._clock.renew(self._on_progress(report))


class Patience(NamedTuple):
    """Time limits of a child until its next report.

    Attributes:
        processor_seconds: processor time.
        idle_seconds: time in which the child waits without using the processor.
    """

    processor_seconds: float = PROCESSOR_SECONDS
    idle_seconds: float = IDLE_SECONDS


class _Clock:
    """The time that a child used since its last report.

    Waiting for the processor of a busy machine does not count.
    """

    def __init__(self, pid: int) -> None:
        self._place = f"/proc/{pid}/stat"
        self._worked = 0.0
        self.renew(Patience())

    def renew(self, patience: Patience) -> None:
        """Starts again with new limits."""
        self._patience, self._at_start = patience, self._worked
        self._began = self._seen = time.monotonic()
        self._slept = 0.0

    def excess(self) -> InvalidGame | None:
        """Returns the error for a child that exceeded a limit; None otherwise."""
        now = time.monotonic()
        step, self._seen = min(now - self._seen, 4 * _LOOK_SECONDS), now
        worked, waits = _work_of(self._place)
        if worked < 0:  # the system does not tell
            spent = {WALL_SECONDS: now - self._began}
        else:
            # The state is that of the main thread, which may wait for another one that works.
            self._slept += step if waits and worked == self._worked else 0.0
            self._worked = worked
            processor, idle = self._patience
            spent = {processor: worked - self._at_start, idle: self._slept}
        over = [limit for limit, seconds in spent.items() if seconds > limit]
        return InvalidGame("game-file.too-long", seconds=over[0]) if over else None


def _work_of(place: str) -> tuple[float, bool]:
    """Returns the processor time of a process in seconds, −1 if unknown, and true if it waits."""
    try:
        with open(place, "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return -1, False
    # Fields 3, 14 and 15 of proc(5): the state, and the ticks of processor time.
    ticks = int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK"), words[0] in (b"S", b"T")


# --- what is said -------------------------------------------------------------------------------


def _grief(said: bytes, reason: InvalidGame, path: Path) -> InvalidGame:
    """Returns the error for a child that died: the last line of the file, and the reason."""
    name = str(path).encode("ascii", "backslashreplace")
    # The innermost line of the file in each traceback; the last one is the latest.
    stacks = [_FRAME.findall(stack) for stack in said.split(_STACK)]
    lines = [next((int(line) for file, line in stack if file == name), 0) for stack in stacks]
    line = next((line for line in reversed(lines) if line), 1)
    return InvalidGame("game-file.raises", text=path.name, line=line, reason=reason)


def _end(code: int) -> InvalidGame:
    """Returns the reason for the exit status of a child."""
    if code >= 0:
        return InvalidGame("game-file.exits", code=code)
    with contextlib.suppress(ValueError):
        return InvalidGame("game-file.killed", signal=signal.Signals(-code).name)
    return InvalidGame("game-file.killed", signal=f"signal {-code}")


def portable(error: PapanError) -> dict[str, Any]:
    """Returns an error as JSON data."""
    values = {name: _portable(value) for name, value in error.values.items()}
    return {"error": type(error).__name__, "message": error.message, "values": values}


def _portable(value: object) -> Any:
    if isinstance(value, PapanError):
        return portable(value)
    return value if isinstance(value, str | int | float | None) else str(value)


def rebuilt(found: dict[str, Any]) -> PapanError:
    """Returns the error of JSON data."""
    values = {
        name: rebuilt(value) if isinstance(value, dict) else value
        for name, value in found["values"].items()
    }
    kind: type[PapanError] = getattr(errors, found["error"], InvalidGame)
    return kind(found["message"], **values)
