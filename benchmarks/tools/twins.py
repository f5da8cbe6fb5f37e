"""C++ twins: hand-written programs for one game, for comparison with Papan's generic searches."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

from benchmarks.tools.report import CannotMeasure

SOURCES = Path(__file__).parent.parent / "cpp"
BUILD = Path(__file__).parent.parent / "build"
FLAGS = ("-std=c++17", "-O3", "-march=native", "-Wall", "-Wextra")


def compiler() -> str:
    """Returns the C++ compiler: `CXX`, or g++.

    Raises:
        CannotMeasure: the compiler is not installed.
    """
    name = os.environ.get("CXX", "g++")
    if shutil.which(name) is None:
        raise CannotMeasure(f"{name} is not installed; benchmarks beside C++ need a C++ compiler")
    return name


def compiled(name: str) -> Path:
    """Compiles `cpp/NAME.cpp` for this machine; returns the program.

    Raises:
        CannotMeasure: there is no compiler, or it rejects the source.
    """
    BUILD.mkdir(exist_ok=True)
    program = BUILD / name
    command = [compiler(), *FLAGS, str(SOURCES / f"{name}.cpp"), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotMeasure(f"{name}.cpp does not compile:\n{done.stderr}")
    return program


class Twin:
    """A running twin, as a context manager. It answers each line of numbers with a line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [str(compiled(name))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *numbers: int) -> list[str]:
        """Returns the words of the twin's answer.

        Raises:
            CannotMeasure: the twin has died.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(" ".join(map(str, numbers)) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise CannotMeasure(f"the twin {self.name} ended with status {self._process.wait()}")
        return answer.split()

    def __enter__(self) -> Twin:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()
