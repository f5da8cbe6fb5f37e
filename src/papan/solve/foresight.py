"""Looking one move ahead, from the rules alone.

A winning move is played at once. A move after which the other side wins at once is not searched. A
position with only such moves is lost. Games that define `papan.rules.solving` operations find these
moves without playing them.
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
    """True if the game defines `safe_moves`, and no earlier position can make these moves draws."""
    if win_value(state) == 0 or not turns_alternate(state):
        return False
    return is_replaced(safe_moves, state) and workspace.history_hash == NONE


@helper
def wins_at_once(state: State) -> bool:
    """True if the game's own rule finds a move that wins at once."""
    if win_value(state) == 0 or not is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def finds_win(state: State) -> bool:
    """True if trying all moves finds a win at once; false if the game defines its own rule."""
    if win_value(state) == 0 or is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def promising(state: State, workspace: Workspace) -> Moves:
    """Returns the moves to search: all, except moves that are known to lose at once."""
    if sees_far(state, workspace):
        return safe_moves(state)
    return moves(state)


@helper
def range_ahead(state: State, safe: Moves, ply: int) -> tuple[int, int]:
    """Returns the bounds of a position at `ply` without a move that wins at once.

    The sides alternate, and each ends the game by winning. Without a safe move, the position is
    lost in two plies. With a safe move, the next win is three plies away and the next loss four,
    unless the game ends before.
    """
    win, plies = win_value(state), max_plies_left(state)
    if not more(state, safe):
        return ply + 2 - win, ply + 2 - win
    lower = ply + 4 - win if plies >= 4 else 0
    upper = win - ply - 3 if plies >= 3 else 0
    return lower, upper
