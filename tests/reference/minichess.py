"""Gardner's minichess by its words: a board is a dict from squares (x, y) to letters as in FEN."""

from __future__ import annotations

Square = tuple[int, int]
Board = dict[Square, str]
Move = tuple[Square, Square, str]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
SLIDES = {"B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}
STEPS = {"N": LEAPS, "K": STRAIGHT + DIAGONAL}
OTHER = {"x": "o", "o": "x"}


def start() -> Board:
    """The position at the start; x is White and stands at the bottom."""
    rows = ["RNBQK", "PPPPP", "", "ppppp", "rnbqk"]
    return {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}


def side_of(letter: str) -> str:
    """The side of a piece."""
    return "x" if letter.isupper() else "o"


def targets(board: Board, square: Square) -> list[Square]:
    """Where a piece goes, whatever happens to its king."""
    (x, y), piece = square, board[square]
    found = []
    for dx, dy in SLIDES.get(piece.upper(), []):
        for n in range(1, 5):
            found.append((x + n * dx, y + n * dy))
            if found[-1] in board:
                break
    found += [(x + dx, y + dy) for dx, dy in STEPS.get(piece.upper(), [])]
    if piece in "Pp":
        ahead = y + (1 if piece == "P" else -1)
        found += [(x, ahead)] if (x, ahead) not in board else []
        found += [(x + dx, ahead) for dx in (-1, 1) if (x + dx, ahead) in board]
    inside = [(a, b) for a, b in found if 0 <= a < 5 and 0 <= b < 5]
    return [to for to in inside if to not in board or side_of(board[to]) != side_of(piece)]


def in_check(board: Board, side: str) -> bool:
    """True if the king of a side is attacked."""
    king = next(square for square, piece in board.items() if piece == "kK"[side == "x"])
    opposing = [square for square, piece in board.items() if side_of(piece) != side]
    return any(king in targets(board, square) for square in opposing)


def play(board: Board, move: Move) -> Board:
    """The board after a move."""
    source, target, made = move
    after = {square: piece for square, piece in board.items() if square != source}
    piece = board[source]
    after[target] = (made.upper() if piece == "P" else made) or piece
    return after


def moves(board: Board, side: str) -> list[Move]:
    """The legal moves: source, target, and what a pawn is made."""
    found = []
    for square in [square for square, piece in board.items() if side_of(piece) == side]:
        for target in targets(board, square):
            arrives = board[square] in "Pp" and target[1] in (0, 4)
            found += [(square, target, made) for made in ("nbrq" if arrives else [""])]
    return [move for move in found if not in_check(play(board, move), side)]


def name(move: Move) -> str:
    """`a2a3`, `d4d5q`."""
    (x, y), (to_x, to_y), made = move
    return f"{'abcde'[x]}{y + 1}{'abcde'[to_x]}{to_y + 1}{made}"


def perft(board: Board, side: str, depth: int) -> int:
    """The leaves at a depth, one by one."""
    if depth == 0:
        return 1
    return sum(perft(play(board, m), OTHER[side], depth - 1) for m in moves(board, side))
