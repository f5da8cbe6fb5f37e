"""Reach of pieces that slide along rows, columns and diagonals up to the first obstacle.

Each ray needs one table lookup: the squares of the ray from `square` on an empty board, without the
squares behind the first obstacle. On a board of up to 8×8 the squares behind are the ray from the
obstacle in the same direction. On a wide board they are the squares with larger (or smaller)
numbers than the obstacle.

The first obstacle itself is within reach. `reach & ~mine` are the targets of a chess piece,
`reach & ~occupied` those of a piece that does not capture. If a board is smaller than its set (6×6
squares, or any wide board), the squares outside must count as occupied, as in `~empty`.
"""

from __future__ import annotations

import numpy as np

from papan.rules.bits import (
    NONE,
    ONE,
    Bits,
    bit,
    bit_like,
    capacity,
    down,
    highest,
    left,
    lowest,
    right,
    row_length,
    up,
)
from papan.rules.dispatch import helper
from papan.rules.wide import WORD

#: Direction → step in rows and columns. The first four directions lead to higher numbers, the
#: others to lower ones. Even directions are those of a rook.
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
SIDE, HALF = 8, 4
FIRST, LAST = ONE, ONE << np.uint64(63)


def ray_on(direction: int, square: int, size: int, row: int, spare: int) -> int:
    """Returns the squares of a ray from a square on an empty board, as a number.

    Args:
        direction: an index of `STEPS`.
        square: the start; not part of the ray.
        size: number of bits of the set.
        row: number of bits of a row.
        spare: number of bits at the end of each row that are not on the board.
    """
    (down_by, right_by), ray = STEPS[direction], 0
    line, column = divmod(square, row)
    while 0 <= (column := column + right_by) < row - spare:
        line += down_by
        if not 0 <= line * row + column < size:
            break
        ray |= 1 << line * row + column
    return ray


RAYS = np.array(
    [[ray_on(way, square, WORD, SIDE, 0) for square in range(WORD)] for way in range(len(STEPS))],
    np.uint64,
)


def wide_ray(board: Bits, direction: int, square: int) -> Bits:
    """Returns the squares of a ray on an empty board, for a wide set of the same type as
    `board`.
    """
    # Not a `@helper`: compiled code uses a table of rays instead (`papan.jit.intrinsics`).
    squares = ray_on(direction, square, capacity(board), int(row_length(board)), 1)
    ray: Bits = board & NONE | squares
    return ray


@helper
def _wide_line(direction: int, square: int, occupied: Bits) -> Bits:
    """Returns the reach in one of the first four directions and its opposite, on a wide board."""
    forth = wide_ray(occupied, direction, square)
    back = wide_ray(occupied, direction + HALF, square)
    met = forth & occupied
    first = met ^ (met - ONE)  # all numbers up to that of the obstacle
    last = bit_like(occupied, highest(back & occupied | ONE))
    return forth & first | back & ~(last - ONE)


@helper
def _line(direction: int, square: int, occupied: Bits) -> Bits:
    """Returns the reach in one of the first four directions and its opposite, on a small board."""
    # The rays from the last square (the first, for `back`) are empty: it can stand for "no
    # obstacle".
    forth, back = RAYS[direction, square], RAYS[direction + HALF, square]
    forth &= ~RAYS[direction, lowest(forth & occupied | LAST)]
    back &= ~RAYS[direction + HALF, highest(back & occupied | FIRST)]
    return forth | back


@helper
def moved(bits: Bits, direction: int) -> Bits:
    """Returns a set moved one step; squares that leave the board are dropped.

    Directions 0 to 7 go clockwise from the right; odd directions are those of a bishop.

    Examples:
        >>> squares(moved(bit(9), 1))
        [18]
    """
    turn = direction + 1 & 7
    if turn < 3:
        bits = right(bits)
    elif 4 <= turn < 7:
        bits = left(bits)
    if 0 < direction < 4:
        return down(bits)
    return up(bits) if direction > 4 else bits


@helper
def rook_reach(square: int, occupied: Bits) -> Bits:
    """Returns the squares that a rook attacks: its row and column up to the first obstacles.

    Examples:
        >>> squares(rook_reach(0, bit(2) | bit(8)))
        [1, 2, 8]
    """
    if capacity(occupied) > WORD:
        return _wide_line(0, square, occupied) | _wide_line(2, square, occupied)
    return occupied & NONE | _line(0, square, occupied) | _line(2, square, occupied)


@helper
def bishop_reach(square: int, occupied: Bits) -> Bits:
    """Returns the squares that a bishop attacks: its diagonals up to the first obstacles.

    Examples:
        >>> squares(bishop_reach(0, bit(18)))
        [9, 18]
    """
    if capacity(occupied) > WORD:
        return _wide_line(1, square, occupied) | _wide_line(3, square, occupied)
    return occupied & NONE | _line(1, square, occupied) | _line(3, square, occupied)


@helper
def queen_reach(square: int, occupied: Bits) -> Bits:
    """Returns the squares that a queen attacks: those of a rook and those of a bishop.

    Examples:
        >>> popcount(queen_reach(0, NONE))
        21
    """
    return rook_reach(square, occupied) | bishop_reach(square, occupied)


@helper
def in_line(one: int, other: int, ends: Bits) -> Bits:
    """Returns the squares in the row, column or diagonal that two squares share.

    The line extends in both directions up to the squares of `ends`: with the two squares as ends it
    is the part between them, without ends it is the whole line. Empty if the squares share no line.
    Only for boards of up to 8×8.

    Examples:
        >>> squares(in_line(0, 18, NONE))
        [9, 27, 36, 45, 54, 63]
    """
    straight = rook_reach(one, ends)
    if straight & bit(other) != NONE:
        return straight & rook_reach(other, ends)
    diagonal = bishop_reach(one, ends)
    return diagonal & bishop_reach(other, ends) if diagonal & bit(other) != NONE else NONE
