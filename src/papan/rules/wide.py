"""Sets of squares of boards larger than 8×8: one unsigned number of 128 to 1,024 bits.

Wide sets have the operators of the `uint64` of a small board, so that the same rules work for both:
`pieces & (pieces >> 1)`. The class stores the number of bits and the length of a row, which is one
more than the width of the board. The spare column at the right end of each row is never part of the
board. The board's mask can therefore remove what is shifted over the edge of a row, and a line of
squares never continues in the next row.

    square = row length · row from the top + column        bit `square` of the number

In compiled code a set is one LLVM integer, which the compiler splits into machine words (see
`papan.jit.wide_types`).
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

#: Number of bits in a word.
WORD = 64
WORD_MASK = (1 << WORD) - 1


class WideBits:
    """A set of squares; the base of the classes that `wide_class` makes.

    Not derived from `int`, because numba treats instances of subclasses of `int` as 64-bit numbers.
    """

    __slots__ = ("number",)

    #: Number of bits, a multiple of 64.
    size: ClassVar[int]
    #: Number of bits in a row of the board, the spare one included.
    row: ClassVar[int]
    #: The number with all bits set.
    full: ClassVar[int]
    #: Makes numpy numbers defer to this class in `NONE | squares`.
    __array_ufunc__ = None

    number: int

    def __init__(self, number: Any = 0) -> None:
        self.number = int(number) & self.full

    def words(self) -> list[int]:
        """Returns the number as words of 64 bits, lowest first."""
        return [self.number >> shift & WORD_MASK for shift in range(0, self.size, WORD)]

    def __and__(self, other: Any) -> WideBits:
        return type(self)(self.number & int(other))

    def __or__(self, other: Any) -> WideBits:
        return type(self)(self.number | int(other))

    def __xor__(self, other: Any) -> WideBits:
        return type(self)(self.number ^ int(other))

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __add__(self, other: Any) -> WideBits:
        return type(self)(self.number + int(other))

    def __sub__(self, other: Any) -> WideBits:
        return type(self)(self.number - int(other))

    def __lshift__(self, by: Any) -> WideBits:
        return type(self)(self.number << int(by))

    def __rshift__(self, by: Any) -> WideBits:
        return type(self)(self.number >> int(by))

    def __invert__(self) -> WideBits:
        return type(self)(~self.number)

    def __eq__(self, other: object) -> bool:
        try:
            return self.number == int(other)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return self.number != 0

    def __int__(self) -> int:
        return self.number

    __index__ = __int__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.number:#x})"

    def __reduce__(self) -> tuple[Any, ...]:
        return wide_bits, (self.size, self.row, self.number)


def first_column(size: int, row: int) -> WideBits:
    """Returns the leftmost square of each row, in a set of that class."""
    return wide_bits(size, row, sum(1 << square for square in range(0, size, row)))


@functools.cache
def wide_class(size: int, row: int) -> type[WideBits]:
    """Returns the class of sets of `size` bits for boards with rows of `row` bits."""
    fields = {"__slots__": (), "size": size, "row": row, "full": (1 << size) - 1}
    return type(f"Bits{size}x{row}", (WideBits,), fields)


def wide_bits(size: int, row: int, number: int) -> WideBits:
    """Returns the set of that class with the given number."""
    return wide_class(size, row)(number)


def wide_frame(height: int, width: int) -> type[WideBits]:
    """Returns the class of sets for a board, with enough words for a spare column."""
    row = width + 1
    return wide_class(-(-row * height // WORD) * WORD, row)
