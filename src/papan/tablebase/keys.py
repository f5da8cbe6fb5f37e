"""Sets of keys: hash tables that collect positions, and blocks that store them sorted.

A table has `PARTS` parts, selected by the first bits of a key's hash. Only one thread at a time
fills a part. The last word of a free slot is 0. The next bits of the hash select the slot where a
search in the part starts. Each part ends with spare slots (the tail), so that searches do not wrap
around.

A block is an array of uint64 with the positions of a layer. Files consist of blocks:

    word 0   number of positions n          word 2   depth of the layer
    word 1   b: bits of the index           word 3   words of a key
    index    2ᵇ + 1 words: number of the first position whose hash starts with these b bits
    keys     in the order of their hashes; keys with equal hashes in the order of their words
    results  16 bits each, four in a word, the first one in the lowest bits

If the game's own numbers are the keys, a block has neither index nor keys. Words 1 and 3 are 0, n
is the count of numbers, and the results start at word 4, in the order of the numbers. `ABSENT`
marks numbers without a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import NONE, signed
from papan.rules.dispatch import helper
from papan.rules.splitmix import scramble
from papan.rules.wide import WORD
from papan.tablebase.codec import ABSENT, MARK, Codes, Words, number_of

#: 16 parts, so that several threads can fill one table without locks.
PART_BITS = 4
PARTS = 1 << PART_BITS

#: Share of used slots at which a table grows.
MOST_LOAD = 0.6
#: Number of spare slots after each part: runs of used slots are much shorter at that load.
_TAIL = 512
#: Largest average number of positions for each word of a block's index.
_INDEXED = 4
#: Number of words before a block's index.
HEAD = 4
RESULTS_IN_WORD = 4
#: Number of positions in a section of a block: 8 MB for each word of a key.
_SECTION = 1 << 20


class KeyTable(NamedTuple):
    """A set of keys that grows.

    Attributes:
        slots: uint64, the words of all slots.
        bits: each part has 2^bits slots and a tail.
        counts: int64 of shape (PARTS,): keys in each part.
        width: words of a key.
    """

    slots: Words
    bits: int
    counts: Any
    width: int


def new_table(bits: int, width: int) -> KeyTable:
    """Returns an empty table whose parts have 2^bits slots."""
    slots = np.zeros(PARTS * ((1 << bits) + _TAIL) * width, np.uint64)
    return KeyTable(slots, bits, np.zeros(PARTS, np.int64), width)


def table_bytes(bits: int, width: int) -> int:
    """Returns the memory of a table in bytes."""
    return 8 * PARTS * ((1 << bits) + _TAIL) * width


def has_room(table: KeyTable, more: int) -> bool:
    """True if all parts have room for `more` keys, assuming evenly distributed hashes."""
    # The fullest part decides. New keys are not spread evenly either, hence a fifth more; the load
    # limit leaves room for larger deviations.
    expected = int(table.counts.max()) + more / PARTS * 1.2
    return bool(expected < MOST_LOAD * (1 << table.bits))


@helper
def hash_of(keys: Words, key: int, width: int) -> np.uint64:
    """Returns a hash in which each bit depends on all bits of a key."""
    value = NONE
    for index in range(width):
        value = scramble(value ^ keys[key + index])
    return value


@helper
def keys_are_equal(one: Words, key: int, other: Words, at: int, width: int) -> bool:
    """True if two keys are equal."""
    same = True  # compiled code has no `all`
    for index in range(width):
        same = same and one[key + index] == other[at + index]
    return same


@helper
def slot_of(table: KeyTable, keys: Words, key: int, value: np.uint64) -> int:
    """Returns the slot of a key, or a free slot for it; −1 if its part is full.

    `value` is the hash of the key.
    """
    width, bits = table.width, table.bits
    size = (1 << bits) + _TAIL
    # Slots follow the order of hashes, which is also the order of blocks: see `sort_keys`.
    part = signed(value >> np.uint64(WORD - PART_BITS))
    inside = signed((value << np.uint64(PART_BITS)) >> np.uint64(WORD - bits))
    slot, end = part * size + inside, (part + 1) * size
    while slot < end:
        at = slot * width
        if table.slots[at + width - 1] == NONE or keys_are_equal(table.slots, at, keys, key, width):
            return slot
        slot += 1
    return -1


@helper
def put(table: KeyTable, keys: Words, key: int, value: np.uint64) -> int:
    """Adds a key to a table; `value` is its hash.

    Returns 1 if the key was new, 0 if not, −1 if its part is full.
    """
    width = table.width
    slot = slot_of(table, keys, key, value)
    if slot < 0:
        return -1
    if table.slots[slot * width + width - 1] != NONE:
        return 0
    for word in range(width):
        table.slots[slot * width + word] = keys[key + word]
    table.counts[signed(value >> np.uint64(WORD - PART_BITS))] += 1
    return 1


@kernel
def insert(table: KeyTable, keys: Words, count: int, parts: Any, fresh: Words) -> int:
    """Adds keys to the parts of a table from `parts[0]` to `parts[1]` − 1.

    New keys are also written to `fresh` while it has room. Free slots among `keys` are skipped.
    Returns the number of new keys, or −1 if a part is full.
    """
    width, new, room = table.width, 0, fresh.size // table.width
    for index in range(count):
        key = index * width
        if keys[key + width - 1] == NONE:
            continue
        # Each thread hashes all keys and skips those of other threads' parts, so that parts need
        # no locks.
        value = hash_of(keys, key, width)
        part = signed(value >> np.uint64(WORD - PART_BITS))
        if part < parts[0] or part >= parts[1]:
            continue
        stored = put(table, keys, key, value)
        if stored < 0:
            return -1
        if stored > 0 and new < room:
            for word in range(width):
                fresh[new * width + word] = keys[key + word]
        new += stored
    return new


@kernel
def insert_depth(table: KeyTable, keys: Words, depths: Any, depth: int, count: int) -> int:
    """Adds the keys of one depth to a table.

    Returns the number of new keys, or −1 if a part is full.
    """
    width, new = table.width, 0
    for index in range(count):
        if depths[index] != depth:
            continue
        stored = put(table, keys, index * width, hash_of(keys, index * width, width))
        if stored < 0:
            return -1
        new += stored
    return new


# --- blocks ---------------------------------------------------------------------------------------


def index_bits(count: int) -> int:
    """Returns the bits of the index of a block with this number of positions."""
    return max(0, (max(count, 1) // _INDEXED).bit_length())


def block_words(count: int, width: int) -> int:
    """Returns the number of words of a block."""
    return results_start(count, width) + -(-count // RESULTS_IN_WORD)


def results_start(count: int, width: int) -> int:
    """Returns the index of the first word of a block's results.

    `width` is 0 if numbers are the keys.
    """
    if width == 0:
        return HEAD
    return HEAD + (1 << index_bits(count)) + 1 + count * width


def is_block(block: Words, depth: int, width: int) -> bool:
    """True if the sizes and the index of a block are consistent, so that lookups stay inside it.

    `width` is 0 if numbers are the keys.
    """
    count = int(block[0])
    if (int(block[2]), int(block[3]), block.size) != (depth, width, block_words(count, width)):
        return False
    if width == 0:
        return True
    bits = index_bits(count)
    index = block[HEAD : HEAD + (1 << bits) + 1]
    ends_right = int(block[1]) == bits and int(index[-1]) == count
    return ends_right and bool(np.all(index[:-1] <= index[1:]))


def keys_of(block: Words) -> Words:
    """Returns the keys of a block, concatenated."""
    count, width = int(block[0]), int(block[3])
    start = HEAD + (1 << int(block[1])) + 1
    return block[start : start + count * width]


def has_numbers(block: Words) -> bool:
    """True if the game's own numbers are the keys of a block."""
    return bool(block[3] == 0)


def sections(block: Words) -> Iterator[tuple[Any, Words]]:
    """Yields the places of positions in a block and their keys, in portions."""
    if has_numbers(block):
        for numbers in numbers_with(codes_of(block), ABSENT, equal=False):
            yield numbers, keys_of_numbers(numbers)
        return
    keys, count, width = keys_of(block), int(block[0]), int(block[3])
    for first in range(0, count, _SECTION):
        end = min(first + _SECTION, count)
        yield np.arange(first, end), keys[first * width : end * width]


def numbers_with(codes: Codes, code: int, *, equal: bool = True) -> Iterator[Any]:
    """Yields the numbers that have a code (or do not, if `equal` is False), in portions."""
    for first in range(0, codes.size, _SECTION):
        numbers = first + np.flatnonzero((codes[first : first + _SECTION] == code) == equal)
        if numbers.size > 0:
            yield numbers


def keys_of_numbers(numbers: Any) -> Words:
    """Returns the keys of numbers."""
    keys: Words = numbers.astype(np.uint64) | MARK
    return keys


def codes_of(block: Words) -> Any:
    """Returns the results of a block: uint16 of shape (positions,)."""
    count, width = int(block[0]), int(block[3])
    start = results_start(count, width)
    # A view, not a copy: builds write results through it. It agrees with `code_at` on little-endian
    # machines only, as the file does.
    return block[start : start + -(-count // RESULTS_IN_WORD)].view(np.uint16)[:count]


def count_keys(keys: Words | KeyTable, width: int) -> int:
    """Returns the number of keys of an array or a table."""
    return int(keys.counts.sum()) if isinstance(keys, KeyTable) else keys.size // width


def fill_block(block: Words, keys: Words | KeyTable, width: int, depth: int) -> None:
    """Fills a block of zeros with sorted keys, or with the keys of a table."""
    count = count_keys(keys, width)
    block[:HEAD] = np.array([count, index_bits(count), depth, width], np.uint64)
    if isinstance(keys, KeyTable):
        sort_keys(keys, keys_of(block), np.zeros(width, np.uint64))
    else:
        keys_of(block)[:] = keys
    make_index(block, keys_of(block))


@kernel
def sort_keys(table: KeyTable, keys: Words, spare: Words) -> int:
    """Writes all keys of a table in their order; returns their number.

    `keys` may be the table's own slots. `spare` has room for one key.
    """
    width, count = table.width, 0
    for slot in range(table.slots.size // width):
        if table.slots[slot * width + width - 1] == NONE:
            continue
        # With `keys` in the table's own slots, the insertion overwrites this slot, never a later
        # one, because `count` is at most `slot`.
        for word in range(width):
            spare[word] = table.slots[slot * width + word]
        # Slots are nearly in the order of hashes, so insertion takes few steps.
        place = count
        while place > 0 and precedes(spare, 0, keys, (place - 1) * width, width):
            for word in range(width):
                keys[place * width + word] = keys[(place - 1) * width + word]
            place -= 1
        for word in range(width):
            keys[place * width + word] = spare[word]
        count += 1
    return count


@kernel
def merge(
    runs: Words, heads: Any, ends: Any, known: int, hashes: Words, out: Words, width: int
) -> int:
    """Writes the next keys of several sorted runs to `out`, each once.

    Keys that are in the first `known` runs are left out. Run i has the keys `heads[i]` … `ends[i]`
    − 1 of `runs`; `heads` are advanced. `hashes` is scratch space with a word for each run. Returns
    the number of written keys, 0 at the end.
    """
    # 1. Hash the first key of each run, because runs are in the order of hashes. Later keys are
    #    hashed when they become the head of their run.
    for run in range(heads.size):
        if heads[run] < ends[run]:
            hashes[run] = hash_of(runs, heads[run] * width, width)
    count = 0
    while count < out.size // width:
        # 2. Find the least head. A scan is enough for the few runs (`key_sets.MOST_RUNS`); words
        #    decide only between equal hashes.
        least = -1
        for run in range(heads.size):
            if heads[run] < ends[run] and (
                least < 0
                or hashes[run] < hashes[least]
                or (
                    hashes[run] == hashes[least]
                    and precedes(runs, heads[run] * width, runs, heads[least] * width, width)
                )
            ):
                least = run
        if least < 0:
            break
        # 3. Write its key, before it is known whether the key is new.
        for word in range(width):
            out[count * width + word] = runs[heads[least] * width + word]
        # 4. Remove the key from all runs that have it, so that it is written once.
        value, is_new = hashes[least], True
        for run in range(heads.size):
            if (
                heads[run] < ends[run]
                and hashes[run] == value
                and keys_are_equal(runs, heads[run] * width, out, count * width, width)
            ):
                is_new = is_new and run >= known
                heads[run] += 1
                if heads[run] < ends[run]:
                    hashes[run] = hash_of(runs, heads[run] * width, width)
        # 5. The next key overwrites a key that is not new.
        count += 1 if is_new else 0
    return count


@helper
def precedes(one: Words, key: int, other: Words, at: int, width: int) -> bool:
    """True if a block stores the first key before the second."""
    first, second = hash_of(one, key, width), hash_of(other, at, width)
    if first != second:
        return bool(first < second)
    for index in range(width):
        if one[key + index] != other[at + index]:
            return bool(one[key + index] < other[at + index])
    return False


@kernel
def make_index(block: Words, keys: Words) -> None:
    """Writes the index of a block with these keys."""
    count, bits, width = signed(block[0]), signed(block[1]), signed(block[3])
    shift = np.uint64(WORD - bits)
    place = 0
    for number in range(count):
        prefix = 0
        if bits > 0:  # a shift by all 64 bits is undefined in machine code
            prefix = signed(hash_of(keys, number * width, width) >> shift)
        # Prefixes without a position get the number of the next position: an empty range.
        while place <= prefix:
            block[HEAD + place] = np.uint64(number)
            place += 1
    while place <= (1 << bits):
        block[HEAD + place] = np.uint64(count)
        place += 1


@helper
def key_width(block: Words) -> int:
    """Returns the number of words of a key in a block."""
    # A block of numbers stores 0 here, but in batches its keys have one word.
    return max(signed(block[3]), 1)


@helper
def number_in(words: Words, at: int, keys: Words, key: int) -> int:
    """Returns the number of a key's position in the block at `words[at]`; −1 if it is absent."""
    bits, width = signed(words[at + 1]), signed(words[at + 3])
    if width == 0:
        # The first test protects the second from reading outside the block.
        own = number_of(keys[key])
        return own if own < signed(words[at]) and code_at(words, at, own) != ABSENT else -1
    index, prefix = at + HEAD, 0
    if bits > 0:
        prefix = signed(hash_of(keys, key, width) >> np.uint64(WORD - bits))
    start = index + (1 << bits) + 1
    # Two to four positions on average (`_INDEXED`), so a scan is enough.
    for number in range(signed(words[index + prefix]), signed(words[index + prefix + 1])):
        if keys_are_equal(words, start + number * width, keys, key, width):
            return number
    return -1


@helper
def code_at(words: Words, at: int, number: int) -> int:
    """Returns the result of a position in the block at `words[at]`."""
    count, bits, width = signed(words[at]), signed(words[at + 1]), signed(words[at + 3])
    start = at + HEAD
    if width > 0:
        start += (1 << bits) + 1 + count * width
    word = words[start + (number >> 2)] >> np.uint64(16 * (number & 3))
    return signed(word & np.uint64(0xFFFF))
