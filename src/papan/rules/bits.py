"""Sets of squares as the bits of one unsigned number: 64 bits for boards of up to 8×8.

Square `s` is bit `s`. Boards of every size up to 8×8 use rows of eight bits, top row first, so
that all of them share the same masks: `square = 8 · row from the top + column`. Counting bits
upwards therefore visits a board in row-major order from its top-left square. Larger boards have
wide sets (`papan.rules.wide`), whose class stores the length of their rows. The functions here
accept both kinds; compiled code chooses between them at compile time.

Every constant is a `numpy.uint64`, because compiled code turns a mixture with plain integers into
a signed number. In compiled code `popcount` and `lowest` are single machine instructions.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from papan.rules.dispatch import helper
from papan.rules.wide import WORD, WORD_MASK, WideBits, first_column

#: The type of a set of squares in annotations; on large boards the value is a `WideBits`.
Bits = np.uint64

S = TypeVar("S", bound=tuple[Any, ...])

ROW = 8
NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LEFT_COLUMN = np.uint64(0x0101_0101_0101_0101)
RIGHT_COLUMN = np.uint64(0x8080_8080_8080_8080)


def popcount(bits: Bits) -> int:
    """Returns the number of squares in the set.

    Examples:
        >>> popcount(bit(3) | bit(5))
        2
    """
    # Functions without `@helper` run in plain Python only: `papan.jit.compiler` replaces them
    # by instructions or constants.
    return int(bits).bit_count()


def lowest(bits: Bits) -> int:
    """Returns the first square of a set in row-major order; undefined for the empty set.

    Examples:
        >>> lowest(bit(3) | bit(5))
        3
    """
    # In two's complement a number and its negative share only their lowest set bit.
    number = int(bits)
    return (number & -number).bit_length() - 1


def highest(bits: Bits) -> int:
    """Returns the last square of a set in row-major order; undefined for the empty set.

    Examples:
        >>> highest(bit(3) | bit(5))
        5
    """
    return int(bits).bit_length() - 1


def capacity(bits: Bits) -> int:
    """Returns the number of bits of a set's type."""
    return bits.size if isinstance(bits, WideBits) else WORD


def widest(state: tuple[Any, ...]) -> int:
    """Returns the number of bits of the widest set in a state; 64 if the state has no wide set."""
    return max((capacity(field) for field in state), default=WORD)


def row_length(bits: Bits) -> np.uint64:
    """Returns the number of bits from a square to the one below it."""
    return np.uint64(bits.row if isinstance(bits, WideBits) else ROW)


def left_column(bits: Bits) -> Bits:
    """Returns the leftmost square of each row, as a set of the same type."""
    if isinstance(bits, WideBits):
        column: Bits = first_column(bits.size, bits.row)
        return column
    return LEFT_COLUMN


def right_column(bits: Bits) -> Bits:
    """Returns the rightmost square of each row, as a set of the same type."""
    if isinstance(bits, WideBits):
        column: Bits = first_column(bits.size, bits.row) << bits.row - 2  # left of the spare column
        return column
    return RIGHT_COLUMN


def words_of(field: Any) -> list[int]:
    """Returns a field of a state as words of 64 bits.

    A number or a small set is one word; wide sets and tuples have several.
    """
    if isinstance(field, tuple):
        return [word for item in field for word in words_of(item)]
    return field.words() if isinstance(field, WideBits) else [int(field) & WORD_MASK]


def stones(state: Any) -> tuple[Bits, Bits]:
    """Returns the fields `mine` and `theirs` of a state; empty sets unless both are sets."""
    mine, theirs = getattr(state, "mine", None), getattr(state, "theirs", None)
    both = all(isinstance(field, np.uint64 | WideBits) for field in (mine, theirs))
    return (mine, theirs) if both else (NONE, NONE)  # type: ignore[return-value]  # both are sets


@helper
def bit(square: int) -> Bits:
    """Returns the set with one square.

    Examples:
        >>> popcount(bit(3) | bit(5))
        2
    """
    return ONE << np.uint64(square)


def bit_like(board: Bits, square: int) -> Bits:
    """Returns the set with one square, of the same type as `board`.

    Examples:
        >>> squares(bit_like(NONE, 3))
        [3]
    """
    return (board & NONE | ONE) << np.uint64(square)


@helper
def without_lowest(bits: Bits) -> Bits:
    """Returns the set without its first square; the set must not be empty.

    Examples:
        >>> squares(without_lowest(bit(3) | bit(5)))
        [5]
    """
    return bits & (bits - ONE)


def nth_bit(bits: Bits, index: int) -> Bits:
    """Returns the set of the square at position `index` < `popcount(bits)` of a 64-bit set.

    Compiled code uses one instruction (`pdep`) if the processor has it.
    """
    for _ in range(index):
        bits = bits & (bits - ONE)
    return bits & (~bits + ONE)


@helper
def nth_square(bits: Bits, index: int) -> int:
    """Returns the square at position `index` of a set, from 0 in row-major order.

    Examples:
        >>> nth_square(bit(3) | bit(5), 1)
        5
    """
    start = 0
    for part in words_of(bits):
        word = np.uint64(part)
        count = popcount(word)
        if index < count:
            return start + lowest(nth_bit(word, index))
        index -= count
        start += WORD
    return -1


def extract_bits(bits: Bits, mask: Bits) -> Bits:
    """Returns the bits of a 64-bit set at the squares of `mask`, packed from bit 0.

    Compiled code uses one instruction (`pext`) if the processor has it.
    """
    result, place, rest = 0, 0, int(mask)
    while rest:
        first = rest & -rest
        result |= (int(bits) & first != 0) << place
        place, rest = place + 1, rest ^ first
    return np.uint64(result)


#: Number of elements of a `scratch` buffer: twice the number of places of the largest board.
SCRATCH = 2048


def scratch() -> Any:
    """Returns a buffer of `SCRATCH` 16-bit numbers, to be filled and read before a rule returns.

    In compiled code the buffer is on the stack, so that threads do not share it.
    """
    return [0] * SCRATCH


@helper
def up(bits: Bits) -> Bits:
    """Returns the set moved one row up; squares that leave the board are dropped.

    Examples:
        >>> squares(up(bit(9)))
        [1]
    """
    return bits >> row_length(bits)


@helper
def down(bits: Bits) -> Bits:
    """Returns the set moved one row down; squares that leave the 8×8 board are dropped.

    Examples:
        >>> squares(down(bit(0)))
        [8]
    """
    return bits << row_length(bits)


@helper
def left(bits: Bits) -> Bits:
    """Returns the set moved one column left; squares that leave the board are dropped.

    Examples:
        >>> squares(left(bit(0) | bit(5)))
        [4]
    """
    return (bits & ~left_column(bits)) >> ONE


@helper
def right(bits: Bits) -> Bits:
    """Returns the set moved one column right; squares that leave the 8×8 board are dropped.

    Examples:
        >>> squares(right(bit(0)))
        [1]
    """
    return (bits & ~right_column(bits)) << ONE


@helper
def orthogonal(bits: Bits) -> Bits:
    """Returns the squares that share an edge with a square of the set.

    Examples:
        >>> squares(orthogonal(bit(0)))
        [1, 8]
    """
    return up(bits) | down(bits) | left(bits) | right(bits)


@helper
def diagonal(bits: Bits) -> Bits:
    """Returns the squares that share a corner, but no edge, with a square of the set.

    Examples:
        >>> squares(diagonal(bit(9)))
        [0, 2, 16, 18]
    """
    beside = left(bits) | right(bits)
    return up(beside) | down(beside)


@helper
def hexagonal(bits: Bits) -> Bits:
    """Returns the cells that share an edge with a cell of the set, on a board of hexagons.

    Each row of the board is half a cell to the right of the row above.

    Examples:
        >>> squares(hexagonal(bit(9)))
        [1, 2, 8, 10, 16, 17]
    """
    above, below = up(bits), down(bits)
    return above | below | left(bits | below) | right(bits | above)


@helper
def surrounding(bits: Bits) -> Bits:
    """Returns the squares outside the set that share an edge or a corner with one of its
    squares.

    Examples:
        >>> squares(surrounding(bit(0)))
        [1, 8, 9]
    """
    rows = bits | left(bits) | right(bits)
    return (rows | up(rows) | down(rows)) & ~bits


@helper
def connected(seeds: Bits, area: Bits) -> Bits:
    """Returns the squares of `area` that are connected to `seeds` by steps across edges.

    Examples:
        >>> squares(connected(bit(0), bit(0) | bit(1) | bit(5)))
        [0, 1]
    """
    seeds &= area
    grown = (seeds | orthogonal(seeds)) & area
    while grown != seeds:
        seeds = grown
        grown = (seeds | orthogonal(seeds)) & area
    return seeds


@helper
def knight_steps(bits: Bits) -> Bits:
    """Returns the squares a knight's move away from a square of the set.

    Examples:
        >>> squares(knight_steps(bit(0)))
        [10, 17]
    """
    near = left(bits) | right(bits)
    far = left(left(bits)) | right(right(bits))
    return up(far | up(near)) | down(far | down(near))


@helper
def flip_rows(bits: Bits, height: int) -> Bits:
    """Returns the set upside down, on a board of `height` rows."""
    flipped, length = bits & NONE, row_length(bits)
    whole_row = (ONE << length) - ONE
    for row in range(height):
        line = (bits >> length * np.uint64(row)) & whole_row
        flipped |= line << length * np.uint64(height - 1 - row)
    return flipped


@helper
def flip_columns(bits: Bits, width: int) -> Bits:
    """Returns the set with left and right exchanged, on a board of `width` columns."""
    flipped = bits & NONE
    for column in range(width):
        line = (bits >> np.uint64(column)) & left_column(bits)
        flipped |= line << np.uint64(width - 1 - column)
    return flipped


@helper
def transpose(bits: Bits) -> Bits:
    """Returns the set mirrored in the diagonal through the top-left corner: rows become columns.

    Three rounds exchange blocks of 1, 2 and 4 squares (Warren, Hacker's Delight, 7-3). On a wide
    board squares are moved one by one.

    Examples:
        >>> squares(transpose(bit(1)))
        [8]
    """
    if capacity(bits) > WORD:
        return _transpose_any(bits)
    t = (bits ^ (bits >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    bits = bits ^ t ^ (t << np.uint64(7))
    t = (bits ^ (bits >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    bits = bits ^ t ^ (t << np.uint64(14))
    t = (bits ^ (bits >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return bits ^ t ^ (t << np.uint64(28))


@helper
def _transpose_any(bits: Bits) -> Bits:
    """Returns the transposed set, for a set of any type."""
    length = int(row_length(bits))
    rest, result = bits, bits & NONE
    while rest != NONE:
        square = lowest(rest)
        rest = without_lowest(rest)
        result |= bit_like(bits, square % length * length + square // length)
    return result


@helper
def transformed(bits: Bits, index: int, height: int, width: int) -> Bits:
    """Returns a set under one of the symmetries of a board.

    Bit 0 of `index` turns the board upside down. Bit 1 exchanges left and right. Bit 2 then
    exchanges rows and columns, on square boards only.

    Examples:
        >>> squares(transformed(bit(1), 1, 3, 3))
        [17]
    """
    if index & 1:
        bits = flip_rows(bits, height)
    if index & 2:
        bits = flip_columns(bits, width)
    if index & 4:
        bits = transpose(bits)
    return bits


@helper
def turned_place(place: int, index: int, height: int, width: int) -> int:
    """Returns the square to which `transformed` moves a square.

    Examples:
        >>> turned_place(1, 1, 3, 3)
        17
    """
    return lowest(transformed(bit(place), index, height, width))


def turned(state: S, index: int, height: int, width: int) -> S:
    """Returns a state with each of its sets `transformed`; numbers and tuples do not change.

    Examples:
        >>> state = papan.game("tictactoe").position("x2/3/3 o").state
        >>> squares(turned(state, 1, 3, 3).theirs)
        [16]
    """
    make: Any = type(state)
    image: S = make(
        *(
            field if isinstance(field, int | tuple) else transformed(field, index, height, width)
            for field in state
        )
    )
    return image


@helper
def half_turn(bits: Bits, height: int, width: int) -> Bits:
    """Returns the set turned by 180°."""
    return flip_columns(flip_rows(bits, height), width)


def squares(bits: Bits) -> list[int]:
    """Returns the squares of a set in row-major order.

    Examples:
        >>> squares(bit(3) | bit(5))
        [3, 5]
    """
    numbers = []
    while bits:
        numbers.append(lowest(bits))
        bits = without_lowest(bits)
    return numbers


def of_squares(found: list[int]) -> Bits:
    """Returns the set of the given squares of a board of up to 8×8.

    Examples:
        >>> squares(of_squares([3, 5]))
        [3, 5]
    """
    return np.uint64(sum(1 << square for square in set(found)))


def table(step: object) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Returns an array of 64 sets: `step` applied to the set of each single square.

    Examples:
        >>> squares(table(orthogonal)[0])
        [1, 8]
    """
    assert callable(step)
    return np.array([step(bit(square)) for square in range(64)], dtype=np.uint64)


@helper
def signed(number: Any) -> Any:
    """Returns a uint64 as a signed number; compiled `int()` would leave it unsigned."""
    return np.int64(number)
