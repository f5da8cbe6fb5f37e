"""Stands between Papan and a program that it has started, so that nothing of it is ever left.

Run as a script: `supervisor.py CONTROL MEMORY COMMAND…`. It starts the command in a session of its
own with stdin, stdout and stderr as they are, lets go of these, and waits. When the program ends,
when Papan closes its end of the socket CONTROL, or when Papan dies in whatever way, it kills the
program's process group before it reaps the program, then all that has left the group. MEMORY
limits the program's address space, in MB; 0 is no limit.

Why a process for this, and not `preexec_fn` with PR_SET_PDEATHSIG in Papan itself:
- code between fork and exec may hang where other threads run (searches do run in threads);
- that signal comes when the *thread* that started the program ends, not the process;
- it reaches the program but not what the program has started, and a shell script starts others.
As a subreaper, the supervisor inherits whatever daemons the program leaves. Its own parent-death
signal is set for the program only: if the supervisor is killed, the program goes with it.

What it says on CONTROL: `failed ERRNO` if the program cannot be started, or else `exit CODE`, where
−N stands for signal N. It uses nothing but the standard library, so that it starts in some 20 ms.
It needs `os.waitid`: Linux, or macOS from Python 3.13 on (without the subreaper there).
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import select
import signal
import socket
import sys

#: Papan's death is noticed at the latest after so long, even if a fork of it keeps CONTROL open.
PARENT_CHECK_MS = 1000

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"
_MB = 1 << 20


def main(control_number: str, memory: str, *command: str) -> None:
    """Starts the command and stays until everything of it has ended."""
    parent = os.getppid()
    control = socket.socket(fileno=int(control_number))
    control.set_inheritable(False)
    wake = _wake_on_child_death()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    program = _start(list(command), int(memory), control)
    _let_go_of_standard_streams()
    _wait(program, control, wake, parent)
    code = _end(program)
    with contextlib.suppress(OSError):  # Papan may be gone
        control.send(f"exit {code}\n".encode())


def _prctl(option: int, value: int) -> None:
    """Sets an attribute of this process, where the system has it."""
    if _ON_LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_child_death() -> int:
    """A pipe that can be read when a child has died."""
    reading, writing = os.pipe()
    for number in (reading, writing):
        os.set_blocking(number, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reading


def _start(command: list[str], memory: int, control: socket.socket) -> int:
    """Starts the program; returns its process id."""
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            _become(command, memory, supervisor)
        except (OSError, ValueError) as error:
            control.send(f"failed {getattr(error, 'errno', errno.EINVAL)}\n".encode())
        finally:
            os._exit(127)
    return program


def _become(command: list[str], memory: int, supervisor: int) -> None:
    """Turns this process into the program."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:  # it died before the signal was asked for
        os._exit(127)
    signal.set_wakeup_fd(-1)
    # exec passes on what is ignored: by Python (SIGPIPE), by `nohup` (SIGHUP), by a shell that
    # starts Papan in the background (SIGINT).
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory * _MB, memory * _MB))
    os.execvp(command[0], command)


def _let_go_of_standard_streams() -> None:
    """Closes this process's ends of the program's pipes: when the program closes its own, Papan
    is to see the end of them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _wait(program: int, control: socket.socket, wake: int, parent: int) -> None:
    """Returns when the program has died, or when Papan lets go of it or dies."""
    events = select.poll()
    events.register(control, select.POLLIN)
    events.register(wake, select.POLLIN)
    while os.getppid() == parent and not _has_died(program):
        ready = {number for number, _ in events.poll(PARENT_CHECK_MS)}
        if control.fileno() in ready:
            return
        if wake in ready:
            os.read(wake, 512)


def _has_died(program: int) -> bool:
    """True if the program has died. It is left unreaped, so that its group keeps its number;
    what it has left behind and has died is reaped."""
    while (dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG)) is not None:
        if dead.si_pid == program:
            return True
        os.waitpid(dead.si_pid, 0)
    return False


def _end(program: int) -> int:
    """Kills the group of the program and all that is left; returns the program's exit code."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    os.kill(program, signal.SIGKILL)  # it may not have got so far as to have a group
    code = 0
    while True:
        # The children of what is killed become ours, so this goes on until there are none.
        for child in _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            found, status = os.waitpid(-1, 0)
            # All that have died, before the next look: processes that each fork and end in a row
            # must not be faster than this.
            while found:
                if found == program:
                    code = os.waitstatus_to_exitcode(status)
                found, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code


def _children() -> list[int]:
    """The process ids of all children of this process; none where there is no /proc."""
    if not _ON_LINUX:
        return []
    children = f"/proc/self/task/{os.getpid()}/children"  # not every kernel has this file
    with contextlib.suppress(OSError), open(children) as file:
        return [int(number) for number in file.read().split()]
    processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [process for process in processes if _parent(process) == os.getpid()]


def _parent(process: int) -> int:
    """The process id of a process's parent; 0 if the process has just gone."""
    try:
        with open(f"/proc/{process}/stat", errors="replace") as file:
            # pid (name, which may hold anything) state parent …
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # nothing is left to tidy up, and Papan waits
