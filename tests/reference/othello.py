"""Othello, slowly: the board is a dictionary from (column, row from the bottom) to `x` or `o`."""

from __future__ import annotations

Board = dict[tuple[int, int], str]

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
OTHER = {"x": "o", "o": "x"}


def start() -> Board:
    """d5 and e4 are black's, who begins."""
    return {(3, 4): "x", (4, 3): "x", (3, 3): "o", (4, 4): "o"}


def turned(board: Board, side: str, square: tuple[int, int]) -> list[tuple[int, int]]:
    """The discs that a new one encloses."""
    found = []
    for dx, dy in DIRECTIONS:
        row = []
        x, y = square[0] + dx, square[1] + dy
        while board.get((x, y)) == OTHER[side]:
            row.append((x, y))
            x, y = x + dx, y + dy
        if board.get((x, y)) == side:
            found += row
    return found


def placements(board: Board, side: str) -> list[str]:
    """The squares on which a disc can be put, by name, from the top row down."""
    squares = [(x, y) for y in range(7, -1, -1) for x in range(8) if (x, y) not in board]
    return [name(square) for square in squares if turned(board, side, square)]


def moves(board: Board, side: str) -> list[str]:
    """The legal moves; none when the game is over."""
    found = placements(board, side)
    return found or (["pass"] if placements(board, OTHER[side]) else [])


def play(board: Board, side: str, move: str) -> Board:
    """The board after a move."""
    if move == "pass":
        return board
    square = "abcdefgh".index(move[0]), int(move[1]) - 1
    return board | dict.fromkeys([square, *turned(board, side, square)], side)


def name(square: tuple[int, int]) -> str:
    """The name of a square."""
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def perft(board: Board, side: str, depth: int) -> int:
    """The leaves at a depth, one by one; a pass is a move."""
    if depth == 0:
        return 1
    return sum(
        perft(play(board, side, move), OTHER[side], depth - 1) for move in moves(board, side)
    )
