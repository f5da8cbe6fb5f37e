"""Games in which a side may move again, in plain lists, and searches without negamax.

Values are those of the first side `x`, who maximises; `o` minimises. Nothing is ever turned round,
so that nothing can be turned round once too often.
"""

from collections.abc import Callable
from typing import NamedTuple, Self, TypeVar


def square(edge: frozenset[tuple[int, int]]) -> tuple[int, int]:
    """The row and the column of an edge on the board of dots, edges and boxes."""
    (r, c), (other_r, other_c) = edge
    return r + other_r, c + other_c


class Boxes(NamedTuple):
    """Dots and Boxes: the edges drawn, the boxes of `x` and of `o`, the side to move (0 or 1).

    An edge is the pair of its dots (row, column), rows from the top.
    """

    rows: int
    columns: int
    drawn: frozenset[frozenset[tuple[int, int]]] = frozenset()
    owned: tuple[int, int] = (0, 0)
    side: int = 0

    def edges(self) -> list[frozenset[tuple[int, int]]]:
        """All edges: those that lie, row by row, then the upright ones."""
        across = [
            frozenset({(r, c), (r, c + 1)})
            for r in range(self.rows + 1)
            for c in range(self.columns)
        ]
        down = [
            frozenset({(r, c), (r + 1, c)})
            for r in range(self.rows)
            for c in range(self.columns + 1)
        ]
        return across + down

    def moves(self) -> list[frozenset[tuple[int, int]]]:
        return [edge for edge in self.edges() if edge not in self.drawn]

    def name(self, edge: frozenset[tuple[int, int]]) -> str:
        """The move as it is written: the square between two dots."""
        row, column = square(edge)
        return f"{'abcdefgh'[column]}{2 * self.rows + 1 - row}"

    def play(self, edge: frozenset[tuple[int, int]]) -> Self:
        drawn = self.drawn | {edge}
        gained = self.closed(drawn) - self.closed(self.drawn)
        x, o = self.owned
        owned = (x + gained, o) if self.side == 0 else (x, o + gained)
        return self._replace(drawn=drawn, owned=owned, side=self.side if gained else 1 - self.side)

    def closed(self, drawn: frozenset[frozenset[tuple[int, int]]]) -> int:
        """Number of boxes with four edges drawn."""
        count = 0
        for r in range(self.rows):
            for c in range(self.columns):
                dots = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
                around = zip(dots, dots[1:] + dots[:1], strict=True)
                count += all(frozenset(edge) in drawn for edge in around)
        return count

    def over(self) -> bool:
        return not self.moves()

    def result(self) -> int:
        """The boxes that `x` is ahead."""
        return self.owned[0] - self.owned[1]


class Mancala(NamedTuple):
    """Kalah: the pits of `x`, its store, the pits of `o`, its store; the side to move."""

    pits: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 0) * 2
    side: int = 0

    def half(self, side: int) -> tuple[int, ...]:
        """Six pits of a side."""
        return self.pits[7 * side : 7 * side + 6]

    def moves(self) -> list[int]:
        if not any(self.half(0)) or not any(self.half(1)):
            return []
        return [pit for pit in range(6) if self.half(self.side)[pit]]

    def name(self, pit: int) -> str:
        """The move as it is written."""
        return ("abcdef", "ABCDEF")[self.side][pit]

    def play(self, pit: int) -> Self:
        pits, at = list(self.pits), 7 * self.side + pit
        home, foreign = 7 * self.side + 6, 7 * (1 - self.side) + 6
        hand, pits[at] = pits[at], 0
        while hand:
            at = (at + 1) % 14
            if at != foreign:
                pits[at] += 1
                hand -= 1
        if at == home:
            return self._replace(pits=tuple(pits))
        if at // 7 == self.side and pits[at] == 1 and pits[12 - at]:
            pits[home] += 1 + pits[12 - at]
            pits[at] = pits[12 - at] = 0
        return self._replace(pits=tuple(pits), side=1 - self.side)

    def over(self) -> bool:
        return not self.moves()

    def lead(self) -> int:
        """The seeds that `x` is ahead, who has all that is on its side."""
        return sum(self.pits[:7]) - sum(self.pits[7:])

    def result(self) -> int:
        """1, 0 or −1 for `x`."""
        return (self.lead() > 0) - (self.lead() < 0)


P = TypeVar("P", Boxes, Mancala)


def perft(position: P, depth: int) -> int:
    """The number of move sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def minimax(position: P, depth: int, value: Callable[[P, int], int], ply: int = 0) -> int:
    """The value to `x` of every line `depth` moves deep; `value(position, ply)` that of a leaf."""
    if depth == 0 or position.over():
        return value(position, ply)
    found = [minimax(position.play(m), depth - 1, value, ply + 1) for m in position.moves()]
    return max(found) if position.side == 0 else min(found)


def best_moves(position: P, depth: int, value: Callable[[P, int], int]) -> list[str]:
    """The moves, as they are written, that reach the value of a position."""
    best = minimax(position, depth, value)
    return [
        position.name(move)
        for move in position.moves()
        if minimax(position.play(move), depth - 1, value, 1) == best
    ]
