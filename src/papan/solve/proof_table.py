"""A table of proofs about positions, identified by their full description.

A slot is three 64-bit words:

    word 0     first word of the position, XOR a mix of the facts
    word 1     second word of the position, XOR a mix of the facts and the first word
    word 2     facts: lower bound (16 bits) | upper bound (16) | tag of the move (16) | worth (16)

Positions with different values never have the same two words (see `exact_key`).

A move's tag is the lower 16 bits of move + 1, or 0 for none. Moves are stored only to be tried
first, so that moves with equal tags only cost time.

Bounds are stored as value + 2¹⁵, so that a slot in use is never 0; −2¹⁵ and 2¹⁵ − 1 stand for "no
bound". Unlike the transposition table, this table does not rely on different positions having
different hash keys: the three words of a slot, as one thread wrote them, give back the position.

Several threads use one table without locks. If two threads write a slot at once, its words decode
to no real position, except with probability 2⁻⁶⁴ (as in Hyatt & Mann, "A lockless
transposition-table implementation for parallel search", ICGA Journal 25(1), 2002). The mixes make
this true even for two slots with the same facts.

The table starts small, so that small problems do not need much memory, and grows (`grow_table`) up
to the memory limit. A position with a higher cost (`worth`) replaces a cheaper one in its first
slot. In the second slot every new position replaces the old one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import NONE, signed
from papan.rules.dispatch import helper
from papan.rules.splitmix import FIRST_FACTOR, GOLDEN
from papan.search.alphabeta.techniques import Abdada, new_team
from papan.search.workspace import Workspace
from papan.solve.base import FULL, Work

WORDS = 3
SLOT_BYTES = 8 * WORDS

#: Unknown bounds.
NO_LOWER = -(1 << 15)
NO_UPPER = (1 << 15) - 1

_OFFSET = 1 << 15
_FIELD = np.uint64(0xFFFF)
_SMALLEST = 1 << 13  # slots of the first table
_GROWTH = 8  # times larger at each step
#: A table grows after this number of stored positions per slot. Growing earlier would lose fewer
#: entries, but a larger table is slower because it does not fit in the processor's cache.
_TURNOVER = 4

#: An odd factor for the second word, so that exchanged words have another hash (of xxHash64).
_SECOND_WORD = np.uint64(0xC2B2AE3D27D4EB4F)


class Proofs(NamedTuple):
    """A table of proofs as kernels see it.

    Attributes:
        words: uint64 of shape (3 · slots,); the number of slots is a power of two.
        mask: slots − 1.
        used: int64 of shape (2,): number of positions stored so far, and the number at which the
            table must grow. Approximate with several threads.
        team: the threads that use the table and share their current tasks.
        by_replies: 1 if moves that leave few replies are tried first (`papan.solve.move_order`).
    """

    words: Any
    mask: np.uint64
    used: Any
    team: Abdada
    by_replies: int


class Proof(NamedTuple):
    """The proven bounds of a position.

    Attributes:
        lower: lower bound of the value.
        upper: upper bound of the value.
        move: the best move as returned by `tag_of`; −1 for none.
    """

    lower: int
    upper: int
    move: int


def new_proofs(work: Work, slots: int = 0, *, beside: int = 0) -> Proofs:
    """Returns an empty table that fits in the memory.

    Args:
        work: the task with the memory limit.
        slots: number of slots; by default that of the smallest table.
        beside: bytes for each slot that the caller stores elsewhere.

    Raises:
        Unsolved: the machine has too little memory.
    """
    most = most_slots(work, SLOT_BYTES + beside)
    slots = min(slots or _SMALLEST, most)
    return proofs_in(work.array(WORDS * slots, np.uint64), slots, grows=slots < most)


def proofs_in(words: Any, slots: int, *, grows: bool) -> Proofs:
    """Returns the table in an array.

    With `grows` False the table is never full: new positions replace old ones.
    """
    most = _TURNOVER * slots if grows else np.iinfo(np.int64).max
    used = np.array([0, most], dtype=np.int64)
    return Proofs(words, np.uint64(slots - 1), used, new_team(), 0)


def is_first(proofs: Proofs) -> bool:
    """Returns whether the table still has its initial size."""
    return int(proofs.mask) < _SMALLEST


def most_slots(work: Work, slot_bytes: int) -> int:
    """Returns the largest number of slots within the memory limit, a power of two.

    While a table grows, the next smaller table is also in memory.
    """
    most = work.bytes * _GROWTH // ((_GROWTH + 1) * slot_bytes)
    return 1 << (most.bit_length() - 1)


def grow_table(old: Proofs, work: Work, *, beside: int = 0) -> Proofs:
    """Returns a larger table with all entries of the old one."""
    new = new_proofs(work, _GROWTH * (int(old.mask) + 1), beside=beside)
    copy_proofs(old, new, work.workspace)
    return new


@kernel
def copy_proofs(old: Proofs, new: Proofs, workspace: Workspace) -> None:
    """Copies all entries of one table into another."""
    for row in range(old.words.size // WORDS):
        # The slot depends on the mask, so entries are inserted again, not copied in place.
        facts = old.words[WORDS * row + 2]
        if facts != NONE:
            a, b = position_words(old, row, facts)
            _put(new, a, b, facts, workspace)


@helper
def position_words(proofs: Proofs, row: Any, facts: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Returns the two words of the position in a slot with these facts."""
    a = proofs.words[WORDS * row] ^ _mix(facts)
    return a, proofs.words[WORDS * row + 1] ^ spread(facts, a)


@helper
def find_row(proofs: Proofs, a: np.uint64, b: np.uint64) -> Any:
    """Returns the slot of the position with the words `a` and `b`; −1 if there is none."""
    slot = _slot(proofs, a, b)
    for row in (slot, slot ^ 1):  # usually both in one cache line
        if _facts_at(proofs, row, a, b) != NONE:
            return row
    return -1


@helper
def find_proof(proofs: Proofs, a: np.uint64, b: np.uint64) -> Proof:
    """Returns the proof of the position with the words `a` and `b`.

    Without an entry, the bounds are unknown.
    """
    slot = _slot(proofs, a, b)
    facts = _facts_at(proofs, slot, a, b)
    if facts == NONE:
        facts = _facts_at(proofs, slot ^ 1, a, b)
    if facts == NONE:
        return Proof(NO_LOWER, NO_UPPER, -1)
    return Proof(
        signed(facts >> np.uint64(48)) - _OFFSET,
        signed((facts >> np.uint64(32)) & _FIELD) - _OFFSET,
        signed((facts >> np.uint64(16)) & _FIELD) - 1,
    )


@helper
def keep_proof(
    proofs: Proofs, a: np.uint64, b: np.uint64, proof: Proof, worth: int, workspace: Workspace
) -> None:
    """Stores a proof of a position; `worth` is its cost, in plies to the end."""
    # `INFINITY` does not fit into 16 bits and becomes "no bound".
    lower = np.uint64(min(max(proof.lower, NO_LOWER), NO_UPPER - 1) + _OFFSET)
    upper = np.uint64(max(min(proof.upper, NO_UPPER), NO_LOWER + 1) + _OFFSET)
    facts = (lower << np.uint64(48)) | (upper << np.uint64(32))
    facts |= (np.uint64(tag_of(proof.move) + 1) << np.uint64(16)) | np.uint64(worth)
    _put(proofs, a, b, facts, workspace)


@helper
def tag_of(move: int) -> int:
    """Returns the tag of a move, minus one: the move itself if below 2¹⁶ − 1; −1 for none."""
    return ((move + 1) & 0xFFFF) - 1


@helper
def spread(a: np.uint64, b: np.uint64) -> np.uint64:
    """Returns a hash of two words in which every bit depends on all bits of both words."""
    mixed = a * GOLDEN ^ b * _SECOND_WORD
    mixed = (mixed ^ (mixed >> np.uint64(29))) * FIRST_FACTOR
    return mixed ^ (mixed >> np.uint64(32))


@helper
def _mix(facts: np.uint64) -> np.uint64:
    """Returns a hash of one word; cheaper than `spread`."""
    mixed = facts * GOLDEN
    return mixed ^ (mixed >> np.uint64(32))


@helper
def _slot(proofs: Proofs, a: np.uint64, b: np.uint64) -> Any:
    return signed(spread(a, b) & proofs.mask)


@helper
def _facts_at(proofs: Proofs, row: Any, a: np.uint64, b: np.uint64) -> np.uint64:
    """Returns the facts of a slot if it holds the position with the words `a` and `b`, else 0."""
    words, index = proofs.words, WORDS * row
    facts = words[index + 2]  # read once: another thread may be writing
    if words[index] ^ _mix(facts) == a and words[index + 1] ^ spread(facts, a) == b:
        return facts
    return NONE


@helper
def _put(
    proofs: Proofs, a: np.uint64, b: np.uint64, facts: np.uint64, workspace: Workspace
) -> None:
    # An entry of this position is replaced, in whichever of the two slots it is.
    words = proofs.words
    row = _slot(proofs, a, b)
    if _facts_at(proofs, row ^ 1, a, b) != NONE:
        row ^= 1
    elif _facts_at(proofs, row, a, b) == NONE:
        held = words[WORDS * row + 2]
        if held != NONE and (held & _FIELD) > (facts & _FIELD):
            row ^= 1
        # Not atomic: with several threads some entries are not counted. An earlier reason to stop
        # is kept.
        proofs.used[0] += 1
        if proofs.used[0] > proofs.used[1] and workspace.stop == 0:
            workspace.stop = FULL
    index = WORDS * row
    words[index] = a ^ _mix(facts)
    words[index + 1] = b ^ spread(facts, a)
    words[index + 2] = facts
