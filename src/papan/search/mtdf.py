"""MTD(f): the minimax value found by null windows alone.

Source: Plaat, Schaeffer, Pijls & de Bruin, "Best-first fixed-depth minimax algorithms",
Artificial Intelligence 87, 1996, section 3. Each pass asks whether the value is at least beta; the
table remembers what earlier passes have found. The first guess is the value of the depth before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from papan.kernel.operations import INFINITY
from papan.search.algorithm import Task
from papan.search.memory import Memory


@dataclass
class Mtdf(Memory):
    """MTD(f) over alpha–beta with memory, inside iterative deepening."""

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
            value = self.bounded(task, depth, (beta - 1, beta))
            if value < beta:
                upper = value
            else:
                lower = value
                variation = (task.workspace.pv[0].copy(), int(task.workspace.pv_length[0]))
        # The best move is that of the last pass that proved a lower bound.
        task.workspace.pv[0], task.workspace.pv_length[0] = variation
        if not task.stopped:
            self._guess = value
        return value
