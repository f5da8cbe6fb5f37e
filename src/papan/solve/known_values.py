"""Proven values of positions: from a tablebase if there is one, else from the solver.

A tablebase has the value of every move. Without one, or if it does not have the position, the
solver gets some time; values that are not proven by then are unknown.
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

#: The ending of a tablebase next to its game file: `mygame.py`, `mygame.db`.
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
        """The values as JSON has them."""
        moves = [value.as_dict() for value in self.moves]
        game, position = self.position.game.spec, str(self.position)
        return {"game": game, "position": position, "source": self.source, "moves": moves}


@dataclass(frozen=True)
class ProvenStanding:
    """The proven standing of a game at one of its positions.

    Attributes:
        winner: the side that wins with best play; empty for a draw.
        plies: to the end of the game; None for a draw, or where a win's length does not count.
        margin: what the winner wins by, where results are margins; else None.
    """

    winner: str
    plies: int | None
    margin: int | None = None


def beside(game: Game) -> str:
    """The path of the tablebase next to a game's file; empty if there is none."""
    file = loader.split(game.spec)
    path = str(Path(file[0]).expanduser().with_suffix(SUFFIX)) if file else ""
    return path if path and is_tablebase(path) else ""


def tablebase_of(game: Game, paths: Sequence[str] = ()) -> Tablebase | None:
    """The first tablebase of the game: of those at the paths, and of the one next to its file.

    Tablebases of another game or of other rules, and files that cannot be read, are skipped.
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
    """The value of each legal move: from the tablebase if it has them, else from `move_values`.

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
    """The values of a position's moves in a tablebase; None if it does not have them."""
    if tablebase is None or position.outcome() is not None or is_bound_by_history(position):
        return None
    try:
        values = tablebase.moves(position)
    except UsageError:
        return None
    win = int(win_value(position.state))
    return tuple(_as_proven(move, value, win) for move, value in values.items())


def is_bound_by_history(position: Position) -> bool:
    """True if the next occurrence of an earlier position ends the game: values then depend on the
    history, which a tablebase does not have (docs/solving.md: positions that are spent)."""
    limit = int(repetition_limit(position.state))
    return limit > 0 and max(Counter(position.past).values(), default=0) >= limit - 1


def _as_proven(move: str, value: ExactValue, win: int) -> ProvenMove:
    """A tablebase's value of a move in the solver's form."""
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
    """The proven standing at each position of a game, as far as it is known.

    Args:
        positions: of the game, the first one included.
        tablebase: where they are looked up first.
        limit: what each position may take that has to be solved. They are solved from the last one
            on; two in a row that are not are the end of it, since those before take longer.
        memory_mb: what tables may take, in MB.
        stop: a switch with which any thread can end the work.
        on_known: called with the number of each position that is known, and its standing.
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
    """The standing from the rules or a tablebase; None if neither has it."""
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
    """Returns the standing that the solver proves within the limit; None if it proves none."""
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
    """The standing of a position whose side to move wins (a positive sign), loses, or draws."""
    if sign == 0:
        return ProvenStanding("", None)
    other = "o" if position.side == "x" else "x"
    winner = position.side if sign > 0 else other
    return ProvenStanding(winner, plies, None if margin is None else abs(margin))
