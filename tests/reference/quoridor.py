"""Quoridor, slowly: squares are pairs of numbers, and walls are sets of steps that they block."""

from __future__ import annotations

from typing import NamedTuple

Square = tuple[int, int]  # row and column, from the top left
Step = frozenset[Square]
WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Situation(NamedTuple):
    """Pawns and supplies of x and o; walls by the square above and to the left of their middle."""

    size: int
    pawns: tuple[Square, Square]
    walls: dict[tuple[Square, str], tuple[Step, Step]]
    supply: tuple[int, int]
    side: int


def start(size: int) -> Situation:
    """The beginning of a game."""
    pawns = (size - 1, size // 2), (0, size // 2)
    return Situation(size, pawns, {}, (size * size // 8,) * 2, 0)


def is_over(at: Situation) -> bool:
    """True if the side that has just moved has arrived."""
    return at.pawns[1 - at.side][0] == _goal(at, 1 - at.side)


def _goal(at: Situation, side: int) -> int:
    return at.size - 1 if side else 0


def moves(at: Situation) -> list[str]:
    """The legal moves: places of a board on which gaps have rows and columns, too."""
    if is_over(at):
        return []
    found = [_place(at, 2 * row, 2 * column) for row, column in _targets(at)]
    if at.supply[at.side]:
        for row in range(at.size - 1):
            for column in range(at.size - 1):
                for kind in ("lying", "upright"):
                    if _has_room(at, (row, column), kind):
                        found.append(_wall_name(at, (row, column), kind))
    return sorted(found)


def _place(at: Situation, row: int, column: int) -> str:
    return f"{'abcdefghijklmnopqrst'[column]}{2 * at.size - 1 - row}"


def _wall_name(at: Situation, corner: Square, kind: str) -> str:
    down = kind == "lying"
    return _place(at, 2 * corner[0] + down, 2 * corner[1] + (not down))


def _blocked(corner: Square, kind: str) -> tuple[Step, Step]:
    """The two steps that a wall blocks."""
    y, x = corner
    if kind == "lying":
        return frozenset({(y, x), (y + 1, x)}), frozenset({(y, x + 1), (y + 1, x + 1)})
    return frozenset({(y, x), (y, x + 1)}), frozenset({(y + 1, x), (y + 1, x + 1)})


def _has_room(at: Situation, corner: Square, kind: str) -> bool:
    """True if a wall is legal: over no other wall, and with a way left for both pawns."""
    if (corner, "lying") in at.walls or (corner, "upright") in at.walls:
        return False
    steps = _blocked(corner, kind)
    if any(step in wall for wall in at.walls.values() for step in steps):
        return False
    after = at._replace(walls={**at.walls, (corner, kind): steps})
    return all(_can_arrive(after, side) for side in (0, 1))


def _can_arrive(at: Situation, side: int) -> bool:
    seen, rest = {at.pawns[side]}, [at.pawns[side]]
    while rest:
        square = rest.pop()
        for target in _beside(at, square):
            if target not in seen:
                seen.add(target)
                rest.append(target)
    return any(row == _goal(at, side) for row, _ in seen)


def _beside(at: Situation, square: Square) -> list[Square]:
    """The squares one step away, pawns or none."""
    found = []
    for down, right in WAYS:
        y, x = square[0] + down, square[1] + right
        if 0 <= y < at.size and 0 <= x < at.size and not _stops(at, square, (y, x)):
            found.append((y, x))
    return found


def _stops(at: Situation, source: Square, target: Square) -> bool:
    return any(frozenset({source, target}) in steps for steps in at.walls.values())


def _targets(at: Situation) -> set[Square]:
    """Where the pawn can go."""
    own, other = at.pawns[at.side], at.pawns[1 - at.side]
    found = set(_beside(at, own))
    if other in found:
        found.remove(other)
        straight = 2 * other[0] - own[0], 2 * other[1] - own[1]
        behind = set(_beside(at, other)) - {own}
        found |= {straight} if straight in behind else behind
    return found


def play(at: Situation, move: str) -> Situation:
    """The situation after a legal move."""
    row, column = 2 * at.size - 1 - int(move[1:]), ord(move[0]) - ord("a")
    pawns, walls, supply = list(at.pawns), dict(at.walls), list(at.supply)
    if row % 2 == column % 2 == 0:
        pawns[at.side] = (row // 2, column // 2)
    else:
        corner, kind = (row // 2, column // 2), "lying" if row % 2 else "upright"
        walls[corner, kind] = _blocked(corner, kind)
        supply[at.side] -= 1
    return Situation(at.size, (pawns[0], pawns[1]), walls, (supply[0], supply[1]), 1 - at.side)


def perft(at: Situation, depth: int) -> int:
    """Number of sequences of so many moves."""
    return 1 if depth == 0 else sum(perft(play(at, move), depth - 1) for move in moves(at))
