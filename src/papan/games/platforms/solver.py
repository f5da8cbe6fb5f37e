"""Values and bounds of Platforms that are known without search, for solving."""

from __future__ import annotations

import numpy as np

from papan.games.platforms.rules import NEIGHBOURS, WIN, PlatformsState, is_central
from papan.rules.bits import ROW, bit, popcount
from papan.rules.dispatch import helper
from papan.rules.operations import max_plies_left, moves, play
from papan.rules.solving import StaticBounds, exact_key, solving_hint, static_bounds

_PAWN_SHIFT = np.uint64(56)  # boards up to 6 × 6 leave the last two rows of the frame free


@exact_key.register(PlatformsState)
def _(state: PlatformsState) -> tuple[np.uint64, np.uint64]:
    """The complete position; only which side is `x` is left out.

    word 0   steps left, low binary digit of each square (48 bits) | own pawn's square (8)
    word 1   steps left, high digit of each square (48 bits)       | other pawn's square (8)
    """
    low = (state.one & ~state.two) | state.three
    return (
        low | (np.uint64(state.mine) << _PAWN_SHIFT),
        state.two | (np.uint64(state.theirs) << _PAWN_SHIFT),
    )


@static_bounds.register(PlatformsState)
def _(state: PlatformsState, ply: int) -> StaticBounds:
    """A win takes an odd number of plies, a loss an even one; neither exceeds the remaining steps.

    On a board of even size, a position that a half turn with exchanged pawns maps to itself is
    lost: the other side answers each step with the one half a turn away.
    """
    steps = max_plies_left(state)
    longest_win = steps - 1 + steps % 2
    longest_loss = steps - steps % 2
    late_win = WIN - ply - longest_win
    late_loss = -(WIN - ply - longest_loss)
    early_win = WIN - ply - 1
    if faces_itself(state):
        early_win = late_loss
    return StaticBounds(-(WIN - ply - 2), early_win, late_loss, late_win)


@helper
def faces_itself(state: PlatformsState) -> bool:
    """Returns True if the mirror strategy wins for the side not to move."""
    corners = (ROW + 1) * (state.size - 1)  # sum of a square and its image
    return state.size % 2 == 0 and state.mine + state.theirs == corners and is_central(state)


@solving_hint.register(PlatformsState)
def _(state: PlatformsState, move: int) -> int:
    """Own exits minus twice the opponent's exits."""
    child = play(state, move)
    ways = popcount(NEIGHBOURS[move] & child.one & ~bit(child.mine))
    return ways - 2 * popcount(moves(child))
