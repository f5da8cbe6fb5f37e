"""Proven values of positions: from a tablebase if there is one, else from the solver.

A tablebase has the value of every move. Otherwise the solver gets some time, and values that are
not proven by then are unknown.
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

#: Suffix of a tablebase next to its game file: `mygame.py`, `mygame.db`.
SUFFIX = ".db"


@dataclass(frozen=True)
class MoveValues:
    """The values of a position's moves, as far as they are known.

    Attributes:
        position: the position.
        moves: the value of each legal move, in the game's order.
        source: `database` or `solver`.
    """

    position: Position
    moves: tuple[ProvenMove, ...]
    source: str

    def as_dict(self) -> dict[str, Any]:
        """Returns the values for JSON."""
        moves = [value.as_dict() for value in self.moves]
        game, position = self.position.game.spec, str(self.position)
        return {"game": game, "position": position, "source": self.source, "moves": moves}


@dataclass(frozen=True)
class ProvenStanding:
    """The proven result of a position in a game.

    Attributes:
        winner: the side that wins with best play; empty for a draw.
        plies: plies to the end of the game; None for a draw, or if the length does not count.
        margin: the final difference in games with margins; else None.
    """

    winner: str
    plies: int | None
    margin: int | None = None


def beside(game: Game) -> str:
    """Returns the path of the tablebase next to a game file; empty if there is none."""
    file = loader.split(game.spec)
    path = str(Path(file[0]).expanduser().with_suffix(SUFFIX)) if file else ""
    return path if path and is_tablebase(path) else ""


def tablebase_of(game: Game, paths: Sequence[str] = ()) -> Tablebase | None:
    """Returns the first tablebase of the game among the paths and the one next to its file.

    Tablebases of other games or rules, and unreadable files, are skipped.
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
    """Returns the value of each legal move, from the tablebase if it has them, else from
    `move_values`.

    Raises:
        InvalidLimit: The memory is out of range.
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
    """Returns the values of moves in a tablebase; None if it does not have the position."""
    if tablebase is None or position.outcome() is not None or is_bound_by_history(position):
        return None
    try:
        values = tablebase.moves(position)
    except UsageError:
        return None
    win = int(win_value(position.state))
    return tuple(_as_proven(move, value, win) for move, value in values.items())


def is_bound_by_history(position: Position) -> bool:
    """True if the next occurrence of an earlier position ends the game. Values then depend on
    the history, which a tablebase does not have (spent positions in docs/solving.md)."""
    limit = int(repetition_limit(position.state))
    return limit > 0 and max(Counter(position.past).values(), default=0) >= limit - 1


def _as_proven(move: str, value: ExactValue, win: int) -> ProvenMove:
    """Returns a tablebase value of a move in the solver's form."""
    if value.margin is not None:
        return ProvenMove(move, value.outcome, None, value.margin)
    if value.outcome not in ("win", "loss") or value.plies is None:
        return ProvenMove(move, "draw", None, 0)
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
    """Returns the proven result at each position of a game, as far as known.

    Args:
        positions: the positions of the game, including the first.
        tablebase: consulted first.
        limit: limit for each position to solve. Positions are solved from the last one backwards.
            The work ends after two unsolved positions in a row, because earlier ones take longer.
        memory_mb: memory limit of tables in MB.
        stop: a switch with which any thread can stop the work.
        on_known: called with the number and the result of each known position.
    """
    standings: list[ProvenStanding | None] = [None] * len(positions)
    vain = 0
    for ply in reversed(range(len(positions))):
        standing = standing_in(tablebase, positions[ply])
        if standing is None and vain < 2 and not (stop and stop.is_set()):
            standing = _solve_move(positions[ply], memory_mb, limit, stop)
            vain = 0 if standing else vain + 1
        standings[ply] = standing
        if standing is not None and on_known is not None:
            on_known(ply, standing)
    return tuple(standings)


def standing_in(tablebase: Tablebase | None, position: Position) -> ProvenStanding | None:
    """Returns the result from the rules or a tablebase; None if unknown."""
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
    """Returns the result that the solver proves within the limit; None otherwise."""
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
    """Returns the result of a position whose side to move wins (positive sign), loses or draws."""
    if sign == 0:
        return ProvenStanding("", None)
    other = "o" if position.side == "x" else "x"
    winner = position.side if sign > 0 else other
    return ProvenStanding(winner, plies, None if margin is None else abs(margin))
