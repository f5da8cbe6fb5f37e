"""The base of all solvers: tasks with their limits, progress, and results."""

from __future__ import annotations

import functools
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from papan.core.game import Displayed, Position
from papan.errors import InvalidLimit, Unsolved
from papan.rules.operations import win_value
from papan.search.alphabeta.threads import HelperThreads
from papan.search.limits import (
    DEFAULT_MB,
    LARGEST_MB,
    MOST_OF_MEMORY,
    Limit,
    Stop,
    memory_of_machine,
)
from papan.search.workspace import Workspace, new_workspace
from papan.solve.bounds import ProvenBounds

#: Seconds between two progress reports.
REPORT_EVERY = 0.5

#: Values of `workspace.stop`: stopped from outside; the proof table must grow first; a line is too
#: long for the workspace; another thread has finished first.
STOPPED = 1
FULL = 2
DEEP = 3
OVERTAKEN = 4

#: Default number of threads of a proof, limited by the number of processors.
DEFAULT_THREADS = min(2, os.cpu_count() or 1)
MOST_THREADS = 64


@dataclass(frozen=True)
class Progress:
    """The progress of a solver.

    Attributes:
        nodes: positions, or sets of empty squares, visited so far.
        seconds: wall-clock time since the start.
        share: the finished part of the work, 0 … 1; None if unknown.
    """

    nodes: int
    seconds: float
    share: float | None


@dataclass(frozen=True)
class Solution(Displayed):
    """The proven result of best play by both sides.

    Attributes:
        position: the solved position.
        value: side to move's view. If the length of a win counts, a win after n plies has the value
            `win_value` − n, a loss −(`win_value` − n), a draw 0. Otherwise the final margin.
        plies: plies to the end of the game, with the shortest win and the longest defence; None if
            undefined (a draw by repetition).
        moves: every move that keeps the value, in the game's notation and order.
        nodes: visited positions, or sets of empty squares. Finished games do not count, nor
            positions in which the game's rule reports an immediate win.
        value_nodes: nodes for the value alone, without the moves.
        seconds: wall-clock time without compilation.
        method: name of the method; see docs/solving.md.
        values: the proven value of each legal move, if requested.

    Examples:
        >>> papan.solve("platforms").as_dict()["plies"]
        7
    """

    proven: ClassVar[bool] = True

    position: Position
    value: int
    plies: int | None
    moves: tuple[str, ...]
    nodes: int
    value_nodes: int
    seconds: float
    method: str
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss` for the side to move."""
        return "win" if self.value > 0 else "loss" if self.value < 0 else "draw"

    def as_dict(self) -> dict[str, Any]:
        """Returns the solution as in JSON."""
        fields: dict[str, Any] = {
            "game": self.position.game.spec,
            "position": str(self.position),
            "outcome": self.outcome,
            "value": self.value,
            "plies": self.plies,
            "moves": list(self.moves),
            "nodes": self.nodes,
            "value_nodes": self.value_nodes,
            "seconds": round(self.seconds, 6),
            "method": self.method,
            "proven": self.proven,
        }
        if self.values:
            fields["values"] = dict(self.values)
        return fields


OnProgress = Callable[[Progress], None]


@dataclass
class Work:
    """A position to solve, with limits, memory and switches.

    Attributes:
        position: the position to solve.
        memory_mb: memory limit of tables, in MB.
        limit: time and nodes; the depth is ignored.
        stop: the caller's switch, which stops the work.
        every: whether the value of every move is needed, not only the best moves.
        threads: number of threads of solvers that can use several.
        share: the finished part of the work, if known.
        value_nodes: number of nodes when the value was known, if that was before the moves.
        keep: file of a reusable proof table; None for none.
        bounds: proven bounds of the position's value so far.
        switch: the switch of the time limit; the caller's own switch does not change.
        workspace: the memory of the first thread.
        started: `time.perf_counter()` at the start.

    Raises:
        InvalidLimit: the memory is out of range.
    """

    position: Position
    memory_mb: float = DEFAULT_MB
    limit: Limit = field(default_factory=Limit)
    stop: Stop = field(default_factory=Stop)
    every: bool = False
    threads: int = 1
    share: float | None = None
    value_nodes: int | None = None
    keep: Path | None = None
    switch: Stop = field(default_factory=Stop)
    bounds: ProvenBounds = field(init=False)
    workspace: Workspace = field(init=False)
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        if not 1 <= self.memory_mb <= LARGEST_MB:
            expected = f"1 … {LARGEST_MB} MB"
            raise InvalidLimit(
                "limit.range", what="@limit.memory-size", value=self.memory_mb, expected=expected
            )
        self.bounds = ProvenBounds(int(win_value(self.position.state)))
        self.workspace = new_workspace(self.position, self.limit.nodes)
        # Two switches, because a set switch cannot be reset: the time limit of this work must not
        # stop the caller's other work.
        self.stop.watch(self.workspace, self.position)
        self.switch.watch(self.workspace, self.position)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @functools.cached_property
    def helpers(self) -> HelperThreads:
        """The helper threads; they start once there is enough work."""
        return HelperThreads(self.position, self.threads - 1)

    @property
    def nodes(self) -> int:
        """Positions, or sets of empty squares, visited by all threads."""
        return int(self.workspace.nodes) + self.helpers.nodes()

    @property
    def bytes(self) -> int:
        """Memory limit of tables in bytes: `memory_mb`, or at most `MOST_OF_MEMORY` of the machine.

        The machine's memory is a limit because the system also allocates memory that it does not
        have, and then kills the process.
        """
        return min(int(self.memory_mb * 2**20), int(MOST_OF_MEMORY * memory_of_machine()))

    @property
    def must_stop(self) -> bool:
        """True if a switch, the clock or the node limit stops the work."""
        # The node limit counts only if it stopped the search: a complete proof stays valid.
        beyond = self.limit.nodes is not None and self.nodes >= self.limit.nodes
        cut_off = beyond and self.workspace.stop != 0
        return cut_off or self.stop.is_set() or self.switch.is_set()

    def check(self) -> None:
        """Raises an error if the work must stop.

        Raises:
            Unsolved: the work was stopped, or its time or nodes are used up.
        """
        if self.workspace.stop != 0 or self.must_stop:
            raise self._cut_short()

    def unsolved_error(self, message: str, **values: object) -> Unsolved:
        """Returns the error of work that ends without a solution; it includes the proven bounds."""
        known, partial = self.bounds.describe(), self._partial()
        if known is None:
            return Unsolved(message, **values, partial=partial)
        reason = Unsolved(message, **values)
        return Unsolved("solve.cut-short", reason=reason, known=known, partial=partial)

    def _partial(self) -> dict[str, Any]:
        """Returns the proven part of the result, as in `Solution.as_dict`.

        Unknown fields are None.
        """
        bounds = self.bounds
        exact = bounds.lower == bounds.upper
        return {
            "game": self.position.game.spec,
            "position": str(self.position),
            "outcome": bounds.outcome,
            "value": bounds.lower if exact else None,
            "plies": plies_of(bounds.win, bounds.lower) if exact else None,
            "moves": None,
            "bounds": bounds.as_dict(),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "proven": exact,
        }

    def _cut_short(self) -> Unsolved:
        """Returns the error for the limit that was reached, or for a stop."""
        # The time limit and Ctrl-C set the same switch; the clock tells them apart.
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            return self.beyond_nodes()
        if self.limit.seconds is not None and self.seconds >= self.limit.seconds:
            return self.unsolved_error("solve.time", text=self.position, value=self.limit.seconds)
        return self.unsolved_error("solve.stopped", text=self.position)

    def beyond_nodes(self) -> Unsolved:
        """Returns the error for a node limit that is too small."""
        return self.unsolved_error("solve.nodes", text=self.position, value=self.limit.nodes)

    def too_large(self, megabytes: float | None = None) -> Unsolved:
        """Returns the error for a memory limit that is too small.

        The error names the required memory if it is known.
        """
        if megabytes is None or megabytes > LARGEST_MB:
            return self.unsolved_error(
                "solve.memory", text=self.position, value=f"{self.memory_mb:g}"
            )
        return self.unsolved_error(
            "solve.needs",
            text=self.position,
            value=f"{self.memory_mb:g}",
            needed=f"{megabytes:.0f}",
        )

    def array(self, length: int, dtype: Any) -> Any:
        """Returns an array of zeros; pages that are never used take no memory.

        Raises:
            Unsolved: the machine has too little memory.
        """
        try:
            return np.zeros(length, dtype=dtype)
        except MemoryError:
            needed = length * np.dtype(dtype).itemsize / 2**20
            raise Unsolved("limit.memory", value=f"{needed:.0f}") from None


class SolvedRoot(NamedTuple):
    """The result of a solver for an unfinished position.

    Attributes:
        value: side to move's view.
        plies: plies to the end of the game, or None.
        best: numbers of all best moves.
        values: the value of each move, if requested.
    """

    value: int
    plies: int | None
    best: list[int]
    values: dict[int, int]


class Solver(ABC):
    """A method to solve positions of some games."""

    #: Its name in `Solution.method`.
    method: ClassVar[str]

    @classmethod
    @abstractmethod
    def accepts(cls, position: Position) -> bool:
        """Returns whether this solver can solve the position."""

    #: True if proofs can be kept in a file (`Work.keep`).
    keeps: ClassVar[bool] = False

    #: True if `least_nodes` is the exact number of nodes.
    exact_cost: ClassVar[bool] = False

    @classmethod
    def least_nodes(cls, position: Position) -> int:
        """Returns a lower bound of the required nodes, computed without solving."""
        return 1

    @classmethod
    @abstractmethod
    def prepare(cls, position: Position) -> None:
        """Compiles the solver for this game, or loads its machine code from the cache."""

    @abstractmethod
    def solve(self, work: Work) -> SolvedRoot:
        """Returns the proven result.

        Raises:
            Unsolved: a limit of memory, time or nodes was reached, or the work was stopped.
        """

    def find_values(self, work: Work, values: dict[int, int]) -> None:
        """Adds the value of each root move to `values` as soon as the value is known.

        The keys are the numbers of the moves.

        Raises:
            Unsolved: a limit of memory, time or nodes was reached, or the work was stopped.
        """
        values.update(self.solve(work).values)


def plies_of(win: int, value: int) -> int | None:
    """Returns the plies to the end of the game for a value; None for draws and margins."""
    return win - abs(value) if win > 0 and value else None


def best_of(values: dict[int, int], plies: int | None) -> SolvedRoot:
    """Returns the result for known values of all moves."""
    value = max(values.values())
    return SolvedRoot(value, plies, [move for move in values if values[move] == value], values)


@contextmanager
def reporting(work: Work, on_progress: OnProgress | None) -> Iterator[None]:
    """Reports progress regularly from a separate thread until the `with` block ends."""
    # A separate thread, because kernels cannot call back. They release the interpreter lock, so
    # their node counters can be read at any time.
    ended = threading.Event()

    def report() -> None:
        while on_progress is not None and not ended.wait(REPORT_EVERY):
            on_progress(Progress(work.nodes, work.seconds, work.share))

    thread = threading.Thread(target=report, name="papan-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        # No report may follow the end of the block.
        ended.set()
        thread.join()
