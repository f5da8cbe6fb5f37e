"""The base class of search algorithms: tasks, iterative deepening, and the function `search`.

An algorithm is a dataclass of options. `prepare` compiles it for a game, and `steps` yields better
and better results. Most algorithms define only how one depth is searched (`value_at`) and inherit
iterative deepening. `search` runs an algorithm in a separate thread, so that time limits, Ctrl-C
and other threads can stop it.
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
    """A running search.

    Attributes:
        position: the root.
        evaluation: the evaluation of unfinished games.
        limit: when to stop.
        stop: the switch that stops the search.
        workspace: the memory of the main search thread.
        started: `time.perf_counter()` at the start.
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
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> bool:
        """True if the search must stop."""
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
        """Returns the result so far.

        Args:
            algorithm: the algorithm.
            pv: the principal variation.
            value: its value in the game's own unit, from the view of the root's side to move.
            depth: the completed depth in plies.
            proven: whether a deeper search cannot change the value.
            bound: the relation of the value to the true value at this depth.
            lines: all principal variations, if there are several.
        """
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

    #: Name in specs.
    name: ClassVar[str]
    #: Whether a search that is limited only by depth also searches all smaller depths first.
    deepens: ClassVar[bool] = True
    #: Whether branches are pruned, so that a value may be a bound.
    prunes: ClassVar[bool] = True

    #: Searches of at most this many nodes are faster in plain Python than with compilation.
    few_nodes: ClassVar[int] = 1000

    #: Receives each event of the search; see `papan.search.alphabeta.techniques`.
    observer: Any = field(init=False, repr=False, compare=False, default=NoObserver())

    def __post_init__(self) -> None:
        for key, facts in spec.options_of(type(self)).items():
            spec.check(key, getattr(self, key), facts)

    @abstractmethod
    def value_at(self, task: Task, depth: int) -> int:
        """Searches the root to `depth`; returns its value and leaves the pv in the workspace."""

    def prepare(self, position: Position, evaluation: Evaluation, *, timed: bool = True) -> None:
        """Compiles the algorithm for a game, or loads its machine code from the cache.

        Args:
            position: a position of the game.
            evaluation: the evaluation of unfinished games.
            timed: False if no search with a time limit follows, which may need more compiled code.
        """
        # The smoke test has run the rules near the start position. A rule may hang in later ones.
        start = position.game.start()
        tried = position if start.is_over() else start
        self.try_out(Task(tried, evaluation, Limit(depth=1), Stop()))
        if timed:
            self.prepare_for_time(position)

    def chance(self, task: Task, value: float) -> float | None:
        """Returns the winning chance (0 … 1) for a value; None if the evaluation has no such
        scale.
        """
        return winning_chance(task.evaluation, value)

    def try_out(self, task: Task) -> None:
        """Runs the smallest search that compiles everything."""
        self.value_at(task, 1)

    def prepare_for_time(self, position: Position) -> None:
        """Compiles the code that only searches with a time limit use; nothing by default."""

    def evaluation_for(self, game: Game, limit: Limit) -> Evaluation:
        """Returns the default evaluation of unfinished games.

        It is the game's default evaluation, so that the results of all algorithms are comparable.
        """
        return game.default_evaluation

    def forget(self) -> None:
        """Discards data kept from earlier searches."""

    def begin(self, task: Task) -> None:
        """Called at the start of each search."""

    def steps(self, task: Task) -> Iterator[SearchResult]:
        """Yields results of growing depth; an interrupted last search yields no result."""
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
        """Returns the result after a search of the root to `depth`."""
        write = task.position.game.write_move
        pv = tuple(write(move) for move in principal_variation(task.workspace))
        points = in_points(task.evaluation, task.state, int(value))
        proven = is_proven(task.state, int(value), depth)
        return task.result(self, pv, points, depth=depth, proven=proven)

    def finish(self, task: Task, result: SearchResult) -> SearchResult:
        """Returns the last result with the totals, and with data that is computed only at the
        end.
        """
        return replace(result, nodes=self.nodes(task), seconds=task.seconds)

    def nodes(self, task: Task) -> int:
        """Returns the number of positions visited so far."""
        return int(task.workspace.nodes)

    def extra(self, task: Task) -> dict[str, Any]:
        """Returns numbers that only this algorithm reports."""
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
    """Returns a search's value in the game's own unit; an `int` if the result is whole."""
    unit = 1 if rules.is_win_distance(state, value) else rules.unit(evaluation)
    return value // unit if value % unit == 0 else value / unit


def is_proven(state: State, value: int, depth: int) -> bool:
    """Returns whether a deeper search cannot change a value.

    This holds if the tree was searched to its end, or if the value is that of a forced win or loss.
    """
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
        limit: when to stop; by default after one second.
        algorithm: the search algorithm.
        evaluation: the evaluation of unfinished games; by default `algorithm.evaluation_for`.
        on_result: called in the search thread with each intermediate result.
        stop: a switch by which any thread can stop the search.

    Returns:
        The best result found, with at least a legal move. If the game is over, the move is None and
        the value is final.
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
    """Runs an algorithm's steps in a thread and stops them in time."""

    def __init__(
        self,
        algorithm: Algorithm,
        task: Task,
        on_result: Callable[[SearchResult], None] | None,
    ) -> None:
        self.algorithm, self.task, self.on_result = algorithm, task, on_result
        self.best = first_move_result(task, algorithm)

    def run(self) -> SearchResult:
        seconds, processor = self.task.limit.seconds, self.task.limit.processor
        if seconds is not None and not processor:
            seconds = max(0.0, seconds - self.task.seconds)
        run_stoppable(self._think, self.task.stop, seconds, processor=processor)
        return self.algorithm.finish(self.task, self.best)

    def _think(self) -> None:
        self.algorithm.begin(self.task)
        for result in self.algorithm.steps(self.task):
            self.best = result
            if self.on_result is not None:
                self.on_result(result)


def first_move_result(task: Task, algorithm: Algorithm) -> SearchResult:
    """Returns the result without any search: the first legal move, and the evaluation of the
    root.
    """
    move = task.position.moves()[0]
    value = in_points(task.evaluation, task.state, int(rules.evaluate(task.evaluation, task.state)))
    return _result_of_none(task.position, algorithm, move, value)


def _over(position: Position, algorithm: Algorithm) -> SearchResult:
    """Returns the result for a finished game."""
    value = int(rules.final_value(position.state)) if position.is_over() else 0
    return _result_of_none(position, algorithm, None, value)


def _result_of_none(
    position: Position, algorithm: Algorithm, move: str | None, value: float
) -> SearchResult:
    """Returns a result for which only the root was visited."""
    over = move is None
    pv = () if move is None else (move,)
    return SearchResult(position, algorithm.spec, move, value, Bound.EXACT, 0, 1, 0.0, pv, over)
