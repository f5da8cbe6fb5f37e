"""What many tests need: games in many shapes, positions from random games, other processes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar
from unittest import mock

import pytest

import papan
from papan.core.game import Game, Position
from papan.search.algorithm import search
from papan.search.limits import Limit, Stop
from papan.search.registry import algorithm
from papan.search.result import SearchResult
from papan.usercode import loader, sandbox
from reference import adjacency, corners, platforms, truth
from reference import search as oracle
from reference.splitmix import random_moves, replay

TESTS = Path(__file__).parent
SOURCES = Path(papan.__file__).parent
GALLERY = TESTS.parent / "examples" / "games"

#: The games with their options at and between the ends of their ranges.
SPECS = [
    "adjacency",
    "adjacency:rounds=8,first=o",
    "adjacency:size=4",
    "adjacency:size=5,rounds=3",
    "adjacency:size=4x7,first=o",
    "adjacency:size=8x5,rounds=2",
    "platforms:size=3,level=1",
    "platforms:size=3,level=3,first=o",
    "platforms:size=4,level=2",
    "platforms:size=6,level=1",
    "corners",
]

#: One of each game, small enough for exhaustive comparison.
SMALL_SPECS = ["adjacency:size=4", "platforms:size=4,level=2", "corners"]

#: Seconds after which a test gives up waiting: more than any machine needs, however busy.
PATIENCE = 300.0

T = TypeVar("T")


def spec_of(stem: str) -> str:
    """Returns the spec of the game whose files have this name."""
    return stem.replace("-", ":", 1).replace("-", ",")


def thoroughly(*cases: Any) -> list[Any]:
    """Cases of a parametrised test that are for a thorough run only."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough)
        for case in cases
    ]


def at_length(*cases: Any) -> list[Any]:
    """Cases of a parametrised test that take too long for a thorough run."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for case in cases
    ]


def wait_until(holds: Callable[[], T]) -> T:
    """Waits for something that gives no sign when it happens; returns the first true result."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return found


def is_gone(pid: int | str) -> bool:
    """True if a process has ended and was reaped."""
    return not Path("/proc", str(pid)).exists()


class CountingStop(Stop):
    """A switch that notes how many nodes its search has visited when it is thrown.

    Counted after it is thrown, so that a machine that is busy just then makes the number of nodes
    after it smaller, not larger.
    """

    counted: int | None = None

    def set(self) -> None:
        super().set()
        self.counted = self.nodes

    @property
    def nodes(self) -> int:
        """Nodes visited until now."""
        return sum(int(workspace.nodes) for workspace in self._workspaces)

    @property
    def nodes_since(self) -> int:
        """Nodes visited since the switch was thrown."""
        assert self.counted is not None, "the switch was not thrown"
        return self.nodes - self.counted


class Sample(Protocol):
    """The fixture `sample`: every n-th case, or all of them where tests are to be thorough."""

    def __call__(self, cases: Iterable[T], every: int) -> list[T]: ...


class Middle(NamedTuple):
    """An unfinished position of a random game, and the same for the oracle."""

    position: Position
    root: Any

    def evaluate(self, root: Any, ply: int) -> int:
        """What the oracle's searches call at a leaf."""
        name = self.position.game.name
        if name == "corners":
            drawn = root.over() and root.winner() is None
            return 0 if drawn else corners.evaluate(root.position, ply)
        oracles: dict[str, Any] = {"adjacency": adjacency, "platforms": platforms}
        value: int = oracles[name].evaluate(root, ply)
        return value

    def minimax(self, depth: int) -> oracle.Searched:
        """The value and the nodes of the oracle's minimax."""
        return oracle.minimax(self.root, depth, self.evaluate)

    def alphabeta(self, depth: int) -> oracle.Searched:
        """The value and the nodes of the oracle's alpha–beta."""
        return oracle.alphabeta(self.root, depth, self.evaluate)


def reached(spec: str, seed: int, plies: int | None = None) -> Position:
    """The position after so many random moves from the start, with its history."""
    start = papan.game(spec).start()
    return replay(start, random_moves(start, seed, plies))


def middles(spec: str, count: int) -> list[Middle]:
    """Unfinished positions from the beginnings, middles and ends of random games."""
    found = []
    for seed in range(count):
        moves = random_moves(truth.start(spec), seed)
        first = moves[: len(moves) * seed // count]
        position = replay(papan.game(spec).start(), first)
        found.append(Middle(position, replay(truth.start(spec), first)))
    return found


def gallery(spec: str) -> Game:
    """A game of `examples/games`: `gallery("gomoku.py:size=9")`.

    It is not rehearsed as a file of which nothing is known: the commands that are tried with these
    files do that.
    """
    untried = mock.patch.object(sandbox, "inside", True)
    with untried, mock.patch.object(loader, "_test_once"):
        return papan.game(f"{GALLERY}/{spec}")


def small_connect_four(rows: int, columns: int, folder: Path) -> Game:
    """The gallery's Connect Four on another board; its file is written to a folder."""
    text = (GALLERY / "connect_four.py").read_text(encoding="utf-8")
    text = text.replace("Grid(6, 7)", f"Grid({rows}, {columns})")
    text = text.replace("Grid(1, 7)", f"Grid(1, {columns})")
    file = folder / "connect.py"
    file.write_text(text.replace("Grid(6, 1)", f"Grid({rows}, 1)"), encoding="utf-8")
    return papan.game(str(file))


def plain_perft(position: Position, depth: int) -> int:
    """`perft` in plain Python: at small depths it takes less time than to compile the rules."""
    codes = position.codes()
    if depth == 1:
        return len(codes)
    return sum(plain_perft(position.after(code), depth - 1) for code in codes)


def find(name: str, position: Position, depth: int) -> SearchResult:
    """The result of one search to a fixed depth."""
    return search(position, Limit(depth=depth), algorithm=algorithm(name))


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process that uses Papan and what is in the tests' folder."""
    paths = os.pathsep.join([str(TESTS), str(SOURCES.parent)])
    return {**os.environ, "PYTHONPATH": paths, **variables}


def run_python(code: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Runs Python code in a process of its own, with more environment variables."""
    return subprocess.run(
        [sys.executable, "-W", "default", "-c", code],
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
