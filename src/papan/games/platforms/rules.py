"""The rules of Platforms on bitboards.

A pawn steps to one of the eight neighbouring squares that is unoccupied and has steps left; the
square then has one step less. A player who cannot step loses.

The remaining steps (0 … 3) are stored in unary, so that a step needs no arithmetic:

    steps left    one two three
        0          0   0    0
        1          1   0    0
        2          1   1    0
        3          1   1    1
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.rules.bits import (
    NONE,
    Bits,
    bit,
    half_turn,
    lowest,
    popcount,
    surrounding,
    table,
    transformed,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.keys import zobrist_keys
from papan.rules.operations import (
    count_at,
    count_moves,
    final_value,
    is_over,
    key,
    max_plies_left,
    moves,
    next_key,
    order_hint,
    piece_at,
    play,
    symmetry_count,
    transform,
    transform_move,
    win_value,
)
from papan.rules.solving import strategy_move, strategy_value

#: Squares that a chess king reaches from each square.
NEIGHBOURS = table(surrounding)

#: A win at ply p of a search has the value WIN − p (the source's convention).
WIN = 1000

_STEPS = zobrist_keys("platforms steps", 64, 4)
_PAWN = zobrist_keys("platforms pawn", 2, 64)
_SIDE = zobrist_keys("platforms side", 1)[0]


class PlatformsState(NamedTuple):
    """A position of Platforms.

    `one`, `two` and `three` contain the squares with at least that many steps left. `mine` is the
    square of the pawn to move; `size` is the board's edge.
    """

    one: Bits
    two: Bits
    three: Bits
    mine: int
    theirs: int
    side: int
    size: int


@moves.register(PlatformsState)
def _(state: PlatformsState) -> Bits:
    return NEIGHBOURS[state.mine] & state.one & ~bit(state.theirs)


@count_moves.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return popcount(moves(state))


@play.register(PlatformsState)
def _(state: PlatformsState, move: int) -> PlatformsState:
    square = bit(move)
    return PlatformsState(
        # One step less in unary: clear the square's highest bit.
        state.one & ~(square & ~state.two),
        state.two & ~(square & ~state.three),
        state.three & ~square,
        state.theirs,
        move,
        1 - state.side,
        state.size,
    )


@is_over.register(PlatformsState)
def _(state: PlatformsState) -> bool:
    return moves(state) == NONE


@final_value.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return -WIN


@win_value.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return WIN


@max_plies_left.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return popcount(state.one) + popcount(state.two) + popcount(state.three)


@helper
def is_central(state: PlatformsState) -> bool:
    """Returns True if a half turn with exchanged pawns maps the position to itself."""
    size = state.size
    return bool(
        half_turn(state.one, size, size) == state.one
        and half_turn(state.two, size, size) == state.two
        and half_turn(state.three, size, size) == state.three
        and half_turn(bit(state.mine), size, size) == bit(state.theirs)
    )


@strategy_move.register(PlatformsState)
def _(state: PlatformsState) -> int:
    """The mirror strategy: answer each step with the one half a turn away.

    On a board of even size this answer is always legal, so the other side runs out of moves first.
    """
    if state.size % 2 == 1 or is_over(state):
        return -1
    answer = lowest(half_turn(bit(state.theirs), state.size, state.size))
    if moves(state) & bit(answer) != NONE and is_central(play(state, answer)):
        return answer
    return -1


@strategy_value.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return WIN - max_plies_left(state)


@order_hint.register(PlatformsState)
def _(state: PlatformsState, move: int) -> int:
    """Number of exits from the square."""
    return popcount(NEIGHBOURS[move] & state.one)


@helper
def steps_left(state: PlatformsState, square: int) -> int:
    """Returns the number of remaining steps of a square."""
    place = bit(square)
    return popcount(state.one & place) + popcount(state.two & place) + popcount(state.three & place)


@piece_at.register(PlatformsState)
def _(state: PlatformsState, place: int) -> int:
    """1 for the pawn of `x`, 2 for the pawn of `o`."""
    if place == state.mine:
        return 1 + state.side
    return 2 - state.side if place == state.theirs else 0


@count_at.register(PlatformsState)
def _(state: PlatformsState, place: int) -> int:
    return steps_left(state, place)


@key.register(PlatformsState)
def _(state: PlatformsState) -> np.uint64:
    result = _PAWN[state.side, state.mine] ^ _PAWN[1 - state.side, state.theirs]
    if state.side == 1:
        result ^= _SIDE
    rest = state.one
    while rest != NONE:
        square = lowest(rest)
        result ^= _STEPS[square, steps_left(state, square)]
        rest = without_lowest(rest)
    return result


@next_key.register(PlatformsState)
def _(state: PlatformsState, old: np.uint64, move: int) -> np.uint64:
    steps = steps_left(state, move)
    new = old ^ _SIDE ^ _PAWN[state.side, state.mine] ^ _PAWN[state.side, move]
    new ^= _STEPS[move, steps]
    if steps > 1:
        new ^= _STEPS[move, steps - 1]
    return new


@symmetry_count.register(PlatformsState)
def _(state: PlatformsState) -> int:
    return 8


@transform.register(PlatformsState)
def _(state: PlatformsState, index: int) -> PlatformsState:
    return PlatformsState(
        transformed(state.one, index, state.size, state.size),
        transformed(state.two, index, state.size, state.size),
        transformed(state.three, index, state.size, state.size),
        transform_move(state, state.mine, index),
        transform_move(state, state.theirs, index),
        state.side,
        state.size,
    )


@transform_move.register(PlatformsState)
def _(state: PlatformsState, move: int, index: int) -> int:
    return lowest(transformed(bit(move), index, state.size, state.size))
