"""Zobrist keys: one random 64-bit number for each feature of a position, combined by XOR.

The numbers come from splitmix64, seeded by a name. Keys are therefore the same in every process and
on every machine, and may be stored. Source of the idea: Zobrist, "A new hashing method with
application for game playing", Technical Report 88, University of Wisconsin, 1970.
"""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np

from papan.rules.bits import NONE, Bits, lowest, without_lowest, words_of
from papan.rules.dispatch import helper
from papan.rules.splitmix import FIRST_FACTOR, GOLDEN, numbers
from papan.rules.wide import WORD_MASK


def zobrist_keys(name: str, *shape: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Returns an array of random uint64 of the given shape, always the same for the same name.

    Examples:
        >>> zobrist_keys("example", 2, 64).shape
        (2, 64)
    """
    return numbers(zlib.crc32(name.encode()) << 32, math.prod(shape)).reshape(shape)


@helper
def combined(keys: np.ndarray[Any, np.dtype[np.uint64]], pieces: Bits) -> np.uint64:
    """Returns the XOR of the keys of all squares of a set; `keys` has one entry for each square.

    Examples:
        >>> keys = zobrist_keys("example", 64)
        >>> bool(combined(keys, bit(2) | bit(3)) == keys[2] ^ keys[3])
        True
    """
    result = NONE
    while pieces != NONE:
        result ^= keys[lowest(pieces)]
        pieces = without_lowest(pieces)
    return result


# --- keys of states without Zobrist numbers -------------------------------------------------------

#: The factor of each field: odd, so that different values of a field stay different.
MIX = int(FIRST_FACTOR)
MIX_START = int(GOLDEN)
MIX_SHIFT = 32


def mixed(fields: tuple[Any, ...]) -> np.uint64:
    """Returns a key computed from all integers of a tuple.

    Tuples that differ in only one field have different keys. Each 64-bit word takes one round of
    splitmix64; a field is one word unless it is a wide set or a tuple. Compiled code unrolls the
    rounds.

    Examples:
        >>> bool(mixed((1, 2)) == mixed((2, 1)))
        False
    """
    total = MIX_START
    for field in fields:
        for word in words_of(field):
            total = ((total ^ word) * MIX) & WORD_MASK
            total ^= total >> MIX_SHIFT
    return np.uint64(total)
