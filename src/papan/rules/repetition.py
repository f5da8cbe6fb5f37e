"""Positions that come again: what counts as the same, and what the rules make of it.

A game says one of three things about them, or nothing:

    repetition_limit         the third occurrence, say, is a draw (papan.rules.operations)
    repetition_is_forbidden  a move that leads back to a position of the game is illegal
    a field of its state     the game is a draw after so many plies without progress; `quiet_part`

Searches see the positions of the game before the root too. A game that says nothing is compiled
to what it would be without this module.
"""

from __future__ import annotations

import numpy as np

from papan.rules.bits import NONE
from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.keys import zobrist_keys
from papan.rules.operations import (
    State,
    key,
    next_key,
    play,
)

#: A key tells how long there has been no progress where the draw is no more plies away than this.
NEAR_DRAW = 40
_QUIET = zobrist_keys("quiet", NEAR_DRAW + 1)


@operation
def position_key(state: State) -> np.uint64:
    """A number that is the same for positions which count as the same where the rules ask whether
    one stood before; default: the key of the state.

    A key must tell everything that makes a difference to the rest of the game. What a rule of
    repetition does not look at, as the plies without progress, or whose turn it is, is left out
    here.
    """


@position_key.register(tuple)
def _(state: State) -> np.uint64:
    return key(state)


@helper
def known_position_key(state: State, known: np.uint64) -> np.uint64:
    """The `position_key` of a state whose key is known."""
    return position_key(state) if is_replaced(position_key, state) else known


@helper
def next_position_key(state: State, old: np.uint64, move: int) -> np.uint64:
    """The `position_key` after a move, where `old` is the key of the state."""
    if is_replaced(position_key, state):
        return position_key(play(state, move))
    return next_key(state, old, move)


@helper
def quiet_part(quiet: int, most: int) -> np.uint64:
    """The part of a key that stands for the plies without progress, where `most` are a draw;
    0 for no such rule.

    For a rule such as chess has it: a field of the state counts plies, `play` sets it to 0 where
    there is progress, `moves` gives none when it has come to `most`, `final_value` is 0 there.
    That alone is right, since a key has all fields unless a game says otherwise; but tables take a
    position for another one after each detour. A key made of the other fields, `^` this part, is
    the same while the draw is more than `NEAR_DRAW` plies away: no search that looks less far
    ahead can tell them apart. Proofs look farther; their `exact_key` has all fields anyway.

        def board_key(state):
            return mixed((state.mine, state.theirs, state.side))  # also the `position_key`

        def key(state):
            return board_key(state) ^ quiet_part(state.quiet, 100)
    """
    late = quiet - max(0, most - NEAR_DRAW)
    if late <= 0 or most == 0:
        return NONE
    return _QUIET[min(late, NEAR_DRAW)]  # no counter of a game is greater, but one that is made up
