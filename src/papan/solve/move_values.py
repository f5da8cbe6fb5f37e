"""The proven value of every move: win, draw or loss with its length, or unknown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from papan.core.game import Position
from papan.errors import Unsolved
from papan.rules.operations import win_value
from papan.search.limits import DEFAULT_MB, Limit, Stop, run_stoppable
from papan.solve.base import OnProgress, Solver, Work, plies_of, reporting
from papan.solve.solve import solver_of

#: A sign for each outcome, so that outcomes differ without colour; `None` means unknown.
SIGNS = {"win": "+", "draw": "=", "loss": "−", None: "?"}


@dataclass(frozen=True)
class ProvenMove:
    """The proven value of a legal move.

    Attributes:
        move: the move in the game's notation.
        outcome: `win`, `draw` or `loss` for the side that makes it; None if unknown.
        plies: plies to the end of the game, including the move, for the shortest win and the
            longest loss. None for a draw, if the length of a win does not count, or if unknown.
        value: the mover's view, in the unit of `Solution.value`; None if unknown.
    """

    move: str
    outcome: str | None
    plies: int | None
    value: int | None

    @property
    def sign(self) -> str:
        """`+` for a win, `=` for a draw, `−` for a loss, `?` if unknown."""
        return SIGNS[self.outcome]

    def as_dict(self) -> dict[str, Any]:
        """Returns the value as in JSON."""
        facts = {"outcome": self.outcome, "plies": self.plies, "value": self.value}
        return {"move": self.move, **facts}


def move_values(
    position: Position,
    *,
    memory_mb: float = DEFAULT_MB,
    limit: Limit | None = None,
    threads: int = 1,
    stop: Stop | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[ProvenMove, ...]:
    """Returns the proven value of each legal move, in the game's order.

    The tuple is empty if the game is over. Values that cannot be proven within the limit are
    unknown. Near wins and losses are proven first, so that they are known even if other values are
    not.

    Raises:
        InvalidLimit: the memory is out of range.
    """
    if position.outcome() is not None:
        return ()
    # `values` is filled while the solver runs, so that a limit leaves what is proven so far.
    work = Work(position, memory_mb, limit or Limit(), stop or Stop(), True, threads)
    solver, values = solver_of(position), dict[int, int]()
    if solver is not None:
        solver.prepare(position)
        with reporting(work, on_progress):
            run_stoppable(lambda: _fill(solver(), work, values), work.switch, work.limit.seconds)
    return tuple(_describe(position, code, values.get(code)) for code in position.codes())


def _fill(solver: Solver, work: Work, values: dict[int, int]) -> None:
    """Adds the values of moves to `values` until a limit is reached."""
    with suppress(Unsolved):
        solver.find_values(work, values)


def _describe(position: Position, code: int, value: int | None) -> ProvenMove:
    """Returns the value of a move with its outcome."""
    move = position.game.write_move(code)
    if value is None:
        return ProvenMove(move, None, None, None)
    outcome = "win" if value > 0 else "loss" if value < 0 else "draw"
    win = int(win_value(position.state))
    return ProvenMove(move, outcome, plies_of(win, value), value)
