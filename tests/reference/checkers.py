"""English draughts by its words: a board is a dict from squares (x, y) to `x`, `X`, `o` or `O`."""

from __future__ import annotations

from itertools import pairwise

Board = dict[tuple[int, int], str]
Path = tuple[tuple[int, int], ...]

OTHER = {"x": "o", "o": "x"}


def start() -> Board:
    """The position at the start; x stands at the bottom, where y is 0."""
    dark = [(x, y) for y in range(8) for x in range(8) if (x + y) % 2 == 0]
    return {(x, y): "x" if y < 3 else "o" for x, y in dark if y < 3 or y > 4}


def directions(piece: str) -> list[tuple[int, int]]:
    """The steps of a piece."""
    ahead = {"x": [1], "o": [-1]}.get(piece, [1, -1])
    return [(dx, dy) for dx in (-1, 1) for dy in ahead]


def inside(x: int, y: int) -> bool:
    """True for a square of the board."""
    return 0 <= x < 8 and 0 <= y < 8


def chains(board: Board, path: Path, taken: frozenset[tuple[int, int]]) -> list[Path]:
    """All ways to go on with jumps until none is possible."""
    (x, y), piece = path[-1], board[path[0]]
    crowned = len(path) > 1 and piece in "xo" and y in (0, 7)
    found: list[Path] = []
    for dx, dy in [] if crowned else directions(piece):
        over, target = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        opposing = board.get(over, piece).lower() == OTHER[piece.lower()] and over not in taken
        free = inside(*target) and (target not in board or target == path[0])
        if opposing and free:
            found += chains(board, (*path, target), taken | {over})
    return found or ([path] if len(path) > 1 else [])


def moves(board: Board, side: str) -> list[Path]:
    """The legal moves: the squares that a piece touches."""
    own = [square for square, piece in board.items() if piece.lower() == side]
    jumps = [path for square in own for path in chains(board, (square,), frozenset())]
    steps = [((x, y), (x + dx, y + dy)) for x, y in own for dx, dy in directions(board[x, y])]
    return jumps or [(a, b) for a, b in steps if inside(*b) and b not in board]


def play(board: Board, move: Path) -> Board:
    """The board after a move."""
    after = dict(board)
    piece = after.pop(move[0])
    for (x, y), (to_x, to_y) in pairwise(move):
        if abs(to_x - x) == 2:
            del after[(x + to_x) // 2, (y + to_y) // 2]
    after[move[-1]] = piece.upper() if move[-1][1] in (0, 7) else piece
    return after


def name(move: Path) -> str:
    """`a3-b4`, `c3xe5xg7`."""
    joint = "x" if abs(move[0][0] - move[1][0]) == 2 else "-"
    return joint.join(f"{'abcdefgh'[x]}{y + 1}" for x, y in move)
