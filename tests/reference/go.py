"""Go by the Tromp-Taylor rules: a board is a dict from points (x, y) to `x`, `o` or nothing."""

from __future__ import annotations

Point = tuple[int, int]
Board = dict[Point, str]

OTHER = {"x": "o", "o": "x"}


def start(size: int) -> Board:
    """The empty board."""
    return {(x, y): "" for x in range(size) for y in range(size)}


def chain(board: Board, point: Point) -> tuple[set[Point], set[str]]:
    """The points of one colour that hang together with a point, and the colours they touch."""
    found, touched, left = {point}, set(), [point]
    while left:
        x, y = left.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in board and board[near] != board[point]:
                touched.add(board[near])
            elif near in board and near not in found:
                found.add(near)
                left.append(near)
    return found, touched


def without_dead(board: Board, colour: str) -> Board:
    """The board without the stones of a colour that touch no empty point."""
    stones = [point for point, one in board.items() if one == colour]
    dead = {point for point in stones if "" not in chain(board, point)[1]}
    return {point: "" if point in dead else one for point, one in board.items()}


def play(board: Board, side: str, point: Point) -> Board:
    """The board after a stone was put."""
    return without_dead(without_dead({**board, point: side}, OTHER[side]), side)


def moves(board: Board, side: str, past: list[Board], *, suicide: bool = True) -> list[Point]:
    """The points where a stone may be put: no earlier board comes again, and without suicide the
    stone stays."""
    empty = [point for point, one in board.items() if not one]
    after = {point: play(board, side, point) for point in empty}
    stays = [point for point in empty if suicide or after[point][point] == side]
    return [point for point in stays if after[point] not in past]


def area(board: Board, side: str) -> int:
    """Stones, and empty points that touch no other colour."""
    own = [point for point, one in board.items() if one == side]
    empty = [point for point, one in board.items() if not one]
    return len(own) + sum(chain(board, point)[1] == {side} for point in empty)
