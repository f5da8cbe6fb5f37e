"""The algorithms of the alpha–beta family: each combines techniques for one kernel.

alphabeta  no other technique                          only the requested depth
memory     a table                                     depth by depth
pvs        a table, null windows                       depth by depth
mtdf       a table; null windows only at the root      depth by depth
engine     see `papan.engine`
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import floor, log2
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.core.spec import option
from papan.rules.operations import INFINITY
from papan.search.algorithm import OPEN_WINDOW, Algorithm, Task, Window
from papan.search.alphabeta.negamax import bounded_value
from papan.search.alphabeta.techniques import NullWindow, Techniques
from papan.search.limits import LARGEST_MB, Limit, memory_of_machine
from papan.search.result import SearchResult
from papan.search.table import REPLACEMENTS, Table, hashfull, new_table, next_generation, probe

#: Size of the table in MB if the option `hash` does not set it: of a short search, of one second,
#: and the part of the machine's memory that it takes at most. A table that is larger than the
#: search needs costs time, because its memory is not in the processor's cache.
SHORT_MB, SECOND_MB, MEMORY_PART = 16.0, 64.0, 64


@dataclass
class AlphaBeta(Algorithm):
    """Fail-soft alpha–beta with an open window; moves are tried in the game's order.

    Users' algorithms derive from a class of this family and override `techniques`.
    """

    name = "alphabeta"
    deepens = False

    def techniques(self) -> Techniques:
        """Returns the techniques for each node."""
        return Techniques()

    def value_at(self, task: Task, depth: int) -> int:
        return self.search_window(task, depth, OPEN_WINDOW)

    def search_window(self, task: Task, depth: int, window: Window) -> int:
        """Returns the value of the root within a window."""
        techniques = self.techniques()._replace(observer=self.observer)
        root = (task.state, task.key, task.evaluation)
        return bounded_value(*root, depth, window, techniques, task.workspace)


@dataclass
class Remembering(AlphaBeta):
    """An algorithm with a transposition table that is kept between searches."""

    deepens = True

    hash: float = option(0.0, "option.hash", low=0.0, high=float(LARGEST_MB))
    replacement: str = option("two-big", "option.replacement", choices=tuple(REPLACEMENTS))
    slots: int = option(0, "option.slots", low=0, high=1 << 30)

    _table: Table | None = field(init=False, repr=False, compare=False, default=None)
    _table_content: object = field(init=False, repr=False, compare=False, default=None)
    _megabytes: float = field(init=False, repr=False, compare=False, default=SHORT_MB)

    @property
    def table(self) -> Table:
        """The table; created on first use."""
        if self._table is None:
            size = self.hash or self._megabytes
            self._table = new_table(size, self.replacement, self.slots or None)
        return self._table

    def techniques(self) -> Techniques:
        return Techniques(memory=self.table)

    def begin(self, task: Task) -> None:
        """Starts a new generation of the table; empties the table if the game or evaluation
        changed, or if this search needs a larger one.
        """
        self._megabytes = max(self._megabytes, megabytes_for(task.limit))
        # Includes the class, because evaluations without parameters are all equal empty tuples.
        evaluation, size = task.evaluation, self.slots or self.hash or self._megabytes
        content = (task.position.game, type(evaluation), evaluation, size)
        if content != self._table_content:
            self.forget()
        self._table_content = content
        self._table = next_generation(self.table)

    def finish(self, task: Task, result: SearchResult) -> SearchResult:
        """Returns the last result; moves from the table extend its variation to the full depth."""
        result = super().finish(task, result)
        position, moves = task.position, list(result.pv)
        for move in moves:
            position = position.play(move)
        while len(moves) < result.depth and (move := self._remembered_move(task, position)):
            moves.append(move)
            position = position.play(move)
        return replace(result, pv=tuple(moves))

    def _remembered_move(self, task: Task, position: Position) -> str:
        """Returns the table's move in a position; empty if it has no legal move."""
        key = np.uint64(position.key)
        entry = probe(self.table, position.state, key, 0, task.workspace)
        if entry.hit == 0 or entry.move not in position.codes():
            return ""
        return position.game.write_move(entry.move)

    def forget(self) -> None:
        """Empties the table."""
        self._table = None

    def extra(self, task: Task) -> dict[str, Any]:
        """Returns the filled share of the table and the hit rate of its probes (0 … 1)."""
        probes = int(task.workspace.probes)
        rate = int(task.workspace.table_hits) / probes if probes else 0.0
        return {"hashfull": round(hashfull(self.table), 4), "hit_rate": round(rate, 4)}


def megabytes_for(limit: Limit) -> float:
    """Returns the size of the table of a search that no option sets.

    Only the time changes it, so that searches with other limits are the same on each machine. A
    power of two, like the number of slots: a little more time does not empty the table.
    """
    most = memory_of_machine() / 2**20 / MEMORY_PART
    megabytes = max(SHORT_MB, min(SECOND_MB * (limit.seconds or 0.0), most))
    return 2.0 ** floor(log2(megabytes))


@dataclass
class Memory(Remembering):
    """Alpha–beta with memory and an open window."""

    name = "memory"


@dataclass
class Pvs(Remembering):
    """Principal variation search with an open window and moves in the game's order."""

    name = "pvs"

    def techniques(self) -> Techniques:
        return Techniques(memory=self.table, window=NullWindow())


@dataclass
class Mtdf(Remembering):
    """MTD(f): finds the minimax value with null windows only, inside iterative deepening.

    Source: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms",
    Artificial Intelligence 87, 1996, section 3. Each pass tests whether the value is at least beta.
    The table keeps the results of earlier passes. The first guess is the value of the previous
    depth.
    """

    name = "mtdf"

    _guess: int = field(init=False, repr=False, compare=False, default=0)

    def begin(self, task: Task) -> None:
        super().begin(task)
        self._guess = 0

    def value_at(self, task: Task, depth: int) -> int:
        value, lower, upper = self._guess, -INFINITY, INFINITY
        variation = (task.workspace.pv[0].copy(), 0)
        while lower < upper and not task.stopped:
            beta = value + 1 if value == lower else value
            value = self.search_window(task, depth, (beta - 1, beta))
            if value < beta:
                upper = value
            else:
                lower = value
                variation = (task.workspace.pv[0].copy(), int(task.workspace.pv_length[0]))
        # Only a pass that fails high (a lower bound) yields a best move, so the last such pass
        # counts.
        task.workspace.pv[0], task.workspace.pv_length[0] = variation
        if not task.stopped:
            self._guess = value
        return value
