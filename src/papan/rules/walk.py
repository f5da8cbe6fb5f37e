"""Iteration over moves that do not fit in one set of squares.

The result of `moves(state)` decides how moves are visited. A set of squares stands for one move for
each square. Other games return one of these:

    from_to(state, sources)          moves from place to place: a game registers `targets`
    from_to_choice(state, sources)   the same in several variants: `targets` and `choices`
    from_to_then(state, sources)     the same with a third place: `targets` and `thirds`
    scan(state)                      any moves, found one after the other: `next_move`

A game may also return a class of its own and register `more`, `head` and `tail`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.bits import NONE, Bits, capacity, lowest, nth_square, popcount, without_lowest
from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.operations import (
    Moves,
    State,
    count_left,
    count_moves,
    head,
    more,
    nth_left,
    tail,
)
from papan.rules.splitmix import GOLDEN, below, scramble
from papan.rules.wide import WORD

Walk = Any  # a FromTo, FromToChoice or FromToThen

# --- operations that a game registers -------------------------------------------------------------


@operation
def targets(state: State, source: int) -> Bits:
    """The places to which the piece on a place can move; empty if it cannot move.

    Examples:
        >>> state = papan.game("breakthrough").start_state()
        >>> squares(targets(state, moves(state).source))
        [40, 41]
    """


@operation
def choices(state: State, source: int, target: int) -> int:
    """The number of variants of a move from one place to another, from 1 to 7.

    Example: four for a pawn that is promoted. Several variants have the choices 1, 2, …; a single
    one has choice 0.

    Examples:
        >>> state = papan.game("chess").start_state()
        >>> choices(state, 48, 40)
        1
    """


@operation
def thirds(state: State, source: int, target: int) -> Bits:
    """The third places of the moves from one place to another; empty if there is no such move.

    Examples: the place that an arrow is shot at, the piece that is captured.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> walk = moves(state)
        >>> popcount(thirds(state, walk.source, lowest(walk.targets)))
        14
    """


@operation
def next_move(state: State, after: int) -> int:
    """The smallest number of a legal move above `after`; −1 if there is none.

    Examples:
        >>> from typing import NamedTuple
        >>> class Pile(NamedTuple):
        ...     left: int
        >>> @next_move.register(Pile)
        ... def _(state: Pile, after: int) -> int:
        ...     return after + 1 if after < state.left - 1 else -1
        >>> [next_move(Pile(2), after) for after in (-1, 0, 1)]
        [0, 1, -1]
    """


@operation
def count_ways(state: State, walk: Walk, source: int, found: Bits) -> int:
    """Number of moves of the piece on a place to the places `found`, in a walk of this class.

    Default: one for each place.

    Examples:
        >>> state = papan.game("breakthrough").start_state()
        >>> walk = moves(state)
        >>> count_ways(state, walk, walk.source, walk.targets)
        2
    """


@operation
def nth_way(state: State, walk: Walk, source: int, found: Bits, index: int) -> int:
    """The move at position `index` of those that `count_ways` counts.

    Examples:
        >>> state = papan.game("breakthrough").start_state()
        >>> walk = moves(state)
        >>> nth_way(state, walk, walk.source, walk.targets, 1)
        3113
    """


@operation
def draw_move(state: State, number: np.uint64) -> int:
    """A legal move drawn with a random number, each with the same probability; −1 for none.

    Register it where moves are drawn faster than counted. Random games count the moves if it
    returns −1, which it may do at any time, with the same probability for each move. Default: −1.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> source_target_third(state.mine, draw_move(state, np.uint64(0)))
        (32, 11, 2)
    """


@draw_move.register(tuple)
def _(state: State, number: np.uint64) -> int:
    return -1


@operation
def playout_filter(state: State, move: int) -> bool:
    """Returns whether random games may play a move; if they may play none, they play any.

    Register it where some legal moves make random games meaningless. Default: True.

    Examples:
        >>> state = papan.game("go").start_state()
        >>> playout_filter(state, 0)
        True
    """


@playout_filter.register(tuple)
def _(state: State, move: int) -> bool:
    return True


@helper
def count_of(state: State, every: Moves) -> int:
    """Returns the number of the moves `every`, all legal moves, which are already generated."""
    if is_replaced(count_moves, state):
        return count_moves(state)
    return count_left(state, every)


# --- from one place to another -------------------------------------------------------------------
# A move's number consists of source, target and choice (if any), in this order from the highest
# bits, so that moves are visited in ascending order.

_CHOICE_BITS = 3
_CHOICES = 1 << _CHOICE_BITS


class FromTo(NamedTuple):
    """The moves of `source` to each of `targets`, followed by those of the `later` sources.

    Examples:
        >>> state = papan.game("breakthrough").start_state()
        >>> moves(state).source, squares(moves(state).targets)
        (48, [40, 41])
    """

    later: Bits
    source: int
    targets: Bits


class FromToChoice(NamedTuple):
    """The moves of a `FromTo`, with several variants of each.

    `choice` is the next variant of the first target, which has `ways` variants.

    Examples:
        >>> state = papan.game("chess").start_state()
        >>> moves(state).choice
        0
    """

    later: Bits
    source: int
    targets: Bits
    choice: int
    ways: int


@helper
def square_bits(board: Bits) -> int:
    """Returns the number of bits of a place in a move's number; `board` is any set of the board."""
    return 6 if capacity(board) == WORD else 10


@helper
def from_to_move(board: Bits, source: int, target: int) -> int:
    """Returns the number of a move of `from_to`; `board` is any set of the board.

    Examples:
        >>> from_to_move(NONE, 48, 40)
        3112
    """
    return (source << square_bits(board)) | target


@helper
def source_of(board: Bits, move: int) -> int:
    """Returns the place from which a move of `from_to` starts; `board` is any set of the board.

    Examples:
        >>> source_of(NONE, from_to_move(NONE, 48, 40))
        48
    """
    return move >> square_bits(board)


@helper
def target_of(board: Bits, move: int) -> int:
    """Returns the place to which a move of `from_to` goes; `board` is any set of the board.

    Examples:
        >>> target_of(NONE, from_to_move(NONE, 48, 40))
        40
    """
    return move & ((1 << square_bits(board)) - 1)


@helper
def source_target_choice(board: Bits, move: int) -> tuple[int, int, int]:
    """Returns the parts of a move of `from_to_choice`; `board` is any set of the board.

    Examples:
        >>> state = papan.game("chess").start_state()
        >>> source_target_choice(NONE, head(state, moves(state)))
        (48, 32, 0)
    """
    way = move >> _CHOICE_BITS
    return source_of(board, way), target_of(board, way), move & (_CHOICES - 1)


@helper
def from_to(state: State, sources: Bits) -> FromTo:
    """Returns the moves of the pieces on `sources` to their `targets`, as result of
    `moves(state)`.

    Examples:
        >>> state = papan.game("breakthrough").start_state()
        >>> popcount(from_to(state, state.mine).later)
        15
    """
    source, ends = 0, sources & NONE
    while ends == NONE and sources != NONE:
        source = lowest(sources)
        sources = without_lowest(sources)
        ends = targets(state, source)
    # `ends & NONE` widens the set, because the sources may be a 64-bit `NONE` on a wide board.
    return FromTo(sources | ends & NONE, source, ends)


@more.register(tuple, FromTo)
def _(state: State, rest: FromTo) -> bool:
    return rest.targets != NONE


@head.register(tuple, FromTo)
def _(state: State, rest: FromTo) -> int:
    return from_to_move(rest.targets, rest.source, lowest(rest.targets))


@tail.register(tuple, FromTo)
def _(state: State, rest: FromTo) -> FromTo:
    left = without_lowest(rest.targets)
    if left == NONE:
        return from_to(state, rest.later)
    return FromTo(rest.later, rest.source, left)


@count_ways.register(tuple)
def _(state: State, walk: Walk, source: int, found: Bits) -> int:
    return popcount(found)


@nth_way.register(tuple)
def _(state: State, walk: Walk, source: int, found: Bits, index: int) -> int:
    return from_to_move(found, source, nth_square(found, index))


@count_left.register(tuple, FromTo)
def _(state: State, rest: FromTo) -> int:
    count, later = popcount(rest.targets), rest.later
    while later != NONE:
        count += popcount(targets(state, lowest(later)))
        later = without_lowest(later)
    return count


@nth_left.register(tuple, FromTo)
def _(state: State, rest: FromTo, index: int) -> int:
    count = popcount(rest.targets)
    while index >= count:
        index -= count
        rest = from_to(state, rest.later)
        count = popcount(rest.targets)
    return from_to_move(rest.targets, rest.source, nth_square(rest.targets, index))


# --- from one place to another, in one of several ways ------------------------------------------


@helper
def from_to_choice(state: State, sources: Bits) -> FromToChoice:
    """Returns the moves of the pieces on `sources` to their `targets`, in all their `choices`.

    The result is that of `moves(state)`.

    Examples:
        >>> state = papan.game("chess").start_state()
        >>> from_to_choice(state, NONE).source
        0
    """
    return _first_choice(state, from_to(state, sources))


@helper
def _first_choice(state: State, rest: FromTo) -> FromToChoice:
    """Returns the moves `rest` in all their choices."""
    ways = 1
    if rest.targets != NONE:
        ways = choices(state, rest.source, lowest(rest.targets))
    return FromToChoice(rest.later, rest.source, rest.targets, 0 if ways == 1 else 1, ways)


@more.register(tuple, FromToChoice)
def _(state: State, rest: FromToChoice) -> bool:
    return rest.targets != NONE


@head.register(tuple, FromToChoice)
def _(state: State, rest: FromToChoice) -> int:
    way = from_to_move(rest.targets, rest.source, lowest(rest.targets))
    return (way << _CHOICE_BITS) | rest.choice


@tail.register(tuple, FromToChoice)
def _(state: State, rest: FromToChoice) -> FromToChoice:
    later, source, left, choice, ways = rest
    if 0 < choice < ways:
        return FromToChoice(later, source, left, choice + 1, ways)
    return _first_choice(state, tail(state, FromTo(later, source, left)))


@count_ways.register(tuple, FromToChoice)
def _(state: State, walk: FromToChoice, source: int, found: Bits) -> int:
    count = 0
    while found != NONE:
        count += choices(state, source, lowest(found))
        found = without_lowest(found)
    return count


@nth_way.register(tuple, FromToChoice)
def _(state: State, walk: FromToChoice, source: int, found: Bits, index: int) -> int:
    ways = choices(state, source, lowest(found))
    while index >= ways:
        index -= ways
        found = without_lowest(found)
        ways = choices(state, source, lowest(found))
    choice = 0 if ways == 1 else index + 1
    return (from_to_move(found, source, lowest(found)) << _CHOICE_BITS) | choice


@count_left.register(tuple, FromToChoice)
def _(state: State, rest: FromToChoice) -> int:
    count = count_ways(state, rest, rest.source, rest.targets)
    if rest.targets != NONE:
        count -= max(rest.choice, 1) - 1  # variants of the first target already visited
    later = rest.later
    while later != NONE:
        source = lowest(later)
        count += count_ways(state, rest, source, targets(state, source))
        later = without_lowest(later)
    return count


#: Number of draws after which the moves are counted instead.
_TRIES = 64


@helper
def draw_choice(state: State, sources: Bits, most: int, number: np.uint64) -> int:
    """Returns the result of `draw_move` for the moves of `from_to_choice`.

    It draws a piece and one of its moves as if each piece had `most` of them, and starts again if
    the piece has fewer.

    Examples:
        >>> state = papan.game("pentago").start_state()
        >>> source_target_choice(NONE, draw_choice(state, bit(9), 8, np.uint64(0)))
        (9, 9, 1)
    """
    for _ in range(_TRIES if sources != NONE else 0):
        index = below(number, popcount(sources) * most)
        source, way = nth_square(sources, index // most), index % most
        ends = targets(state, source)
        walk = FromToChoice(ends & NONE, source, ends, 0, 1)
        if way < count_ways(state, walk, source, ends):
            return nth_way(state, walk, source, ends, way)
        number = scramble(number + GOLDEN)
    return -1


# --- from one place to another, and a third one --------------------------------------------------


class FromToThen(NamedTuple):
    """The moves of a `FromTo` with third places; `thirds` are those of the first target.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> len(squares(moves(state).thirds))
        14
    """

    later: Bits
    source: int
    targets: Bits
    thirds: Bits


@helper
def source_target_third(board: Bits, move: int) -> tuple[int, int, int]:
    """Returns the parts of a move of `from_to_then`; `board` is any set of the board.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> source_target_third(state.mine, head(state, moves(state)))
        (32, 11, 2)
    """
    way = source_of(board, move)
    return source_of(board, way), target_of(board, way), target_of(board, move)


@helper
def from_to_then(state: State, sources: Bits) -> FromToThen:
    """Returns the moves of the pieces on `sources` to their `targets`, with each of their `thirds`.

    The result is that of `moves(state)`.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> more(state, from_to_then(state, NONE))
        np.False_
    """
    return _first_thirds(state, from_to(state, sources))


@helper
def _first_thirds(state: State, rest: FromTo) -> FromToThen:
    """Returns the moves `rest` with their third places; skips pairs of places without any."""
    last = rest.targets & NONE
    while last == NONE and rest.targets != NONE:
        last = thirds(state, rest.source, lowest(rest.targets))
        if last == NONE:
            rest = tail(state, rest)
    return FromToThen(rest.later, rest.source, rest.targets, last)


@helper
def _next_thirds(state: State, rest: FromToThen) -> FromToThen:
    """Returns the moves `rest` without those to the first target."""
    return _first_thirds(state, tail(state, FromTo(rest.later, rest.source, rest.targets)))


@helper
def _third_move(rest: FromToThen, third: int) -> int:
    """Returns the move from the source to the first target, with the place `third`."""
    way = from_to_move(rest.targets, rest.source, lowest(rest.targets))
    return from_to_move(rest.targets, way, third)


@more.register(tuple, FromToThen)
def _(state: State, rest: FromToThen) -> bool:
    return rest.thirds != NONE


@head.register(tuple, FromToThen)
def _(state: State, rest: FromToThen) -> int:
    return _third_move(rest, lowest(rest.thirds))


@tail.register(tuple, FromToThen)
def _(state: State, rest: FromToThen) -> FromToThen:
    left = without_lowest(rest.thirds)
    if left == NONE:
        return _next_thirds(state, rest)
    return FromToThen(rest.later, rest.source, rest.targets, left)


@count_ways.register(tuple, FromToThen)
def _(state: State, walk: FromToThen, source: int, found: Bits) -> int:
    count = 0
    while found != NONE:
        count += popcount(thirds(state, source, lowest(found)))
        found = without_lowest(found)
    return count


@nth_way.register(tuple, FromToThen)
def _(state: State, walk: FromToThen, source: int, found: Bits, index: int) -> int:
    last = thirds(state, source, lowest(found))
    while index >= popcount(last):
        index -= popcount(last)
        found = without_lowest(found)
        last = thirds(state, source, lowest(found))
    way = from_to_move(found, source, lowest(found))
    return from_to_move(found, way, nth_square(last, index))


@count_left.register(tuple, FromToThen)
def _(state: State, rest: FromToThen) -> int:
    count = 0
    while rest.thirds != NONE:
        count += popcount(rest.thirds)
        rest = _next_thirds(state, rest)
    return count


@nth_left.register(tuple, FromToThen)
def _(state: State, rest: FromToThen, index: int) -> int:
    while index >= popcount(rest.thirds):
        index -= popcount(rest.thirds)
        rest = _next_thirds(state, rest)
    return _third_move(rest, nth_square(rest.thirds, index))


@helper
def draw_then(state: State, sources: Bits, most: int, number: np.uint64) -> int:
    """Returns the result of `draw_move` for the moves of `from_to_then`.

    It draws a pair of places and a third one as if each pair had `most` of them, and starts again
    if the pair has fewer.

    Examples:
        >>> state = papan.game("amazons:size=6").start_state()
        >>> source_target_third(state.mine, draw_then(state, state.mine, 20, np.uint64(0)))
        (32, 11, 2)
    """
    pairs, rest = 0, sources
    while rest != NONE:
        pairs += popcount(targets(state, lowest(rest)))
        rest = without_lowest(rest)
    for _ in range(_TRIES if pairs > 0 else 0):
        index = below(number, pairs * most)
        pair, place, rest = index // most, index % most, sources
        source = lowest(rest)
        ends = targets(state, source)
        while pair >= popcount(ends):
            pair -= popcount(ends)
            rest = without_lowest(rest)
            source = lowest(rest)
            ends = targets(state, source)
        target = nth_square(ends, pair)
        last = thirds(state, source, target)
        if place < popcount(last):
            way = from_to_move(ends, source, target)
            return from_to_move(ends, way, nth_square(last, place))
        number = scramble(number + GOLDEN)
    return -1


# --- moves found one by one -----------------------------------------------------------------------


class Scan(NamedTuple):
    """The legal moves with numbers from `move` on; `move` is the first, or −1 if none is left.

    Examples:
        >>> Scan(3).move
        3
    """

    move: int


@helper
def scan(state: State) -> Scan:
    """Returns all legal moves, found by `next_move`, as the result of `moves(state)`.

    Examples:
        >>> from typing import NamedTuple
        >>> class Pile(NamedTuple):
        ...     left: int
        >>> @next_move.register(Pile)
        ... def _(state: Pile, after: int) -> int:
        ...     return after + 1 if after < state.left - 1 else -1
        >>> scan(Pile(2)).move
        0
    """
    return Scan(next_move(state, -1))


@more.register(tuple, Scan)
def _(state: State, rest: Scan) -> bool:
    return rest.move >= 0


@head.register(tuple, Scan)
def _(state: State, rest: Scan) -> int:
    return rest.move


@tail.register(tuple, Scan)
def _(state: State, rest: Scan) -> Scan:
    return Scan(next_move(state, rest.move))


# --- steps ---------------------------------------------------------------------------------------

#: The classes of walks whose moves consist of places.
WALKS: frozenset[type] = frozenset({FromTo, FromToChoice, FromToThen})


def choice_of(walk: type, move: int) -> int:
    """Returns the choice in a move of one of the `WALKS`; 0 for none."""
    return move & (_CHOICES - 1) if walk is FromToChoice else 0


def steps_of(board: Bits, walk: type, move: int) -> tuple[int, ...]:
    """Returns the places in a move of one of the `WALKS`, in order, without its choice.

    `board` is any set of the board.
    """
    if walk is FromToThen:
        return source_target_third(board, move)
    if walk is FromToChoice:
        return source_target_choice(board, move)[:2]
    return source_of(board, move), target_of(board, move)
