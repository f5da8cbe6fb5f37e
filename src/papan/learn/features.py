"""Features of a board: n-tuples of places, made from its geometry.

A tuple looks at some places; what stands on them is one number in base B, where B is the number of
symbols. Each tuple has a weight for each of these numbers, an *entry*. Entries share weights: one
that all translations and symmetries of a pattern have in common, which is learnt from few games,
and one that only its images under the symmetries have, which knows the place. An entry is worth
the sum of the two.

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
from papan.learn.survey import Survey

#: A tuple has at most so many entries.
MOST_ENTRIES = 1000
#: All tuples together have at most so many; then the largest ones are left out.
MOST_OF_ALL = 400_000
#: The longest line that is looked at as a whole.
LONGEST_LINE = 6
#: Boards of fewer places have lines of three, too.
_SMALL = 30

Ints = np.ndarray[Any, np.dtype[np.int32]]
Tuple = tuple[int, ...]


@dataclass(frozen=True)
class Features:
    """The tuples of a board, and how their entries share weights.

    Attributes:
        base: B, the number of symbols.
        tuples: the places of each tuple, by index, the lowest digit first; the first tuple is
            empty, and its only entry what having the move is worth.
        starts: the first entry of each tuple.
        shared: for each entry, the number of the weight that it shares with translations.
        placed: for each entry, the number of the weight that it has by its place.
        weights: number of different weights.
    """

    base: int
    tuples: tuple[Tuple, ...]
    starts: Ints
    shared: Ints
    placed: Ints
    weights: int

    @property
    def entries(self) -> int:
        """Number of entries of all tuples."""
        return int(self.shared.size)

    @property
    def longest(self) -> int:
        """Number of places of the largest tuple."""
        return max(map(len, self.tuples))


def features_of(board: Geometry, facts: Survey) -> Features:
    """The features of a board, always the same for the same facts."""
    base = len(facts.codes)
    tuples = _add_images(_select_fitting(_all_tuples(board, facts, base), base), facts)
    starts = np.cumsum([0, *(base ** len(one) for one in tuples)])[:-1].astype(np.int32)
    placed, shared = _sharing(board, facts, tuples, starts)
    kinds, numbers = np.unique(shared, return_inverse=True)
    places, own = np.unique(placed, return_inverse=True)
    return Features(
        base,
        tuple(tuples),
        starts,
        numbers.astype(np.int32),
        (own + kinds.size).astype(np.int32),
        int(kinds.size + places.size),
    )


# --- which tuples there are ----------------------------------------------------------------------


def _all_tuples(board: Geometry, facts: Survey, base: int) -> Iterator[Tuple]:
    """Yields tuples of all kinds that suit the board, the most important first."""
    index = {place: number for number, place in enumerate(facts.places)}
    longest = max(1, int(math.log(MOST_ENTRIES) / math.log(max(base, 2)) + 1e-9))
    yield ()
    for places in _board_tuples(board, longest):
        yield tuple(index[place] for place in places)
    aside = [place for place in facts.places if not board.main.has(place)]
    yield from ((index[place],) for place in aside)
    if longest >= 2:
        yield from ((index[one], index[two]) for one in aside for two in aside if one < two)


def _board_tuples(board: Geometry, longest: int) -> Iterator[Tuple]:
    """Yields tuples of place numbers of the board itself."""
    main = board.main
    yield from ((place,) for place in main.squares)
    if longest < 2:
        return
    short = 4 if longest >= LONGEST_LINE else 2
    # On the smallest boards a row of three is all there is.
    lengths = {min(LONGEST_LINE, longest), short, *([3] if len(main.squares) < _SMALL else [])}
    for length in sorted(lengths, reverse=True):
        yield from straight_rows(main, length)
    if isinstance(main, Grid) and not isinstance(main, Hex):
        yield from _blocks(main, longest)
    else:
        yield from _neighbourhoods(main, longest)


def _blocks(board: Grid, longest: int) -> Iterator[Tuple]:
    """Blocks of 2 × 3 squares, or what there is room for."""
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
    """Each place with its neighbours, with each of them, and short walks from it."""
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
    """Two neighbouring hexagons with the two that touch both."""
    for other in board.neighbours(place):
        both = set(board.neighbours(place)) & set(board.neighbours(other))
        if other > place and len(both) == 2:
            yield _in_order(board, (place, other, *both))


def _in_order(board: Geometry, places: Iterable[int]) -> Tuple:
    """Places as they are read: the same for all translations of a pattern."""

    def key(place: int) -> tuple[float, float]:
        where = board.at_number(place)
        return round(where.y, 3), round(where.x, 3)

    return tuple(sorted(places, key=key))


def _select_fitting(tuples: Iterable[Tuple], base: int) -> list[Tuple]:
    """Returns each set of places once, while there is room for its entries."""
    chosen: dict[frozenset[int], Tuple] = {}
    room = MOST_OF_ALL
    for one in tuples:
        size = base ** len(one)
        if frozenset(one) not in chosen and size <= max(MOST_ENTRIES, base) and size <= room:
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


# --- which entries share a weight ----------------------------------------------------------------


def _sharing(
    board: Geometry, facts: Survey, tuples: Sequence[Tuple], starts: Ints
) -> tuple[Ints, Ints]:
    """For each entry, the least entry that has the same weight by place, and by pattern."""
    base = len(facts.codes)
    where = {frozenset(one): number for number, one in enumerate(tuples)}
    first = _first_of_shape(board, facts, tuples)
    placed, shared = [], []
    for number, one in enumerate(tuples):
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
    """Returns the number in another digit order for each number on `digits`."""
    numbers = np.arange(base ** len(order))
    entries = np.zeros_like(numbers)
    for digit, place in enumerate(digits):
        entries += numbers // base**digit % base * base ** order.index(place)
    return entries.astype(np.int32)


def _first_of_shape(board: Geometry, facts: Survey, tuples: Sequence[Tuple]) -> list[int]:
    """Returns, for each tuple, the first tuple that is a translation of it."""
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
