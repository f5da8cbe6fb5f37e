"""Squares and boards as text: `c4` for a square, digits for runs of empty squares.

Inside the oracles a square is its row-major index from the top-left corner, and a board is a
string with one character a square, `.` for an empty one.
"""

from functools import cache


@cache
def square_name(square: int, height: int, width: int) -> str:
    """The name of a square: column letter from the left, row number from the bottom."""
    row, column = divmod(square, width)
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(height - row)


@cache
def square_index(name: str, height: int, width: int) -> int:
    """The row-major index from the top-left of the square called `name`."""
    row = height - int(name[1:])
    return row * width + "abcdefghijklmnopqrstuvwxyz".index(name[0])


def board_text(squares: str, width: int) -> str:
    """The board as in a position line: rows from the top, runs of empty squares as digits."""
    rows = [squares[i : i + width] for i in range(0, len(squares), width)]
    return "/".join(_row_text(row) for row in rows)


def _row_text(row: str) -> str:
    text = ""
    empty = 0
    for square in row:
        if square == ".":
            empty += 1
            continue
        text += (str(empty) if empty else "") + square
        empty = 0
    return text + (str(empty) if empty else "")


def board_rows(text: str) -> list[str]:
    """The rows of a board as in a position line, each with one character a square."""
    return ["".join("." * int(c) if c.isdigit() else c for c in row) for row in text.split("/")]


def other(side: str) -> str:
    """The opponent of `x` is `o`, and the other way round."""
    return "o" if side == "x" else "x"
