"""Solving games in which the length of a win counts: forced wins of growing length.

For each number of plies there are two tests: can the side to move win within them, and does it lose
within them? Each test is a null window of the search in `null_window`, which searches no deeper
than the test requires. Proofs stay in the table for later tests. Results near the end are therefore
proven first, however long the game may last. A draw is proven once no line was cut off.

Cycles need no special treatment. With a win in n plies, each move of the winner brings the win
nearer, whatever the other side does, so no position occurs twice. Only positions that occurred
before the root, and are a draw when repeated, need a check. So the contents of the table never
depend on the path. docs/solving.md has the full argument.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    """Solves games in which the length of a win counts, by tests for longer and longer wins."""

    method = "deepening"

    @classmethod
    def accepts(cls, position: Position) -> bool:
        state = position.state
        return win_value(state) > 0 and not repetition_is_forbidden(state)

    def close_in(
        self, work: Work, state: State, ply: int, guess: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yields the bounds after the tests for each length of a win; ignores the guess.

        Raises:
            Unsolved: neither a forced win within the depth of a search nor a draw could be proven.
        """
        win = win_value(state)
        lower, upper = ply + 1 - win, win - ply - 1
        # The bounds exclude that the game is over at `ply`; `narrow_bounds` handles that case.
        for plies in range(ply + 1, MAX_PLY):
            lower, upper = self.narrow_bounds(work, state, ply, plies, (lower, upper))
            yield lower, upper
            if lower == upper:
                return
        raise work.unsolved_error("solve.too-deep", text=work.position, value=MAX_PLY)

    def narrow_bounds(
        self, work: Work, state: State, ply: int, plies: int, bounds: tuple[int, int]
    ) -> tuple[int, int]:
        """Returns the bounds of a state at `ply` after the tests for an end at ply `plies`."""
        lower, upper = bounds
        if is_over(state):
            lower = upper = int(terminal_points(state, ply))
        win = win_value(state)
        for beta in (win - plies, plies - win + 1):
            # A test outside the bounds is answered already.
            if lower < beta <= upper:
                bound = self.ask(work, state, ply, beta)
                lower, upper = (bound, upper) if bound >= beta else (lower, bound)
        return lower, upper

    def find_values(self, work: Work, values: dict[int, int]) -> None:
        """Tests all moves for longer and longer wins, one length at a time."""
        state = work.position.state
        widest = win_value(state) - 2  # limit of the values if the move does not end the game
        left = {code: (-widest, widest) for code in work.position.codes() if code not in values}
        # All moves at one length before the next length: after a stop, the short results of all
        # moves are known, not all results of the first moves.
        for plies in range(2, MAX_PLY):
            for code, bounds in list(left.items()):
                child = play(state, code)
                left[code] = bounds = self.narrow_bounds(work, child, 1, plies, bounds)
                if bounds[0] == bounds[1]:
                    values[code] = value_above(state, child, left.pop(code)[0])
            if not left:
                return
