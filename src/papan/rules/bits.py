"""Sets of squares as the bits of one unsigned number: of 64 bits for boards of up to 8×8.

Square `s` is bit `s`. Boards of every size up to 8×8 use rows of eight bits, top row first, so
that one set of masks serves them all: `square = 8 · row from the top + column`. Counting bits
upwards therefore walks a board in row-major order from its top-left square. Larger boards have
wide sets (`papan.rules.wide`), whose class knows how long their rows are. The functions here take
either kind; which it is, compiled code knows before it runs.

Every constant is a `numpy.uint64`: mixing with plain integers would make signed numbers of them
in compiled code. In compiled code `popcount` and `lowest` are single machine instructions.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from papan.rules.dispatch import helper
from papan.rules.wide import WORD, WORD_MASK, WideBits, first_column

#: A set of squares, as rules and their annotations name it; a `WideBits` where the board is large.
Bits = np.uint64

S = TypeVar("S", bound=tuple[Any, ...])

ROW = 8
NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LEFT_COLUMN = np.uint64(0x0101_0101_0101_0101)
RIGHT_COLUMN = np.uint64(0x8080_8080_8080_8080)


def popcount(bits: Bits) -> int:
    """Number of squares in the set."""
    # The functions without `@helper` are for plain Python: `papan.jit.compiler` has
    # instructions or constants for them.
    return int(bits).bit_count()


def lowest(bits: Bits) -> int:
    """The first square of a set in row-major order; undefined for the empty set."""
    # In two's complement a number and its negative have just their lowest bit in common.
    number = int(bits)
    return (number & -number).bit_length() - 1


def highest(bits: Bits) -> int:
    """The last square of a set in row-major order; undefined for the empty set."""
    return int(bits).bit_length() - 1


def capacity(bits: Bits) -> int:
    """Number of bits that a set of this kind has."""
    return bits.size if isinstance(bits, WideBits) else WORD


def widest(state: tuple[Any, ...]) -> int:
    """Number of bits of the widest set in a state; 64 if it has no wide one."""
    return max((capacity(field) for field in state), default=WORD)


def row_length(bits: Bits) -> np.uint64:
    """Number of bits from a square to the one below it."""
    return np.uint64(bits.row if isinstance(bits, WideBits) else ROW)


def left_column(bits: Bits) -> Bits:
    """The leftmost square of each row, as a set of the same kind."""
    if isinstance(bits, WideBits):
        column: Bits = first_column(bits.size, bits.row)
        return column
    return LEFT_COLUMN


def right_column(bits: Bits) -> Bits:
    """The rightmost square of each row, as a set of the same kind."""
    if isinstance(bits, WideBits):
        column: Bits = first_column(bits.size, bits.row) << bits.row - 2  # beside the spare one
        return column
    return RIGHT_COLUMN


def words_of(field: Any) -> list[int]:
    """A field of a state as words of 64 bits: one for a number, several for a wide set or a
    tuple."""
    if isinstance(field, tuple):
        return [word for item in field for word in words_of(item)]
    return field.words() if isinstance(field, WideBits) else [int(field) & WORD_MASK]


def stones(state: Any) -> tuple[Bits, Bits]:
    """The fields `mine` and `theirs` of a state; empty sets unless both are sets."""
    mine, theirs = getattr(state, "mine", None), getattr(state, "theirs", None)
    both = all(isinstance(field, np.uint64 | WideBits) for field in (mine, theirs))
    return (mine, theirs) if both else (NONE, NONE)  # type: ignore[return-value]  # sets they are


@helper
def bit(square: int) -> Bits:
    """The set that holds one square."""
    return ONE << np.uint64(square)


def bit_like(board: Bits, square: int) -> Bits:
    """The set that holds one square, of the same kind as another set."""
    return (board & NONE | ONE) << np.uint64(square)


@helper
def without_lowest(bits: Bits) -> Bits:
    """The set without its first square; the set must not be empty."""
    return bits & (bits - ONE)


@helper
def nth_square(bits: Bits, index: int) -> int:
    """The square of a set that has `index` others before it in row-major order."""
    start = 0
    for part in words_of(bits):
        word = np.uint64(part)
        count = popcount(word)
        if index < count:
            for _ in range(index):
                word &= word - ONE
            return start + lowest(word)
        index -= count
        start += WORD
    return -1


def extract_bits(bits: Bits, mask: Bits) -> Bits:
    """Returns the bits of a 64-bit set at the squares of `mask`, packed from bit 0 on.

    Compiled code uses one instruction (`pext`) if the processor has it.
    """
    result, place, rest = 0, 0, int(mask)
    while rest:
        first = rest & -rest
        result |= (int(bits) & first != 0) << place
        place, rest = place + 1, rest ^ first
    return np.uint64(result)


#: Number of bytes that `scratch` has room for: more than the largest board has places.
SCRATCH = 1024


def scratch() -> Any:
    """Room for `SCRATCH` bytes, which a rule fills and reads before it returns; compiled, it lies
    on the stack, so that threads do not share it."""
    return bytearray(SCRATCH)


@helper
def up(bits: Bits) -> Bits:
    """Every square moved one row up; what leaves the board is gone."""
    return bits >> row_length(bits)


@helper
def down(bits: Bits) -> Bits:
    """Every square moved one row down; what leaves the 8×8 board is gone."""
    return bits << row_length(bits)


@helper
def left(bits: Bits) -> Bits:
    """Every square moved one column left; what leaves the board is gone."""
    return (bits & ~left_column(bits)) >> ONE


@helper
def right(bits: Bits) -> Bits:
    """Every square moved one column right; what leaves the 8×8 board is gone."""
    return (bits & ~right_column(bits)) << ONE


@helper
def orthogonal(bits: Bits) -> Bits:
    """The squares that share an edge with a square of the set."""
    return up(bits) | down(bits) | left(bits) | right(bits)


@helper
def diagonal(bits: Bits) -> Bits:
    """The squares that share a corner, and no edge, with a square of the set."""
    beside = left(bits) | right(bits)
    return up(beside) | down(beside)


@helper
def hexagonal(bits: Bits) -> Bits:
    """The cells that share an edge with a cell of the set, on a board of hexagons whose rows each
    stand half a cell to the right of the one above."""
    above, below = up(bits), down(bits)
    return above | below | left(bits | below) | right(bits | above)


@helper
def surrounding(bits: Bits) -> Bits:
    """The squares that share an edge or a corner with a square of the set, the set aside."""
    rows = bits | left(bits) | right(bits)
    return (rows | up(rows) | down(rows)) & ~bits


@helper
def connected(seeds: Bits, area: Bits) -> Bits:
    """The squares of an area that steps over edges of squares lead to from some of them."""
    seeds &= area
    grown = (seeds | orthogonal(seeds)) & area
    while grown != seeds:
        seeds = grown
        grown = (seeds | orthogonal(seeds)) & area
    return seeds


@helper
def knight_steps(bits: Bits) -> Bits:
    """The squares a knight's move away from a square of the set."""
    near = left(bits) | right(bits)
    far = left(left(bits)) | right(right(bits))
    return up(far | up(near)) | down(far | down(near))


@helper
def flip_rows(bits: Bits, height: int) -> Bits:
    """The board of `height` rows upside down."""
    flipped, length = bits & NONE, row_length(bits)
    whole_row = (ONE << length) - ONE
    for row in range(height):
        line = (bits >> length * np.uint64(row)) & whole_row
        flipped |= line << length * np.uint64(height - 1 - row)
    return flipped


@helper
def flip_columns(bits: Bits, width: int) -> Bits:
    """The board of `width` columns with left and right exchanged."""
    flipped = bits & NONE
    for column in range(width):
        line = (bits >> np.uint64(column)) & left_column(bits)
        flipped |= line << np.uint64(width - 1 - column)
    return flipped


@helper
def transpose(bits: Bits) -> Bits:
    """The board reflected in the diagonal from its top-left corner: rows become columns.

    Three rounds of exchanging blocks of 1, 2 and 4 squares (Warren, Hacker's Delight, 7-3); square
    by square on a wide board.
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
    """`transpose` of a set of any kind."""
    length = int(row_length(bits))
    rest, result = bits, bits & NONE
    while rest != NONE:
        square = lowest(rest)
        rest = without_lowest(rest)
        result |= bit_like(bits, square % length * length + square // length)
    return result


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
def turned_place(place: int, index: int, height: int, width: int) -> int:
    """The place to which `transformed` takes a square."""
    return lowest(transformed(bit(place), index, height, width))


def turned(state: S, index: int, height: int, width: int) -> S:
    """A state with each of its sets `transformed`; its numbers and rows of numbers stay."""
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
    """The board turned by 180°."""
    return flip_columns(flip_rows(bits, height), width)


def squares(bits: Bits) -> list[int]:
    """The squares of a set in row-major order."""
    numbers = []
    while bits:
        numbers.append(lowest(bits))
        bits = without_lowest(bits)
    return numbers


def of_squares(found: list[int]) -> Bits:
    """The set of the given squares of a board of up to 8×8."""
    return np.uint64(sum(1 << square for square in set(found)))


def table(step: object) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """An array of 64 sets, one a square: what `step` makes of that square alone."""
    assert callable(step)
    return np.array([step(bit(square)) for square in range(64)], dtype=np.uint64)


@helper
def signed(number: Any) -> Any:
    """A uint64 as a number to calculate with; compiled `int()` would leave it unsigned."""
    return np.int64(number)
