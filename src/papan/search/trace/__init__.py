"""Searches recorded step by step, for inspection.

record       the record: nodes, passes, the whole trace
log          the observer that records compiled searches, and the reader of its log
mcts         Monte Carlo tree search, recorded after each simulation
number_tree  minimax and alpha–beta on trees of given numbers

A trace is the search itself, compiled with an observer. Value, principal variation and number of
nodes equal those of the search without one.
"""

from __future__ import annotations

from papan.core import spec
from papan.core.game import Position
from papan.errors import InvalidSpec
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search import registry
from papan.search.algorithm import Algorithm, Task, search
from papan.search.limits import Limit, Stop, run_stoppable
from papan.search.result import SearchResult
from papan.search.trace.log import new_log, read_trees
from papan.search.trace.mcts import TracedMcts, trace_of
from papan.search.trace.record import MOST_NODES, Ending, Node, Pass, Trace


def trace(
    position: Position,
    depth: int,
    algorithm: str = "alphabeta",
    *,
    evaluation: Evaluation | None = None,
    most: int = MOST_NODES,
) -> Trace:
    """Returns a search to a depth with all its steps.

    Args:
        position: the root.
        depth: depth in plies.
        algorithm: the spec of an algorithm, with its options.
        evaluation: the evaluation of unfinished games; by default the game's own.
        most: largest number of nodes.

    Raises:
        InvalidSpec: the algorithm is unknown, or uses several threads.
        InvalidLimit: the depth is out of range, or the tree has more than `most` nodes.
    """
    limit = Limit(depth=depth)
    chosen = _recordable(algorithm)
    leaves = position.game.default_evaluation if evaluation is None else evaluation
    recording = Trace(chosen.spec, depth, unit=int(rules.unit(leaves)))
    if position.outcome() is not None:
        recording.result = search(position, limit, algorithm=chosen, evaluation=leaves)
        recording.passes = [
            Pass(
                depth, _tree_of_finished(position, int(recording.result.value) * recording.unit), 1
            )
        ]
        return recording
    if isinstance(chosen, TracedMcts):
        chosen.prepare(position, leaves, timed=False)
        recording.result = _last(chosen, Task(position, leaves, limit, Stop()))
        recording.passes = [trace_of(chosen, position)]
    else:
        chosen.observer = new_log(most)
        chosen.prepare(position, leaves, timed=False)
        chosen.observer = log = new_log(most)
        recording.result = _last(chosen, Task(position, leaves, limit, Stop()))
        recording.passes = read_trees(log, position, prunes=chosen.prunes)
    return recording


def _recordable(text: str) -> Algorithm:
    """Returns the algorithm of a spec in the form that can be recorded."""
    name, options = spec.split(text)
    if name == TracedMcts.name:
        traced: TracedMcts = spec.build(TracedMcts, name, options)
        return traced
    chosen = registry.algorithm(text)
    threads = getattr(chosen, "threads", 1)
    if threads > 1:  # steps of several threads have no order
        raise InvalidSpec("spec.bad-value", option="threads", text=threads, expected="1")
    return chosen


def _last(chosen: Algorithm, task: Task) -> SearchResult | None:
    """Returns the result of a search without a time limit; None if its log overflowed at once."""
    results: list[SearchResult] = []

    def work() -> None:
        chosen.begin(task)
        results.extend(chosen.steps(task))

    run_stoppable(work, task.stop)
    return chosen.finish(task, results[-1]) if results else None


def _tree_of_finished(position: Position, value: int) -> Node:
    """Returns the tree of a finished game."""
    ending = Ending.OVER if position.is_over() else Ending.REPETITION
    return Node("", position, 0, 0, value=value, ending=ending, entered=1, left=1)
