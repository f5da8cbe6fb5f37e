"""Adjacency 8×8 with 28 rounds in plain Python, for libraries whose games are Python classes.

A set of squares is an integer with bit 8 · row + column, counted from the top left. A move is the
set of its square, so moves in ascending order are in row-major order.
"""

from __future__ import annotations

PLIES = 56
FIRST = sum(1 << 8 * row + column for row in (6, 7) for column in (0, 1))
SECOND = sum(1 << 8 * row + column for row in (0, 1) for column in (6, 7))
EMPTY = (1 << 64) - 1 - FIRST - SECOND


def _neighbours(row: int, column: int) -> int:
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(1 << 8 * r + c for r, c in near if 0 <= r < 8 and 0 <= c < 8)


#: The bit of a square → the set of its orthogonal neighbours.
NEIGHBOURS = {
    1 << 8 * row + column: _neighbours(row, column) for row in range(8) for column in range(8)
}


def moves(empty: int) -> list[int]:
    """Returns the empty squares in row-major order."""
    found = []
    while empty:
        move = empty & -empty
        found.append(move)
        empty ^= move
    return found
