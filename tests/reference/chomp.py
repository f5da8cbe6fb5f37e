"""Chomp, slowly: the squares that are left, as pairs of row and column from the top left."""

from __future__ import annotations

from functools import cache

Bar = frozenset[tuple[int, int]]


def start(rows: int, columns: int) -> Bar:
    """A whole bar of chocolate."""
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def play(bar: Bar, row: int, column: int) -> Bar:
    """The bar after a bite: what is above or on the left of it."""
    return frozenset((r, c) for r, c in bar if r < row or c < column)


def perft(bar: Bar, depth: int) -> int:
    """The number of ways to make so many bites."""
    return 1 if depth == 0 else sum(perft(play(bar, *square), depth - 1) for square in bar)


@cache
def is_won(bar: Bar) -> bool:
    """True if the side to move wins: it does when the other one has just eaten the poison."""
    return not bar or any(not is_won(play(bar, *square)) for square in bar)
