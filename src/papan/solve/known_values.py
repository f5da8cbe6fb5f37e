"""Proven values of positions: from a tablebase if there is one, otherwise from the solver.

A tablebase has the value of every move. Without a tablebase, or if it lacks the position, the
solver runs for a limited time. Values that it does not prove in that time are unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papan.core.game import Game, Position
from papan.errors import Unsolved, UsageError
from papan.rules.operations import final_value, repetition_limit, win_value
from papan.search.limits import DEFAULT_MB, Limit, Stop
from papan.solve.base import OnProgress
from papan.solve.move_values import ProvenMove, move_values
from papan.solve.solve import solve, solver_of
from papan.tablebase.lookup import ExactValue, Tablebase
from papan.tablebase.store import is_tablebase
from papan.usercode import loader

#: File name ending of a tablebase next to its game file: `mygame.py`, `mygame.db`.
SUFFIX = ".db"


@dataclass(frozen=True)
class MoveValues:
    """The known values of a position's moves.

    Attributes:
        position: the position.
        moves: the value of each legal move, in the game's order.
        source: `database` or `solver`.
    """

    position: Position
    moves: tuple[ProvenMove, ...]
    source: str

    def as_dict(self) -> dict[str, Any]:
        """Returns the values as in JSON."""
        moves = [value.as_dict() for value in self.moves]
        game, position = self.position.game.spec, str(self.position)
        return {"game": game, "position": position, "source": self.source, "moves": moves}


@dataclass(frozen=True)
class ProvenStanding:
    """The proven result of a game from one of its positions.

    Attributes:
        winner: the side that wins with best play; empty for a draw.
        plies: plies to the end of the game; None for a draw, or if the length of a win does not
            count.
        margin: the winner's margin if results are margins; otherwise None.
    """

    winner: str
    plies: int | None
    margin: int | None = None


def beside(game: Game) -> str:
    """Returns the path of the tablebase next to a game's file; empty if there is none."""
    file = loader.split(game.spec)
    path = str(Path(file[0]).expanduser().with_suffix(SUFFIX)) if file else ""
    return path if path and is_tablebase(path) else ""


def tablebase_of(game: Game, paths: Sequence[str] = ()) -> Tablebase | None:
    """Returns the first tablebase of the game, from the paths or next to the game's file.

    Skips tablebases of another game or of other rules, and unreadable files.
    """
    for path in (*paths, beside(game)):
        try:
            if path:
                return Tablebase.open(path, game)
        except UsageError:
            continue
    return None


def known_values(
    position: Position,
    tablebase: Tablebase | None = None,
    *,
    memory_mb: float = DEFAULT_MB,
    limit: Limit | None = None,
    threads: int = 1,
    stop: Stop | None = None,
    on_progress: OnProgress | None = None,
) -> MoveValues:
    """Returns the value of each legal move, from the tablebase if possible, else by solving.

    Args:
        position: the position.
        tablebase: the tablebase to use first, if any.
        memory_mb: memory limit of tables, in MB.
        limit: time and nodes for the solver.
        threads: number of threads of the solver.
        stop: a switch by which any thread can stop the work.
        on_progress: called regularly in a separate thread.

    Raises:
        InvalidLimit: the memory is out of range.
    """
    values = values_in(tablebase, position)
    if values is not None:
        return MoveValues(position, values, "database")
    values = move_values(
        position,
        memory_mb=memory_mb,
        limit=limit,
        threads=threads,
        stop=stop,
        on_progress=on_progress,
    )
    return MoveValues(position, values, "solver")


def values_in(tablebase: Tablebase | None, position: Position) -> tuple[ProvenMove, ...] | None:
    """Returns the values of a position's moves in a tablebase; None if the tablebase lacks them."""
    if tablebase is None or position.outcome() is not None or is_bound_by_history(position):
        return None
    # All values or none: a mixture with the solver's would need a source for each move.
    try:
        values = tablebase.moves(position)
    except UsageError:
        return None
    win = int(win_value(position.state))
    return tuple(_as_proven(move, value, win) for move, value in values.items())


def is_bound_by_history(position: Position) -> bool:
    """Returns whether the next occurrence of an earlier position ends the game.

    Values then depend on the history, which a tablebase does not contain (docs/solving.md:
    positions that are spent).
    """
    limit = int(repetition_limit(position.state))
    return limit > 0 and max(Counter(position.past).values(), default=0) >= limit - 1


def _as_proven(move: str, value: ExactValue, win: int) -> ProvenMove:
    """Returns a tablebase's value of a move in the solver's form."""
    if value.margin is not None:
        return ProvenMove(move, value.outcome, None, value.margin)
    if value.outcome not in ("win", "loss") or value.plies is None:
        return ProvenMove(move, "draw", None, 0)
    # A tablebase has distances; the solver's values decrease with the distance.
    sign = 1 if value.outcome == "win" else -1
    return ProvenMove(move, value.outcome, value.plies, sign * (win - value.plies))


# --- the history of a game ------------------------------------------------------------------------


def value_history(
    positions: Sequence[Position],
    tablebase: Tablebase | None = None,
    *,
    limit: Limit,
    memory_mb: float = DEFAULT_MB,
    stop: Stop | None = None,
    on_known: Callable[[int, ProvenStanding], None] | None = None,
) -> tuple[ProvenStanding | None, ...]:
    """Returns the proven result from each position of a game; None for unknown ones.

    Args:
        positions: the positions of the game, including the first.
        tablebase: the tablebase to use first, if any.
        limit: limit for each position that must be solved. Positions are solved from the last
            backwards until two successive ones fail, because earlier ones take longer.
        memory_mb: memory limit of tables, in MB.
        stop: a switch by which any thread can stop the work.
        on_known: called with the index and the result of each known position.
    """
    standings: list[ProvenStanding | None] = [None] * len(positions)
    failures = 0
    for ply in reversed(range(len(positions))):
        # The tablebase is fast, so it is read for every position, even after two failures.
        standing = standing_in(tablebase, positions[ply])
        if standing is None and failures < 2 and not (stop and stop.is_set()):
            standing = _solve_move(positions[ply], memory_mb, limit, stop)
            failures = 0 if standing else failures + 1
        standings[ply] = standing
        if standing is not None and on_known is not None:
            on_known(ply, standing)
    return tuple(standings)


def standing_in(tablebase: Tablebase | None, position: Position) -> ProvenStanding | None:
    """Returns the result by the rules or from a tablebase; None if neither has it."""
    outcome = position.outcome()
    if outcome is not None:
        winner = "" if outcome.value == "draw" else outcome.value
        if not winner:
            return ProvenStanding("", None)
        if win_value(position.state) > 0:
            return ProvenStanding(winner, 0)
        return ProvenStanding(winner, None, abs(int(final_value(position.state))))
    if tablebase is None or is_bound_by_history(position):
        return None
    try:
        value = tablebase.value(position)
    except UsageError:
        return None
    sign = {"win": 1, "loss": -1}.get(value.outcome, 0)
    return _standing(position, sign, value.plies, value.margin)


def _solve_move(
    position: Position, memory_mb: float, limit: Limit, stop: Stop | None
) -> ProvenStanding | None:
    """Returns the result that the solver proves within the limit; None if it proves none."""
    if solver_of(position) is None:
        return None
    try:
        solution = solve(position, memory_mb=memory_mb, limit=limit, stop=stop)
    except Unsolved:
        return None
    margin = solution.value if win_value(position.state) == 0 else None
    return _standing(position, solution.value, solution.plies, margin)


def _standing(
    position: Position, sign: int, plies: int | None, margin: int | None
) -> ProvenStanding:
    """Returns the result of a position.

    Args:
        position: the position.
        sign: positive if the side to move wins, negative if it loses, 0 for a draw.
        plies: plies to the end of the game, if known.
        margin: the margin, if results are margins.
    """
    if sign == 0:
        return ProvenStanding("", None)
    other = "o" if position.side == "x" else "x"
    winner = position.side if sign > 0 else other
    return ProvenStanding(winner, plies, None if margin is None else abs(margin))
