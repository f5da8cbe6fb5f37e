"""Ataxx, slowly: a dictionary of pieces by (row, column) on a board of 7 × 7."""

from __future__ import annotations

Pieces = dict[tuple[int, int], str]
Move = tuple[tuple[int, int], ...]  # one square for a doubling, two for a jump, none for a pass
OTHER = {"x": "o", "o": "x"}
START: Pieces = {(0, 0): "x", (6, 6): "x", (0, 6): "o", (6, 0): "o"}
SQUARES = [(y, x) for y in range(7) for x in range(7)]


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps of a king between two squares."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def ways(pieces: Pieces, side: str) -> set[Move]:
    """The moves onto free squares."""
    own = [square for square, owner in pieces.items() if owner == side]
    free = [square for square in SQUARES if square not in pieces]
    doublings = {(to,) for to in free for piece in own if distance(piece, to) == 1}
    return doublings | {(piece, to) for to in free for piece in own if distance(piece, to) == 2}


def moves(pieces: Pieces, side: str) -> set[Move]:
    """The legal moves; none when the game is over."""
    if len(set(pieces.values())) < 2:
        return set()
    return ways(pieces, side) or ({()} if ways(pieces, OTHER[side]) else set())


def play(pieces: Pieces, side: str, move: Move) -> Pieces:
    """The pieces after a move."""
    after = {square: owner for square, owner in pieces.items() if square not in move[:-1]}
    if not move:
        return after
    turned = {square for square in after if distance(square, move[-1]) == 1}
    return {**after, **dict.fromkeys(turned, side), move[-1]: side}


def winner(pieces: Pieces) -> str:
    """The side with more pieces, or nothing."""
    owners = list(pieces.values())
    lead = owners.count("x") - owners.count("o")
    return "x" if lead > 0 else "o" if lead < 0 else ""
