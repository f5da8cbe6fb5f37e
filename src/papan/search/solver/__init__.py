"""Exact solving: what best play by both sides comes to, proven. See docs/solving.md."""

from papan.search.solver.solution import Progress, Solution
from papan.search.solver.solve import (
    can_begin,
    certainly_solves,
    cheap_solution,
    prepare,
    solve,
)

__all__ = [
    "Progress",
    "Solution",
    "can_begin",
    "certainly_solves",
    "cheap_solution",
    "prepare",
    "solve",
]
