"""Numbers of sets of squares, for games that number their positions (`index`, `position_of`).

The sets of k squares out of n are numbered from 0 to C(n, k) − 1, as in the combinatorial number
system: a set {c₁ < … < cₖ} of places among the n has the number C(c₁, 1) + … + C(cₖ, k).
"""

from __future__ import annotations

from math import comb

import numpy as np

from papan.rules.bits import NONE, Bits, bit, highest, lowest, popcount
from papan.rules.dispatch import helper

#: C(n, k) for n and k up to 64; 0 for k > n. C(64, 32) is less than 2⁶¹.
CHOOSE = np.array([[comb(n, k) for k in range(65)] for n in range(65)], np.int64)


@helper
def subset_count(within: Bits, size: int) -> int:
    """Returns the number of sets of `size` squares in `within`.

    Examples:
        >>> subset_count(bit(0) | bit(1) | bit(2) | bit(3), 2)
        6
    """
    return int(CHOOSE[popcount(within), size])


@helper
def subset_number(squares: Bits, within: Bits) -> int:
    """Returns the number of a set of squares among the sets of the same size in `within`.

    Examples:
        >>> board = bit(0) | bit(1) | bit(2) | bit(3)
        >>> int(subset_number(bit(2) | bit(3), board))
        5
    """
    number, place, size = 0, 0, 0
    while within != NONE:
        square = bit(lowest(within))
        within &= ~square
        if squares & square != NONE:
            size += 1
            number += CHOOSE[place, size]
        place += 1
    return number


@helper
def subset_at(number: int, size: int, within: Bits) -> Bits:
    """Returns the set of `size` squares of `within` with a number.

    Examples:
        >>> squares(subset_at(5, 2, bit(0) | bit(1) | bit(2) | bit(3)))
        [2, 3]
    """
    subset, place = NONE, popcount(within)
    left = size
    while within != NONE:
        square = bit(highest(within))
        within &= ~square
        place -= 1
        if left > 0 and CHOOSE[place, left] <= number:
            number -= CHOOSE[place, left]
            left -= 1
            subset |= square
    return subset
