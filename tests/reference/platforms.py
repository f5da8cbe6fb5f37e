"""Platforms in plain Python: the oracle beside the compiled game."""

from functools import cache
from math import isqrt
from typing import NamedTuple

from reference.notation import other, square_index, square_name

WIN = 1000  # the value of a win at the root; each ply further away costs one


class Platforms(NamedTuple):
    """A position: the steps each square can still take, row-major, and the two pawns.

    `play` trusts its caller: the move must be one of `moves()`.
    """

    durability: tuple[int, ...]
    side: str
    x: int
    o: int

    @property
    def size(self) -> int:
        """The number of rows, and of columns."""
        return isqrt(len(self.durability))

    def line(self) -> str:
        """The position line: durability of each square, side to move, pawn of x, pawn of o."""
        n = self.size
        rows = [self.durability[i : i + n] for i in range(0, n * n, n)]
        board = "/".join("".join(str(d) for d in row) for row in rows)
        return f"{board} {self.side} {square_name(self.x, n, n)} {square_name(self.o, n, n)}"

    def moves(self) -> list[str]:
        """The neighbouring squares that are free and not used up, row-major."""
        own, opposing = (self.x, self.o) if self.side == "x" else (self.o, self.x)
        n = self.size
        return [
            square_name(square, n, n)
            for square in neighbours(own, n)
            if square != opposing and self.durability[square] > 0
        ]

    def play(self, move: str) -> "Platforms":
        """The position after the own pawn has stepped on `move`, which wears the square."""
        target = square_index(move, self.size, self.size)
        durability = list(self.durability)
        durability[target] -= 1
        x, o = (target, self.o) if self.side == "x" else (self.x, target)
        return Platforms(tuple(durability), other(self.side), x, o)

    def over(self) -> bool:
        """True if the side to move cannot move."""
        return not self.moves()

    def winner(self) -> str | None:
        """The side whose opponent cannot move; None while the game goes on."""
        return other(self.side) if self.over() else None

    def result(self) -> int:
        """The result for the side to move when the game is over: it has lost."""
        return -1


@cache
def neighbours(square: int, size: int) -> list[int]:
    """The up to eight squares around `square`, row-major."""
    row, column = divmod(square, size)
    return [
        r * size + c
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if 0 <= r < size and 0 <= c < size and (r, c) != (row, column)
    ]


def start(size: int = 3, level: int = 1, first: str = "x") -> Platforms:
    """The start position: pawns top-left and bottom-right, both squares stepped on once."""
    last = size * size - 1
    durability = [level] * (size * size)
    durability[0] -= 1
    durability[last] -= 1
    return Platforms(tuple(durability), first, 0, last)


def parse(line: str) -> Platforms:
    """The position that a well-formed position line describes."""
    board, side, x, o = line.split(" ")
    rows = board.split("/")
    n = len(rows)
    durability = tuple(int(digit) for digit in "".join(rows))
    return Platforms(durability, side, square_index(x, n, n), square_index(o, n, n))


def evaluate(position: Platforms, ply: int) -> int:
    """The value of a leaf or of a finished game: 0, or a loss `ply` plies from the root."""
    return -(WIN - ply) if position.over() else 0
