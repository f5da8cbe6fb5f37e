"""Quarto, slowly: pieces as sets of words, rows written out square by square."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

TRAITS = (("short", "tall"), ("light", "dark"), ("square", "round"), ("solid", "hollow"))
#: The pieces by their letters: the four words of "a" are the first of each pair.
PIECES = {
    "aAbBcCdDeEfFgGhH"[number]: frozenset(words[::-1])
    for number, words in enumerate(product(*TRAITS[::-1]))
}
ROWS = [
    *([f"{column}{row}" for column in "abcd"] for row in "1234"),
    *([f"{column}{row}" for row in "1234"] for column in "abcd"),
    ["a1", "b2", "c3", "d4"],
    ["a4", "b3", "c2", "d1"],
]
SQUARES = [f"{column}{row}" for row in "4321" for column in "abcd"]


class Table(NamedTuple):
    """The letter on each square that has one, and the letter to put next, if one was given."""

    board: dict[str, str]
    given: str = ""

    def is_won(self) -> bool:
        """True if the pieces of a row have a word in common."""
        full = [row for row in ROWS if all(square in self.board for square in row)]
        return any(
            frozenset.intersection(*(PIECES[self.board[square]] for square in row)) for row in full
        )

    def left(self) -> list[str]:
        """The letters that can be given."""
        return [piece for piece in PIECES if piece not in {*self.board.values(), self.given}]

    def moves(self) -> list[str]:
        """The legal moves: a square, a dash, a letter; the first and the last lack one of them."""
        if self.is_won() or len(self.board) == 16:
            return []
        if not self.given:
            return self.left()
        empty = [square for square in SQUARES if square not in self.board]
        return [f"{square}-{piece}" for square in empty for piece in self.left()] or empty

    def play(self, move: str) -> Table:
        """The table after a move."""
        square, _, piece = move.rpartition("-")
        if move in SQUARES:
            square, piece = move, ""
        return Table({**self.board, square: self.given} if square else self.board, piece)
