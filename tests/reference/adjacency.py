"""Adjacency in plain Python: the oracle beside the compiled game."""

from functools import cache
from typing import NamedTuple

from reference.notation import board_rows, board_text, other, square_index, square_name


class Adjacency(NamedTuple):
    """A position: the board as one string of `x`, `o` and `.`, row-major from the top-left.

    `play` trusts its caller: the move must be one of `moves()`.
    """

    height: int
    width: int
    squares: str
    side: str
    plies_left: int

    def line(self) -> str:
        """The position line: board, side to move, plies left."""
        return f"{board_text(self.squares, self.width)} {self.side} {self.plies_left}"

    def moves(self) -> list[str]:
        """The names of the empty squares, row-major from the top-left; none when over."""
        if self.plies_left == 0:
            return []
        return [
            square_name(i, self.height, self.width)
            for i, square in enumerate(self.squares)
            if square == "."
        ]

    def play(self, move: str) -> "Adjacency":
        """The position after an own piece on `move` turns the neighbouring opponents."""
        target = square_index(move, self.height, self.width)
        squares = list(self.squares)
        squares[target] = self.side
        for neighbour in neighbours(target, self.height, self.width):
            if squares[neighbour] != ".":
                squares[neighbour] = self.side
        return self._replace(
            squares="".join(squares), side=other(self.side), plies_left=self.plies_left - 1
        )

    def over(self) -> bool:
        """True if all rounds have been played, or the board is full."""
        return self.plies_left == 0 or "." not in self.squares

    def difference(self) -> int:
        """Own pieces minus opposing pieces, for the side to move."""
        return self.squares.count(self.side) - self.squares.count(other(self.side))

    def winner(self) -> str | None:
        """The side with more pieces; None for a draw and while the game goes on."""
        if not self.over() or self.difference() == 0:
            return None
        return self.side if self.difference() > 0 else other(self.side)

    def result(self) -> int:
        """The final piece difference for the side to move, when the game is over."""
        return self.difference()


@cache
def neighbours(square: int, height: int, width: int) -> list[int]:
    """The squares above, left, right and below that are on the board."""
    row, column = divmod(square, width)
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * width + c for r, c in around if 0 <= r < height and 0 <= c < width]


def start(
    height: int = 8, width: int = 8, rounds: int | None = None, first: str = "x"
) -> Adjacency:
    """The start position; without `rounds`, as many full rounds as the board has room for."""
    middle = "." * width * (height - 4)
    squares = ("." * (width - 2) + "oo") * 2 + middle + ("xx" + "." * (width - 2)) * 2
    if rounds is None:
        rounds = squares.count(".") // 2
    return Adjacency(height, width, squares, first, 2 * rounds)


def parse(line: str) -> Adjacency:
    """The position that a well-formed position line describes."""
    board, side, plies_left = line.split(" ")
    rows = board_rows(board)
    return Adjacency(len(rows), len(rows[0]), "".join(rows), side, int(plies_left))


def evaluate(position: Adjacency, ply: int) -> int:
    """The value of a leaf or of a finished game: the piece difference for the side to move."""
    del ply  # an early win is worth no more than a late one
    return position.difference()
