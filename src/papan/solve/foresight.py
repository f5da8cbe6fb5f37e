"""Look-ahead of one move by the rules alone.

- A move that wins at once is played.
- A move that allows the other side to win at once is not searched.
- A position in which all moves allow that is lost.

A game that can detect such moves from the state (`papan.rules.solving`) does not need to make them.
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
    """Returns whether the game detects safe moves and the history cannot turn them into draws."""
    # `is_replaced` is a compile-time constant: the compiler drops the rest for other games.
    if win_value(state) == 0 or not turns_alternate(state):
        return False
    return is_replaced(safe_moves, state) and workspace.history_hash == NONE


@helper
def wins_at_once(state: State) -> bool:
    """Returns whether the game's own rule detects a move that wins at once."""
    if win_value(state) == 0 or not is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def finds_win(state: State) -> bool:
    """Returns whether trying all moves finds one that wins at once.

    False if the game has its own rule.
    """
    # Costs as much as making all moves, so `prove` looks into the table first.
    if win_value(state) == 0 or is_replaced(can_win_at_once, state):
        return False
    return can_win_at_once(state)


@helper
def promising(state: State, workspace: Workspace) -> Moves:
    """Returns the moves to search: all moves except those that are known to lose at once."""
    if sees_far(state, workspace):
        return safe_moves(state)
    return moves(state)


@helper
def range_ahead(state: State, safe: Moves, ply: int) -> tuple[int, int]:
    """Returns bounds of a position at `ply` in which no move wins at once.

    Turns alternate, and a side can only end the game by winning it. Without a safe move the
    position is lost in two plies. With one, the next win is at least three plies away and the next
    loss four. If the game cannot last that long, the bound is a draw.
    """
    win, plies = win_value(state), max_plies_left(state)
    if not more(state, safe):
        return ply + 2 - win, ply + 2 - win
    lower = ply + 4 - win if plies >= 4 else 0
    upper = win - ply - 3 if plies >= 3 else 0
    return lower, upper
