"""What a program and all that it starts may take is counted and held, and nothing survives it: not
even where it attacks the process that guards it."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import papan
from papan.errors import PlayerCrash, PlayerTimeout
from papan.protocol import process
from papan.protocol.client import Client
from papan.protocol.guards import Guards
from papan.protocol.process import Child
from support import PATIENCE, is_gone, run_python

Start = Callable[..., Child]

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts Python code as a program; all are closed after the test, and none may leave anything.

    The code has `note()`, by which a process makes itself known. Nothing is killed because time is
    up: where that were needed, a test would hang.
    """
    monkeypatch.setattr(process, "_KILL_SECONDS", 10_000)
    monkeypatch.setattr(process, "_STATUS_SECONDS", 10_000)
    children: list[Child] = []
    pids = tmp_path / "pids"
    pids.touch()
    head = (
        "import os, signal, sys, time\n"
        f"def note(): open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    )

    def start_code(code: str, **guards: object) -> Child:
        command = [sys.executable, "-I", "-S", "-c", head + code]
        children.append(Child(command, Guards(**guards)))  # type: ignore[arg-type]  # of several types
        return children[-1]

    yield start_code
    for child in children:
        child.close()
    # Closing has waited until nothing was left.
    assert all(map(is_gone, pids.read_text().split()))


def crash(child: Child) -> str:
    """The words of the crash with which a program ends; it is closed then."""
    with pytest.raises(PlayerCrash) as caught:
        for _ in child.lines(time.monotonic() + PATIENCE):
            pass
    child.close()
    return str(caught.value)


def lines(child: Child, count: int) -> list[str]:
    """The next lines of a program."""
    coming = child.lines(time.monotonic() + PATIENCE)
    return [next(coming) for _ in range(count)]


# --- memory and processes


@needs_proc
def test_a_program_that_takes_too_much_memory_is_ended_and_told_why(start: Start) -> None:
    words = crash(start("note(); kept = b'x' * (200 << 20); signal.pause()", memory_mb=100))
    assert "MB of memory, more than 100 (--bot-memory)" in words


@needs_proc
def test_memory_counts_of_all_processes_together(start: Start) -> None:
    code = (
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid(); note(); kept = b'x' * (50 << 20); signal.pause()\n"
        "note(); signal.pause()"
    )
    assert "more than 150 (--bot-memory)" in crash(start(code, memory_mb=150))


@needs_proc
def test_memory_that_processes_share_counts_once(start: Start) -> None:
    code = (
        "kept = b'x' * (60 << 20)\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0: signal.pause()\n"
        "time.sleep(0.4); print('there', flush=True); signal.pause()"
    )
    assert lines(start(code, memory_mb=180), 1) == ["there"]


@needs_proc
def test_a_program_has_so_many_processes_and_no_more(start: Start) -> None:
    code = (
        "for _ in range({}):\n"
        "    if os.fork() == 0: note(); signal.pause()\n"
        "time.sleep(0.4); print('there', flush=True); signal.pause()"
    )
    assert lines(start(code.format(4), processes=5), 1) == ["there"]
    assert "had 6 processes, more than 5 (--bot-processes)" in crash(
        start(code.format(5), processes=5)
    )


@needs_proc
def test_a_bomb_of_processes_is_ended(start: Start) -> None:
    # One that stops growing, for the sake of the machine.
    code = "for _ in range(9): os.fork()\nsignal.pause()"
    assert "processes, more than 64" in crash(start(code))


@needs_proc
def test_a_program_that_forks_and_leaves_in_a_row_is_ended(start: Start) -> None:
    code = (
        "if os.fork() == 0:\n"
        "    while True:\n"
        "        os.setsid()\n"
        "        if os.fork(): os._exit(0)\n"
        "signal.pause()"
    )
    assert "processes, more than 4" in crash(start(code, processes=4))


@needs_proc
def test_orphans_that_have_died_between_two_looks_count() -> None:
    code = """
import os, signal
from papan.protocol.supervisor import Watch
program = os.fork() or signal.pause()
for dead in [os.fork() or os._exit(0) for _ in range(4)]:
    os.waitid(os.P_PID, dead, os.WEXITED | os.WNOWAIT)
watch = Watch(program, 0, 3)
print(watch.has_died(), watch.excess(), end="")
os.kill(program, signal.SIGKILL)
"""
    assert run_python(code).stdout == "False processes 4\n"


@needs_proc
def test_no_limit_is_no_limit(start: Start) -> None:
    code = (
        "kept = b'x' * (30 << 20)\n"
        "for _ in range(70):\n"
        "    if os.fork() == 0: signal.pause()\n"
        "time.sleep(0.5); print('there', flush=True); signal.pause()"
    )
    assert lines(start(code, memory_mb=0, processes=0), 1) == ["there"]


# --- attacks on the supervisor

#: Three processes, two of them in sessions of their own, which hold the program's output open.
FAMILY = (
    "for _ in range(2):\n"
    "    if os.fork() == 0:\n"
    "        os.setsid(); note(); print('there', flush=True); signal.pause(); os._exit(0)\n"
    "note(); guard = os.getppid(); sys.stdin.readline()\n"
)


@needs_proc
@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("SIGKILL", "killed its supervisor process"),
        ("SIGSTOP", "stopped its supervisor process"),
    ],
)
def test_a_program_that_ends_or_stops_its_supervisor_crashes_at_once_and_leaves_nothing(
    start: Start, attack: str, said: str
) -> None:
    child = start(FAMILY + f"os.kill(guard, signal.{attack}); signal.pause()")
    lines(child, 2)
    child.send("now")
    assert said in crash(child)


@needs_proc
def test_a_supervisor_that_is_stopped_again_and_again_is_not_waited_for(start: Start) -> None:
    code = FAMILY + (
        "if os.fork() == 0:\n"
        "    os.setsid(); note()\n"
        "    while True:\n"
        "        try: os.kill(guard, signal.SIGSTOP)\n"
        "        except ProcessLookupError: signal.pause()\n"
        "signal.pause()"
    )
    child = start(code)
    lines(child, 2)
    child.send("now")
    assert "stopped its supervisor process" in crash(child)


@needs_proc
def test_what_goes_on_forking_after_its_supervisor_was_killed_is_ended_too(start: Start) -> None:
    code = (
        "guard = os.getppid(); note(); print('there', flush=True); sys.stdin.readline()\n"
        "if os.fork() == 0:\n"
        "    os.kill(guard, signal.SIGKILL)\n"
        "    while True:\n"
        "        os.setsid()\n"
        "        if os.fork(): os._exit(0)\n"
        "signal.pause()"
    )
    child = start(code)
    lines(child, 1)
    child.send("now")
    assert "killed its supervisor process" in crash(child)
    running = [
        path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _is_there(path)
    ]
    assert not any(b"note(); print('there'" in text for text in running)


def _is_there(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


@needs_proc
def test_children_that_papan_has_made_itself_are_left_alone(start: Start) -> None:
    own = os.fork()
    if own == 0:
        signal.pause()
        os._exit(0)
    try:
        child = start(FAMILY + "os.kill(guard, signal.SIGKILL); signal.pause()")
        other = start("for line in sys.stdin: print(line, end='', flush=True)")
        lines(child, 2)
        child.send("now")
        crash(child)
        assert os.waitpid(own, os.WNOHANG) == (0, 0)
        other.send("still there")
        assert lines(other, 1) == ["still there"]
    finally:
        os.kill(own, signal.SIGKILL)
        os.waitpid(own, 0)


# --- the environment


def test_a_program_sees_a_short_list_of_variables_and_those_that_were_named(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPAN_STORE", "postgresql://user:secret@host/games")
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("BOOK", "openings.dat")
    monkeypatch.setenv("LANG", "id_ID.UTF-8")
    child = start("print(dict(os.environ), flush=True)", env=("BOOK", "NOT_SET"))
    seen = lines(child, 1)[0]
    assert "secret" not in seen and "'BOOK': 'openings.dat'" in seen
    assert "'LANG': 'id_ID.UTF-8'" in seen and "'PATH'" in seen


@needs_proc
def test_the_supervisor_sees_no_more_than_the_program(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    child = start("print('there', flush=True); signal.pause()")
    lines(child, 1)
    assert b"secret" not in Path("/proc", str(child.pid), "environ").read_bytes()


# --- getting ready


def test_a_program_that_is_not_ready_in_time_is_told_apart_from_a_slow_move(start: Start) -> None:
    code = "for line in sys.stdin:\n if line == 'ugi\\n': print('ugiok', flush=True)"
    command = [sys.executable, "-I", "-S", "-c", f"import sys\n{code}"]
    client = Client(command, Guards(ready_seconds=0.2))
    try:
        client.greet()
        with pytest.raises(
            PlayerTimeout, match=r"not ready for the game within .* \(--bot-ready\)"
        ):
            client.new_game(papan.game("adjacency"), 0)
    finally:
        client.kill()
