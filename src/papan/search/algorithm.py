"""The base of every search algorithm: the task it is given, iterative deepening, the way in.

An algorithm is a dataclass of options with two duties: `prepare` compiles it for a game, `steps`
yields better and better results. Most algorithms only say how one depth is searched (`value_at`)
and inherit iterative deepening. `search` runs any of them in a thread of its own, so that time
limits, Ctrl-C and other threads can stop it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from papan.core import spec
from papan.core.game import Game, Position
from papan.rules import operations as rules
from papan.rules.operations import INFINITY, MAX_PLY, Evaluation, State
from papan.search.alphabeta.techniques import NoObserver
from papan.search.limits import Limit, Stop, run_stoppable
from papan.search.result import Bound, Line, SearchResult, winning_chance
from papan.search.workspace import Workspace, new_workspace, principal_variation

Window = tuple[int, int]
OPEN_WINDOW: Window = (-INFINITY, INFINITY)


@dataclass
class Task:
    """One search under way.

    Attributes:
        position: the root.
        evaluation: what values unfinished games.
        limit: when to end.
        stop: the switch that ends it.
        workspace: the memory of the main searching thread.
        started: `time.perf_counter()` when the clock was started.
    """

    position: Position
    evaluation: Evaluation
    limit: Limit
    stop: Stop
    workspace: Workspace = field(init=False)
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.workspace = new_workspace(self.position, self.limit.nodes)
        self.stop.watch(self.workspace, self.position)

    @property
    def state(self) -> State:
        """The root's state."""
        return self.position.state

    @property
    def key(self) -> np.uint64:
        """The root's key."""
        return np.uint64(self.position.key)

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> bool:
        """True if the search is to end."""
        return bool(self.workspace.stop) or self.stop.is_set()

    def result(
        self,
        algorithm: Algorithm,
        pv: tuple[str, ...],
        value: float,
        *,
        depth: int,
        proven: bool,
        bound: Bound = Bound.EXACT,
        lines: tuple[Line, ...] = (),
    ) -> SearchResult:
        """The result so far: a principal variation and its value in the game's own unit."""
        return SearchResult(
            position=self.position,
            algorithm=algorithm.spec,
            move=pv[0] if pv else None,
            value=value,
            bound=bound,
            depth=depth,
            nodes=algorithm.nodes(self),
            seconds=self.seconds,
            pv=pv,
            proven=proven,
            lines=lines,
            chance=None if proven else algorithm.chance(self, value),
            extra=algorithm.extra(self),
        )


@dataclass
class Algorithm(ABC):
    """A search algorithm with its options."""

    #: The name in specs.
    name: ClassVar[str]
    #: True if a search limited by depth alone goes through all smaller depths first.
    deepens: ClassVar[bool] = True
    #: True if branches are cut, so that a value may be a bound.
    prunes: ClassVar[bool] = True

    #: Searches of no more nodes than this are done sooner as plain Python than compiled.
    few_nodes: ClassVar[int] = 1000

    #: What takes notice of each step; see `papan.search.alphabeta.techniques`.
    observer: Any = field(init=False, repr=False, compare=False, default=NoObserver())

    def __post_init__(self) -> None:
        for key, facts in spec.options_of(type(self)).items():
            spec.check(key, getattr(self, key), facts)

    @abstractmethod
    def value_at(self, task: Task, depth: int) -> int:
        """Searches the root to `depth`; returns its value, leaves the pv in the workspace."""

    def prepare(self, position: Position, evaluation: Evaluation, *, timed: bool = True) -> None:
        """Compiles the algorithm for this game, or loads its machine code from the cache.

        Args:
            position: one of the game.
            evaluation: for unfinished games.
            timed: False if no search with a limit of time follows, which may take more code.
        """
        # The smoke test has run the rules near the start position; later, a rule may never end.
        start = position.game.start()
        tried = position if start.is_over() else start
        self.try_out(Task(tried, evaluation, Limit(depth=1), Stop()))
        if timed:
            self.prepare_for_time(position)

    def chance(self, task: Task, value: float) -> float | None:
        """The chance (0 … 1) that a value of this algorithm stands for; None where the evaluation
        knows none."""
        return winning_chance(task.evaluation, value)

    def try_out(self, task: Task) -> None:
        """Searches as little as has everything compiled."""
        self.value_at(task, 1)

    def prepare_for_time(self, position: Position) -> None:
        """Compiles what only searches with a limit of time use: nothing, if not overridden."""

    def evaluation_for(self, game: Game, limit: Limit) -> Evaluation:
        """The evaluation of unfinished games where none is given: the game's plain one, so that
        the results of all algorithms compare."""
        return game.default_evaluation

    def forget(self) -> None:
        """Drops what was kept from earlier searches."""

    def begin(self, task: Task) -> None:
        """Called when a search begins."""

    def steps(self, task: Task) -> Iterator[SearchResult]:
        """Results of growing depth; the last one may be cut short and is then left out."""
        for depth in self._depths(task):
            task.workspace.nodes += 1
            value = self.value_at(task, depth)
            if task.stopped:
                return
            result = self.result(task, depth, value)
            yield result
            if result.proven:
                return

    def result(self, task: Task, depth: int, value: int) -> SearchResult:
        """The result after the root was searched to `depth`."""
        write = task.position.game.write_move
        pv = tuple(write(move) for move in principal_variation(task.workspace))
        points = in_points(task.evaluation, task.state, int(value))
        proven = is_proven(task.state, int(value), depth)
        return task.result(self, pv, points, depth=depth, proven=proven)

    def finish(self, task: Task, result: SearchResult) -> SearchResult:
        """The last result with what is worth finding out only once, and the totals."""
        return replace(result, nodes=self.nodes(task), seconds=task.seconds)

    def nodes(self, task: Task) -> int:
        """Positions visited so far."""
        return int(task.workspace.nodes)

    def extra(self, task: Task) -> dict[str, Any]:
        """Numbers that only this algorithm has."""
        return {}

    @property
    def spec(self) -> str:
        """The canonical spec."""
        return spec.canonical(self.name, self)

    def _depths(self, task: Task) -> range:
        limit = task.limit
        deepest = min(limit.depth or MAX_PLY, MAX_PLY)
        return range(1 if self.deepens or not limit.only_depth else deepest, deepest + 1)


def in_points(evaluation: Evaluation, state: State, value: int) -> float:
    """A search's value in the game's own unit; whole numbers stay whole."""
    unit = 1 if rules.is_win_distance(state, value) else rules.unit(evaluation)
    return value // unit if value % unit == 0 else value / unit


def is_proven(state: State, value: int, depth: int) -> bool:
    """True if a deeper search could not change a value: the tree was searched to its end, or a
    win or loss was found where these stand apart from all heuristic values."""
    if depth >= rules.max_plies_left(state):
        return True
    return bool(rules.is_win_distance(state, value))


def search(
    position: Position,
    limit: Limit | None = None,
    *,
    algorithm: Algorithm,
    evaluation: Evaluation | None = None,
    on_result: Callable[[SearchResult], None] | None = None,
    stop: Stop | None = None,
) -> SearchResult:
    """Searches for the best move of a position.

    Args:
        position: the root.
        limit: when to end; without any, after a second.
        algorithm: what searches.
        evaluation: what values unfinished games; by default what `evaluation_for` says.
        on_result: called in the searching thread with each result on the way.
        stop: a switch with which any thread can end the search.

    Returns:
        The best result found; at the very least, a legal move. Where the game is over, the
        move is None and the value final.
    """
    limit = (limit or Limit()).or_default()
    if evaluation is None:
        evaluation = algorithm.evaluation_for(position.game, limit)
    if position.outcome() is not None:
        return _over(position, algorithm)
    algorithm.prepare(position, evaluation, timed=limit.seconds is not None)
    task = Task(position, evaluation, limit, stop or Stop())
    return _Runner(algorithm, task, on_result).run()


class _Runner:
    """Runs an algorithm's steps in a thread and ends them in time."""

    def __init__(
        self,
        algorithm: Algorithm,
        task: Task,
        on_result: Callable[[SearchResult], None] | None,
    ) -> None:
        self.algorithm, self.task, self.on_result = algorithm, task, on_result
        self.best = first_move_result(task, algorithm)

    def run(self) -> SearchResult:
        seconds = self.task.limit.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - self.task.seconds)
        run_stoppable(self._think, self.task.stop, seconds)
        return self.algorithm.finish(self.task, self.best)

    def _think(self) -> None:
        self.algorithm.begin(self.task)
        for result in self.algorithm.steps(self.task):
            self.best = result
            if self.on_result is not None:
                self.on_result(result)


def first_move_result(task: Task, algorithm: Algorithm) -> SearchResult:
    """The result of no search at all: the first legal move, valued by the evaluation."""
    move = task.position.moves()[0]
    value = in_points(task.evaluation, task.state, int(rules.evaluate(task.evaluation, task.state)))
    return _result_of_none(task.position, algorithm, move, value)


def _over(position: Position, algorithm: Algorithm) -> SearchResult:
    """The result for a finished game."""
    value = int(rules.final_value(position.state)) if position.is_over() else 0
    return _result_of_none(position, algorithm, None, value)


def _result_of_none(
    position: Position, algorithm: Algorithm, move: str | None, value: float
) -> SearchResult:
    """The result of having looked at the root alone."""
    over = move is None
    pv = () if move is None else (move,)
    return SearchResult(position, algorithm.spec, move, value, Bound.EXACT, 0, 1, 0.0, pv, over)
