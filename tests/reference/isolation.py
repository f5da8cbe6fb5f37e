"""Isolation with knights, slowly: a list of rows, `.` for a square that nobody has stood on."""

from __future__ import annotations

Board = list[list[str]]
OTHER = {"x": "o", "o": "x"}
LEAPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def start(rows: int, columns: int) -> Board:
    """The empty board."""
    return [["."] * columns for _ in range(rows)]


def moves(board: Board, side: str) -> list[tuple[int, int]]:
    """Row and column, from the top left, of the squares that a side can go to."""
    free = [(y, x) for y, row in enumerate(board) for x, cell in enumerate(row) if cell == "."]
    at = [(y, x) for y, row in enumerate(board) for x, cell in enumerate(row) if cell == side]
    return [(y, x) for y, x in free if not at or (y - at[0][0], x - at[0][1]) in LEAPS]


def play(board: Board, side: str, square: tuple[int, int]) -> Board:
    """The board after a move; the square that was left is `*`."""
    after = [["*" if cell == side else cell for cell in row] for row in board]
    after[square[0]][square[1]] = side
    return after
