"""The command line run in this process, with whatever is typed at it."""

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from papan.cli import main, terminal


class Ran(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        """The one JSON object on stdout."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on stderr, of a command that refused what was typed."""
        assert self.status == 2, self
        assert self.out == ""
        assert self.err.startswith("papan: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        return self.err


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAN_LANG", "en")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine adds no note about work that takes long."""
    monkeypatch.setattr(terminal, "PREPARATION_PATIENCE", 3600.0)


@pytest.fixture
def papan(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Runs `papan` with these words, as a shell would split them."""

    def run(words: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = main(shlex.split(words))
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def process() -> Callable[..., Ran]:
    """Runs `papan` with these words in a process of its own."""

    def run(words: str, typed: str = "", **variables: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "papan", *shlex.split(words)],
            input=typed,
            env={**os.environ, **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
