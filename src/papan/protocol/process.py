"""An untrusted program, connected by lines of text.

All waiting is one `poll` on the program's pipes in the caller's thread, without busy loops or extra
threads. Its stderr is read at the same time; only the last part is kept. Input that the program
does not read yet is buffered here, so that writing never blocks. `supervisor.py` kills the program
at the end.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

from papan.errors import PlayerCrash, PlayerFailure, PlayerFlood, PlayerTimeout
from papan.protocol.guards import Guards
from papan.protocol.messages import escape_unprintable
from papan.protocol.supervisor import START, STATE, become_subreaper, children_of, stat_fields

F = TypeVar("F", bound=PlayerFailure)

_SUPERVISOR = Path(__file__).with_name("supervisor.py")

#: Bytes per read or write: the capacity of a Linux pipe.
_CHUNK = 1 << 16
#: Number of final bytes of stderr that are kept for quoting.
_STDERR_KEPT = 1 << 14
#: Maximum number of quoted characters of a stderr line.
_QUOTED = 200
#: Maximum number of stderr lines in a report, and of characters in all of them.
_LINES_KEPT = 20
_CHARACTERS_KEPT = 1500
#: The folders of an absolute path, but not of a URL.
_FOLDERS = re.compile(r"(?<![\w./])/(?:[^\s/'\":]+/)+")
#: Timeout in seconds for the exit status after the end of the program's output.
_STATUS_SECONDS = 1.0
#: Timeout in seconds for the supervisor to kill everything.
_KILL_SECONDS = 5.0
#: Seconds between two checks of the supervisor's state while waiting.
_LOOK_SECONDS = 0.2
#: Number of times that a stopped supervisor is continued before it is killed.
_MOST_WAKES = 3


class Child:
    """A running program with its supervisor. Not thread-safe.

    A missing program raises `PlayerCrash` at the first wait, not here.

    Args:
        command: the program and its arguments.
        guards: resource limits of the program.
        name: the program's name in messages; if empty, the command without folders.
    """

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        self.command, self.guards = list(command), guards
        self.name = name or without_folders(shlex.join(command))
        self._control, theirs = socket.socketpair()
        with theirs:
            self._supervisor = start_supervisor(lambda: self._start(theirs.fileno()))
        self._started = start_time(self._supervisor.pid)
        self._control.setblocking(False)
        self._stdin, self._stdout, self._stderr = map(_make_nonblocking, self._pipes())
        self._events = select.poll()
        for number in (self._stdout, self._stderr, self._control.fileno()):
            self._events.register(number, select.POLLIN)
        self._unsent = bytearray()
        self._unfinished = bytearray()
        self._lines: deque[bytes] = deque()
        self._stderr_end = bytearray()
        self._not_shown = b""
        self._open = {self._stdout, self._stderr}
        self._status: int | None = None
        # Complaint of the supervisor: a message key and its values.
        self._trouble: tuple[str, dict[str, object]] | None = None

    def send(self, *lines: str) -> None:
        """Sends lines. What the program does not read yet is buffered and sent during later
        waits."""
        self._unsent += "".join(f"{line}\n" for line in lines).encode()
        self._write()

    def lines(self, deadline: float, *, ready_seconds: float | None = None) -> Iterator[str]:
        """Yields lines of the program; the whole iteration is one wait.

        Args:
            deadline: end of the wait on the clock `time.monotonic`, however much output arrives.
            ready_seconds: time limit to quote in the timeout message if the program is to get ready
                for a game; by default the time since the call.

        Raises:
            PlayerTimeout: the deadline has passed.
            PlayerFlood: a line, or all lines together, exceed the limits.
            PlayerCrash: all output was read and the program has ended or closed its output,
                exceeded its memory or processes, or stopped or killed its supervisor.
        """
        received, began = 0, time.monotonic()
        self._look_at_supervisor()
        while True:
            while self._lines:
                yield self._lines.popleft().rstrip(b"\r").decode(errors="backslashreplace")
            if self._stdout not in self._open or self._trouble is not None:
                raise self._crash()
            if not self._poll(deadline):
                if ready_seconds is not None:
                    raise self._failure(PlayerTimeout, "player.not-ready", ready_seconds)
                raise self._failure(PlayerTimeout, "player.timeout", round(deadline - began, 2))
            self._write()
            self._read_status()
            self._read_stderr()
            received += self._read_stdout()
            if received > self.guards.wait_bytes:
                raise self._failure(PlayerFlood, "player.flood", self.guards.wait_bytes)

    def drop_lines(self) -> None:
        """Discards all output of the program so far.

        Raises:
            PlayerFlood: the output exceeds the limit of one wait.
        """
        dropped = 0
        while size := self._read_stdout():
            dropped += size
            if dropped > self.guards.wait_bytes:
                raise self._failure(PlayerFlood, "player.flood", self.guards.wait_bytes)
        self._lines.clear()

    def wait_for_end(self, seconds: float) -> int | None:
        """Waits for the end of the program; returns its exit status.

        Returns None after the timeout, or if the program was not started.
        """
        deadline = time.monotonic() + seconds
        while self._status is None and self._trouble is None and self._poll(deadline):
            self._read_pipe(self._stdout)
            self._read_stderr()
            self._read_status()
        return self._status

    def printed(self) -> str:
        """Returns the last lines of stderr, without folders of this machine."""
        self._read_stderr()
        lines = escape_unprintable(self._stderr_end.decode(errors="replace")).splitlines()[
            -_LINES_KEPT:
        ]
        short = (without_folders(line)[:_QUOTED] for line in lines)
        return "\n".join(short)[-_CHARACTERS_KEPT:].strip("\n")

    def close(self) -> None:
        """Kills and reaps the program and all its descendants."""
        if self._control.fileno() < 0:
            return
        self._read_stderr()
        self._show(b"\n" if self._not_shown else b"")
        with contextlib.suppress(OSError):  # the supervisor has already ended
            self._control.shutdown(socket.SHUT_WR)
        self._await_supervisor()
        self._read_status()
        if self._status is None:  # the supervisor died before it killed everything
            end_orphans(self._started, _KILL_SECONDS)
        forget_supervisor(self._supervisor.pid)
        self._control.close()
        for pipe in self._pipes():
            pipe.close()

    @property
    def pid(self) -> int:
        """Process id of the supervisor."""
        return self._supervisor.pid

    # --- the supervisor

    def _start(self, control: int) -> subprocess.Popen[bytes]:
        guards = self.guards
        limits = control, guards.address_mb, guards.memory_mb, guards.processes
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SUPERVISOR), *map(str, limits), *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[control],
            start_new_session=True,
            env=guards.environment(),
        )

    def _look_at_supervisor(self) -> None:
        """Records an error if the supervisor is stopped: then nothing limits the program."""
        if stat_fields(self._supervisor.pid)[: STATE + 1] == ["T"] and self._trouble is None:
            self._trouble = "player.guard-stopped", {}

    def _await_supervisor(self) -> None:
        """Waits until the supervisor has killed everything and ended; else kills the supervisor."""
        deadline, wakes = time.monotonic() + _KILL_SECONDS, 0
        while wakes < _MOST_WAKES and time.monotonic() < deadline:
            with contextlib.suppress(OSError):  # continue it: the program may have stopped it
                os.kill(self._supervisor.pid, signal.SIGCONT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._supervisor.wait(_LOOK_SECONDS)
                return
            wakes += stat_fields(self._supervisor.pid)[: STATE + 1] == ["T"]
        # A process cannot be killed, or the program stops the supervisor again and again.
        self._supervisor.kill()
        self._supervisor.wait()

    def _read_status(self) -> None:
        """Reads the supervisor's reports about the program."""
        try:
            report = self._control.recv(256).decode()
        except BlockingIOError:
            return
        except OSError:
            report = ""
        if not report:
            with contextlib.suppress(KeyError):
                self._events.unregister(self._control)
            if self._status is None and self._trouble is None:
                self._trouble = "player.guard-killed", {}
        for line in report.splitlines():
            self._note(*line.split())

    def _note(self, word: str, number: str) -> None:
        """Records one report of the supervisor."""
        excesses = {
            "memory": ("player.too-much-memory", self.guards.memory_mb),
            "processes": ("player.too-many-processes", self.guards.processes),
        }
        if word == "exit":
            self._status = int(number)
        elif word == "failed":
            self._trouble = "player.not-started", {"reason": os.strerror(int(number))}
        else:
            message, most = excesses[word]
            self._trouble = message, {"amount": number, "most": most}

    # --- reading and writing

    def _pipes(self) -> list[IO[bytes]]:
        process = self._supervisor
        return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]

    def _write(self) -> None:
        """Writes as much as the program accepts now."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin, self._unsent[:_CHUNK])]
        except BlockingIOError:
            self._events.register(self._stdin, select.POLLOUT)
            return
        except OSError:  # the program closed stdin; the next wait reports the reason
            self._unsent.clear()
        with contextlib.suppress(KeyError):
            self._events.unregister(self._stdin)

    def _poll(self, deadline: float) -> bool:
        """Waits until data can be read or written, or the supervisor fails.

        Returns False if the deadline passes first.
        """
        while (left := deadline - time.monotonic()) > 0:
            if self._events.poll(min(left, _LOOK_SECONDS) * 1000):
                return True
            self._look_at_supervisor()
            if self._trouble is not None:
                return True
        return False

    def _read_stderr(self) -> int:
        """Keeps the last part of the new stderr output; returns the number of new bytes."""
        text = self._read_pipe(self._stderr)
        self._show(text)
        self._stderr_end = (self._stderr_end + text)[-_STDERR_KEPT:]
        return len(text)

    def _show(self, text: bytes) -> None:
        """Prints whole lines of stderr if the guards say so."""
        if not self.guards.show_output:
            return
        *lines, self._not_shown = (self._not_shown + text).split(b"\n")
        for line in lines:
            shown = escape_unprintable(line.decode(errors="replace"))
            print(f"{self.name}: {shown}", file=sys.stderr, flush=True)

    def _read_stdout(self) -> int:
        """Splits the new stdout output into lines; returns the number of new bytes."""
        text = self._read_pipe(self._stdout)
        *finished, rest = (bytes(self._unfinished) + text).split(b"\n")
        if self._stdout not in self._open and rest:
            finished, rest = [*finished, rest], b""
        self._unfinished[:] = rest
        self._lines.extend(finished)
        if max(map(len, (*finished, rest))) > self.guards.line_bytes:
            raise self._failure(PlayerFlood, "player.long-line", self.guards.line_bytes)
        return len(text)

    def _read_pipe(self, pipe: int) -> bytes:
        """Returns the bytes that can be read from a pipe now."""
        if pipe not in self._open:
            return b""
        try:
            text = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return b""
        if not text:
            self._open.remove(pipe)
            self._events.unregister(pipe)
        return text

    # --- the end

    def _crash(self) -> PlayerCrash:
        """Returns the error for the end of the program, with its last stderr line."""
        code = self.wait_for_end(_STATUS_SECONDS)
        while self._read_stderr() and self._trouble is None:
            pass  # drains the pipe, which is no longer written
        text, words = self.name, self._last_words()
        if self._trouble is not None:
            message, values = self._trouble
            return PlayerCrash(message, text=text, words=words, **values)
        if code is None:
            return PlayerCrash("player.closed", text=text, words=words)
        if code < 0:
            name = _signal_name(-code)
            return PlayerCrash("player.killed", text=text, signal=name, code=code, words=words)
        return PlayerCrash("player.ended", text=text, code=code, words=words)

    def _last_words(self) -> str:
        """Returns the last line of stderr in parentheses; empty if there is none."""
        lines = self._stderr_end.decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        words = "".join(c for c in without_folders(last.strip())[:_QUOTED] if c.isprintable())
        return f" ({words})" if words else ""

    def _failure(self, kind: type[F], message: str, amount: float) -> F:
        return kind(message, text=self.name, amount=f"{amount:.10g}")


def without_folders(text: str) -> str:
    """Returns the text with absolute paths reduced to their last part: reports get published."""
    return _FOLDERS.sub("", text)


def _signal_name(number: int) -> str:
    """Returns the name of a signal; its number if Python has no name (real-time signals)."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _make_nonblocking(pipe: IO[bytes]) -> int:
    """Makes a pipe non-blocking; returns its file descriptor."""
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


# --- orphans of killed supervisors
#
# A supervisor becomes the parent of all processes that its program leaves behind (`supervisor.py`).
# But a program runs with the user's rights and can kill its supervisor. Therefore, on Linux, this
# process is a subreaper too: it becomes the parent of such orphans and kills them.
#
# Orphans are distinguished from other children of this process by their session: supervisors and
# programs start their own sessions, and no process can join another session.

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
