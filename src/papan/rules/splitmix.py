"""splitmix64, the random number generator of keys and of randomised searches.

Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The state grows
by a constant with each number, and a number is the scrambled state. The same seed gives the same
numbers in every process and on every machine, and each number can be computed directly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.rules.bits import signed
from papan.rules.dispatch import helper

#: The step of the state: 2⁶⁴ divided by the golden ratio, made odd.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
#: Odd factors that make every output bit depend on all input bits.
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


@helper
def scramble(state: Any) -> Any:
    """Returns the output for a state: one uint64, or an array of them."""
    z = (state ^ (state >> np.uint64(30))) * FIRST_FACTOR
    z = (z ^ (z >> np.uint64(27))) * SECOND_FACTOR
    return z ^ (z >> np.uint64(31))


@helper
def below(number: np.uint64, count: int) -> int:
    """Returns a number from 0 to `count` − 1 < 2³², for an output of the generator.

    Examples:
        >>> int(below(np.uint64(1) << np.uint64(63), 10))
        5
    """
    return signed(((number >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


def numbers(seed: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Returns the first `count` outputs of the generator for a seed, its first state."""
    # NumPy arrays wrap around on overflow without a warning, as the generator needs.
    states = np.full(count, seed, dtype=np.uint64) + GOLDEN * np.arange(
        1, count + 1, dtype=np.uint64
    )
    outputs: np.ndarray[tuple[int], np.dtype[np.uint64]] = scramble(states)
    return outputs
