"""What searches with a transposition table have in common at each node and around each search."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.core.spec import option
from papan.kernel.dispatch import helper
from papan.kernel.operations import INFINITY, Moves, State, head, more, tail
from papan.search.algorithm import Algorithm, Task
from papan.search.limits import LARGEST_MB
from papan.search.result import SearchResult
from papan.search.table import (
    REPLACEMENTS,
    Entry,
    Table,
    hashfull,
    new_table,
    next_generation,
    probe,
    store,
)
from papan.search.workspace import Workspace, end_pv


class Known(NamedTuple):
    """What the table says to a node before it is searched.

    Attributes:
        answered: 1 if nothing is left to search, because `value` says enough.
        value: the answer.
        alpha: the window, narrowed by what is known.
        beta: the same.
        lower: the bounds known of the value at just this depth.
        upper: the same.
        move: the move to try first, or −1.
    """

    answered: int
    value: int
    alpha: int
    beta: int
    lower: int
    upper: int
    move: int


@helper
def consult(
    table: Table,
    state: State,
    key: np.uint64,
    depth: int,
    ply: int,
    window: tuple[int, int],
    workspace: Workspace,
) -> Known:
    """Asks the table about a node. Bounds are used only if they are of exactly this depth, so
    that a search returns the values of plain minimax."""
    alpha, beta = window
    entry = probe(table, state, key, ply, workspace)
    if entry.found == 0:
        return Known(0, 0, alpha, beta, -INFINITY, INFINITY, -1)
    if entry.depth != depth:
        return Known(0, 0, alpha, beta, -INFINITY, INFINITY, entry.move)
    answered = entry.lower >= beta or entry.upper <= alpha or entry.lower == entry.upper
    if answered and (ply > 0 or entry.move >= 0):
        if entry.move >= 0:
            end_pv(workspace, ply, entry.move)
        value = entry.lower if entry.lower >= beta else entry.upper
        return Known(1, value, alpha, beta, entry.lower, entry.upper, entry.move)
    alpha, beta = max(alpha, entry.lower), min(beta, entry.upper)
    return Known(0, 0, alpha, beta, entry.lower, entry.upper, entry.move)


@helper
def remember(
    table: Table,
    state: State,
    key: np.uint64,
    depth: int,
    ply: int,
    known: Known,
    best: tuple[int, int],
    before: tuple[int, int],
    workspace: Workspace,
) -> None:
    """Stores what a node was found to be worth.

    A result that hangs on the path by which the node was reached (a draw by repetition below it),
    or of a search cut short, is not for others and is dropped.

    Args:
        known: what `consult` said.
        best: the best value and its move.
        before: `nodes` and `path_dependent` of the workspace when the node was entered.
    """
    value, move = best
    nodes, path_dependent = before
    if workspace.stop != 0 or workspace.path_dependent != path_dependent:
        return
    lower = max(known.lower, value) if value > known.alpha else known.lower
    upper = min(known.upper, value) if value < known.beta else known.upper
    entry = Entry(1, depth, lower, upper, move)
    store(table, state, key, ply, entry, workspace.nodes - nodes, workspace)


@helper
def next_move(state: State, rest: Moves, tried: int) -> tuple[int, Moves]:
    """The next move of `rest` other than `tried`, and those after it; −1 if there is none."""
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        if move != tried:
            return move, rest
    return -1, rest


@dataclass
class Remembering(Algorithm):
    """An algorithm with a transposition table, kept from search to search."""

    hash: float = option(16.0, "option.hash", low=0.001, high=float(LARGEST_MB))
    replacement: str = option("two-big", "option.replacement", choices=tuple(REPLACEMENTS))
    slots: int = option(0, "option.slots", low=0, high=1 << 30)

    _table: Table | None = field(init=False, repr=False, compare=False, default=None)
    _subject: object = field(init=False, repr=False, compare=False, default=None)

    @property
    def table(self) -> Table:
        """The table, made when it is first needed."""
        if self._table is None:
            self._table = new_table(self.hash, self.replacement, self.slots or None)
        return self._table

    def begin(self, task: Task) -> None:
        """Ages the table; empties it if it tells of another game or evaluation."""
        # The class too: evaluations without parameters are all the same empty tuple.
        subject = (task.position.game, type(task.evaluation), task.evaluation)
        if subject != self._subject:
            self.forget()
        self._subject = subject
        self._table = next_generation(self.table)

    def finish(self, task: Task, result: SearchResult) -> SearchResult:
        """The last result; where the table has cut its variation short, the table continues it."""
        result = super().finish(task, result)
        position, moves = task.position, list(result.pv)
        for move in moves:
            position = position.play(move)
        while len(moves) < result.depth and (move := self._remembered_move(task, position)):
            moves.append(move)
            position = position.play(move)
        return replace(result, pv=tuple(moves))

    def _remembered_move(self, task: Task, position: Position) -> str:
        """The table's move in a position, if it has a legal one."""
        key = np.uint64(position.key)
        entry = probe(self.table, position.state, key, 0, task.workspace)
        if entry.found == 0 or entry.move not in position.codes():
            return ""
        return position.game.write_move(entry.move)

    def forget(self) -> None:
        """Empties the table."""
        self._table = None

    def extra(self, task: Task) -> dict[str, Any]:
        """How full the table is and how often it knew a position (0 … 1)."""
        probes = int(task.workspace.probes)
        rate = int(task.workspace.table_hits) / probes if probes else 0.0
        return {"hashfull": round(hashfull(self.table), 4), "hit_rate": round(rate, 4)}
