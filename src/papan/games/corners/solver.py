"""Solver of Corners endgames, in which positions can repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from papan.core.game import Position
from papan.errors import Unsolved
from papan.games.corners.retrograde import Graph, new_graph, place_all, result_of, solve_graph
from papan.games.corners.rules import BOTTOM_RIGHT, REPETITION, TOP_LEFT, WIN, CornersState
from papan.rules.operations import MAX_PLY, State, play
from papan.rules.solving import exact_key
from papan.solve.base import SolvedRoot, Work, best_of
from papan.solve.deepening import DeepeningSolver
from papan.solve.null_window import NullWindowSolver
from papan.tablebase.codec import LOST, WON, outcome_of, plies_of

#: Nodes for a first search for a near win: a tenth of a second, against the second or more that a
#: graph of many positions takes.
FIRST_LOOK = 100_000

#: Nodes spent on looking for a win when the graph is too large, for each of its positions: about
#: as long as the graph has taken.
NODES_A_POSITION = 2


@exact_key.register(CornersState)
def _(state: CornersState) -> tuple[np.uint64, np.uint64]:
    """The pieces of both sides; the mover's pieces are complemented if it is the second side."""
    return ~state.mine if state.side == 1 else state.mine, state.theirs


class EndgameSolver(NullWindowSolver):
    """Solves Corners by a search for a forced win, then by the graph of all reachable positions."""

    method = "ending"

    @classmethod
    def accepts(cls, position: Position) -> bool:
        return isinstance(position.state, CornersState)

    @classmethod
    def prepare(cls, position: Position) -> None:
        super().prepare(position)
        work = Work(position, 1.0)
        finished = CornersState(TOP_LEFT, BOTTOM_RIGHT, 0)
        graph = new_graph(work, [])
        place_all(graph)
        solve_graph(graph, finished, work)
        result_of(graph, finished)

    def solve(self, work: Work) -> SolvedRoot:
        root = None if work.every else self.find_forced_win(work, FIRST_LOOK)
        if root is not None:
            return root
        graph = new_graph(work, drawn_next_time(work.position))
        solved = solve_graph(graph, work.position.state, work)
        if solved is not None:
            return _answer(solved, work)
        root = (
            None
            if work.every
            else self.find_forced_win(work, NODES_A_POSITION * int(graph.size[0]))
        )
        if root is None:
            raise work.too_large()
        return root

    def find_values(self, work: Work, values: dict[int, int]) -> None:
        """Finds near wins and losses, then uses the graph; if it is too large, searches deeper."""
        near = DeepeningSolver()
        with up_to(work, FIRST_LOOK):
            return near.find_values(work, values)
        try:
            super().find_values(work, values)
        except Unsolved:
            if work.must_stop:
                raise
            near.find_values(work, values)

    def find_forced_win(self, work: Work, nodes: int) -> SolvedRoot | None:
        """Returns the shortest forced win of either side, if it is found within `nodes`."""
        with up_to(work, nodes):
            return self._deepen(work)
        return None

    def _deepen(self, work: Work) -> SolvedRoot | None:
        """Searches for wins and losses of increasing length; a win takes an odd number of plies."""
        state = work.position.state
        for plies in range(1, MAX_PLY):
            value = WIN - plies if plies % 2 == 1 else plies - WIN
            beta = value if value > 0 else value + 1
            if (self.ask(work, state, 0, beta) >= beta) == (value > 0):
                return SolvedRoot(value, plies, self.as_good_as(work, value), {})
        return None


@contextmanager
def up_to(work: Work, nodes: int) -> Iterator[None]:
    """Ends the `with` block after a number of nodes; the work itself continues.

    Raises:
        Unsolved: the work as a whole has ended.
    """
    workspace = work.workspace
    allowed = workspace.node_limit
    workspace.node_limit = min(allowed, workspace.nodes + nodes)
    try:
        yield
    except Unsolved:
        if work.must_stop:
            raise
        workspace.stop = 0
    finally:
        workspace.node_limit = allowed


def drawn_next_time(position: Position) -> list[int]:
    """Returns the keys of positions that are a draw at their next occurrence."""
    counts = Counter(position.past)
    return [key for key, times in counts.items() if times >= REPETITION - 1]


def _answer(graph: Graph, work: Work) -> SolvedRoot:
    """Returns the root's value and best moves in the solved graph."""
    position = work.position
    values = {code: -_value(graph, play(position.state, code)) for code in position.codes()}
    best = max(values.values())
    return best_of(values, WIN - abs(best) if best else None)


def _value(graph: Graph, state: State) -> int:
    """Returns the value of a position one ply below the root, side to move's view."""
    code = int(result_of(graph, state))
    sign = {WON: 1, LOST: -1}.get(outcome_of(code), 0)
    return sign * (WIN - plies_of(code) - 1)
