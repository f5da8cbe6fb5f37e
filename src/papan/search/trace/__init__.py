"""Searches that are written down step by step, to be looked at.

record       what is written down: nodes, passes, the whole trace
log          the observer that compiled searches tell of each step, and how its notes are read
mcts         Monte-Carlo tree search, watched after each simulation
number_tree  minimax and alpha–beta on trees of given numbers

A trace is the search itself, compiled with an observer: value, principal variation and number of
nodes are those of the search without one.
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
    """A search to a depth with all its steps.

    Args:
        position: the root.
        depth: in plies.
        algorithm: the spec of an algorithm, with its options.
        evaluation: what values unfinished games; by default the game's plain one.
        most: a search that visits more nodes is refused.

    Raises:
        InvalidSpec: there is no such algorithm, or it has several threads.
        InvalidLimit: the depth is out of range, or the tree larger than `most`.
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
    """Builds the algorithm of a spec in the form that can be recorded."""
    name, options = spec.split(text)
    if name == TracedMcts.name:
        traced: TracedMcts = spec.build(TracedMcts, name, options)
        return traced
    chosen = registry.algorithm(text)
    threads = getattr(chosen, "threads", 1)
    if threads > 1:  # their steps have no order
        raise InvalidSpec("spec.bad-value", option="threads", text=threads, expected="1")
    return chosen


def _last(chosen: Algorithm, task: Task) -> SearchResult | None:
    """The result of a search without a limit of time; None if its log was full at once."""
    results: list[SearchResult] = []

    def work() -> None:
        chosen.begin(task)
        results.extend(chosen.steps(task))

    run_stoppable(work, task.stop)
    return chosen.finish(task, results[-1]) if results else None


def _tree_of_finished(position: Position, value: int) -> Node:
    """The tree of a game that is over."""
    ending = Ending.OVER if position.is_over() else Ending.REPETITION
    return Node("", position, 0, 0, value=value, ending=ending, entered=1, left=1)
