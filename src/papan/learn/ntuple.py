"""Learned evaluations in searches: sums of table look-ups.

For play, tuples are folded: overlapping tuples are added up to one table, so that 300 patterns need
only about 60 look-ups. There are two representations:

    LearnedSets     two sets of 64 squares; four indices at once are summed up over the rows
    LearnedPlaces   any board and pieces; each occupied place, as `piece_at` and `count_at` show it,
                    is added to the indices of its tables

Values are from the view of the side to move. In games that are won or lost, a value is the logit of
the winning chance in 256ths: 0 is an even game, 256 · ln 3 is a winning chance of 3/4. In games
played for a margin, a value is the expected margin in 256ths of a point.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Game
from papan.learn.features import Features
from papan.learn.fillable import TECHNIQUES, NotRead, added_symbol, fillable
from papan.learn.folding import folds
from papan.learn.own_value import NotUsed, OwnValue, own_value, step_entry, step_of
from papan.learn.survey import LARGEST_COUNT, Survey, has_two_sets
from papan.rules.bits import (
    NONE,
    ONE,
    SCRATCH,
    Bits,
    bit_like,
    extract_bits,
    lowest,
    popcount,
    scratch,
    stones,
    without_lowest,
)
from papan.rules.dispatch import helper, is_replaced, operation
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

#: Number of units per logit, or per point.
SCALE = 256
#: Maximum number of squares of a folded table on a board of two sets.
LONGEST_MASK = 8
TWO, THREE = np.uint64(2), np.uint64(3)
#: Rows of a board of 64 squares, and indices in a word of `LearnedSets.rows`.
ROWS, LANES = 8, 4
_ROW_BITS, _ROW = np.uint64(8), np.uint64(0xFF)
_INDEX_BITS, _INDEX = np.uint64(16), np.uint64(0xFFFF)

#: Largest absolute entry of a folded table, and maximum exponent of the power of two by which
#: entries are scaled up.
_ROOM = 32_767
_FINEST = 4
#: Limit of values in games played for a margin, in 256ths of a point.
_LARGEST = 1 << 22

Array = np.ndarray[Any, Any]


class LearnedSets(NamedTuple):
    """A learned evaluation of a board of two sets.

    Attributes:
        rows: uint64 (views, 8, 256, words): contributions of a row of the board to the indices of
            the tables, as each side sees them, for each set of pieces in the row; four indices of
            16 bits in a word. Opposing pieces count twice, places that a move can fill three times:
            an index is a number in base 3 or 4.
        starts: uint64 (tables,): first index of each table in a row of `table`; the number of
            tables is a multiple of four. The steps of the own value come before all tables.
        table: int16 (views · phases, entries): values, scaled by 2^spread.
        phases: uint8: phase by number of pieces.
        views: 2 if the sides see the board differently, else 1.
        spread: exponent of the scale of `table`.
        points: units per point (`unit`).
        limit: largest absolute value.
        symmetric: 1 if mirrored positions have the same value.
        digest: identifies the evaluation.
        fillable: how to find the places that a move can fill.
        own: how to find the step of the own value.
    """

    rows: Array
    starts: Array
    table: Array
    phases: Array
    views: int
    spread: int
    points: int
    limit: int
    symmetric: int
    digest: int
    fillable: Any = NotRead()
    own: Any = NotUsed()

    def __eq__(self, other: object) -> bool:
        return type(other) is LearnedSets and self.digest == other.digest

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.digest)


class LearnedPlaces(NamedTuple):
    """A learned evaluation of a board with any pieces.

    Attributes:
        occupied: how to find the places that may be occupied.
        numbers: int32 (2, largest place + 1): index of each place, as each side sees the board.
        symbols: uint8 (2, codes): symbol of each code, as each side sees it; 0 for an empty place.
        base: number of symbols.
        inside: uint32: the tables that contain each place, place after place by index.
        digits: uint16: value of the digit 1 of the place in each of these tables.
        ends: uint32 (places + 1,): 0, and the end of each place's tables in `inside`.
        starts: uint64 (tables,): first index of each table in a row of `table`.
        table, phases, views, spread, points, limit, symmetric, digest, fillable, own: as in
            `LearnedSets`.
    """

    occupied: Any
    numbers: Array
    symbols: Array
    base: int
    inside: Array
    digits: Array
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
    fillable: Any = NotRead()
    own: Any = NotUsed()

    def __eq__(self, other: object) -> bool:
        return type(other) is LearnedPlaces and self.digest == other.digest

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.digest)


LEARNED = (LearnedSets, LearnedPlaces)


class StonesOnly(NamedTuple):
    """Only the places in `mine` and `theirs` may be occupied."""


class AnyPlace(NamedTuple):
    """Any place may be occupied; `places` is the set of all."""

    places: Any


@operation
def occupied(technique: Any, state: State) -> Bits:
    """Returns the places that may be occupied."""


@occupied.register(StonesOnly)
def _(technique: StonesOnly, state: State) -> Bits:
    mine, theirs = stones(state)
    return mine | theirs


@occupied.register(AnyPlace)
def _(technique: AnyPlace, state: State) -> Bits:
    places: Bits = technique.places
    return places


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
    rows, table = evaluation.rows[view], evaluation.table[row]
    filled = fillable(evaluation.fillable, state) & ~(mine | theirs)
    total: Any = step_entry(evaluation.own, table, state)
    # Unsigned indices throughout: numba checks a signed index for negative values each time.
    for word in range(rows.shape[2]):
        indices, own, others, free = NONE, mine, theirs, filled
        for line in range(ROWS):
            indices += rows[line, own & _ROW, word] + (rows[line, others & _ROW, word] << ONE)
            indices += added_symbol(evaluation.fillable, THREE * rows[line, free & _ROW, word])
            own >>= _ROW_BITS
            others >>= _ROW_BITS
            free >>= _ROW_BITS
        for lane in range(LANES):
            index = evaluation.starts[LANES * word + lane] + (indices & _INDEX)
            total += np.int64(table[index])
            indices >>= _INDEX_BITS
    return clamp_value(total, evaluation.spread, evaluation.limit)


@evaluate.register(LearnedPlaces)
def _(evaluation: LearnedPlaces, state: State) -> int:
    indices, tables = scratch(), evaluation.starts.size
    for number in range(tables):
        indices[number] = 0
    view = side_to_move(state)
    row: Any = np.int64(evaluation.phases[add_digits(evaluation, state, view, indices)])
    if evaluation.views == 2:
        row += view * (evaluation.table.shape[0] // 2)
    table = evaluation.table[row]
    total: Any = step_entry(evaluation.own, table, state)
    for number in range(tables):
        total += np.int64(table[evaluation.starts[number] + np.uint64(indices[number])])
    return clamp_value(total, evaluation.spread, evaluation.limit)


@helper
def add_digits(reader: Any, state: State, view: int, indices: Any) -> int:
    """Adds what each place contributes to the indices of tables, as the side to move sees it.

    `reader` is a `LearnedPlaces` or a `PlaceReader`. Returns the number of occupied places.
    """
    filled, count = fillable(reader.fillable, state), 0
    rest = occupied(reader.occupied, state) | filled
    while rest != NONE:
        place: Any = np.int64(lowest(rest))
        rest = without_lowest(rest)
        shown = min(count_at(state, place), LARGEST_COUNT) + 1
        code = piece_at(state, place) * (LARGEST_COUNT + 2) + shown
        symbol: Any = np.int64(reader.symbols[view, min(code, reader.symbols.shape[1] - 1)])
        count += symbol != 0
        if symbol == 0 and filled & bit_like(filled, place) != NONE:
            symbol = reader.base - 1
        if symbol != 0:
            index: Any = np.int64(reader.numbers[view, place])
            for at in range(reader.ends[index], reader.ends[index + 1]):
                indices[reader.inside[at]] += symbol * reader.digits[at]
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
    if evaluation.limit == _LARGEST:  # the game is played for a margin
        return None
    return 0.5 + 0.5 * math.tanh(0.5 * value)  # exp overflows on an unproven loss


# --- entries of a position, for learning ----------------------------------------------------------


class SetReader(NamedTuple):
    """Parameters for reading positions of two sets during learning.

    Attributes:
        masks: uint64 (2, tuples): squares of each tuple, as each side sees them.
        starts: uint64 (tuples,): first entry of each tuple.
        local: int32 (2, entries): entry for an index whose digits are in the order of the bits.
        digits: uint64 (256,): number in base B with the bits of the index as digits.
        phases, views, fillable, own: as in `LearnedSets`.
        rows: number of rows of weights.
    """

    masks: Array
    starts: Array
    local: Array
    digits: Array
    phases: Array
    views: int
    rows: int
    fillable: Any
    own: Any


class PlaceReader(NamedTuple):
    """Parameters for reading all other positions during learning.

    Attributes:
        occupied, numbers, symbols, base: as in `LearnedPlaces`.
        inside, digits, ends: as in `LearnedPlaces`, but for tuples.
        starts: int32 (tuples,): first entry of each tuple.
        phases, views, fillable, own: as in `LearnedSets`.
        rows: number of rows of weights.
    """

    occupied: Any
    numbers: Array
    symbols: Array
    base: int
    inside: Array
    digits: Array
    ends: Array
    starts: Array
    phases: Array
    views: int
    rows: int
    fillable: Any
    own: Any


@operation
def note(reader: Any, state: State, noted: Any) -> int:
    """Writes the entries of a position to `noted`, int32 (tuples,); returns its row of weights."""


@note.register(SetReader)
def _(reader: SetReader, state: State, noted: Any) -> int:
    mine, theirs = stones(state)
    filled = fillable(reader.fillable, state) & ~(mine | theirs)
    view = side_to_move(state)
    for number in range(reader.starts.size):
        mask = reader.masks[view, number]
        index = reader.digits[extract_bits(mine, mask)] + reader.starts[number]
        index += TWO * reader.digits[extract_bits(theirs, mask)]
        index += THREE * reader.digits[extract_bits(filled, mask)]
        noted[number] = reader.local[view, index]
    noted[0] += step_of(reader.own, state)
    row: Any = np.int64(reader.phases[popcount(mine | theirs)])
    return row + view * (reader.rows // 2) if reader.views == 2 else row


@note.register(PlaceReader)
def _(reader: PlaceReader, state: State, noted: Any) -> int:
    for number in range(reader.starts.size):
        noted[number] = reader.starts[number]
    view = side_to_move(state)
    row: Any = np.int64(reader.phases[add_digits(reader, state, view, noted)])
    noted[0] += step_of(reader.own, state)
    return row + view * (reader.rows // 2) if reader.views == 2 else row


# --- the network ----------------------------------------------------------------------------------


class Network:
    """The features of a game: reads positions and converts weights to tables.

    Attributes:
        game: the rules.
        facts: survey of the game.
        features: the tuples.
        rows: number of rows of weights: one for each phase, times two if the sides differ.
        fillable: how to find the places that a move can fill.
        own: how to find the step of the own value.
    """

    def __init__(self, game: Game, facts: Survey, features: Features) -> None:
        self.game, self.facts, self.features = game, facts, features
        start = game.start_state()
        self.is_sets = has_two_sets(start) and len(facts.codes) == 3
        self.fillable = TECHNIQUES[facts.fillable]
        self.own = own_value(game, facts.own_value, facts.deviation)
        self.phases = _phases(facts)
        self.sides = 1 if facts.exchange is not None else 2  # number of separate sets of weights
        self.rows = self.sides * (len(facts.levels) + 1)
        win = int(win_value(start))
        self.limit = win - MAX_PLY - 1 if win > 0 else _LARGEST
        self._folds = folds(features, LONGEST_MASK if self.is_sets else len(facts.places))
        assert len(self._folds) <= SCRATCH, len(self._folds)
        views = 2 if self.is_sets and not self._same_view else self.sides
        self._views = range(views)
        self._maps = [_maps_of(self, view) for view in (self._views if self.is_sets else range(1))]

    @property
    def _steps(self) -> int:
        """Number of entries of the own value in each row of tables; 0 if it is not used."""
        return self.features.steps if self.facts.own_value else 0

    @property
    def _is_symmetric(self) -> int:
        """1 if mirrored positions have the same value, else 0."""
        own = self.own
        is_known = is_symmetric(own.evaluation) if isinstance(own, OwnValue) else True
        return int(self.facts.mirrors and is_known)

    @property
    def _same_view(self) -> bool:
        """True if both sides see each place at the same index."""
        exchange = self.facts.exchange
        return exchange is not None and all(at == to for at, to in enumerate(exchange))

    def seen_at(self, view: int) -> list[int]:
        """Returns the place number that a side sees at each index."""
        places = self.facts.places
        if view == 0 or self.facts.exchange is None:
            return list(places)
        seen = [0] * len(places)
        for at, image in enumerate(self.facts.exchange):
            seen[image] = places[at]
        return seen

    def reader(self) -> SetReader | PlaceReader:
        """Returns the parameters for reading positions during learning."""
        features = self.features
        if self.is_sets:
            masks, local = zip(*(_by_bits(self, view) for view in (0, 1)), strict=True)
            return SetReader(
                np.array(masks, dtype=np.uint64),
                features.starts.astype(np.uint64),
                np.array(local, dtype=np.int32),
                digits_of_sets(features.base),
                self.phases,
                self.sides,
                self.rows,
                self.fillable,
                self.own,
            )
        return PlaceReader(
            *self._places(),
            features.base,
            *_by_place(features.tuples, features.base, len(self.facts.places)),
            features.starts,
            self.phases,
            self.sides,
            self.rows,
            self.fillable,
            self.own,
        )

    def spread_for(self, weights: Array) -> int:
        """Returns the largest exponent of two by which weights can be scaled.

        The folded tables of the scaled weights fit in 16 bits. `weights` is a float array (rows,
        weights) in 256ths.
        """
        largest = max(float(np.abs(self._tables(self.entries(weights))).max()), 1.0)
        return int(max(0, min(_FINEST, np.log2(_ROOM / largest))))

    def entries(self, weights: Array) -> Array:
        """Returns the value of each entry, (rows, entries)."""
        sums: Array = weights[:, self.features.cells].sum(axis=2)
        return sums

    def evaluation(
        self, weights: Array, spread: int, points: int, digest: int
    ) -> LearnedSets | LearnedPlaces:
        """Returns the evaluation with some weights.

        `weights` is an integer array (rows, weights) in 256ths, scaled by 2^spread.
        """
        table = self._tables(self.entries(weights.astype(np.int64)))
        packed = table.clip(-_ROOM, _ROOM).astype(np.int16, order="C")
        base = self.features.base
        sizes = [base ** len(fold) for fold, _ in self._folds]
        starts = np.cumsum([self._steps, *sizes])[:-1].astype(np.int32)
        numbers = (len(self._views), spread, points, self.limit, self._is_symmetric, digest)
        rest: tuple[Any, ...] = (self.phases, *numbers, self.fillable, self.own)
        if self.is_sets:
            # Tables that fill the last word have one entry, a zero.
            filled = np.full(-len(starts) % LANES, packed.shape[1])
            packed = np.pad(packed, ((0, 0), (0, 1)))
            parts = [_contributions(self.seen_at(v), self._folds, base) for v in self._views]
            rows = np.array(parts)
            return LearnedSets(rows, np.append(starts, filled).astype(np.uint64), packed, *rest)
        inside = _by_place([fold for fold, _ in self._folds], base, len(self.facts.places))
        first = starts.astype(np.uint64)
        return LearnedPlaces(*self._places(), base, *inside, first, packed, *rest)

    def _tables(self, entries: Array) -> Array:
        """Returns the folded tables of all views, (views · phases, entries)."""
        return np.concatenate([self._fold_view(entries, view) for view in self._views])

    def _fold_view(self, entries: Array, view: int) -> Array:
        """Returns the folded tables of one view, (phases, entries)."""
        own = len(self.facts.levels) + 1
        part = entries[own * view : own * (view + 1)] if self.sides == 2 else entries
        maps = self._maps[view if self.is_sets else 0]
        tables = [part[:, summed].sum(axis=1) for summed in maps]
        return np.concatenate([part[:, : self._steps], *tables], axis=1)

    def _places(self) -> tuple[Any, Array, Array]:
        """Returns the fields `occupied`, `numbers` and `symbols` of `LearnedPlaces`."""
        facts, start = self.facts, self.game.start_state()
        own = any(is_replaced(item, start) for item in (piece_at, count_at))
        places = np.array([self.seen_at(0), self.seen_at(1)], dtype=np.int32)
        numbers = np.zeros((2, int(places.max()) + 1), dtype=np.int32)
        for view in range(2):
            numbers[view, places[view]] = range(places.shape[1])
        symbols = np.zeros((2, max(facts.codes) + 2), dtype=np.uint8)
        for symbol, code in enumerate(facts.codes):
            symbols[0, code] = symbol
            symbols[1, code] = symbol if facts.exchange is None else facts.partner[symbol]
        return AnyPlace(self.game.board.mask) if own else StonesOnly(), numbers, symbols


def digits_of_sets(base: int) -> Array:
    """Returns, for each set of eight bits, the number in base `base` with these bits as digits."""
    bits = np.arange(1 << LONGEST_MASK)
    digits = [(bits >> place & 1) * base**place for place in range(LONGEST_MASK)]
    return np.sum(digits, axis=0).astype(np.uint64)


def _phases(facts: Survey) -> Array:
    """Returns the phase for each number of occupied places."""
    counts = np.arange(len(facts.places) + 1)
    return np.searchsorted(np.array(facts.levels), counts, side="right").astype(np.uint8)


def _mask(seen: list[int], indices: tuple[int, ...]) -> int:
    return sum(1 << seen[at] for at in indices)


def _contributions(seen: list[int], groups: Any, base: int) -> Array:
    """Returns what the pieces in each row contribute to the indices of tables, (8, 256, words).

    Args:
        seen: the place number at each index.
        groups: the indices of the places of each table, in the first field.
        base: number of symbols.
    """
    indices = np.zeros((ROWS, 1 << int(_ROW_BITS), -(-len(groups) // LANES)), dtype=np.uint64)
    sets = np.arange(1 << int(_ROW_BITS))
    for number, (group, _) in enumerate(groups):
        word, lane = divmod(number, LANES)
        for digit, square in enumerate(sorted(seen[at] for at in group)):
            line, column = divmod(square, ROWS)
            held = (sets >> column & 1).astype(np.uint64)
            indices[line, :, word] += held * np.uint64(base**digit << int(_INDEX_BITS) * lane)
    return indices


def _by_place(groups: Any, base: int, places: int) -> tuple[Array, Array, Array]:
    """Returns the fields `inside`, `digits` and `ends` of `LearnedPlaces`.

    Args:
        groups: the indices of the places of each table, lowest digit first.
        base: number of symbols.
        places: number of places.
    """
    inside: list[list[tuple[int, int]]] = [[] for _ in range(places)]
    for number, group in enumerate(groups):
        for digit, at in enumerate(group):
            inside[at].append((number, base**digit))
    ends = np.cumsum([0, *map(len, inside)], dtype=np.uint32)
    pairs = np.array([pair for one in inside for pair in one]).reshape(-1, 2)
    return pairs[:, 0].astype(np.uint32), pairs[:, 1].astype(np.uint16), ends


def _by_bits(network: Network, view: int) -> tuple[list[int], Array]:
    """Returns the mask of each tuple in a view, and the entry for each index in bit order."""
    features, seen = network.features, network.seen_at(view)
    masks, local = [0], [np.arange(features.steps)]
    for one, start in zip(features.tuples[1:], features.starts[1:], strict=True):
        masks.append(_mask(seen, one))
        local.append(start + _written_by(sorted(one, key=lambda at: seen[at]), one, features.base))
    return masks, np.concatenate(local)


def _written_by(digits: list[int], one: tuple[int, ...], base: int) -> Array:
    """Converts each number with the digits `digits`, lowest first, to the tuple's own order."""
    numbers = np.arange(base ** len(digits))
    entries = np.zeros_like(numbers)
    for place, at in enumerate(one):
        entries += numbers // base ** digits.index(at) % base * base**place
    return entries


def _maps_of(network: Network, view: int) -> list[Array]:
    """Returns, for each folded table, the entries to add: int32 (number of tuples, table size)."""
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
