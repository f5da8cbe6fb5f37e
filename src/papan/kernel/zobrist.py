"""Zobrist keys: one random 64-bit number for each feature of a position, combined by XOR.

The numbers come from splitmix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014), seeded by a name, so that keys are the same in every process and on
every machine and may be stored. Source of the idea: Zobrist, "A new hashing method with
application for game playing", Technical Report 88, University of Wisconsin, 1970.
"""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np

from papan.kernel.bits import NONE, Bits, lowest, without_lowest
from papan.kernel.dispatch import helper

_MASK = (1 << 64) - 1


def splitmix64(state: int) -> tuple[int, int]:
    """The next state and the next 64-bit output of the generator."""
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return state, z ^ (z >> 31)


def zobrist_keys(name: str, *shape: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """An array of random uint64 of the given shape, always the same for the same name."""
    state = zlib.crc32(name.encode()) << 32
    numbers = []
    for _ in range(math.prod(shape)):
        state, number = splitmix64(state)
        numbers.append(number)
    return np.array(numbers, dtype=np.uint64).reshape(shape)


@helper
def combined(keys: np.ndarray[Any, np.dtype[np.uint64]], pieces: Bits) -> np.uint64:
    """The keys of all squares of a set, combined; `keys` holds one a square."""
    result = NONE
    while pieces != NONE:
        result ^= keys[lowest(pieces)]
        pieces = without_lowest(pieces)
    return result


# --- keys of states that have no numbers of their own --------------------------------------------

#: What each field is multiplied by: odd, so that no two values of a field become the same.
MIX = 0xBF58476D1CE4E5B9
MIX_START = 0x9E3779B97F4A7C15
MIX_SHIFT = 32


def mixed(fields: tuple[Any, ...]) -> np.uint64:
    """A key made of the integers of a tuple; two tuples that differ in one field differ in it.

    The rounds are those of splitmix64, one a field. In compiled code they are unrolled.
    """
    total = MIX_START
    for field in fields:
        total = ((total ^ (int(field) & _MASK)) * MIX) & _MASK
        total ^= total >> MIX_SHIFT
    return np.uint64(total)
