"""The pie rule: instead of placing a first stone, `o` may take over the first stone of `x`."""

from __future__ import annotations

from papan.rules.bits import NONE, Bits, popcount
from papan.rules.dispatch import helper
from papan.rules.operations import State


@helper
def swappable(state: State) -> Bits:
    """Returns the stone that the side to move may take over, as a set; otherwise the empty set.

    Only the first stone of `x` can be taken over, while `o` has none. The state needs the fields
    `mine`, `theirs` and `side`.

    Taking over is a move onto that stone. It needs no move number of its own, is clicked on the
    stone, and respects symmetries:

        moves    return state.empty | swappable(state)
        play     if bit & swappable(state) != NONE:
                     return State(state.mine, bit, …, 0)   # `x` is to move, the stone is `o`'s

    If the sides have different goals, as in Hex, the game mirrors the stone as it changes sides.
    The rule makes a game one ply longer: include the ply in `max_plies_left`.

    Examples:
        >>> state = papan.game("hex:size=3,swap=yes").start_state()
        >>> squares(swappable(play(state, 4)))
        [4]
    """
    if state.side == 1 and state.mine == NONE and popcount(state.theirs) == 1:
        return state.theirs
    return state.theirs ^ state.theirs
