"""The pie rule: `o` may take over the first stone of the game instead of setting one."""

from __future__ import annotations

from papan.rules.bits import NONE, Bits, popcount
from papan.rules.dispatch import helper
from papan.rules.operations import State


@helper
def swappable(state: State) -> Bits:
    """The stone that the side to move may take over, as a set: the first one of `x`, as long as `o`
    has none; else no stone. The state has the fields `mine`, `theirs` and `side`.

    Taking over is a move onto that stone, so that it needs no number of its own, is clicked where
    it lies, and goes along with symmetries:

        moves    return state.empty | swappable(state)
        play     if bit & swappable(state) != NONE:
                     return State(state.mine, bit, …, 0)   # `x` is to move, the stone is `o`'s

    Where the sides have goals of their own, as in Hex, the stone is mirrored on the way. Games with
    the rule last a ply longer: `max_plies_left` has to know.
    """
    if state.side == 1 and state.mine == NONE and popcount(state.theirs) == 1:
        return state.theirs
    return state.theirs ^ state.theirs
