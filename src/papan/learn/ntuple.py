"""Learned evaluations as a search sees them: tables that are looked up and added.

For play, tuples are folded: all tuples that lie in a few places together add up to one table of
these places, so that 300 patterns become some 60 look-ups. Boards are read in two ways:

    LearnedSets     two sets of 64 squares; an index is cut out of each by one instruction
    LearnedPlaces   any board of any pieces; each place is read once, by `piece_at` and `count_at`

Values are those of the side to move. In games that are won or lost they are logits of the winning
chance, in 256ths: 0 is an even game, 256 · ln 3 one that is won three times in four. In games that
are played for a margin they are the margin expected, in 256ths of a point.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.learn.features import Features
from papan.learn.folding import folds
from papan.learn.survey import LARGEST_COUNT, Survey, has_two_sets
from papan.rules.bits import extract_bits, popcount, scratch, stones
from papan.rules.dispatch import helper, operation
from papan.rules.operations import (
    MAX_PLY,
    Evaluation,
    State,
    count_at,
    evaluate,
    is_symmetric,
    piece_at,
    side_to_move,
    unit,
    win_value,
)
from papan.search.mcts.guide import expected_score
from papan.search.result import winning_chance

#: Values are in parts of a logit, or of a point.
SCALE = 256
#: Squares of such a table, on a board of two sets.
LONGEST_MASK = 8
TWO = np.uint64(2)

#: The largest entry of a folded table, and the finest parts of a 256th that entries count, as a
#: power of two.
_ROOM = 32_767
_FINEST = 4
#: Values of games played for a margin are cut off here, in 256ths of a point.
_LARGEST = 1 << 22

Array = np.ndarray[Any, Any]


class LearnedSets(NamedTuple):
    """An evaluation of a board of two sets.

    Attributes:
        masks: uint64 (views, tables): the squares of each table, as each side sees them.
        starts: uint64 (tables,): where each begins in a row of `table`.
        table: int16 (views · phases, entries): the worth of each index.
        ternary: uint64 (256,): bits as digits of a number in base 3.
        phases: uint8: the phase by the number of pieces.
        views: 2 if the sides see the board in two ways, else 1.
        spread: `table` holds values times two to this power.
        points: `unit`.
        limit: the largest value.
        symmetric: 1 if mirrored positions have the same value.
        digest: tells evaluations apart.
    """

    masks: Array
    starts: Array
    table: Array
    ternary: Array
    phases: Array
    views: int
    spread: int
    points: int
    limit: int
    symmetric: int
    digest: int

    def __eq__(self, other: object) -> bool:
        return type(other) is LearnedSets and self.digest == other.digest

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.digest)


class LearnedPlaces(NamedTuple):
    """An evaluation of a board of any pieces.

    Attributes:
        places: int32 (2, places): the number of each place, as each side sees the board.
        symbols: uint8 (2, codes): the symbol of what stands on a place, as each side sees it.
        base: number of symbols.
        order: int32: the places of the tables, one after the other, by index, highest digit first.
        ends: int32 (tables,): where the places of each table end in `order`.
        starts, table, phases, views, spread, points, limit, symmetric, digest: as in
            `LearnedSets`.
    """

    places: Array
    symbols: Array
    base: int
    order: Array
    ends: Array
    starts: Array
    table: Array
    phases: Array
    views: int
    spread: int
    points: int
    limit: int
    symmetric: int
    digest: int

    def __eq__(self, other: object) -> bool:
        return type(other) is LearnedPlaces and self.digest == other.digest

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.digest)


LEARNED = (LearnedSets, LearnedPlaces)


@helper
def clamp_value(total: int, spread: int, limit: int) -> int:
    """Returns a sum of table entries as a value within the limit."""
    return max(-limit, min(limit, total >> spread))


@evaluate.register(LearnedSets)
def _(evaluation: LearnedSets, state: State) -> int:
    mine, theirs = stones(state)
    view = side_to_move(state) if evaluation.views == 2 else 0
    row: Any = np.int64(evaluation.phases[popcount(mine | theirs)])
    row += view * (evaluation.table.shape[0] // evaluation.views)
    masks, table = evaluation.masks[view], evaluation.table[row]
    total: Any = 0
    # Unsigned numbers throughout: a signed index would be asked each time if it is negative.
    for number in range(evaluation.starts.size):
        mask = masks[number]
        index = evaluation.ternary[extract_bits(mine, mask)]
        index += TWO * evaluation.ternary[extract_bits(theirs, mask)]
        total += np.int64(table[evaluation.starts[number] + index])
    return clamp_value(total, evaluation.spread, evaluation.limit)


@evaluate.register(LearnedPlaces)
def _(evaluation: LearnedPlaces, state: State) -> int:
    seen = scratch()
    view = side_to_move(state)
    count = look(evaluation.places, evaluation.symbols, state, view, seen)
    row: Any = np.int64(evaluation.phases[count])
    if evaluation.views == 2:
        row += view * (evaluation.table.shape[0] // 2)
    total: Any = 0
    place = 0
    for number in range(evaluation.starts.size):
        index: Any = 0
        while place < evaluation.ends[number]:
            index = index * evaluation.base + np.int64(seen[evaluation.order[place]])
            place += 1
        total += np.int64(evaluation.table[row, evaluation.starts[number] + index])
    return clamp_value(total, evaluation.spread, evaluation.limit)


@helper
def look(places: Any, symbols: Any, state: State, view: int, seen: Any) -> int:
    """Writes the symbol of each place to `seen`, as the side to move sees the board; returns
    how many of them are not empty."""
    count = 0
    for index in range(places.shape[1]):
        place: Any = np.int64(places[view, index])
        shown = min(count_at(state, place), LARGEST_COUNT) + 1
        code = piece_at(state, place) * (LARGEST_COUNT + 2) + shown
        symbol = symbols[view, min(code, symbols.shape[1] - 1)]
        seen[index] = symbol
        count += symbol != 0
    return count


@unit.register(LearnedPlaces)
@unit.register(LearnedSets)
def _(evaluation: Evaluation) -> int:
    return evaluation.points


@is_symmetric.register(LearnedPlaces)
@is_symmetric.register(LearnedSets)
def _(evaluation: Evaluation) -> bool:
    return evaluation.symmetric == 1


@expected_score.register(LearnedPlaces)
@expected_score.register(LearnedSets)
def _(evaluation: Evaluation, lead: float, scale: float) -> float:
    if evaluation.limit == _LARGEST:
        return 0.5 + 0.5 * lead / (abs(lead) + scale)
    return 1.0 / (1.0 + math.exp(-lead))


@winning_chance.register(LearnedPlaces)
@winning_chance.register(LearnedSets)
def _(evaluation: LearnedSets | LearnedPlaces, value: float) -> float | None:
    if evaluation.limit == _LARGEST:  # of a game that is played for a margin
        return None
    return 1.0 / (1.0 + math.exp(-value))


# --- which entries a position has, for learning ---------------------------------------------------


class SetReader(NamedTuple):
    """The way in which positions of two sets are read for learning.

    Attributes:
        masks: uint64 (2, tuples): the squares of each tuple, as each side sees them.
        starts: uint64 (tuples,): the first entry of each.
        local: int32 (2, entries): the entry for an index that counts squares as bits do.
        ternary, phases, views: as in `LearnedSets`.
        rows: number of rows of weights.
    """

    masks: Array
    starts: Array
    local: Array
    ternary: Array
    phases: Array
    views: int
    rows: int


class PlaceReader(NamedTuple):
    """The way in which other positions are read for learning.

    Attributes:
        places, symbols, base, order, ends: as in `LearnedPlaces`, of the tuples.
        starts: int32 (tuples,): the first entry of each.
        phases, views: as in `LearnedSets`.
        rows: number of rows of weights.
    """

    places: Array
    symbols: Array
    base: int
    order: Array
    ends: Array
    starts: Array
    phases: Array
    views: int
    rows: int


@operation
def note(reader: Any, state: State, noted: Any) -> int:
    """Writes the entries of a position to `noted`, int32 (tuples,); returns its row of weights."""


@note.register(SetReader)
def _(reader: SetReader, state: State, noted: Any) -> int:
    mine, theirs = stones(state)
    view = side_to_move(state)
    for number in range(reader.starts.size):
        mask = reader.masks[view, number]
        index = reader.ternary[extract_bits(mine, mask)] + reader.starts[number]
        index += TWO * reader.ternary[extract_bits(theirs, mask)]
        noted[number] = reader.local[view, index]
    row: Any = np.int64(reader.phases[popcount(mine | theirs)])
    return row + view * (reader.rows // 2) if reader.views == 2 else row


@note.register(PlaceReader)
def _(reader: PlaceReader, state: State, noted: Any) -> int:
    seen = scratch()
    view = side_to_move(state)
    count = look(reader.places, reader.symbols, state, view, seen)
    place = 0
    for number in range(reader.starts.size):
        index: Any = 0
        while place < reader.ends[number]:
            index = index * reader.base + np.int64(seen[reader.order[place]])
            place += 1
        noted[number] = reader.starts[number] + index
    row: Any = np.int64(reader.phases[count])
    return row + view * (reader.rows // 2) if reader.views == 2 else row


# --- how boards are read --------------------------------------------------------------------------


class Network:
    """The way in which the positions of a game are read, and entries become tables.

    Attributes:
        game: the rules.
        facts: the survey of the game.
        features: the tuples.
        rows: number of rows of weights: one for each phase, for each side that has its own.
    """

    def __init__(self, game: Game, facts: Survey, features: Features) -> None:
        self.game, self.facts, self.features = game, facts, features
        start = game.start_state()
        self.is_sets = has_two_sets(start) and len(facts.codes) == 3
        self.phases = _phases(facts)
        self.sides = 1 if facts.exchange is not None else 2  # with weights of their own
        self.rows = self.sides * (len(facts.levels) + 1)
        win = int(win_value(start))
        self.limit = win - MAX_PLY - 1 if win > 0 else _LARGEST
        self._folds = folds(features, LONGEST_MASK if self.is_sets else len(facts.places))
        views = 2 if self.is_sets and not self._same_view else self.sides
        self._views = range(views)
        self._maps = [_maps_of(self, view) for view in (self._views if self.is_sets else range(1))]

    @property
    def _same_view(self) -> bool:
        """True if both sides see each place where it is."""
        exchange = self.facts.exchange
        return exchange is not None and all(at == to for at, to in enumerate(exchange))

    def seen_at(self, view: int) -> list[int]:
        """Returns the number of the place that a side sees at each index."""
        places = self.facts.places
        if view == 0 or self.facts.exchange is None:
            return list(places)
        seen = [0] * len(places)
        for at, image in enumerate(self.facts.exchange):
            seen[image] = places[at]
        return seen

    def reader(self) -> SetReader | PlaceReader:
        """The reader that learning uses."""
        features, facts = self.features, self.facts
        if self.is_sets:
            masks, local = zip(*(_by_bits(self, view) for view in (0, 1)), strict=True)
            return SetReader(
                np.array(masks, dtype=np.uint64),
                features.starts.astype(np.uint64),
                np.array(local, dtype=np.int32),
                ternary_digits(),
                self.phases,
                self.sides,
                self.rows,
            )
        return PlaceReader(
            *self._places_and_symbols(),
            len(facts.codes),
            *_join_groups(features.tuples),
            features.starts,
            self.phases,
            self.sides,
            self.rows,
        )

    def spread_for(self, weights: Array) -> int:
        """The largest power of two, as its exponent, by which weights in 256ths, float (rows,
        weights), can be multiplied so that folded tables fit in 16 bits."""
        largest = max(float(np.abs(self._tables(self.entries(weights))).max()), 1.0)
        return int(max(0, min(_FINEST, np.log2(_ROOM / largest))))

    def entries(self, weights: Array) -> Array:
        """Returns the weight of each entry, (rows, entries)."""
        sums: Array = weights[:, self.features.shared] + weights[:, self.features.placed]
        return sums

    def evaluation(
        self, weights: Array, spread: int, points: int, digest: int
    ) -> LearnedSets | LearnedPlaces:
        """The evaluation that has these weights, whole numbers (rows, weights), in 256ths times
        2 to the power of `spread`."""
        table = self._tables(self.entries(weights.astype(np.int64)))
        packed = table.clip(-_ROOM, _ROOM).astype(np.int16)
        sizes = [self.features.base ** len(fold) for fold, _ in self._folds]
        starts = np.cumsum([0, *sizes])[:-1].astype(np.int32)
        numbers = (len(self._views), spread, points, self.limit, int(self.facts.mirrors), digest)
        rest: tuple[Any, ...] = (self.phases, *numbers)
        if self.is_sets:
            masks = [[_mask(self.seen_at(v), fold) for fold, _ in self._folds] for v in self._views]
            held = np.array(masks, dtype=np.uint64)
            return LearnedSets(held, starts.astype(np.uint64), packed, ternary_digits(), *rest)
        order = _join_groups([fold for fold, _ in self._folds])
        places, symbols = self._places_and_symbols()
        return LearnedPlaces(places, symbols, self.features.base, *order, starts, packed, *rest)

    def _tables(self, entries: Array) -> Array:
        """The folded tables of all views, (views · phases, their entries)."""
        return np.concatenate([self._fold_view(entries, view) for view in self._views])

    def _fold_view(self, entries: Array, view: int) -> Array:
        """Returns the folded tables of one view, (phases, entries)."""
        own = len(self.facts.levels) + 1
        part = entries[own * view : own * (view + 1)] if self.sides == 2 else entries
        maps = self._maps[view if self.is_sets else 0]
        return np.concatenate([part[:, summed].sum(axis=1) for summed in maps], axis=1)

    def _places_and_symbols(self) -> tuple[Array, Array]:
        facts = self.facts
        places = np.array([self.seen_at(0), self.seen_at(1)], dtype=np.int32)
        symbols = np.zeros((2, max(facts.codes) + 2), dtype=np.uint8)
        for symbol, code in enumerate(facts.codes):
            symbols[0, code] = symbol
            symbols[1, code] = symbol if facts.exchange is None else facts.partner[symbol]
        return places, symbols


def ternary_digits() -> Array:
    """Bits as digits of a number in base 3, for all sets of eight."""
    bits = np.arange(1 << LONGEST_MASK)
    digits = [(bits >> place & 1) * 3**place for place in range(LONGEST_MASK)]
    return np.sum(digits, axis=0).astype(np.uint64)


def _phases(facts: Survey) -> Array:
    """The phase for each number of occupied places."""
    counts = np.arange(len(facts.places) + 1)
    return np.searchsorted(np.array(facts.levels), counts, side="right").astype(np.uint8)


def _mask(seen: list[int], indices: tuple[int, ...]) -> int:
    return sum(1 << seen[at] for at in indices)


def _join_groups(groups: Any) -> tuple[Array, Array]:
    """Returns the places of all groups, the highest digit of each first, and the group ends."""
    order = [at for group in groups for at in reversed(group)]
    ends = np.cumsum([len(group) for group in groups])
    return np.array(order, dtype=np.int32), ends.astype(np.int32)


def _by_bits(network: Network, view: int) -> tuple[list[int], Array]:
    """The mask of each tuple in a view, and the entry for each index that counts its squares in
    the order of their bits."""
    features, seen = network.features, network.seen_at(view)
    masks, local = [], []
    for one, start in zip(features.tuples, features.starts, strict=True):
        masks.append(_mask(seen, one))
        local.append(start + _written_by(sorted(one, key=lambda at: seen[at]), one, features.base))
    return masks, np.concatenate(local)


def _written_by(digits: list[int], one: tuple[int, ...], base: int) -> Array:
    """Returns the entry of a tuple within `digits` for each number on `digits`, lowest first."""
    numbers = np.arange(base ** len(digits))
    entries = np.zeros_like(numbers)
    for place, at in enumerate(one):
        entries += numbers // base ** digits.index(at) % base * base**place
    return entries


def _maps_of(network: Network, view: int) -> list[Array]:
    """For each folded table int32 (tuples in it, its size): the entries that are added up."""
    features, seen = network.features, network.seen_at(view)
    maps = []
    for fold, inside in network._folds:
        digits = sorted(fold, key=lambda at: seen[at]) if network.is_sets else list(fold)
        rows = [
            features.starts[each] + _written_by(digits, features.tuples[each], features.base)
            for each in inside
        ]
        maps.append(np.array(rows, dtype=np.int32))
    return maps
