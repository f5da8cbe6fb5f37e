"""Connect Four, slowly: seven lists of pieces, one a column, from the bottom up."""

from __future__ import annotations

Columns = tuple[str, ...]

OTHER = {"x": "o", "o": "x"}
EMPTY: Columns = ("",) * 7


def piece(columns: Columns, x: int, y: int) -> str:
    """The piece on a square, or nothing."""
    return columns[x][y] if 0 <= x < 7 and 0 <= y < len(columns[x]) else ""


def winner(columns: Columns) -> str:
    """The side that has four in a row, or nothing."""
    for x in range(7):
        for y in range(6):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                row = {piece(columns, x + i * dx, y + i * dy) for i in range(4)}
                if len(row) == 1 and row != {""}:
                    return row.pop()
    return ""


def moves(columns: Columns) -> list[str]:
    """The letters of the columns that have room; none when the game is over."""
    if winner(columns):
        return []
    return [letter for letter, column in zip("abcdefg", columns, strict=True) if len(column) < 6]


def play(columns: Columns, side: str, move: str) -> Columns:
    """The columns after a move."""
    return tuple(
        column + side if letter == move else column
        for letter, column in zip("abcdefg", columns, strict=True)
    )


def perft(columns: Columns, side: str, depth: int) -> int:
    """The leaves at a depth, one by one."""
    if depth == 0:
        return 1
    return sum(perft(play(columns, side, move), OTHER[side], depth - 1) for move in moves(columns))
