"""Kernels of positions (`papan.core.compiled`): what Python needs of a state, in one call.

Arrays are checked for their bounds. After an exception, the caller repeats the rule in plain
Python, which names its line.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from papan.jit.compiler import border_kernel
from papan.jit.python_lists import append, new_list
from papan.rules import operations as rules
from papan.rules.operations import State
from papan.rules.repetition import next_position_key, position_key

#: The move of `reach` that stays at the state.
STAY = -1


@border_kernel
def reach(state: State, move: int, most: int) -> Any:
    """Returns the state after a legal move, or `state` itself for `STAY`, with all that a position
    needs of it.

    The result has these items:

        fields      the fields of the state, in a plain tuple
        codes       the legal moves, at most `most`
        keys        their position keys, if repetitions are forbidden
        settled     true if these are all legal moves, whatever the earlier positions
        side        the side to move
        over        true if the rules end the game
        final       the final value if the game can be over
        limit       the number of occurrences that are a draw
        forbids     true if repetitions are forbidden
        key         the position key
    """
    child = state if move == STAY else rules.play(state, move)
    codes, keys = new_list(), new_list()
    forbids, key = rules.repetition_is_forbidden(child), rules.key(child)
    rest, count = rules.moves(child), 0
    while count < most and rules.more(child, rest):
        code = rules.head(child, rest)
        append(codes, code)
        if forbids:
            append(keys, next_position_key(child, key, code))
        rest = rules.tail(child, rest)
        count += 1
    over = rules.is_over(child)
    return (
        child[0:],
        codes,
        keys,
        not (rules.more(child, rest) or rules.remembers(child)),
        rules.side_to_move(child),
        over,
        rules.final_value(child) if over or forbids else 0,
        rules.repetition_limit(child),
        forbids,
        position_key(child),
    )


@border_kernel
def look(state: State, places: NDArray[Any]) -> Any:
    """Returns the kinds of pieces and the numbers on places, in two lists."""
    kinds, numbers = new_list(), new_list()
    for place in places:
        append(kinds, rules.piece_at(state, place))
        append(numbers, rules.count_at(state, place))
    return kinds, numbers
