"""The virtual environment of the other libraries, and calls of their workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.tools.report import CannotMeasure
from benchmarks.tools.timing import wall_seconds

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FOLDER = ROOT / "benchmarks" / "build" / "peers"
REQUIREMENTS = HERE / "requirements.txt"

#: Installed without dependencies (notebooks, a graph library of 2016), which searches do not use.
ALONE = ("aima3",)

#: Time limit of a worker in seconds.
PATIENCE = 1200


def python() -> Path:
    """Returns the Python of the environment; creates the environment if necessary.

    Raises:
        CannotMeasure: the installation failed; the message names the command.
    """
    program = FOLDER / "bin" / "python"
    done = FOLDER / "installed"
    if done.exists() and done.read_text() == REQUIREMENTS.read_text():
        return program
    print(f"Installing the other libraries in {FOLDER.relative_to(ROOT)} …", file=sys.stderr)
    _run([sys.executable, "-m", "venv", "--clear", str(FOLDER)])
    lines = REQUIREMENTS.read_text().split()
    alone = [line for line in lines if line.partition("==")[0] in ALONE]
    install = [str(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*install, *(line for line in lines if line not in alone)])
    _run([*install, "--no-deps", *alone])
    done.write_text(REQUIREMENTS.read_text())
    return program


def ask(worker: str, *, budget: float) -> dict[str, Any]:
    """Returns the measurements of a worker.

    Args:
        worker: a module of `workers`.
        budget: approximate duration of each measurement in seconds.

    Raises:
        CannotMeasure: the worker failed.
    """
    found: dict[str, Any] = json.loads(answer_of(worker, "measure", str(budget)))
    return found


def answer_of(worker: str, *words: str) -> str:
    """Runs a worker with command-line arguments; returns its output.

    Raises:
        CannotMeasure: the worker failed.
    """
    return _run(_command(worker, *words))


def first_move(worker: str) -> float:
    """Returns the real time in seconds from the start of a process to its first move."""
    _, seconds = wall_seconds(lambda: _run(_command(worker, "first-move")))
    return seconds


def _command(worker: str, *words: str) -> list[str]:
    return [str(python()), "-m", f"benchmarks.peers.workers.{worker}", *words]


def _run(command: list[str]) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    done = subprocess.run(
        command,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return done.stdout
