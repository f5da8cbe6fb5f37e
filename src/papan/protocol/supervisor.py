"""Stands between Papan and a program that it has started, so that nothing of it is ever left.

Run as a script: `supervisor.py CONTROL ADDRESSES MEMORY PROCESSES COMMAND…`. It starts the command
in a session of its own with stdin, stdout and stderr as they are, lets go of these, and waits. When
the program ends, when Papan closes its end of the socket CONTROL, or when Papan dies in whatever
way, it kills the program's process group before it reaps the program, then all that has left the
group. So it does when the program and all that it has started take more than MEMORY or are more
than PROCESSES. ADDRESSES limits each one's address space; both are in MB, and 0 is no limit.

Why a process for this, and not `preexec_fn` with PR_SET_PDEATHSIG in Papan itself:
- code between fork and exec may hang where other threads run (searches do run in threads);
- that signal comes when the *thread* that started the program ends, not the process;
- it reaches the program but not what the program has started, and a shell script starts others.
As a subreaper, the supervisor inherits whatever daemons the program leaves. Its own parent-death
signal is set for the program only: if the supervisor is killed, the program goes with it, and what
it has started comes to Papan, which is a subreaper too (`orphans.py`).

What it says on CONTROL: `failed ERRNO` if the program cannot be started, `memory MB` or
`processes N` if it took too much, and `exit CODE` at the end, where −N stands for signal N. It uses
nothing but the standard library, so that it starts in some 20 ms. It needs `os.waitid`: Linux, or
macOS from Python 3.13 on (without the subreaper there, and without a count of memory and
processes).
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

#: Papan's death is noticed at the latest after so long, even if a fork of it keeps CONTROL open.
PARENT_CHECK_MS = 1000

#: Time between two looks at the program's processes, in seconds; longer where a look takes long.
LOOK_SECONDS = 0.05
#: The share of one processor's time that looks may take: one in so many.
LOOK_SHARE = 50

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"
_MB = 1 << 20


def main(control_number: str, addresses: str, memory: str, most: str, *command: str) -> None:
    """Starts the command and stays until everything of it has ended."""
    parent = os.getppid()
    control = socket.socket(fileno=int(control_number))
    control.set_inheritable(False)
    wake = _wake_on_child_death()
    become_subreaper()
    program = _start(list(command), int(addresses), control)
    _take_precedence()
    _let_go_of_standard_streams()
    _say(control, _wait(Watch(program, int(memory), int(most)), control, wake, parent))
    _say(control, f"exit {_end(program)}\n")


def _say(control: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # Papan may be gone
        control.send(line.encode())


def become_subreaper() -> None:
    """Makes this process the parent of all that its descendants leave behind, on Linux."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


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
    if addresses:
        resource.setrlimit(resource.RLIMIT_AS, (addresses * _MB, addresses * _MB))
    os.execvp(command[0], command)


def _take_precedence() -> None:
    """Puts this process before the program's where it may: those of a bomb take all the time there
    is, and a look at them must not wait its turn."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)


def _let_go_of_standard_streams() -> None:
    """Closes this process's ends of the program's pipes: when the program closes its own, Papan
    is to see the end of them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


class Watch:
    """The program and all that it has started, as /proc shows them; nothing where there is none.

    Args:
        program: its process id.
        memory: what all of them may take together, in MB; 0 is no limit.
        most: how many of them there may be; 0 is no limit.
    """

    def __init__(self, program: int, memory: int, most: int) -> None:
        self.program, self.memory, self.most = program, memory, most
        self.left_behind = 0  # processes without a parent that have died since the last look
        self.next_look = 0.0

    def has_died(self) -> bool:
        """True if the program has died. It is left unreaped, so that its group keeps its number;
        what it has left behind and has died is reaped and counted."""
        options = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while not self._leaves_too_many():
            dead = os.waitid(os.P_ALL, 0, options)
            if dead is None or dead.si_pid == self.program:
                return dead is not None
            os.waitpid(dead.si_pid, 0)
            self.left_behind += 1
        return False

    def excess(self) -> str:
        """`memory MB` or `processes N`, as a line, if there is too much of it; nothing if not, or
        if it is too early to look again."""
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
        """Time until the next look, in milliseconds."""
        if not (self.memory or self.most):
            return PARENT_CHECK_MS
        left = self.next_look - time.monotonic()
        return max(0, min(PARENT_CHECK_MS, 1 + int(1000 * left)))

    def _leaves_too_many(self) -> bool:
        # One that forks and ends in a row would keep this process reaping for ever.
        return 0 < self.most < self.left_behind

    def _memory_of(self, tree: dict[int, list[str]]) -> int:
        """Memory of some processes, in MB: what several of them share counts once, but is looked
        up only where it matters, since that takes long."""
        page = resource.getpagesize()
        simple = sum(int(fields[_RESIDENT]) for fields in tree.values()) * page // _MB
        if not 0 < self.memory < simple:
            return simple
        return sum(_proportional_kb(process) for process in tree) // 1024


def _wait(watch: Watch, control: socket.socket, wake: int, parent: int) -> str:
    """Returns when the program has died, when Papan lets go of it or dies, or when it takes too
    much: then with a line that says of what."""
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
    """Kills the group of the program and all that is left; returns the program's exit code."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    os.kill(program, signal.SIGKILL)  # it may not have got so far as to have a group
    code = 0
    while True:
        # The children of what is killed become ours, so this goes on until there are none.
        for child in children_of(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            ended, status = os.waitpid(-1, 0)
            # All that have died, before the next look: processes that each fork and end in a row
            # must not be faster than this.
            while ended:
                if ended == program:
                    code = os.waitstatus_to_exitcode(status)
                ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code


# --- what /proc says

#: Places in `stat_fields` of the state, the parent, the time of the start in clock ticks, and the
#: number of pages in memory.
STATE, PARENT, START, _RESIDENT = 0, 1, 19, 21


def stat_fields(process: int | str) -> list[str]:
    """Words of /proc/PID/stat after the name, which may hold anything; nothing if the process has
    gone, or where there is no /proc."""
    try:
        with open(f"/proc/{process}/stat", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def descendants(ancestor: int, most: int) -> dict[int, list[str]]:
    """The descendants of a process, zombies included, by process id with their `stat_fields`; of
    more than `most` (0 is no limit) only so many and one: a look must not take longer than a bomb
    of processes takes to grow. Those that the ancestor itself has yet to reap are left out."""
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
    """The process ids of all children of a process; none where there is no /proc."""
    if not _ON_LINUX:
        return set()
    children, folder = set[int](), f"/proc/{parent}/task"
    try:
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/children") as file:
                children.update(map(int, file.read().split()))
    except OSError:  # not every kernel has this file; or the process has just gone
        if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
            fields = {process: stat_fields(process) for process in _processes()}
            return {one for one, stat in fields.items() if stat[PARENT:][:1] == [str(parent)]}
    return children


def _processes() -> list[int]:
    """All process ids."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _proportional_kb(process: int) -> int:
    """Memory of a process, in kB, swapped or not; what it shares with others is divided among them,
    unless it hides its maps. 0 if the process has just gone."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            lines = [line.split() for line in file]
    except OSError:
        pages = int((stat_fields(process) or ["0"] * (_RESIDENT + 1))[_RESIDENT])
        return pages * resource.getpagesize() // 1024
    return sum(int(words[1]) for words in lines if words[0] in ("Pss:", "SwapPss:"))


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # nothing is left to tidy up, and Papan waits
