"""A walk over moves in which one piece may go on and on, as in draughts.

`moves(state)` returns `chain(state, pieces)`. A piece either steps, and its move is over, or it
jumps, and goes on jumping as long as it can; where any can jump one must. A game registers
`movers`, the pieces that can go in a direction, and `gone`, the state after one went there.

    27          22 21 20 19 18          4 3       0
    [ source (6) ][first][second] …  [9th][ jumps (4) ]      0 jumps: one step

Directions have two bits each, the first of them highest, so that moves ascend as they are walked.
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

#: The largest number that such a move can have.
LARGEST_CHAIN = (1 << _SOURCE + 6) - 1


@operation
def movers(state: State, way: int) -> Bits:
    """The pieces that can go in a direction: 0 to 3 by a jump, after which they may go on, 4 to 7
    by a step in the same directions."""


@operation
def gone(state: State, place: int, way: int) -> tuple[State, int]:
    """The state after a piece went in a direction (see `movers`), the same side to move, and the
    place where the piece stands then."""


class Chain(NamedTuple):
    """The moves of a piece from the number `move` on, which is -1 if none is left, and those of the
    pieces on the `later` places: jumps (`first` 0) or steps (4)."""

    later: Bits
    move: int
    first: int


@helper
def chain(state: State, pieces: Bits) -> Chain:
    """The moves of a set of pieces, on a board of up to 64 places; the result of `moves(state)`."""
    movable, first = _movers(state, 0), 0
    if movable == NONE:
        movable, first = _movers(state, _STEPS), _STEPS
    return _chains(state, movable & pieces, first)


@helper
def _chains(state: State, sources: Bits, first: int) -> Chain:
    """The moves of pieces that have some."""
    move = -1
    if sources != NONE:
        move = _move_from(state, lowest(sources) << _SOURCE, first)
        sources = without_lowest(sources)
    return Chain(sources, move, first)


@helper
def _move_from(state: State, number: int, first: int) -> int:
    """The first move of the same piece from a number on; -1 for none."""
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
    """Returns the first chain of jumps of the same piece from a number on; -1 if there is none."""
    source = number >> _SOURCE
    while number >> _SOURCE == source:
        after, place, shift = state, source, _SOURCE
        while True:
            ways = _ways(after, place, 0)
            if ways == NONE:
                return number | (_SOURCE - shift) // _WAY_BITS
            least = number >> shift - _WAY_BITS & _LAST_WAY
            ways &= _ALL_WAYS << np.uint64(least)
            if ways == NONE:  # all ways from here have been walked: the next way to come here
                number = ((number >> shift) + 1) << shift
                break
            # If the way is greater than the least one, all directions below it are 0 already.
            shift -= _WAY_BITS
            number += (lowest(ways) - least) << shift
            after, place = gone(after, place, lowest(ways))
    return -1


@helper
def _step_from(state: State, number: int) -> int:
    """Returns the first step of the same piece from a number on; -1 if there is none."""
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
def chain_length(move: int) -> int:
    """Number of jumps in a move; 0 for a step."""
    return move & (1 << _COUNT_BITS) - 1


@helper
def chain_way(move: int, index: int) -> int:
    """The direction, 0 to 3, of a step (index 0) or of the jump that has `index` others before."""
    return move >> _SOURCE - _WAY_BITS * (index + 1) & _LAST_WAY


@helper
def chain_end(state: State, move: int) -> tuple[State, int]:
    """The state after all of a move, the same side to move, and the place of the piece then."""
    place, count = move >> _SOURCE, chain_length(move)
    if count == 0:
        return gone(state, place, _STEPS + chain_way(move, 0))
    for index in range(count):
        state, place = gone(state, place, chain_way(move, index))
    return state, place


def chain_places(move: int, steps: tuple[int, ...]) -> tuple[int, ...]:
    """The places of a move, the first one included, where a step in a direction adds `steps` of it
    to the number of the place, and a jump twice as much."""
    jumps = chain_length(move)
    way = [chain_way(move, index) for index in range(max(jumps, 1))]
    far = [steps[direction] * (2 if jumps else 1) for direction in way]
    return tuple(accumulate(far, initial=move >> _SOURCE))
