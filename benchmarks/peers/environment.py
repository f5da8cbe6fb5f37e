"""The environment of the other libraries, and how they are asked."""

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

#: Installed without what it asks for: notebooks and a library of graphs from 2016, which its
#: searches do not use.
ALONE = ("aima3",)

#: No answer takes longer, in seconds.
PATIENCE = 1200


def python() -> Path:
    """The Python of the environment, which is made and filled if it is not there.

    Raises:
        CannotMeasure: something could not be installed; names it.
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
    """The measurements of a worker.

    Args:
        worker: a module of `workers`.
        budget: about how long each of its measurements may take, in seconds.

    Raises:
        CannotMeasure: it has failed.
    """
    found: dict[str, Any] = json.loads(answer_of(worker, "measure", str(budget)))
    return found


def answer_of(worker: str, *words: str) -> str:
    """The output of a worker that is called with words on its command line.

    Raises:
        CannotMeasure: it has failed.
    """
    return _run(_command(worker, *words))


def first_move(worker: str) -> float:
    """The time from the start of a process to its first move, on the wall, in seconds."""
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
