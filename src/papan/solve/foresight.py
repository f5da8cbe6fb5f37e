"""One move ahead, from the rules alone.

A move that wins at once is made; a move after which the other side wins at once is not searched;
and a position all of whose moves are of that kind is lost. A game that can tell such moves from the
state (`papan.rules.solving`) is spared making them.
"""

from __future__ import annotations

from papan.rules.bits import NONE
from papan.rules.dispatch import helper, is_replaced
from papan.rules.operations import (
    Moves,
    State,
    max_plies_left,
    more,
    moves,
    turns_alternate,
    win_value,
)
from papan.rules.solving import can_win_at_once, safe_moves
from papan.search.workspace import Workspace


@helper
def sees_far(state: State, workspace: Workspace) -> bool:
    """True if the game tells which moves are safe, and no earlier position may make them draws."""
    if win_value(state) == 0 or not turns_alternate(state):
        return False
    return is_replaced(safe_moves, state) and workspace.history_hash == NONE


@helper
def wins_at_once(state: State) -> bool:
    """True if the game says by itself that a move of the side to move wins at once."""
    if win_value(state) == 0 or not is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def finds_win(state: State) -> bool:
    """True if a move that wins at once is found by trying all; False where the game tells it."""
    if win_value(state) == 0 or is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def promising(state: State, workspace: Workspace) -> Moves:
    """The moves that are worth a search: all, without those that are known to lose at once."""
    if sees_far(state, workspace):
        return safe_moves(state)
    return moves(state)


@helper
def range_ahead(state: State, safe: Moves, ply: int) -> tuple[int, int]:
    """Bounds of a position at `ply` where no move wins at once.

    The sides alternate and each ends the game by winning it: without a safe move, the position is
    lost in two plies; with one, the next win is three plies away and the next loss four, unless the
    game does not last so long.
    """
    win, plies = win_value(state), max_plies_left(state)
    if not more(state, safe):
        return ply + 2 - win, ply + 2 - win
    lower = ply + 4 - win if plies >= 4 else 0
    upper = win - ply - 3 if plies >= 3 else 0
    return lower, upper
