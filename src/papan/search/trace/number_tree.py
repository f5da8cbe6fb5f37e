"""Minimax and alpha–beta on trees of given numbers, as in textbooks.

A tree is a number or a sequence of trees: `[[5, 2], [1, 3]]` is a tree of two plies. The number of
a leaf is its value for the first player, who moves at the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from papan.errors import UsageError
from papan.rules.operations import INFINITY
from papan.search.algorithm import OPEN_WINDOW
from papan.search.trace.record import Ending, Node, Pass, Recorder, Trace

Numbers = Union[int, Sequence["Numbers"]]  # noqa: UP007 # recursive, so it needs a string


def trace_numbers(numbers: Numbers, algorithm: str = "minimax") -> Trace:
    """Returns a search of a tree of given numbers with all its steps.

    Raises:
        UsageError: the algorithm is neither `minimax` nor `alphabeta`, or a node has no child.
    """
    if algorithm not in ("minimax", "alphabeta"):
        expected = "minimax | alphabeta"
        raise UsageError("spec.bad-value", option="algorithm", text=algorithm, expected=expected)
    recorder = Recorder()
    window = OPEN_WINDOW if algorithm == "alphabeta" else None
    root = recorder.enter(Node("", None, 0, _height(numbers), window))
    _value(numbers, root, recorder)
    passed = Pass(root.depth, root, root.size)
    return Trace(algorithm, root.depth, [passed])


def _height(numbers: Numbers) -> int:
    return 0 if isinstance(numbers, int) else 1 + max(map(_height, numbers), default=0)


def _value(numbers: Numbers, node: Node, recorder: Recorder) -> int:
    """Returns the value of an entered node for its side to move."""
    if isinstance(numbers, int):
        value = numbers if node.ply % 2 == 0 else -numbers
        recorder.leave(node, value, Ending.DEPTH)
        return value
    if not numbers:
        raise UsageError("spec.bad-value", option="tree", text="[]", expected="@word.int")
    alpha, beta = node.window or OPEN_WINDOW
    best = -INFINITY
    for index, below in enumerate(numbers):
        inner = node.window is not None and not isinstance(below, int)
        turned = (-beta, -alpha) if inner else None
        child = recorder.enter(Node("", None, node.ply + 1, node.depth - 1, turned), node)
        value = -_value(below, child, recorder)
        if value > best:
            best = value
            if value > alpha:
                node.best = index
                alpha = value if node.window is not None else alpha
                if value >= beta:
                    node.uncut = tuple(map(_leaves, numbers[index + 1 :]))
                    break
    recorder.leave(node, best)
    return best


def _leaves(numbers: Numbers) -> str:
    """Returns the numbers below a branch that was cut off."""
    return str(numbers) if isinstance(numbers, int) else " ".join(map(_leaves, numbers))
