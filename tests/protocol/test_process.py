"""A program is talked to without ever waiting longer, reading more or leaving more than allowed."""

import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from papan.errors import PlayerCrash, PlayerFlood, PlayerTimeout
from papan.protocol import process
from papan.protocol.guards import Guards
from papan.protocol.process import Child
from papan.protocol.supervisor import stat_fields
from support import PATIENCE, is_gone, wait_until

Start = Callable[..., Child]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts Python code, or another command, as a program; all are closed after the test."""
    children: list[Child] = []

    def start_code(code: str, *, guards: Guards | None = None) -> Child:
        command = [sys.executable, "-I", "-S", "-c", f"import os, sys, time, signal\n{code}"]
        children.append(Child(command, guards or Guards()))
        return children[-1]

    yield start_code
    for child in children:
        child.close()


def first_lines(child: Child, count: int, seconds: float = PATIENCE) -> list[str]:
    """The next lines of a program."""
    lines = child.lines(time.monotonic() + seconds)
    return [next(lines) for _ in range(count)]


def test_lines_go_back_and_forth(start: Start) -> None:
    child = start("for line in sys.stdin: print(line.strip()[::-1], flush=True)")
    child.send("one", "two")
    assert first_lines(child, 2) == ["eno", "owt"]
    child.send("three")
    assert first_lines(child, 1) == ["eerht"]


def test_a_deadline_holds_however_much_is_said(start: Start) -> None:
    child = start("while True: print('info', flush=True); time.sleep(0.001)")
    first_lines(child, 1)
    deadline = time.monotonic() + 0.2
    with pytest.raises(PlayerTimeout, match="did not respond within"):
        for _ in child.lines(deadline):
            pass
    assert time.monotonic() >= deadline


def test_a_program_that_reads_nothing_does_not_stop_the_writer(start: Start) -> None:
    child = start("print('ready', flush=True); signal.pause()")
    first_lines(child, 1)
    child.send("x" * 1_000_000)
    with pytest.raises(PlayerTimeout):
        first_lines(child, 1, seconds=0.1)


def test_what_was_not_read_at_once_arrives_later(start: Start) -> None:
    child = start("print(len(sys.stdin.readline()), flush=True)")
    child.send("x" * 1_000_000)
    assert first_lines(child, 1) == ["1000001"]


def test_a_line_may_be_just_so_long_and_no_longer(start: Start) -> None:
    guards = Guards(line_bytes=1000)
    assert first_lines(start("print('x' * 1000)", guards=guards), 1) == ["x" * 1000]
    with pytest.raises(PlayerFlood, match="a line of more than 1000 bytes"):
        first_lines(start("print('x' * 1001)", guards=guards), 1)


def test_each_wait_may_bring_so_much_and_no_more(start: Start) -> None:
    code = "for line in sys.stdin: print('x' * 99, flush=True)"
    child = start(code, guards=Guards(wait_bytes=150))
    for _ in range(3):
        child.send("go")
        first_lines(child, 1)
    child.send("go", "go")
    with pytest.raises(PlayerFlood, match="more than 150 bytes before its reply"):
        for _ in child.lines(time.monotonic() + PATIENCE):
            pass


def test_all_that_was_said_before_the_end_is_heard(start: Start) -> None:
    child = start("print('one'); print('two', end='')")
    assert first_lines(child, 2) == ["one", "two"]
    with pytest.raises(PlayerCrash) as crash:
        first_lines(child, 1)
    assert crash.value.exit_code == 0


@pytest.mark.parametrize(
    ("code", "exit_code", "words"),
    [
        ("print('a\\nlast words\\n', file=sys.stderr); sys.exit(7)", 7, "status 7 (last words)"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", -11, "killed by SIGSEGV"),
        ("os.kill(os.getpid(), 40)", -40, "killed by signal 40"),
        ("os.close(1); signal.pause()", None, "closed its output"),
        ("sys.exit(127)", 127, "status 127"),
    ],
)
def test_an_end_is_told_with_its_cause(
    code: str, exit_code: int | None, words: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    if exit_code is not None:
        monkeypatch.setattr(process, "_STATUS_SECONDS", PATIENCE)
    with pytest.raises(PlayerCrash) as crash:
        first_lines(start(code), 1)
    assert crash.value.exit_code == exit_code
    assert words in str(crash.value)


@pytest.mark.parametrize(
    ("name", "reason"), [("no-such", "No such file"), ("folder", "Permission denied")]
)
def test_what_cannot_be_started_says_why(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    child = Child([str(tmp_path / name)], Guards())
    with pytest.raises(PlayerCrash, match=reason):
        first_lines(child, 1)
    child.close()


def test_a_shell_script_that_ends_takes_what_it_has_started_along(start: Start) -> None:
    code = "if os.fork() == 0: signal.pause()\nprint(os.getpid(), flush=True)"
    with pytest.raises(PlayerCrash) as crash:
        first_lines(start(code), 2)
    assert crash.value.exit_code == 0


def test_closing_ends_all_that_was_started_and_leaves_no_zombie(start: Start) -> None:
    code = (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        os.fork()\n"
        "        print(os.getpid(), flush=True)\n"
        "        signal.pause()\n"
        "print(os.getpid(), flush=True)\n"
        "signal.pause()\n"
    )
    child = start(code)
    pids = first_lines(child, 7)
    assert not any(map(is_gone, pids))
    child.close()
    assert all(map(is_gone, [*pids, child.pid]))


def test_processes_that_fork_and_end_in_a_row_are_caught_up_with(start: Start) -> None:
    own = uuid.uuid4().hex  # other tests have such programs at the same time
    code = (
        f"own = '{own}'\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "        for generation in range(10**9):\n"
        "            os.setsid()\n"
        "            if os.fork(): os._exit(0)\n"
        "            if generation == 20: print('there', flush=True)\n"
        "signal.pause()\n"
    )
    child = start(code, guards=Guards(processes=0))
    first_lines(child, 3)
    child.close()
    assert is_gone(child.pid)
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if own.encode() in _text(path)]
    assert left == []


def _text(path: Path) -> bytes:
    """What a file has, if it is still there."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_program_lives_on_when_the_thread_that_started_it_ends(start: Start) -> None:
    made: list[Child] = []
    code = "for line in sys.stdin: print(line, end='', flush=True)"
    thread = threading.Thread(target=lambda: made.append(start(code)))
    thread.start()
    thread.join()
    wait_until(lambda: not Path(f"/proc/self/task/{thread.native_id}").exists())
    made[0].send("still there")
    assert first_lines(made[0], 1) == ["still there"]


def test_a_program_gets_the_usual_signals_and_no_files_but_its_own(start: Start) -> None:
    child = start(
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
        "print(sorted(map(int, os.listdir('/proc/self/fd')))[:4])\n"
        "print(open('/proc/self/status').read().split('SigIgn:')[1].split()[0], flush=True)"
    )
    handler, files, ignored = first_lines(child, 3)
    assert handler == "True"
    assert files == "[0, 1, 2, 3]"  # 3 lists the folder
    # Python itself ignores SIGPIPE and SIGXFSZ, nothing else; `signal` knows no signals of the C
    # library's own, which nobody but whoever started the tests can have ignored.
    others = signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}
    assert [number for number in others if int(ignored, 16) >> number - 1 & 1] == []


def test_a_program_with_a_memory_limit_cannot_take_more(start: Start) -> None:
    guards = Guards(address_mb=100)
    assert first_lines(start("print(len(bytearray(1 << 20)))", guards=guards), 1) == ["1048576"]
    with pytest.raises(PlayerCrash, match="MemoryError"):
        first_lines(start("bytearray(1 << 28)", guards=guards), 1)


def test_waiting_is_a_few_polls_that_sleep(start: Start) -> None:
    child = start("signal.pause()")
    child._events = polls = mock.Mock(wraps=child._events)
    with pytest.raises(PlayerTimeout):
        first_lines(child, 1, seconds=0.5)
    assert polls.poll.call_count <= 4  # each waits for a fifth of a second


def test_closing_twice_is_closing_once(start: Start) -> None:
    child = start("signal.pause()")
    files = len(os.listdir("/proc/self/fd"))
    child.close()
    child.close()
    assert len(os.listdir("/proc/self/fd")) == files - 4


def test_a_supervisor_that_does_not_obey_is_killed_and_the_program_with_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_KILL_SECONDS", 0.2)
    child = start("print(os.getpid(), flush=True); signal.pause()")
    [pid] = first_lines(child, 1)
    os.kill(child.pid, signal.SIGSTOP)
    child.close()
    wait_until(lambda: is_gone(pid))


def test_a_program_that_stops_its_supervisor_gains_no_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_KILL_SECONDS", 10_000)
    code = (
        "print(os.getpid(), flush=True); sys.stdin.readline()\n"
        "os.kill(os.getppid(), signal.SIGSTOP); signal.pause()"
    )
    child = start(code)
    [pid] = first_lines(child, 1)
    child.send("now")
    wait_until(lambda: stat_fields(child.pid)[:1] == ["T"])
    child.close()
    assert is_gone(pid)
