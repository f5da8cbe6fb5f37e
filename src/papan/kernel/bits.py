"""Sets of squares as the bits of one unsigned 64-bit number.

Square `s` is bit `s`. Boards of every size up to 8×8 use rows of eight bits, top row first, so
that one set of masks serves them all: `square = 8 · row from the top + column`. Counting bits
upwards therefore walks a board in row-major order from its top-left square.

Every constant is a `numpy.uint64`: mixing with plain integers would make signed numbers of them
in compiled code. In compiled code `popcount` and `lowest` are single machine instructions.
"""

from __future__ import annotations

import numpy as np

from papan.kernel.dispatch import helper

Bits = np.uint64

ROW = 8
NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LEFT_COLUMN = np.uint64(0x0101_0101_0101_0101)
RIGHT_COLUMN = np.uint64(0x8080_8080_8080_8080)
NOT_LEFT = ~LEFT_COLUMN
NOT_RIGHT = ~RIGHT_COLUMN
_ROW_SHIFT = np.uint64(8)
_ROW_MASK = np.uint64(0xFF)


def popcount(bits: Bits) -> int:
    """Number of squares in the set."""
    # This and `lowest` are for plain Python: `papan.kernel.compiler` has instructions for them.
    return int(bits).bit_count()


def lowest(bits: Bits) -> int:
    """The first square of a set in row-major order; undefined for the empty set."""
    # In two's complement a number and its negative have just their lowest bit in common.
    number = int(bits)
    return (number & -number).bit_length() - 1


@helper
def bit(square: int) -> Bits:
    """The set that holds one square."""
    return ONE << np.uint64(square)


@helper
def without_lowest(bits: Bits) -> Bits:
    """The set without its first square; the set must not be empty."""
    return bits & (bits - ONE)


@helper
def up(bits: Bits) -> Bits:
    """Every square moved one row up; what leaves the board is gone."""
    return bits >> _ROW_SHIFT


@helper
def down(bits: Bits) -> Bits:
    """Every square moved one row down; what leaves the 8×8 board is gone."""
    return bits << _ROW_SHIFT


@helper
def left(bits: Bits) -> Bits:
    """Every square moved one column left; what leaves the board is gone."""
    return (bits & NOT_LEFT) >> ONE


@helper
def right(bits: Bits) -> Bits:
    """Every square moved one column right; what leaves the 8×8 board is gone."""
    return (bits & NOT_RIGHT) << ONE


@helper
def orthogonal(bits: Bits) -> Bits:
    """The squares that share an edge with a square of the set."""
    return up(bits) | down(bits) | left(bits) | right(bits)


@helper
def surrounding(bits: Bits) -> Bits:
    """The squares that share an edge or a corner with a square of the set, the set aside."""
    rows = bits | left(bits) | right(bits)
    return (rows | up(rows) | down(rows)) & ~bits


@helper
def flip_rows(bits: Bits, height: int) -> Bits:
    """The board of `height` rows upside down."""
    flipped = NONE
    for row in range(height):
        line = (bits >> np.uint64(8 * row)) & _ROW_MASK
        flipped |= line << np.uint64(8 * (height - 1 - row))
    return flipped


@helper
def flip_columns(bits: Bits, width: int) -> Bits:
    """The board of `width` columns with left and right exchanged."""
    flipped = NONE
    for column in range(width):
        line = (bits >> np.uint64(column)) & LEFT_COLUMN
        flipped |= line << np.uint64(width - 1 - column)
    return flipped


@helper
def transpose(bits: Bits) -> Bits:
    """The board reflected in the diagonal from its top-left corner: rows become columns.

    Three rounds of exchanging blocks of 1, 2 and 4 squares (Warren, Hacker's Delight, 7-3).
    """
    t = (bits ^ (bits >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    bits = bits ^ t ^ (t << np.uint64(7))
    t = (bits ^ (bits >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    bits = bits ^ t ^ (t << np.uint64(14))
    t = (bits ^ (bits >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return bits ^ t ^ (t << np.uint64(28))


@helper
def transformed(bits: Bits, index: int, height: int, width: int) -> Bits:
    """One of the symmetries of a board: bit 0 of `index` turns it upside down, bit 1 exchanges
    left and right, bit 2 then exchanges rows and columns (square boards only)."""
    if index & 1:
        bits = flip_rows(bits, height)
    if index & 2:
        bits = flip_columns(bits, width)
    if index & 4:
        bits = transpose(bits)
    return bits


@helper
def half_turn(bits: Bits, height: int, width: int) -> Bits:
    """The board turned by 180°."""
    return flip_columns(flip_rows(bits, height), width)


def rectangle(height: int, width: int) -> Bits:
    """The squares of a board of `height` × `width` in the top-left corner of the 8×8 frame."""
    row = (1 << width) - 1
    return np.uint64(sum(row << (ROW * r) for r in range(height)))


def squares(bits: Bits) -> list[int]:
    """The squares of a set in row-major order."""
    found = []
    while bits:
        found.append(lowest(bits))
        bits = without_lowest(bits)
    return found


def of_squares(found: list[int]) -> Bits:
    """The set of the given squares."""
    return np.uint64(sum(1 << square for square in set(found)))


def table(step: object) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """An array of 64 sets, one a square: what `step` makes of that square alone."""
    assert callable(step)
    return np.array([step(bit(square)) for square in range(64)], dtype=np.uint64)
