"""The transposition table: results of searched positions, kept for their next occurrence.

A slot is three 64-bit words:

    word 0  check    key XOR bounds XOR facts
    word 1  bounds   lower value (24 bits) | upper value (24) | move + 1, 0 for none (16)
    word 2  facts    nodes of the subtree (40 bits) | hits (8) | generation (8) | depth (8)

In a game with move numbers of more than 16 bits, the lower 16 bits of the nodes hold the upper 16
bits of move + 1. Subtrees are still compared by their nodes first.

Values are stored as value + 2²³. A value is exact if lower = upper. Wins are stored as distances
from the position, not from the root, and converted when read (`to_table`, `from_table`).

Several threads use one table without locks. If two threads write a slot at once, its check word
does not match and the slot is ignored (Hyatt & Mann, "A lockless transposition-table implementation
for parallel search", ICGA Journal 25(1), 2002).

A `Replacement`, a row of numbers, decides which of two positions stays in a slot. The schemes are
those of Breuker, Uiterwijk & van den Herik, "Replacement schemes for transposition tables", ICCA
Journal 17(4), 1994, with use and age added.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.errors import InvalidLimit
from papan.rules.bits import signed
from papan.rules.dispatch import helper
from papan.rules.operations import (
    INFINITY,
    LARGEST_MOVE,
    MAX_PLY,
    State,
    is_win_distance,
    largest_move,
)
from papan.search.limits import LARGEST_MB
from papan.search.workspace import Workspace, history_hash_at

WORDS = 3
SLOT_BYTES = 8 * WORDS

_OFFSET = 1 << 23
_VALUE_MASK = np.uint64((1 << 24) - 1)
_MOVE_BITS = 16
_MOVE_MASK = np.uint64((1 << _MOVE_BITS) - 1)
_BYTE = np.uint64(0xFF)
_MOST_NODES = (1 << 40) - 1
_MOST_WIDE_NODES = (1 << (40 - _MOVE_BITS)) - 1
_MOST_HITS = 255
_GENERATIONS = 256

assert 24 + 24 + 16 == 64 and 40 + 8 + 8 + 8 == 64, "a slot's fields fill its words"
assert LARGEST_MOVE + 1 < 1 << 2 * _MOVE_BITS, "a large move fits into two fields"
assert MAX_PLY < 256, "a depth fits into its byte"
assert INFINITY >= _OFFSET, "no bound is stored for values beyond 24 bits"


Words = np.ndarray[Any, np.dtype[np.uint64]]


class Replacement(NamedTuple):
    """The weights of an entry's properties; their weighted sum is the value of keeping the entry.

    A new entry replaces the old one if its value is at least as large.

    Attributes:
        levels: 1: one slot. 2: a pair of slots; the entry that loses the first moves to the second.
        newcomer: bonus of a new entry.
        depth: weight of a ply of depth.
        size: weight of a node of the subtree, the cost of searching it again.
        hits: weight of each use of the entry.
        age: loss for each search (generation) since the entry was written.
    """

    levels: int
    newcomer: int
    depth: int
    size: int
    hits: int
    age: int


#: Larger than any sum of the other weights, so that entries of older searches expire.
_EXPIRED = 1 << 50

#: The named strategies.
REPLACEMENTS = {
    "new": Replacement(1, 0, 0, 0, 0, 0),
    "old": Replacement(1, -1, 0, 0, 0, _EXPIRED),
    "deep": Replacement(1, 0, 1, 0, 0, 0),
    "big": Replacement(1, 0, 0, 1, 0, 0),
    "two-deep": Replacement(2, 0, 1, 0, 0, 0),
    "two-big": Replacement(2, 0, 0, 1, 0, 0),
    "frequency": Replacement(1, 0, 0, 0, 1, _EXPIRED),
    "age": Replacement(1, 0, 1, 0, 0, _EXPIRED),
}


class Table(NamedTuple):
    """A transposition table as kernels see it.

    Attributes:
        slots: uint64 of shape (3 · number of slots,); the number is a power of two.
        mask: number of slots − 1.
        generation: number of the current search, 0 … 255.
        replacement: the replacement scheme.
    """

    slots: Words
    mask: np.uint64
    generation: int
    replacement: Replacement


class Entry(NamedTuple):
    """The result of a probe.

    Attributes:
        hit: 1 if the position is in the table; if 0, the other fields are undefined.
        depth: the depth of its search.
        lower: lower bound of the value.
        upper: upper bound of the value.
        move: the best move, or −1.
    """

    hit: int
    depth: int
    lower: int
    upper: int
    move: int


def new_table(
    megabytes: float = 16, replacement: str = "two-big", slots: int | None = None
) -> Table:
    """Returns an empty table with the largest power of two of slots that fits in `megabytes`.

    Args:
        megabytes: memory; 1 MB = 2²⁰ bytes.
        replacement: name of a replacement scheme.
        slots: number of slots instead, rounded down to a power of two, at least 2.

    Raises:
        InvalidLimit: the size is out of range, or the machine has too little memory.
    """
    _check("@limit.hash", megabytes, LARGEST_MB, " MB")
    _check("@limit.slots", slots, LARGEST_MB * 2**20 // SLOT_BYTES)
    count = int(slots or megabytes * 2**20 // SLOT_BYTES)
    count = 1 << max(1, count.bit_length() - 1)
    try:
        words = np.zeros(WORDS * count, dtype=np.uint64)
    except MemoryError:
        raise InvalidLimit("limit.memory", value=megabytes) from None
    return Table(words, np.uint64(count - 1), 0, REPLACEMENTS[replacement])


def _check(what: str, value: float | None, high: int, unit: str = "") -> None:
    if value is not None and not 0 < value <= high:
        raise InvalidLimit("limit.range", what=what, value=value, expected=f"0 … {high}{unit}")


def next_generation(table: Table) -> Table:
    """Returns the same table for the next search."""
    return table._replace(generation=(table.generation + 1) % _GENERATIONS)


def hashfull(table: Table) -> float:
    """Returns the share of slots used by the current search, 0 … 1.

    Only the first 4096 slots are counted. Keys are evenly spread, and slots far apart would each
    cost a page of memory.
    """
    facts = table.slots[: 4096 * WORDS].reshape(-1, WORDS)[:, 2]
    used = (facts != 0) & (((facts >> np.uint64(8)) & _BYTE) == table.generation)
    return float(used.mean())


@helper
def to_table(state: State, value: int, ply: int) -> int:
    """Returns a value as it is stored, with the distance of a win counted from this position."""
    if is_win_distance(state, value):
        return value + ply if value > 0 else value - ply
    return value


@helper
def from_table(state: State, value: int, ply: int) -> int:
    """Returns a stored value as the search at `ply` needs it."""
    if is_win_distance(state, value):
        return value - ply if value > 0 else value + ply
    return value


@helper
def probe(table: Table, state: State, key: np.uint64, ply: int, workspace: Workspace) -> Any:
    """Returns the `Entry` of the position with `key`, reached at `ply`."""
    workspace.probes += 1
    slots = table.slots
    slot_key = key ^ history_hash_at(state, ply, workspace)
    base = _place(table, slot_key)
    for level in range(table.replacement.levels):
        index = base + level * WORDS
        bounds = slots[index + 1]
        facts = slots[index + 2]
        if slots[index] ^ bounds ^ facts == slot_key and facts != np.uint64(0):
            workspace.table_hits += 1
            if table.replacement.hits != 0:
                _count_hit(slots, index, slot_key, bounds, facts)
            lower = signed(bounds >> np.uint64(40)) - _OFFSET
            upper = signed((bounds >> np.uint64(16)) & _VALUE_MASK) - _OFFSET
            return Entry(
                1,
                signed(facts & _BYTE),
                from_table(state, lower, ply),
                from_table(state, upper, ply),
                move_in(state, bounds, facts),
            )
    return Entry(0, 0, 0, 0, -1)


@helper
def store(
    table: Table,
    state: State,
    key: np.uint64,
    ply: int,
    entry: Entry,
    nodes: int,
    workspace: Workspace,
) -> None:
    """Stores the result of a position; the replacement scheme decides which entries stay."""
    slots = table.slots
    slot_key = key ^ history_hash_at(state, ply, workspace)
    bounds = _pack_bounds(
        to_table(state, entry.lower, ply), to_table(state, entry.upper, ply), entry.move
    )
    size = size_field(state, nodes, entry.move)
    facts = _pack_facts(size, table.generation, entry.depth)
    first = _place(table, slot_key)
    second = first + WORDS
    if _key_at(slots, first) == slot_key or slots[first + 2] == np.uint64(0):
        _write(slots, first, slot_key, bounds, facts)
    elif worth(table, facts) + table.replacement.newcomer >= worth(table, slots[first + 2]):
        if table.replacement.levels == 2:
            _copy(slots, first, second)
        _write(slots, first, slot_key, bounds, facts)
    elif table.replacement.levels == 2:
        _write(slots, second, slot_key, bounds, facts)


@helper
def is_wide(state: State) -> bool:
    """True if the moves of a game need more than the 16 bits of their field."""
    return largest_move(state) + 1 > (1 << _MOVE_BITS) - 1


@helper
def size_field(state: State, nodes: int, move: int) -> int:
    """Returns the field of a slot with the nodes.

    In games with large move numbers, the field also has the upper bits of the move.
    """
    if is_wide(state):
        return (min(nodes, _MOST_WIDE_NODES) << _MOVE_BITS) | ((move + 1) >> _MOVE_BITS)
    return min(nodes, _MOST_NODES)


@helper
def move_in(state: State, bounds: np.uint64, facts: np.uint64) -> int:
    """Returns the move of a slot, or −1."""
    move = signed(bounds & _MOVE_MASK)
    if is_wide(state):
        move |= signed((facts >> np.uint64(24)) & _MOVE_MASK) << _MOVE_BITS
    return move - 1


@helper
def _place(table: Table, slot_key: np.uint64) -> Any:
    """Returns the index of a position's slot, or of the first slot of its pair.

    Pairs do not overlap: the second slot of one pair is never the first of another.
    """
    place = signed(slot_key & table.mask)
    if table.replacement.levels == 2:
        place &= -2
    return place * WORDS


@helper
def worth(table: Table, facts: np.uint64) -> Any:
    """Returns the value of keeping the entry with these facts."""
    scheme = table.replacement
    generation = signed((facts >> np.uint64(8)) & _BYTE)
    age = (table.generation - generation) % _GENERATIONS
    return (
        scheme.depth * signed(facts & _BYTE)
        + scheme.size * signed(facts >> np.uint64(24))
        + scheme.hits * signed((facts >> np.uint64(16)) & _BYTE)
        - scheme.age * age
    )


@helper
def _key_at(slots: Words, index: Any) -> np.uint64:
    return slots[index] ^ slots[index + 1] ^ slots[index + 2]


@helper
def _write(
    slots: Words,
    index: Any,
    key: np.uint64,
    bounds: np.uint64,
    facts: np.uint64,
) -> None:
    slots[index] = key ^ bounds ^ facts
    slots[index + 1] = bounds
    slots[index + 2] = facts


@helper
def _copy(slots: Words, source: Any, target: Any) -> None:
    """Copies a slot word by word, so that a slot that another thread is writing stays invalid."""
    for word in range(WORDS):
        slots[target + word] = slots[source + word]


@helper
def _count_hit(
    slots: Words,
    index: Any,
    key: np.uint64,
    bounds: np.uint64,
    facts: np.uint64,
) -> None:
    if (facts >> np.uint64(16)) & _BYTE < np.uint64(_MOST_HITS):
        _write(slots, index, key, bounds, facts + np.uint64(1 << 16))


@helper
def _pack_bounds(lower: int, upper: int, move: int) -> np.uint64:
    low = np.uint64(min(max(lower, -_OFFSET), _OFFSET - 1) + _OFFSET)
    high = np.uint64(min(max(upper, -_OFFSET), _OFFSET - 1) + _OFFSET)
    return (low << np.uint64(40)) | (high << np.uint64(16)) | (np.uint64(move + 1) & _MOVE_MASK)


@helper
def _pack_facts(size: int, generation: int, depth: int) -> np.uint64:
    return np.uint64((size << 24) | (generation << 8) | depth)
