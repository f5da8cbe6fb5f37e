"""Gomoku, slowly: stones in a dictionary, rows counted square by square."""

from __future__ import annotations

Stones = dict[tuple[int, int], str]
OTHER = {"x": "o", "o": "x"}


def winner(stones: Stones, row: int) -> str:
    """The side that has so many stones in a row, or nothing."""
    for (x, y), side in stones.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all(stones.get((x + i * dx, y + i * dy)) == side for i in range(row)):
                return side
    return ""


def moves(stones: Stones, size: int, row: int) -> list[str]:
    """The names of the empty squares from the top left; none when the game is over."""
    if winner(stones, row):
        return []
    names = ((x, y) for y in range(size, 0, -1) for x in range(size))
    return ["abcdefghijklmnopqrstuvwxyz"[x] + str(y) for x, y in names if (x, y) not in stones]


def play(stones: Stones, side: str, move: str) -> Stones:
    """The stones after a move."""
    return {**stones, (ord(move[0]) - ord("a"), int(move[1:])): side}


def perft(stones: Stones, side: str, depth: int, rules: tuple[int, int]) -> int:
    """The leaves at a depth, one by one; `rules` are the size and the row."""
    if depth == 0:
        return 1
    found = moves(stones, *rules)
    return sum(perft(play(stones, side, m), OTHER[side], depth - 1, rules) for m in found)
