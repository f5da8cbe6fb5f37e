"""The algorithms whose searches can be recorded, and how that is done.

Each is the algorithm itself, iterative deepening, table and all, with the kernel exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from papan.core import spec
from papan.core.game import Position
from papan.kernel import operations as rules
from papan.kernel.operations import Evaluation
from papan.search.algorithm import Task, search
from papan.search.alphabeta import AlphaBeta
from papan.search.limits import Limit
from papan.search.memory import Memory
from papan.search.minimax import Minimax
from papan.search.mtdf import Mtdf
from papan.search.trace.kernels import Kernels
from papan.search.trace.mcts import TracedMcts, trace_of
from papan.search.trace.record import (
    MOST_NODES,
    OPEN_WINDOW,
    Ending,
    Node,
    Pass,
    Recorder,
    Trace,
)


@dataclass
class TracedMinimax(Minimax):
    """Minimax that writes down its steps."""

    recorder: Recorder = field(default_factory=Recorder, init=False, repr=False, compare=False)

    def prepare(self, position: Position, evaluation: Evaluation) -> None:
        """Nothing is compiled."""

    def value_at(self, task: Task, depth: int) -> int:
        return Kernels(task, self.recorder, pruning=False).search(depth, OPEN_WINDOW)


@dataclass
class TracedAlphaBeta(AlphaBeta):
    """Alpha–beta that writes down its steps."""

    recorder: Recorder = field(default_factory=Recorder, init=False, repr=False, compare=False)

    def prepare(self, position: Position, evaluation: Evaluation) -> None:
        """Nothing is compiled."""

    def value_at(self, task: Task, depth: int) -> int:
        return Kernels(task, self.recorder).search(depth, OPEN_WINDOW)


@dataclass
class TracedMemory(Memory):
    """Alpha–beta with memory that writes down its steps."""

    recorder: Recorder = field(default_factory=Recorder, init=False, repr=False, compare=False)

    def prepare(self, position: Position, evaluation: Evaluation) -> None:
        """Nothing is compiled."""

    def bounded(self, task: Task, depth: int, window: tuple[int, int]) -> int:
        return Kernels(task, self.recorder, table=self.table).search(depth, window)


@dataclass
class TracedMtdf(Mtdf):
    """MTD(f) that writes down its steps."""

    recorder: Recorder = field(default_factory=Recorder, init=False, repr=False, compare=False)

    def prepare(self, position: Position, evaluation: Evaluation) -> None:
        """Nothing is compiled."""

    def bounded(self, task: Task, depth: int, window: tuple[int, int]) -> int:
        return Kernels(task, self.recorder, table=self.table).search(depth, window)


Traced = TracedMinimax | TracedAlphaBeta | TracedMemory | TracedMtdf | TracedMcts

#: By name.
ALGORITHMS: dict[str, type[Traced]] = {
    "minimax": TracedMinimax,
    "alphabeta": TracedAlphaBeta,
    "memory": TracedMemory,
    "mtdf": TracedMtdf,
    "mcts": TracedMcts,
}


def trace(
    position: Position,
    depth: int,
    algorithm: str = "alphabeta",
    *,
    evaluation: Evaluation | None = None,
    most: int = MOST_NODES,
) -> Trace:
    """A search to a depth with all its steps.

    Args:
        position: the root.
        depth: in plies.
        algorithm: the spec of one of `ALGORITHMS`, with its options.
        evaluation: what values unfinished games; by default the game's plain one.
        most: a search that visits more nodes is refused.

    Raises:
        InvalidSpec: there is no such algorithm to be traced.
        InvalidLimit: the depth is out of range, or the tree larger than `most`.
    """
    name, options = spec.split(algorithm)
    if name not in ALGORITHMS:
        raise spec.unknown("spec.unknown-traced", name, ALGORITHMS)
    traced: Traced = spec.build(ALGORITHMS[name], name, options)
    if not isinstance(traced, TracedMcts):
        traced.recorder.most = most
    leaves = position.game.default_evaluation if evaluation is None else evaluation
    win = int(rules.win_value(position.state))
    made = Trace(traced.spec, depth, unit=int(rules.unit(leaves)), win=win)
    limit = Limit(depth=depth)
    result = search(position, limit, algorithm=traced, evaluation=leaves)
    made.result = result
    if position.outcome() is not None:
        made.passes = [Pass(depth, _finished(position, int(result.value) * made.unit), 1)]
    elif isinstance(traced, TracedMcts):
        made.passes = [trace_of(traced, position)]
    else:
        made.passes = traced.recorder.passes
    return made


def _finished(position: Position, value: int) -> Node:
    """The tree of a game that is over."""
    ending = Ending.OVER if rules.is_over(position.state) else Ending.REPETITION
    return Node("", position, 0, 0, value=value, ending=ending, entered=1, left=1)
