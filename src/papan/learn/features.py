"""Features of a board: n-tuples of places, derived from its geometry.

A tuple is a set of places. The symbols on these places are the digits of a number in base B, where
B is the number of symbols. Each such number is an *entry* of the tuple. An entry's value is the sum
of weights, which it shares with other entries:

- one shared by all translations and symmetries of a pattern, which is learned from few games;
- one shared only by its images under the symmetries, which depends on the place.

The entries of the game's own value have two weights, too: one shared by neighbouring steps.

If places that a move can fill have a symbol of their own, there are two more: the same two weights
of the pattern in which these places are merely empty.

Sources: Lucas, "Learning to play Othello with n-tuple systems", 2008; Jaśkowski, "Systematic
n-tuple networks for Othello position evaluation", ICGA Journal 37(2), 2014.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from papan.core.board.geometry import Geometry, Grid
from papan.core.board.kinds import Hex, Hexagon
from papan.core.board.symmetry import straight_rows
from papan.learn.own_value import STEPS
from papan.learn.survey import Survey

#: Maximum number of entries of a tuple: a line of five squares with four symbols.
MOST_ENTRIES = 1024
#: Maximum number of entries of all tuples; beyond it, further tuples are dropped.
MOST_OF_ALL = 400_000
#: Maximum length of a line that forms one tuple.
LONGEST_LINE = 6
#: Number of steps of the own value that share a weight.
SHARED_STEPS = 8
#: Boards with fewer places also have tuples for lines of three.
_SMALL = 30

Ints = np.ndarray[Any, np.dtype[np.int32]]
Tuple = tuple[int, ...]


@dataclass(frozen=True)
class Features:
    """The tuples of a board, and the weights that their entries share.

    Attributes:
        base: B, the number of symbols.
        tuples: indices of the places of each tuple, lowest digit first. The first tuple is empty;
            it has one entry for each step of the game's own value, or one for having the move.
        steps: number of entries of the first tuple.
        starts: index of the first entry of each tuple.
        cells: int32 (entries, 2 or 4): indices of the weights of each entry.
        weights: number of different weights.
    """

    base: int
    tuples: tuple[Tuple, ...]
    steps: int
    starts: Ints
    cells: Ints
    weights: int

    @property
    def entries(self) -> int:
        """Total number of entries of all tuples."""
        return len(self.cells)

    @property
    def longest(self) -> int:
        """Number of places of the largest tuple."""
        return max(map(len, self.tuples))


def features_of(board: Geometry, facts: Survey) -> Features:
    """Returns the features of a board; deterministic."""
    base, steps = facts.symbols, STEPS if facts.own_value else 1
    tuples = _add_images(_select_fitting(_all_tuples(board, facts), facts), facts)
    sizes = [steps, *(base ** len(one) for one in tuples[1:])]
    starts = np.cumsum([0, *sizes])[:-1].astype(np.int32)
    placed, shared = _sharing(board, facts, tuples, starts)
    columns = [shared, placed]
    if facts.fillable:
        emptied = _without_symbol(base - 1, tuples, starts, base)
        columns += [shared[emptied], placed[emptied]]
    cells, weights = [], 0
    for column in columns:
        known, numbers = np.unique(column, return_inverse=True)
        cells.append(weights + numbers)
        weights += known.size
    return Features(
        base, tuple(tuples), steps, starts, np.stack(cells, 1).astype(np.int32), weights
    )


# --- selection of tuples -------------------------------------------------------------------------


def _all_tuples(board: Geometry, facts: Survey) -> Iterator[Tuple]:
    """Yields all kinds of tuples for a board, most important first."""
    index = {place: number for number, place in enumerate(facts.places)}
    longest = max(1, int(math.log(MOST_ENTRIES) / math.log(max(facts.symbols, 2)) + 1e-9))
    yield ()
    for places in _board_tuples(board, longest):
        yield tuple(index[place] for place in places)
    aside = [place for place in facts.places if not board.main.has(place)]
    yield from ((index[place],) for place in aside)
    if longest >= 2:
        yield from ((index[one], index[two]) for one in aside for two in aside if one < two)


def _board_tuples(board: Geometry, longest: int) -> Iterator[Tuple]:
    """Yields tuples of place numbers of the main board."""
    main = board.main
    yield from ((place,) for place in main.squares)
    if longest < 2:
        return
    short = 4 if longest >= LONGEST_LINE else 2
    # Rows of three fill most of a small board.
    lengths = {min(LONGEST_LINE, longest), short, *([3] if len(main.squares) < _SMALL else [])}
    for length in sorted(lengths, reverse=True):
        yield from straight_rows(main, length)
    if isinstance(main, Grid) and not isinstance(main, Hex):
        yield from _blocks(main, longest)
    else:
        yield from _neighbourhoods(main, longest)


def _blocks(board: Grid, longest: int) -> Iterator[Tuple]:
    """Yields blocks of 2 × 3 squares, or smaller blocks if the limit requires it."""
    for height, width in ((2, 3), (3, 2)) if longest >= 6 else ((2, 2),):
        if height * width > longest:
            continue
        for row in range(board.rows - height + 1):
            for column in range(board.columns - width + 1):
                yield tuple(
                    board.at(row + down, column + right)
                    for down in range(height)
                    for right in range(width)
                )


def _neighbourhoods(board: Geometry, longest: int) -> Iterator[Tuple]:
    """Yields each place with all its neighbours and with each of them, and short walks from it."""
    for place in board.squares:
        around = _in_order(board, board.neighbours(place))
        yield from (_in_order(board, (place, other)) for other in around)
        if len(around) < longest:
            yield (place, *around)
        if longest >= 3:
            for one in around:
                for two in board.neighbours(one):
                    if two != place:
                        yield _in_order(board, (place, one, two))
        if longest >= 4 and isinstance(board, Hex | Hexagon):
            yield from _rhombi(board, place)


def _rhombi(board: Geometry, place: int) -> Iterator[Tuple]:
    """Yields two neighbouring hexagons with the two hexagons that touch both."""
    for other in board.neighbours(place):
        both = set(board.neighbours(place)) & set(board.neighbours(other))
        if other > place and len(both) == 2:
            yield _in_order(board, (place, other, *both))


def _in_order(board: Geometry, places: Iterable[int]) -> Tuple:
    """Returns places in reading order, which is the same for all translations of a pattern."""

    def key(place: int) -> tuple[float, float]:
        where = board.at_number(place)
        return round(where.y, 3), round(where.x, 3)

    return tuple(sorted(places, key=key))


def _select_fitting(tuples: Iterable[Tuple], facts: Survey) -> list[Tuple]:
    """Returns each set of places once, until the limit of entries is reached."""
    chosen: dict[frozenset[int], Tuple] = {}
    room = MOST_OF_ALL
    for one in tuples:
        size = facts.symbols ** len(one)
        if (
            frozenset(one) not in chosen
            and size <= max(MOST_ENTRIES, facts.symbols)
            and size <= room
        ):
            chosen[frozenset(one)] = one
            room -= size
    return list(chosen.values())


def _add_images(tuples: list[Tuple], facts: Survey) -> list[Tuple]:
    """Returns the tuples and their images under the symmetries."""
    known = {frozenset(one) for one in tuples}
    closed = list(tuples)
    for one in tuples:
        for turn in facts.turns:
            image = tuple(turn[at] for at in one)
            if frozenset(image) not in known:
                known.add(frozenset(image))
                closed.append(image)
    return closed


# --- sharing of weights --------------------------------------------------------------------------


def _sharing(
    board: Geometry, facts: Survey, tuples: Sequence[Tuple], starts: Ints
) -> tuple[Ints, Ints]:
    """Returns two arrays: the first entry with the same weight by place, and by pattern."""
    base = facts.symbols
    where = {frozenset(one): number for number, one in enumerate(tuples)}
    first = _first_of_shape(board, facts, tuples)
    placed, shared = [np.arange(starts[1])], [np.arange(starts[1]) // SHARED_STEPS * SHARED_STEPS]
    for number, one in enumerate(tuples[1:], start=1):
        by_place, by_shape = [], []
        for turn in facts.turns:
            image = tuple(turn[at] for at in one)
            other = where[frozenset(image)]
            entry = _entries(image, tuples[other], base)
            by_place.append(starts[other] + entry)
            by_shape.append(starts[first[other]] + entry)
        assert by_place[0][0] == starts[number]
        placed.append(np.min(by_place, axis=0))
        shared.append(np.min(by_shape, axis=0))
    return np.concatenate(placed), np.concatenate(shared)


def _entries(digits: Tuple, order: Tuple, base: int) -> Ints:
    """Converts each number with the digit order `digits` to the digit order `order`."""
    numbers = np.arange(base ** len(order))
    entries = np.zeros_like(numbers)
    for digit, place in enumerate(digits):
        entries += numbers // base**digit % base * base ** order.index(place)
    return entries.astype(np.int32)


def _without_symbol(symbol: int, tuples: Sequence[Tuple], starts: Ints, base: int) -> Ints:
    """Returns, for each entry, the entry with `symbol` replaced by the symbol of empty places."""
    changed = [np.arange(starts[1])]
    for one, start in zip(tuples[1:], starts[1:], strict=True):
        numbers = np.arange(base ** len(one))
        entries = numbers.copy()
        for digit in range(len(one)):
            entries -= symbol * base**digit * (numbers // base**digit % base == symbol)
        changed.append(start + entries)
    return np.concatenate(changed)


def _first_of_shape(board: Geometry, facts: Survey, tuples: Sequence[Tuple]) -> list[int]:
    """Returns, for each tuple, the index of its first translation."""
    known: dict[tuple[Any, ...], int] = {}
    firsts = []
    for number, one in enumerate(tuples):
        points = [board.at_number(facts.places[at]) for at in one]
        shape: tuple[Any, ...] = tuple(
            (round(at.x - points[0].x, 2), round(at.y - points[0].y, 2), at.shape) for at in points
        )
        aside = tuple(at.number for at in points if not board.main.has(at.number))
        firsts.append(known.setdefault((shape, aside), number))
    return firsts
