"""Tests a user's game file in a child process before this process runs it.

To load a file is to run it, and what it does may be beyond any watchdog: `os._exit`, a crash in C,
work without end that catches whatever is raised in it, or that waits in C. So the first time that a
file is met with its contents, a child process loads it and tries it out
(`papan.usercode.sandbox_worker`), with limits of time and memory. If the child fails, the error
names the line that it had reached. A file that passes is remembered by its digest, beside the
compiled code, with the digests of all files that it opened or imported: it is tried again when one
of them changes.

The sandbox gives no security: the file runs with its user's rights.
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
from pathlib import Path
from typing import Any

from papan import errors
from papan.errors import InvalidGame, PapanError
from papan.jit import code_store

#: Processor time of the child, in seconds: the smoke test and the start of a process.
PROCESSOR_SECONDS = 4.0
#: A child that waits for this long without using the processor sleeps, in seconds.
IDLE_SECONDS = 3.0
#: All that it may take where the system does not tell what was work, in seconds.
WALL_SECONDS = 20.0
#: The first thing that the child says: from here on the file is at fault.
READY = b"ready\n"

#: True in the child, which tries nothing apart again.
inside = False

_LOOK_SECONDS = 0.05
_PIECE = 1 << 16
#: Time that the child has to write down its line, in seconds.
_LAST_WORDS_SECONDS = 0.5
#: A line of the traceback that the child writes as it dies.
_FRAME = re.compile(rb'File "([^"\n]*)", line (\d+)')
#: What every traceback begins with.
_STACK = b"(most recent call first)"
#: The package's files that decide whether a game file passes.
_DECIDING = (
    *("usercode/smoke_test.py", "usercode/watchdog.py", "usercode/loader.py"),
    *("usercode/failures.py", "usercode/contract/positions.py", "usercode/contract/case.py"),
    *("usercode/contract/rules.py", "usercode/contract/texts.py", "usercode/contract/locate.py"),
    *("usercode/sandbox_worker.py", "core/game.py"),
)

#: What this process has found, by digest: an error, True for a file that has passed just now, False
#: for one that has passed before, or that could not be tried.
_found: dict[str, PapanError | bool] = {}


def require_harmless(path: Path, options: str | None) -> bool:
    """Tries a file out apart, unless these contents have passed before; returns True if it did, so
    that nobody has to test the game again.

    Args:
        path: of the file.
        options: those of the game, as in a spec; None: the file is loaded, and no game made.

    Raises:
        PapanError: what the child has found; an `InvalidGame` where it came to grief itself.
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
    """A name for the file's place and contents, the options, and what tries them out."""
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
    """Notes on the disk, if it can be written, that a file has passed, and what it had read."""
    with contextlib.suppress(OSError, code_store.Untrusted):
        content = json.dumps({file: _digest_of(file) for file in files})
        code_store.write(code_store.own_folder(_folder()) / mark, content.encode())


def _digest_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


# --- the child ----------------------------------------------------------------------------------


def _verdict(path: Path, options: str | None, mark: str) -> PapanError | bool:
    """The error that the child finds in a file, or True, which is remembered; False if there was
    no child."""
    command = [sys.executable, "-P", "-m", "papan.usercode.sandbox_worker", str(path)]
    try:
        child = _start([*command, *([] if options is None else [options])])
    except OSError:  # no room for a process: the watchdog of this one has to do
        return False
    try:
        said, excess = _listen(child)
        reports = [line for line in said.splitlines() if line.startswith(b"{")]
        if not said.startswith(READY):
            return False  # it could not even begin
        report = json.loads(reports[-1]) if reports else {}
        if report.get("error"):
            return rebuilt(report["error"])
        if excess or not report:
            return _grief(said, excess or _end(child.wait()), path)
        _remember(mark, report["files"])
    finally:
        _end_all(child)
    return True


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    """The child, in a group of its own, with the modules that this process has."""
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
    """Ends the child, and what it has left in its group."""
    with contextlib.suppress(OSError, AttributeError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


def _listen(child: subprocess.Popen[bytes]) -> tuple[bytes, InvalidGame | None]:
    """The words of the child until it ends, and why it was not waited for any longer."""
    assert child.stdout is not None  # it was asked for
    pipe, said, patience = child.stdout.fileno(), b"", _Patience(child.pid)
    while (excess := patience.excess()) is None:
        if select.select([pipe], [], [], _LOOK_SECONDS)[0]:
            if not (piece := os.read(pipe, _PIECE)):
                return said, None
            said += piece
    with contextlib.suppress(AttributeError):
        child.send_signal(signal.SIGUSR1)  # it answers with its line
    end = time.monotonic() + _LAST_WORDS_SECONDS
    while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
        if not (piece := os.read(pipe, _PIECE)):
            break
        said += piece
    return said, excess


class _Patience:
    """The time that a process has: of the processor's time, and of sleep.

    On a busy machine a process may wait long for the processor, and that is not its fault.
    """

    def __init__(self, pid: int) -> None:
        self._place = f"/proc/{pid}/stat"
        self._began = self._seen = time.monotonic()
        self._slept = 0.0

    def excess(self) -> InvalidGame | None:
        """The reason to wait no longer; None while there is time left."""
        now = time.monotonic()
        step, self._seen = min(now - self._seen, 4 * _LOOK_SECONDS), now
        worked, waits = _work_of(self._place)
        self._slept += step if waits else 0.0
        spent = {PROCESSOR_SECONDS: worked, IDLE_SECONDS: self._slept}
        if worked < 0:  # the system does not tell
            spent = {WALL_SECONDS: now - self._began}
        over = [limit for limit, seconds in spent.items() if seconds > limit]
        return InvalidGame("game-file.too-long", seconds=over[0]) if over else None


def _work_of(place: str) -> tuple[float, bool]:
    """The processor time of a process in seconds, −1 where nobody knows; True if it waits."""
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
    """The error for a child that did not finish: the file's last line, and why."""
    name = str(path).encode("ascii", "backslashreplace")
    # Of each traceback the innermost line of the file; the last of them is the latest.
    stacks = [_FRAME.findall(stack) for stack in said.split(_STACK)]
    lines = [next((int(line) for file, line in stack if file == name), 0) for stack in stacks]
    line = next((line for line in reversed(lines) if line), 1)
    return InvalidGame("game-file.raises", text=path.name, line=line, reason=reason)


def _end(code: int) -> InvalidGame:
    """The reason for the end of a child, by its exit status."""
    if code >= 0:
        return InvalidGame("game-file.exits", code=code)
    with contextlib.suppress(ValueError):
        return InvalidGame("game-file.killed", signal=signal.Signals(-code).name)
    return InvalidGame("game-file.killed", signal=f"signal {-code}")


def portable(error: PapanError) -> dict[str, Any]:
    """An error in a form that JSON can hold."""
    values = {name: _portable(value) for name, value in error.values.items()}
    return {"error": type(error).__name__, "message": error.message, "values": values}


def _portable(value: object) -> Any:
    if isinstance(value, PapanError):
        return portable(value)
    return value if isinstance(value, str | int | float | None) else str(value)


def rebuilt(found: dict[str, Any]) -> PapanError:
    """The error that was made portable."""
    values = {
        name: rebuilt(value) if isinstance(value, dict) else value
        for name, value in found["values"].items()
    }
    kind: type[PapanError] = getattr(errors, found["error"], InvalidGame)
    return kind(found["message"], **values)
