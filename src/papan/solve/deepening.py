"""Solver for games in which the length of a win counts: forced wins of growing length.

For each number of plies, two null-window searches (`null_window`) test whether the side to move
wins and whether it loses within this number. The depth is limited to the number, and all proofs
stay in the table. So positions near the end are proven first, however long the game may be. A draw
is proven once no line was cut off.

Cycles need no special care. A side that can win within n plies gets nearer to the win with every
move, so no position occurs twice. The search only checks for positions before the root whose next
occurrence is a draw. So table entries never depend on the path; docs/solving.md has the argument.
"""

from __future__ import annotations

from papan.core.game import Position
from papan.rules.operations import (
    MAX_PLY,
    State,
    is_over,
    play,
    repetition_is_forbidden,
    terminal_points,
    value_above,
    win_value,
)
from papan.solve.base import Work
from papan.solve.null_window import NullWindowSolver


class DeepeningSolver(NullWindowSolver):
    """Solver by null windows for wins of growing length."""

    method = "deepening"

    @classmethod
    def accepts(cls, position: Position) -> bool:
        state = position.state
        return win_value(state) > 0 and not repetition_is_forbidden(state)

    def exact(self, work: Work, state: State, ply: int, guess: int | None = None) -> int:
        """Returns the value of a state at `ply`; the guess is ignored.

        Raises:
            Unsolved: There is neither a forced win within the search depth nor a proven draw.
        """
        win = win_value(state)
        lower, upper = ply + 1 - win, win - ply - 1
        for plies in range(ply + 1, MAX_PLY):
            lower, upper = self.narrow_bounds(work, state, ply, plies, (lower, upper))
            if lower == upper:
                return lower
        raise work.unsolved_error("solve.too-deep", text=work.position, value=MAX_PLY)

    def narrow_bounds(
        self, work: Work, state: State, ply: int, plies: int, bounds: tuple[int, int]
    ) -> tuple[int, int]:
        """Returns the bounds of a state at `ply` after testing wins and losses that end at
        `plies`."""
        lower, upper = bounds
        if is_over(state):
            lower = upper = int(terminal_points(state, ply))
        win = win_value(state)
        for beta in (win - plies, plies - win + 1):
            if lower < beta <= upper:
                bound = self.ask(work, state, ply, beta)
                lower, upper = (bound, upper) if bound >= beta else (lower, bound)
        return lower, upper

    def find_values(self, work: Work, values: dict[int, int]) -> None:
        """Searches for wins of growing length after all moves in parallel."""
        state = work.position.state
        widest = win_value(state) - 2  # where the game goes on after the move
        left = {code: (-widest, widest) for code in work.position.codes() if code not in values}
        for plies in range(2, MAX_PLY):
            for code, bounds in list(left.items()):
                child = play(state, code)
                left[code] = bounds = self.narrow_bounds(work, child, 1, plies, bounds)
                if bounds[0] == bounds[1]:
                    values[code] = value_above(state, child, left.pop(code)[0])
            if not left:
                return
