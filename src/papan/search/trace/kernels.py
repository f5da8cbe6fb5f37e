"""The kernels of minimax, alpha–beta and alpha–beta with memory in plain Python, each step of
which is written down.

They follow `papan.search.minimax`, `alphabeta` and `memory` line by line and work on the same
workspace and the same table with the same helpers, so that they find the same, repetitions and
replacement in the table included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from papan.core.game import Position
from papan.kernel.operations import (
    INFINITY,
    State,
    head,
    is_over,
    max_plies_left,
    more,
    moves,
    next_key,
    play,
    tail,
    terminal_value,
)
from papan.search.algorithm import Task
from papan.search.frontier import child_key, leaf_value
from papan.search.remembering import Known, consult, next_move, remember
from papan.search.result import Bound
from papan.search.table import Table
from papan.search.trace.record import OPEN_WINDOW, Ending, Node, Pass, Recorder, Window
from papan.search.workspace import (
    end_pv,
    enter,
    enter_salted,
    extend_pv,
    leave,
    repeats,
    should_stop,
    start_pv,
    watch_return,
)


@dataclass
class Kernels:
    """One search with its recorder.

    Attributes:
        task: the search under way; its workspace is used as the compiled kernels use it.
        recorder: where the steps go.
        pruning: whether branches are cut; without, it is minimax.
        table: the transposition table, where there is one.
    """

    task: Task
    recorder: Recorder
    pruning: bool = True
    table: Table | None = None

    def search(self, depth: int, window: Window) -> int:
        """The root's value; adds a pass to the record."""
        state, key, workspace = self.task.state, self.task.key, self.task.workspace
        shown = Position(self.task.position.game, state)
        root = Node("", shown, 0, depth, window if self.pruning else None)
        passed = Pass(depth, root)
        before = int(workspace.nodes)
        first = not self.recorder.passes or self.recorder.passes[-1].depth != depth
        self.recorder.passes.append(passed)
        self.recorder.enter(root)
        value = self._value(state, key, root)
        passed.nodes = int(workspace.nodes) - before + int(first)
        return value

    def _value(self, state: State, key: Any, node: Node) -> int:
        """The value of an entered node, which is left with it."""
        if self.table is not None:
            node.depth = min(node.depth, max_plies_left(state))
        if node.depth <= 1:
            value = self._frontier(state, key, node)
        elif self.table is None:
            value = self._plain(state, key, node)
        else:
            value = self._remembering(state, key, node, self.table)
        return value

    def _frontier(self, state: State, key: Any, node: Node) -> int:
        """A node whose children are leaves; see `frontier`."""
        task, workspace = self.task, self.task.workspace
        alpha, beta = node.window or OPEN_WINDOW
        start_pv(workspace, node.ply)
        best, best_move = -INFINITY, -1
        codes = list(_walk(state))
        for index, move in enumerate(codes):
            child_state = play(state, move)
            child = self._enter(node, move, child_state, None)
            below = child_key(state, key, move)
            if repeats(state, below, node.ply + 1, workspace):
                ending = Ending.REPETITION
            else:
                ending = Ending.OVER if is_over(child_state) else Ending.DEPTH
            value = int(leaf_value(state, key, task.evaluation, move, node.ply, workspace))
            self.recorder.leave(child, -value, ending)
            if value > best:
                best, best_move = value, move
                node.best = index
                if value >= beta:
                    self._cut(node, codes[index + 1 :])
                    break
        if not codes:
            return self._over(state, node)
        workspace.nodes += len(node.children)
        if best > alpha:
            end_pv(workspace, node.ply, best_move)
        else:
            node.best = -1
        self.recorder.leave(node, best)
        return best

    def _plain(self, state: State, key: Any, node: Node) -> int:
        """A node without a table; see `minimax` and `alpha_beta`."""
        workspace, ply = self.task.workspace, node.ply
        start_pv(workspace, ply)
        if should_stop(workspace):
            return 0
        enter(state, key, ply, workspace)
        alpha, beta = node.window or OPEN_WINDOW
        best = -INFINITY
        codes = list(_walk(state))
        for index, move in enumerate(codes):
            workspace.nodes += 1
            value = self._child(state, child_key(state, key, move), node, move, (alpha, beta))
            if value > best:
                best = value
                if value > alpha:
                    alpha = value if self.pruning else alpha
                    self._raised(node, move)
                    if value >= beta:
                        self._cut(node, codes[index + 1 :])
                        break
        leave(state, key, workspace)
        if best == -INFINITY:
            return self._over(state, node)
        self.recorder.leave(node, best)
        return best

    def _remembering(self, state: State, key: Any, node: Node, table: Table) -> int:
        """A node with a table; see `alpha_beta_with_memory`."""
        workspace, ply, depth = self.task.workspace, node.ply, node.depth
        start_pv(workspace, ply)
        if should_stop(workspace):
            return 0
        known = consult(table, state, key, depth, ply, node.window or OPEN_WINDOW, workspace)
        self._note_known(node, known)
        if known.answered == 1:
            self.recorder.leave(node, known.value, Ending.TABLE)
            return int(known.value)
        before = (int(workspace.nodes), int(workspace.path_dependent))
        enter_salted(state, key, ply, workspace)
        alpha, beta = int(known.alpha), int(known.beta)
        best, best_move = -INFINITY, -1
        rest = moves(state)
        move = known.move
        if move < 0:
            move, rest = next_move(state, rest, -1)
        while move >= 0:
            workspace.nodes += 1
            watch_return(state, move, workspace)
            value = self._child(state, next_key(state, key, move), node, int(move), (alpha, beta))
            if value > best:
                best, best_move = value, int(move)
                if value > alpha:
                    alpha = value
                    self._raised(node, best_move)
                    if value >= beta:
                        self._cut(node, list(_others(state, rest, known.move)))
                        break
            move, rest = next_move(state, rest, known.move)
        leave(state, key, workspace)
        if best == -INFINITY:
            return self._over(state, node)
        remember(table, state, key, depth, ply, known, (best, best_move), before, workspace)
        self.recorder.leave(node, best)
        return best

    def _child(self, state: State, below: Any, node: Node, move: int, window: Window) -> int:
        """The value of the position after `move` with the key `below`, to the mover."""
        workspace, ply = self.task.workspace, node.ply + 1
        turned = (-window[1], -window[0])
        child_state = play(state, move)
        child = self._enter(node, move, child_state, turned if self.pruning else None)
        if repeats(state, below, ply, workspace):
            start_pv(workspace, ply)
            self.recorder.leave(child, 0, Ending.REPETITION)
            return 0
        return -self._value(child_state, below, child)

    def _enter(self, parent: Node, move: int, state: State, window: Window | None) -> Node:
        game = self.task.position.game
        shown = Position(game, state)
        node = Node(game.write_move(move), shown, parent.ply + 1, parent.depth - 1, window)
        return self.recorder.enter(node, parent)

    def _over(self, state: State, node: Node) -> int:
        """The value of a finished game, whose node is left with it."""
        value = int(terminal_value(self.task.evaluation, state, node.ply))
        self.recorder.leave(node, value, Ending.OVER)
        return value

    def _raised(self, node: Node, move: int) -> None:
        extend_pv(self.task.workspace, node.ply, move)
        node.best = len(node.children) - 1

    def _cut(self, node: Node, rest: list[int]) -> None:
        node.uncut = tuple(map(self.task.position.game.write_move, rest))

    def _note_known(self, node: Node, known: Known) -> None:
        """What the table said to the node."""
        if known.move >= 0:
            node.first = self.task.position.game.write_move(int(known.move))
        if known.lower > -INFINITY or known.upper < INFINITY:
            node.known = (int(known.lower), int(known.upper))
        if known.answered == 1 and known.lower != known.upper:
            low = known.value == known.lower
            node.bound = Bound.LOWER if low else Bound.UPPER


def _walk(state: State) -> Iterator[int]:
    """The legal moves in the game's order."""
    yield from _others(state, moves(state), -1)


def _others(state: State, rest: Any, tried: int) -> Iterator[int]:
    """The moves of `rest` other than `tried`."""
    while more(state, rest):
        move = int(head(state, rest))
        rest = tail(state, rest)
        if move != tried:
            yield move
