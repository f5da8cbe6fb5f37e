"""Reach of pieces that slide along rows, columns and diagonals until something stands in the way.

On a board of up to 8×8 each ray is one look at a table: of the squares that a ray from `square`
would pass on an empty board, those go that the same ray passes from the first obstacle on. On a
wide board the piece is moved square by square.

The first obstacle itself is within reach: `reach & ~mine` are the squares that a chessman can go
to, `reach & ~occupied` those of a piece that does not capture. Where a board is smaller than its
set (6×6 squares, or any wide board), the squares outside must count as occupied, as they do
in `~empty`.
"""

from __future__ import annotations

import numpy as np

from papan.kernel.bits import (
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
    up,
)
from papan.kernel.dispatch import helper
from papan.kernel.wide import WORD

#: Steps in rows and columns: the first four directions lead to higher numbers, the others back;
#: even ones are those of a rook.
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
SIDE, HALF = 8, 4
FIRST, LAST = ONE, ONE << np.uint64(63)


def _ray(direction: int, square: int) -> int:
    """The squares that a ray from a square passes on an empty board of 8×8."""
    (down_by, right_by), (row, column) = STEPS[direction], divmod(square, SIDE)
    found = 0
    while 0 <= (row := row + down_by) < SIDE and 0 <= (column := column + right_by) < SIDE:
        found |= 1 << SIDE * row + column
    return found


RAYS = np.array([[_ray(way, square) for square in range(64)] for way in range(8)], np.uint64)


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
def _walked(square: int, occupied: Bits, first: int) -> Bits:
    """The reach in every second direction, square by square."""
    found = occupied & NONE
    for direction in range(first, len(STEPS), 2):
        piece = moved(bit_like(occupied, square), direction)
        while piece & ~occupied != NONE:
            found |= piece
            piece = moved(piece, direction)
        found |= piece
    return found


@helper
def rook_reach(square: int, occupied: Bits) -> Bits:
    """The squares that a rook attacks: along its row and column up to the first obstacles."""
    if capacity(occupied) > WORD:
        return _walked(square, occupied, 0)
    return occupied & NONE | _line(0, square, occupied) | _line(2, square, occupied)


@helper
def bishop_reach(square: int, occupied: Bits) -> Bits:
    """The squares that a bishop attacks: along its diagonals up to the first obstacles."""
    if capacity(occupied) > WORD:
        return _walked(square, occupied, 1)
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
