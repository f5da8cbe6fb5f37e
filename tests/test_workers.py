"""A worker process ends when the process that it works for does, in whatever manner."""

import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from papan.workers import become_worker
from support import PATIENCE, wait_until

PARENT = """
import multiprocessing, signal
from papan.workers import become_worker

def work(pipe):
    become_worker()
    pipe.send("ready")
    signal.pause()

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,))
    process.start()
    ours.recv()
    print(process.pid, flush=True)
    signal.pause()
"""


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_worker_whose_parent_was_killed_ends(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert is_alive(worker)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not is_alive(worker))


def _work(alive: Connection, ready: Connection, niceness: int) -> None:
    become_worker(alive, niceness=niceness)
    ready.send(os.nice(0))
    signal.pause()


@pytest.mark.parametrize("niceness", [0, 3])
def test_a_worker_ends_when_its_pipe_is_closed_and_leaves_ctrl_c_to_its_parent(
    niceness: int,
) -> None:
    context = multiprocessing.get_context("spawn")
    alive, ours = context.Pipe(duplex=False)
    ready, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(alive, theirs, niceness), daemon=True)
    worker.start()
    assert ready.recv() == os.nice(0) + niceness
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGINT)
    ours.close()
    worker.join(PATIENCE)
    assert worker.exitcode == 0
    for pipe in (alive, ready, theirs):
        pipe.close()
