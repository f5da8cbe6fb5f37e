"""Solving where a win's length counts: forced wins of growing length.

Two questions are asked for each number of plies: does the side to move win within them, does it
lose within them? Each is a null window of the search in `null_window`, which goes no deeper than
the question asks, and what it proves stays in its table for the next ones. So what is near the end
is proven first, however long the game might last; a draw, once no line had to be broken off.

Play that goes in circles needs no care on the way. Who can win within n plies comes nearer to the
win with every move, whatever the other side does, so that no position comes twice; only positions
that stood before the root, and are a draw when they come again, are looked for. Thus what the
table holds never depends on the path. docs/solving.md has the argument in full.
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
    """Solving by questions about longer and longer wins, where the length of a win counts."""

    method = "deepening"

    @classmethod
    def accepts(cls, position: Position) -> bool:
        state = position.state
        return win_value(state) > 0 and not repetition_is_forbidden(state)

    def exact(self, work: Work, state: State, ply: int, guess: int | None = None) -> int:
        """The value of a state at `ply`; the guess is of no use.

        Raises:
            Unsolved: there is no forced win as near as a search can look, nor a proven draw.
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
        """The bounds of a state at `ply`, after the questions for wins and losses that end the game
        at `plies`."""
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
        """Searches for longer and longer wins after all moves side by side."""
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
