"""Reach of pieces that slide along rows, columns and diagonals until something stands in the way.

Each ray is one look at a table: of the squares that a ray from `square` would pass on an empty
board, those go that lie behind the first obstacle. On a board of up to 8×8 they are those that
the same ray passes from there on; on a wide one they are all above the obstacle's number, or all
below it, as the ray goes.

The first obstacle itself is within reach: `reach & ~mine` are the squares that a chessman can go
to, `reach & ~occupied` those of a piece that does not capture. Where a board is smaller than its
set (6×6 squares, or any wide board), the squares outside must count as occupied, as they do
in `~empty`.
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

#: Steps in rows and columns: the first four directions lead to higher numbers, the others back;
#: even ones are those of a rook.
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
SIDE, HALF = 8, 4
FIRST, LAST = ONE, ONE << np.uint64(63)


def ray_on(direction: int, square: int, size: int, row: int, spare: int) -> int:
    """Returns the squares that a ray from a square passes on an empty board, as a number.

    The set has `size` bits, `row` of them in a row. The last `spare` bits of a row are not on the
    board.
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
    """The squares that a ray passes on an empty board of the same kind as a wide set."""
    # Without `@helper`: compiled code has a table of them (`papan.jit.intrinsics`).
    squares = ray_on(direction, square, capacity(board), int(row_length(board)), 1)
    ray: Bits = board & NONE | squares
    return ray


@helper
def _wide_line(direction: int, square: int, occupied: Bits) -> Bits:
    """The reach in a direction of the first four and in the opposite one, on a wide board."""
    forth = wide_ray(occupied, direction, square)
    back = wide_ray(occupied, direction + HALF, square)
    met = forth & occupied
    first = met ^ (met - ONE)  # all numbers up to that of the obstacle
    last = bit_like(occupied, highest(back & occupied | ONE))
    return forth & first | back & ~(last - ONE)


@helper
def _line(direction: int, square: int, occupied: Bits) -> Bits:
    """The reach in a direction of the first four and in the opposite one, from the table."""
    # From the last square no ray leads on, so it can stand for no obstacle; likewise the first.
    forth, back = RAYS[direction, square], RAYS[direction + HALF, square]
    forth &= ~RAYS[direction, lowest(forth & occupied | LAST)]
    back &= ~RAYS[direction + HALF, highest(back & occupied | FIRST)]
    return forth | back


@helper
def moved(bits: Bits, direction: int) -> Bits:
    """A set moved one step; what leaves the board is gone. Directions 0 to 7 go round clockwise
    from the right; those of a bishop are odd."""
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
    """The squares that a rook attacks: along its row and column up to the first obstacles."""
    if capacity(occupied) > WORD:
        return _wide_line(0, square, occupied) | _wide_line(2, square, occupied)
    return occupied & NONE | _line(0, square, occupied) | _line(2, square, occupied)


@helper
def bishop_reach(square: int, occupied: Bits) -> Bits:
    """The squares that a bishop attacks: along its diagonals up to the first obstacles."""
    if capacity(occupied) > WORD:
        return _wide_line(1, square, occupied) | _wide_line(3, square, occupied)
    return occupied & NONE | _line(1, square, occupied) | _line(3, square, occupied)


@helper
def queen_reach(square: int, occupied: Bits) -> Bits:
    """The squares that a queen attacks: those of a rook and those of a bishop."""
    return rook_reach(square, occupied) | bishop_reach(square, occupied)


@helper
def in_line(one: int, other: int, ends: Bits) -> Bits:
    """The squares in one row, column or diagonal with two squares, from each of them as far as
    `ends` on both sides: those between the two where these are the ends, all of the line where
    there are none. Only on boards of up to 8×8; none if the squares do not lie in line."""
    straight = rook_reach(one, ends)
    if straight & bit(other) != NONE:
        return straight & rook_reach(other, ends)
    diagonal = bishop_reach(one, ends)
    return diagonal & bishop_reach(other, ends) if diagonal & bit(other) != NONE else NONE
