"""The observer that records a search, and the reader of its log.

A search is compiled for its observer as for any technique, so the recorded search is the same as
the search without an observer. Events are rows of integers:

    event | ply | number | low | high | nodes counted so far

`papan.search.alphabeta.techniques` defines `number`, `low` and `high` of each event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.errors import InvalidLimit
from papan.rules.operations import (
    INFINITY,
    State,
    value_above,
)
from papan.search.algorithm import Window
from papan.search.alphabeta.techniques import (
    ANSWERED,
    ENTERED,
    KNEW,
    LEAF,
    LEFT,
    REPEATED,
    TRIED,
    saw,
    saw_leaf,
)
from papan.search.result import Bound
from papan.search.trace.record import Ending, Node, Pass, Recorder, without_history
from papan.search.workspace import Workspace, repeats_after

_COLUMNS = 6
#: Largest number of rows of a node: tried, entered, known, left.
_ROWS_A_NODE = 4

#: Indices of `Log.head`.
ROWS, NODES, MOST = 0, 1, 2

#: Events that start a node.
_BEGINNINGS = (ENTERED, LEAF, REPEATED)


class Log(NamedTuple):
    """An observer that writes each event to the next row, up to a number of nodes.

    Attributes:
        rows: int64 of shape (rows, 6).
        head: int64: number of rows written, number of nodes seen, largest number of nodes.
    """

    rows: Any
    head: Any


def new_log(most: int) -> Log:
    """Returns an empty log with room for `most` nodes; a search with more nodes is stopped."""
    rows = np.zeros((_ROWS_A_NODE * (most + 1), _COLUMNS), dtype=np.int64)
    return Log(rows, np.array([0, 0, most], dtype=np.int64))


@saw.register(Log)
def _(
    observer: Log,
    event: int,
    ply: int,
    number: int,
    bounds: tuple[int, int],
    workspace: Workspace,
) -> None:
    head = observer.head
    if event in _BEGINNINGS:
        head[NODES] += 1
        if head[NODES] > head[MOST]:
            workspace.stop = 1
    if head[NODES] > head[MOST]:
        return
    row = observer.rows[head[ROWS]]
    row[0], row[1], row[2] = event, ply, number
    row[3], row[4], row[5] = bounds[0], bounds[1], workspace.nodes
    head[ROWS] += 1


@saw_leaf.register(Log)
def _(
    observer: Log,
    state: State,
    key: np.uint64,
    move: int,
    ply: int,
    value: int,
    workspace: Workspace,
) -> None:
    repeated = 1 if repeats_after(state, key, move, ply, workspace) else 0
    saw(observer, LEAF, ply + 1, move, (value, repeated), workspace)


def read_trees(log: Log, position: Position, *, prunes: bool) -> list[Pass]:
    """Returns the trees of a finished search, one for each pass over the root.

    Args:
        log: the log of the search.
        position: the root.
        prunes: False for a search without windows.

    Raises:
        InvalidLimit: the search was stopped because it had too many nodes.
    """
    if log.head[NODES] > log.head[MOST]:
        raise InvalidLimit("tree.too-large", most=int(log.head[MOST]))
    reader = _Reader(without_history(position), prunes)
    for row in log.rows[: log.head[ROWS]].tolist():
        reader.take(row)
    return reader.passes


@dataclass
class _Reader:
    """A builder of nodes from events.

    Attributes:
        root: the root's position without its history.
        prunes: False for a search without windows.
        passes: the trees so far.
        path: the nodes that were entered and not yet left.
        tried: by ply: the move into the node there, and its widest window.
        counted: nodes of all earlier passes.
        recorder: the recorder of the steps.
    """

    root: Position
    prunes: bool
    passes: list[Pass] = field(default_factory=list)
    path: list[Node] = field(default_factory=list)
    tried: dict[int, tuple[int, Window]] = field(default_factory=dict)
    counted: int = 0
    recorder: Recorder = field(default_factory=Recorder)

    def take(self, row: Sequence[int]) -> None:
        """Processes one event."""
        event, ply, number, low, high, nodes = row
        if event == TRIED:
            self.tried[ply] = (number, (low, high))
        elif event == ENTERED:
            self._enter(ply, number, (low, high))
        elif event in (KNEW, ANSWERED):
            self._know(self.path[ply], number, (low, high))
            if event == ANSWERED:
                self._answer(self.path[ply], low, high)
        elif event == LEAF:
            self._add_leaf(ply, number, low, bool(high))
        elif event == REPEATED:
            child = self._add(ply, number, self._window((low, high)))
            self.recorder.leave(child, 0, Ending.REPETITION)
        elif event == LEFT:
            self._leave(self.path[ply], number, low)
            if ply == 0:
                self.passes[-1].nodes, self.counted = nodes - self.counted, nodes

    def _enter(self, ply: int, depth: int, window: Window) -> None:
        if ply == 0:
            node = Node("", self.root, 0, depth, self._window(window))
            self.recorder.enter(node)
            self.passes.append(Pass(depth, node))
        else:
            node = self._add(ply, self.tried[ply][0], self._window(window))
            node.depth = depth
        self.path[ply:] = [node]

    def _add(self, ply: int, move: int, window: Window | None) -> Node:
        """Returns a new child of the node at the previous ply."""
        parent = self.path[ply - 1]
        assert parent.position is not None
        after = without_history(parent.position.after(move))
        node = Node(self.root.game.write_move(move), after, ply, parent.depth - 1, window)
        return self.recorder.enter(node, parent)

    def _add_leaf(self, ply: int, move: int, value: int, repeated: bool) -> None:
        """Adds a child that was evaluated from its parent; `value` is the parent's view."""
        parent, leaf = self.path[ply - 1].position, self._add(ply, move, None)
        assert parent is not None and leaf.position is not None
        quiet = Ending.OVER if leaf.position.is_over() else Ending.DEPTH
        own = value_above(parent.state, leaf.position.state, value)
        self.recorder.leave(leaf, own, Ending.REPETITION if repeated else quiet)

    def _window(self, window: Window) -> Window | None:
        return window if self.prunes else None

    def _know(self, node: Node, move: int, bounds: Window) -> None:
        """Records the memory's entry for the node."""
        if move >= 0:
            node.first = self.root.game.write_move(move)
        if bounds[0] > -INFINITY or bounds[1] < INFINITY:
            node.known = bounds

    def _answer(self, node: Node, lower: int, upper: int) -> None:
        """Ends the node with the value from the memory."""
        beta = INFINITY if node.window is None else node.window[1]
        self.recorder.leave(node, lower if lower >= beta else upper, Ending.TABLE)
        if lower != upper:
            node.bound = Bound.LOWER if lower >= beta else Bound.UPPER

    def _leave(self, node: Node, best_move: int, value: int) -> None:
        """Ends the node with the value of its search."""
        if not node.children:
            self.recorder.leave(node, value, Ending.OVER)
            return
        lower, upper = node.known or (-INFINITY, INFINITY)
        alpha, beta = node.window or (-INFINITY, INFINITY)
        if value > max(alpha, lower):
            best = self.root.game.write_move(best_move)
            moves = [child.move for child in node.children]
            # If a move was searched twice, the second search counts.
            node.best = len(moves) - 1 - moves[::-1].index(best)
        if value >= min(beta, upper) and node.position is not None:
            looked_at = {child.move for child in node.children}
            node.uncut = tuple(move for move in node.position.moves() if move not in looked_at)
        self.recorder.leave(node, value)
