"""A program that is not trusted, as a partner in a conversation of lines.

All waiting is one `poll` on its pipes, in the caller's thread: nothing spins, nothing is left to
other threads. What it writes on stderr is read along and all but the last of it thrown away. What
it does not read waits here, so that writing never blocks. `supervisor.py` sees to its end.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

from papan.errors import PlayerCrash, PlayerFailure, PlayerFlood, PlayerTimeout

F = TypeVar("F", bound=PlayerFailure)

_SUPERVISOR = Path(__file__).with_name("supervisor.py")

#: Bytes taken from a pipe at a time: what a Linux pipe holds.
_CHUNK = 1 << 16
#: Bytes of stderr that are kept, to quote the last of them.
_STDERR_KEPT = 1 << 14
#: Characters of stderr that are quoted.
_QUOTED = 200
#: Time that a program's exit status is waited for after the end of its output, in seconds.
_STATUS_SECONDS = 1.0
#: Time that the supervisor is given to kill everything, in seconds.
_KILL_SECONDS = 5.0


@dataclass(frozen=True)
class Guards:
    """Limits of a program's time, output and memory.

    Attributes:
        start_seconds: from its start to the end of its greeting. A Java VM takes its time.
        ready_seconds: to get ready for a game. Compiling counts here.
        answer_seconds: to say that it is still ready, before each move.
        move_seconds: for a move that has no time limit of its own.
        quit_seconds: to leave when it is asked to.
        line_bytes: the longest line.
        wait_bytes: all that it writes between a question and the answer.
        memory_mb: address space in MB; 0 is no limit. Java, Node.js and compiled Papan reserve
            many times what they use.
    """

    start_seconds: float = 20.0
    ready_seconds: float = 120.0
    answer_seconds: float = 10.0
    move_seconds: float = 600.0
    quit_seconds: float = 0.5
    line_bytes: int = 64 << 10
    wait_bytes: int = 8 << 20
    memory_mb: int = 0


class Child:
    """A program that was started, with its supervisor. For one thread at a time.

    Args:
        command: the program and its arguments.
        guards: what it may take.

    Raises:
        PlayerCrash: not here, but at the first wait, if there is no such program.
    """

    def __init__(self, command: Sequence[str], guards: Guards) -> None:
        self.command, self.guards = list(command), guards
        self._control, theirs = socket.socketpair()
        with theirs:
            arguments = [str(_SUPERVISOR), str(theirs.fileno()), str(guards.memory_mb)]
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", *arguments, *self.command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control.setblocking(False)
        self._stdin, self._stdout, self._stderr = map(_unblocked, self._pipes())
        self._events = select.poll()
        for number in (self._stdout, self._stderr):
            self._events.register(number, select.POLLIN)
        self._unsent = bytearray()
        self._unfinished = bytearray()
        self._lines: deque[bytes] = deque()
        self._stderr_end = bytearray()
        self._open = {self._stdout, self._stderr}
        self._status: int | str | None = None

    def send(self, *lines: str) -> None:
        """Sends lines, as far as the program reads; the rest goes out while it is waited for."""
        self._unsent += "".join(f"{line}\n" for line in lines).encode()
        self._write()

    def lines(self, deadline: float) -> Iterator[str]:
        """Lines that the program writes; one wait.

        Args:
            deadline: on the clock `time.monotonic`, however much is written until then.

        Raises:
            PlayerTimeout: the deadline has passed.
            PlayerFlood: a line, or all of them together, are longer than the guards allow.
            PlayerCrash: the program has ended or closed its output, and all of it was read.
        """
        received, began = 0, time.monotonic()
        while True:
            while self._lines:
                yield self._lines.popleft().rstrip(b"\r").decode(errors="backslashreplace")
            if self._stdout not in self._open:
                raise self._crash()
            if not self._poll(deadline):
                raise self._failure(PlayerTimeout, "player.timeout", deadline - began)
            self._write()
            self._read_stderr()
            received += self._read_stdout()
            if received > self.guards.wait_bytes:
                raise self._failure(PlayerFlood, "player.flood", self.guards.wait_bytes)

    def drop_lines(self) -> None:
        """Forgets all that the program has written until now, taken or not.

        Raises:
            PlayerFlood: it has written more than it may in one wait.
        """
        dropped = 0
        while size := self._read_stdout():
            dropped += size
            if dropped > self.guards.wait_bytes:
                raise self._failure(PlayerFlood, "player.flood", self.guards.wait_bytes)
        self._lines.clear()

    def wait_for_end(self, seconds: float) -> int | None:
        """The exit status, once the program has ended; None if it does not in time, or was never
        started."""
        deadline = time.monotonic() + seconds
        while self._status is None and self._poll(deadline, self._control):
            self._read(self._stdout)
            self._read_stderr()
            self._read_status()
        return self._status if isinstance(self._status, int) else None

    def close(self) -> None:
        """Kills the program and all that it has started, and reaps it."""
        if self._control.fileno() < 0:
            return
        with contextlib.suppress(OSError):  # the supervisor has gone already
            self._control.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):  # the program may have stopped it
            os.kill(self._supervisor.pid, signal.SIGCONT)
        try:
            self._supervisor.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:  # something cannot be killed, or somebody stopped it
            self._supervisor.kill()
            self._supervisor.wait()
        self._control.close()
        for pipe in self._pipes():
            pipe.close()

    @property
    def pid(self) -> int:
        """The process id of the supervisor."""
        return self._supervisor.pid

    # --- reading and writing

    def _pipes(self) -> list[IO[bytes]]:
        process = self._supervisor
        return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]

    def _write(self) -> None:
        """Writes as much as the program takes now."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin, self._unsent[:_CHUNK])]
        except BlockingIOError:
            self._events.register(self._stdin, select.POLLOUT)
            return
        except OSError:  # it reads no more; what that means shows when its answer is awaited
            self._unsent.clear()
        with contextlib.suppress(KeyError):
            self._events.unregister(self._stdin)

    def _poll(self, deadline: float, control: socket.socket | None = None) -> bool:
        """Waits until something can be read or written; False if the deadline passes first."""
        if control is not None:
            self._events.register(control, select.POLLIN)
        try:
            left = deadline - time.monotonic()
            return left > 0 and bool(self._events.poll(left * 1000))
        finally:
            if control is not None:
                self._events.unregister(control)

    def _read_stderr(self) -> int:
        """Keeps the last of what came on stderr; returns the number of bytes that came."""
        text = self._read(self._stderr)
        self._stderr_end = (self._stderr_end + text)[-_STDERR_KEPT:]
        return len(text)

    def _read_stdout(self) -> int:
        """Cuts what came on stdout into lines; returns the number of bytes that came."""
        text = self._read(self._stdout)
        *finished, rest = (bytes(self._unfinished) + text).split(b"\n")
        if self._stdout not in self._open and rest:
            finished, rest = [*finished, rest], b""
        self._unfinished[:] = rest
        self._lines.extend(finished)
        if max(map(len, (*finished, rest))) > self.guards.line_bytes:
            raise self._failure(PlayerFlood, "player.long-line", self.guards.line_bytes)
        return len(text)

    def _read(self, pipe: int) -> bytes:
        """All that can be read from a pipe now."""
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

    def _read_status(self) -> None:
        """Reads what the supervisor says about the end of the program."""
        try:
            report = self._control.recv(256).decode().split()
        except BlockingIOError:
            return
        except OSError:
            report = []
        if report[:1] == ["exit"]:
            self._status = int(report[1])
        else:
            self._status = os.strerror(int(report[1])) if report else "its supervisor has died"

    def _crash(self) -> PlayerCrash:
        """The end of the program as an error, with its last words."""
        code = self.wait_for_end(_STATUS_SECONDS)
        while self._read_stderr():
            pass  # what was left in the pipe, which is not filled any more
        text, words = shlex.join(self.command), self._last_words()
        if isinstance(self._status, str):
            return PlayerCrash("player.not-started", text=text, reason=self._status)
        if code is None:
            return PlayerCrash("player.closed", text=text, words=words)
        if code < 0:
            name = _signal_name(-code)
            return PlayerCrash("player.killed", text=text, signal=name, code=code, words=words)
        return PlayerCrash("player.ended", text=text, code=code, words=words)

    def _last_words(self) -> str:
        """The last line on stderr, in parentheses; nothing if there is none."""
        lines = self._stderr_end.decode(errors="replace").split("\n")
        said = next((line for line in reversed(lines) if line.strip()), "")
        words = "".join(c for c in said.strip()[:_QUOTED] if c.isprintable())
        return f" ({words})" if words else ""

    def _failure(self, kind: type[F], message: str, amount: float) -> F:
        return kind(message, text=shlex.join(self.command), amount=f"{amount:.10g}")


def _signal_name(number: int) -> str:
    """The name of a signal; its number where Python has no name, as for real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _unblocked(pipe: IO[bytes]) -> int:
    """The number of a pipe, made never to wait."""
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()
