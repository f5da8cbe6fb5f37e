"""A process between Papan and a program, which kills all processes of the program at the end.

Run as a script: `supervisor.py CONTROL ADDRESSES MEMORY PROCESSES COMMAND…`. The script starts the
command in its own session with the inherited stdin, stdout and stderr, closes its own copies of
them, and waits. It kills the program's process group and all processes that left the group when

- the program ends,
- Papan closes its end of the socket CONTROL,
- Papan dies in any way, or
- the program and its descendants use more than MEMORY or are more than PROCESSES.

ADDRESSES limits the address space of each process. ADDRESSES and MEMORY are in MB; 0 means no
limit.

Why a separate process, and not `preexec_fn` with PR_SET_PDEATHSIG in Papan itself:

- Code between fork and exec may hang if other threads run (searches run in threads).
- The signal is sent when the *thread* that started the program ends, not the process.
- The signal reaches the program but not its descendants, and a shell script starts other programs.

As a subreaper, the supervisor becomes the parent of daemons that the program leaves behind. The
parent-death signal is set for the program only: if the supervisor is killed, the program is killed
too, and its orphans go to Papan, which is also a subreaper (`process.py`).

Reports on CONTROL:

- `failed ERRNO`: the program could not be started.
- `memory MB` or `processes N`: the program exceeded the limit.
- `exit CODE`: the end of the program; −N is signal N.

The script uses only the standard library, so that it starts in about 20 ms. It needs `os.waitid`:
Linux, or macOS from Python 3.13 on. On macOS it is not a subreaper and does not count memory and
processes.
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
import time

#: Maximum delay in ms until Papan's death is noticed if a forked process keeps CONTROL open.
PARENT_CHECK_MS = 1000

#: Minimum time in seconds between two checks of the program's processes.
LOOK_SECONDS = 0.05
#: Checks use at most 1/LOOK_SHARE of one processor's time.
LOOK_SHARE = 50

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"
_MB = 1 << 20


def main(control_number: str, addresses: str, memory: str, most: str, *command: str) -> None:
    """Starts the command and waits until all its processes have ended."""
    parent = os.getppid()
    control = socket.socket(fileno=int(control_number))
    control.set_inheritable(False)
    wake = _wake_on_child_death()
    become_subreaper()
    program = _start(list(command), int(addresses), control)
    _take_precedence()
    _close_standard_streams()
    _say(control, _wait(Watch(program, int(memory), int(most)), control, wake, parent))
    _say(control, f"exit {_end(program)}\n")


def _say(control: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # Papan may have ended
        control.send(line.encode())


def become_subreaper() -> None:
    """Makes this process the parent of its orphaned descendants (Linux only)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    """Sets an attribute of this process (Linux only)."""
    if _ON_LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_child_death() -> int:
    """Returns a pipe that becomes readable when a child dies."""
    reading, writing = os.pipe()
    for number in (reading, writing):
        os.set_blocking(number, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reading


def _start(command: list[str], addresses: int, control: socket.socket) -> int:
    """Starts the program; returns its process id."""
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            _become(command, addresses, supervisor)
        except (OSError, ValueError) as error:
            control.send(f"failed {getattr(error, 'errno', errno.EINVAL)}\n".encode())
        finally:
            os._exit(127)
    return program


def _become(command: list[str], addresses: int, supervisor: int) -> None:
    """Replaces this process by the program."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:  # the supervisor died before the signal was set
        os._exit(127)
    signal.set_wakeup_fd(-1)
    # Reset ignored signals, which exec would pass on: Python ignores SIGPIPE, `nohup` ignores
    # SIGHUP, and a shell that starts Papan in the background ignores SIGINT.
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if addresses:
        resource.setrlimit(resource.RLIMIT_AS, (addresses * _MB, addresses * _MB))
    os.execvp(command[0], command)


def _take_precedence() -> None:
    """Raises this process's priority if permitted: a fork bomb must not delay the checks."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)


def _close_standard_streams() -> None:
    """Closes this process's copies of the program's pipes.

    Otherwise Papan would not see the end of a pipe that the program closes.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


class Watch:
    """The program and its descendants, read from /proc (empty on other systems).

    Args:
        program: process id of the program.
        memory: maximum memory of all processes in MB; 0 for no limit.
        most: maximum number of processes; 0 for no limit.
    """

    def __init__(self, program: int, memory: int, most: int) -> None:
        self.program, self.memory, self.most = program, memory, most
        self.left_behind = 0  # reaped orphans since the last check
        self.next_look = 0.0

    def has_died(self) -> bool:
        """Returns True if the program has died; reaps and counts its dead orphans.

        The program itself is not reaped, so that its process group keeps its number.
        """
        options = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while not self._leaves_too_many():
            dead = os.waitid(os.P_ALL, 0, options)
            if dead is None or dead.si_pid == self.program:
                return dead is not None
            os.waitpid(dead.si_pid, 0)
            self.left_behind += 1
        return False

    def excess(self) -> str:
        """Returns `memory MB` or `processes N` if a limit is exceeded.

        Returns an empty text if not, or if it is too early for the next check.
        """
        if self._leaves_too_many():
            return f"processes {self.left_behind}\n"
        began = time.monotonic()
        if began < self.next_look or not (self.memory or self.most):
            return ""
        tree = descendants(os.getpid(), self.most)
        used = self._memory_of(tree)
        self.left_behind = 0
        now = time.monotonic()
        self.next_look = now + max(LOOK_SECONDS, LOOK_SHARE * (now - began))
        if 0 < self.most < len(tree):
            return f"processes {len(tree)}\n"
        return f"memory {used}\n" if 0 < self.memory < used else ""

    def wait_ms(self) -> int:
        """Returns the time until the next check in milliseconds."""
        if not (self.memory or self.most):
            return PARENT_CHECK_MS
        left = self.next_look - time.monotonic()
        return max(0, min(PARENT_CHECK_MS, 1 + int(1000 * left)))

    def _leaves_too_many(self) -> bool:
        # A chain of processes that fork and exit would keep this process reaping forever.
        return 0 < self.most < self.left_behind

    def _memory_of(self, tree: dict[int, list[str]]) -> int:
        """Returns the memory of some processes in MB.

        Shared memory is counted once only if the simple sum exceeds the limit, since that is slow.
        """
        page = resource.getpagesize()
        simple = sum(int(fields[_RESIDENT]) for fields in tree.values()) * page // _MB
        if not 0 < self.memory < simple:
            return simple
        return sum(_proportional_kb(process) for process in tree) // 1024


def _wait(watch: Watch, control: socket.socket, wake: int, parent: int) -> str:
    """Waits until the program dies, Papan dies or closes CONTROL, or a limit is exceeded.

    Returns the report about an exceeded limit, else an empty text.
    """
    events = select.poll()
    events.register(control, select.POLLIN)
    events.register(wake, select.POLLIN)
    while os.getppid() == parent and not watch.has_died():
        if excess := watch.excess():
            return excess
        ready = {number for number, _ in events.poll(watch.wait_ms())}
        if control.fileno() in ready:
            break
        if wake in ready:
            os.read(wake, 512)
    return ""


def _end(program: int) -> int:
    """Kills the program, its group and all descendants; returns the program's exit code."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    os.kill(program, signal.SIGKILL)  # its group may not exist yet
    code = 0
    while True:
        # The children of killed processes become ours, so repeat until there are none.
        for child in children_of(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            ended, status = os.waitpid(-1, 0)
            # Reap all dead children before the next check: otherwise a chain of processes that fork
            # and exit could outrun this loop.
            while ended:
                if ended == program:
                    code = os.waitstatus_to_exitcode(status)
                ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code


# --- /proc

#: Indices in `stat_fields`: state, parent, start time in clock ticks, and resident pages.
STATE, PARENT, START, _RESIDENT = 0, 1, 19, 21


def stat_fields(process: int | str) -> list[str]:
    """Returns the fields of /proc/PID/stat after the name; empty if there is no such process or
    /proc.

    The name comes first and may contain any character, so it is skipped.
    """
    try:
        with open(f"/proc/{process}/stat", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def descendants(ancestor: int, most: int) -> dict[int, list[str]]:
    """Returns the descendants of a process, including zombies: process id → `stat_fields`.

    Zombies that the ancestor itself has to reap are skipped. The search ends at `most` + 1
    processes (0 for no limit), because it must not take longer than a fork bomb needs to grow.
    """
    processes = dict[int, list[str]]()
    rest = children_of(ancestor)
    while rest and not 0 < most < len(processes):
        process = rest.pop()
        fields = stat_fields(process)
        if fields and not (fields[STATE] == "Z" and fields[PARENT] == str(ancestor)):
            processes[process] = fields
            rest |= children_of(process) - processes.keys()
    return processes


def children_of(parent: int) -> set[int]:
    """Returns the process ids of the children of a process; empty without /proc."""
    if not _ON_LINUX:
        return set()
    children, folder = set[int](), f"/proc/{parent}/task"
    try:
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/children") as file:
                children.update(map(int, file.read().split()))
    except OSError:  # the kernel lacks this file, or the process has just ended
        if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
            fields = {process: stat_fields(process) for process in _processes()}
            return {one for one, stat in fields.items() if stat[PARENT:][:1] == [str(parent)]}
    return children


def _processes() -> list[int]:
    """Returns all process ids."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _proportional_kb(process: int) -> int:
    """Returns the memory of a process in kB, including swap; 0 if the process has just ended.

    Shared memory is divided among its processes, unless the process hides its maps.
    """
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            lines = [line.split() for line in file]
    except OSError:
        pages = int((stat_fields(process) or ["0"] * (_RESIDENT + 1))[_RESIDENT])
        return pages * resource.getpagesize() // 1024
    return sum(int(words[1]) for words in lines if words[0] in ("Pss:", "SwapPss:"))


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # skips Python's cleanup, since Papan waits
