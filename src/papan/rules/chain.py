"""Moves in which one piece may jump several times, as in draughts.

`moves(state)` returns `chain(state, pieces)`. A piece either makes one step, or it jumps until it
cannot jump any more. If any piece can jump, a jump is compulsory. A game registers `movers`, the
pieces that can move in a direction, and `gone`, the state after such a move.

    27          22 21 20 19 18          4 3       0
    [ source (6) ][first][second] …  [9th][ jumps (4) ]      0 jumps: one step

Directions have two bits each, with the first in the highest bits, so that moves are generated in
ascending order.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from papan.rules.bits import NONE, ONE, Bits, lowest, popcount, without_lowest
from papan.rules.dispatch import helper, operation
from papan.rules.operations import State, count_left, count_walked, head, more, tail

_WAY_BITS, _COUNT_BITS, _LONGEST = 2, 4, 9
_SOURCE = _COUNT_BITS + _WAY_BITS * _LONGEST
_LAST_WAY = (1 << _WAY_BITS) - 1
_STEPS = 1 << _WAY_BITS
_ALL_WAYS = np.uint64((1 << _STEPS) - 1)

#: The largest number of such a move.
LARGEST_CHAIN = (1 << _SOURCE + 6) - 1


@operation
def movers(state: State, way: int) -> Bits:
    """The pieces that can move in a direction.

    Directions 0 to 3 are jumps, which may be continued. Directions 4 to 7 are steps the same way.

    Examples:
        >>> state = papan.game("checkers").position("8/8/1o6/2x5/8/8/8/8 o 0").state
        >>> [popcount(movers(state, way)) for way in range(4)]
        [1, 0, 0, 0]
    """


@operation
def gone(state: State, place: int, way: int) -> tuple[State, int]:
    """The state after a piece moved in a direction (see `movers`), and the place where it is then.

    The side to move does not change.

    Examples:
        >>> state = papan.game("checkers").position("8/8/1o6/2x5/8/8/8/8 o 0").state
        >>> gone(state, lowest(movers(state, 0)), 0)[1]
        35
    """


class Chain(NamedTuple):
    """The remaining moves of one piece and of the pieces on the `later` places.

    Attributes:
        later: places of the pieces whose moves follow.
        move: the next move; −1 if no move is left.
        first: the first direction of the moves: 0 for jumps, 4 for steps.

    Examples:
        >>> state = papan.game("checkers").start_state()
        >>> moves(state).move
        170917888
    """

    later: Bits
    move: int
    first: int


@helper
def chain(state: State, pieces: Bits) -> Chain:
    """Returns the moves of a set of pieces, as the result of `moves(state)`; up to 64 places.

    Examples:
        >>> state = papan.game("checkers").start_state()
        >>> chain(state, NONE).move
        -1
    """
    movable, first = _movers(state, 0), 0
    if movable == NONE:
        movable, first = _movers(state, _STEPS), _STEPS
    return _chains(state, movable & pieces, first)


@helper
def _chains(state: State, sources: Bits, first: int) -> Chain:
    """Returns the moves of the pieces on `sources`, each of which can move."""
    move = -1
    if sources != NONE:
        move = _move_from(state, lowest(sources) << _SOURCE, first)
        sources = without_lowest(sources)
    return Chain(sources, move, first)


@helper
def _move_from(state: State, number: int, first: int) -> int:
    """Returns the piece's smallest move number that is at least `number`; −1 if there is none."""
    return _chain_from(state, number) if first == 0 else _step_from(state, number)


@helper
def _movers(state: State, first: int) -> Bits:
    """Returns the pieces that can jump (`first` 0) or step (4)."""
    pieces = NONE
    for way in range(_STEPS):
        pieces |= movers(state, first + way)
    return pieces


@helper
def _ways(state: State, place: int, first: int) -> Bits:
    """Returns the directions in which the piece on a place can jump (`first` 0) or step (4)."""
    ways = NONE
    for way in range(_STEPS):
        ways |= (movers(state, first + way) >> np.uint64(place) & ONE) << np.uint64(way)
    return ways


@helper
def _chain_from(state: State, number: int) -> int:
    """Returns the same as `_move_from`, for a piece that jumps."""
    source = number >> _SOURCE
    while number >> _SOURCE == source:
        after, place, shift = state, source, _SOURCE
        while True:
            ways = _ways(after, place, 0)
            if ways == NONE:
                return number | (_SOURCE - shift) // _WAY_BITS
            least = number >> shift - _WAY_BITS & _LAST_WAY
            ways &= _ALL_WAYS << np.uint64(least)
            if ways == NONE:  # all ways from here are done: take the next way to this place
                number = ((number >> shift) + 1) << shift
                break
            # If the way is larger than the least one, all later directions are already 0.
            shift -= _WAY_BITS
            number += (lowest(ways) - least) << shift
            after, place = gone(after, place, lowest(ways))
    return -1


@helper
def _step_from(state: State, number: int) -> int:
    """Returns the same as `_move_from`, for a piece that makes one step."""
    first = number >> _SOURCE - _WAY_BITS & _LAST_WAY
    ways = _ways(state, number >> _SOURCE, _STEPS) & _ALL_WAYS << np.uint64(first)
    if ways == NONE:
        return -1
    return number >> _SOURCE << _SOURCE | lowest(ways) << _SOURCE - _WAY_BITS


@more.register(tuple, Chain)
def _(state: State, rest: Chain) -> bool:
    return rest.move >= 0


@head.register(tuple, Chain)
def _(state: State, rest: Chain) -> int:
    return rest.move


@tail.register(tuple, Chain)
def _(state: State, rest: Chain) -> Chain:
    move = rest.move
    shift = _SOURCE - _WAY_BITS * max(chain_length(move), 1)
    next_ = ((move >> shift) + 1) << shift
    number = -1
    if next_ >> _SOURCE == move >> _SOURCE:
        number = _move_from(state, next_, rest.first)
    if number < 0:
        return _chains(state, rest.later, rest.first)
    return Chain(rest.later, number, rest.first)


@count_left.register(tuple, Chain)
def _(state: State, rest: Chain) -> int:
    if rest.move < 0 or rest.first == 0:
        return count_walked(state, rest)
    first = np.uint64(chain_way(rest.move, 0))
    count = popcount(_ways(state, rest.move >> _SOURCE, _STEPS) & _ALL_WAYS << first)
    for way in range(_STEPS):
        count += popcount(movers(state, way + _STEPS) & rest.later)
    return count


@helper
def count_chains(state: State, pieces: Bits) -> int:
    """Returns the number of moves of `chain`; a game may use it as its rule of `count_moves`.

    Examples:
        >>> state = papan.game("checkers").start_state()
        >>> count_chains(state, state.mine)
        7
    """
    if _movers(state, 0) & pieces != NONE:
        return count_walked(state, chain(state, pieces))
    count = 0
    for way in range(_STEPS, 2 * _STEPS):
        count += popcount(movers(state, way) & pieces)
    return count


@helper
def chain_length(move: int) -> int:
    """Returns the number of jumps in a move; 0 for a step.

    Examples:
        >>> state = papan.game("checkers").position("8/8/1o6/2x5/8/8/8/8 o 0").state
        >>> chain_length(head(state, moves(state)))
        1
    """
    return move & (1 << _COUNT_BITS) - 1


@helper
def chain_way(move: int, index: int) -> int:
    """Returns the direction, 0 to 3, of a step (index 0) or of the jump at position `index`."""
    return move >> _SOURCE - _WAY_BITS * (index + 1) & _LAST_WAY


@helper
def chain_end(state: State, move: int) -> tuple[State, int]:
    """Returns the state after a whole move, and the place of the piece then.

    The side to move does not change.

    Examples:
        >>> state = papan.game("checkers").position("8/8/1o6/2x5/8/8/8/8 o 0").state
        >>> chain_end(state, head(state, moves(state)))[1]
        35
    """
    place, count = move >> _SOURCE, chain_length(move)
    if count == 0:
        return gone(state, place, _STEPS + chain_way(move, 0))
    for index in range(count):
        state, place = gone(state, place, chain_way(move, index))
    return state, place


def chain_places(move: int, steps: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the places of a move, including the first.

    Args:
        move: the number of the move.
        steps: for each direction, the difference of place numbers of one step; a jump is two steps.

    Examples:
        >>> state = papan.game("checkers").start_state()
        >>> chain_places(head(state, moves(state)), (-9, -7, 7, 9))
        (40, 49)
    """
    jumps = chain_length(move)
    way = [chain_way(move, index) for index in range(max(jumps, 1))]
    far = [steps[direction] * (2 if jumps else 1) for direction in way]
    return tuple(accumulate(far, initial=move >> _SOURCE))
