"""Repeated positions: when two positions count as equal, and how the rules treat a repetition.

A game may choose one of three rules:

    repetition_limit         a draw at a given occurrence of a position (papan.rules.operations)
    repetition_is_forbidden  a move that repeats a position of the game is illegal
    a field of its state     a draw after a number of plies without progress; `quiet_part`

Searches take the positions before the root into account. Games without such a rule compile to the
same code as without this module.
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

#: Keys include the count of plies without progress only if the draw is at most this many plies
#: away.
NEAR_DRAW = 40
_QUIET = zobrist_keys("quiet", NEAR_DRAW + 1)


@operation
def position_key(state: State) -> np.uint64:
    """The key by which the repetition rules compare positions; by default the key of the state.

    `key` must include everything that affects the rest of the game. Leave out here what the
    repetition rule ignores, such as the number of plies without progress or the side to move.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> bool(position_key(state) == key(state))
        True
    """


@position_key.register(tuple)
def _(state: State) -> np.uint64:
    return key(state)


@helper
def known_position_key(state: State, known: np.uint64) -> np.uint64:
    """Returns the `position_key` of a state whose key is already known."""
    return position_key(state) if is_replaced(position_key, state) else known


@helper
def next_position_key(state: State, old: np.uint64, move: int) -> np.uint64:
    """Returns the `position_key` after a move, where `old` is the key of the state."""
    if is_replaced(position_key, state):
        return position_key(play(state, move))
    return next_key(state, old, move)


@helper
def quiet_part(quiet: int, most: int) -> np.uint64:
    """Returns the part of a key for the plies without progress; 0 while the draw is far away.

    Use it for a rule like the 50-move rule of chess. A field of the state counts the plies, and
    `play` resets it to 0 after progress. When it reaches `most`, `moves` returns no moves and
    `final_value` is 0.

    The default key, which includes all fields, is correct, but with it a table treats a position as
    new after each detour. Instead combine a key of the other fields with this part by XOR. That key
    does not change while the draw is more than `NEAR_DRAW` plies away, where a search of smaller
    depth cannot see it. Proofs search deeper; they use `exact_key`, which includes all fields.

        def board_key(state):
            return mixed((state.mine, state.theirs, state.side))  # also the `position_key`

        def key(state):
            return board_key(state) ^ quiet_part(state.quiet, 100)

    Args:
        quiet: number of plies without progress.
        most: number of such plies that is a draw; 0 without such a rule.

    Examples:
        >>> int(quiet_part(0, 100))
        0
    """
    late = quiet - max(0, most - NEAR_DRAW)
    if late <= 0 or most == 0:
        return NONE
    return _QUIET[min(late, NEAR_DRAW)]  # larger only in made-up states
