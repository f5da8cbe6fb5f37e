"""Dōbutsu shōgi on a row of twelve letters, as one would explain it: beside the gallery's file."""

from __future__ import annotations

from typing import NamedTuple

STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
SLANTING = ((-1, -1), (-1, 1), (1, -1), (1, 1))
#: Where x's animals step; o's step the other way.
STEPS = {
    "C": ((-1, 0),),
    "E": SLANTING,
    "G": STRAIGHT,
    "H": (*STRAIGHT, (-1, -1), (-1, 1)),
    "L": STRAIGHT + SLANTING,
}
HAND = "CEGceg"


class Dobutsu(NamedTuple):
    """A position.

    Attributes:
        cells: what stands on the squares, from the top left; a dot for nothing.
        hands: how many of each animal of `HAND` are beside the board.
        side: who moves, `x` or `o`.
    """

    cells: str = "gle.c..C.ELG"
    hands: tuple[int, ...] = (0,) * 6
    side: str = "x"

    def reach(self, square: int) -> list[int]:
        """The squares that the animal on a square attacks, its own side's left out."""
        animal = self.cells[square]
        ahead = 1 if animal.isupper() else -1
        found = []
        for down, across in STEPS[animal.upper()]:
            row, column = square // 3 + ahead * down, square % 3 + across
            if 0 <= row < 4 and 0 <= column < 3:
                target = self.cells[3 * row + column]
                if target == "." or target.isupper() != animal.isupper():
                    found.append(3 * row + column)
        return sorted(found)

    def own(self) -> list[int]:
        """The squares of the animals of the side to move."""
        return [at for at, one in enumerate(self.cells) if self.belongs(one)]

    def belongs(self, animal: str) -> bool:
        """True if an animal is the mover's."""
        return animal != "." and animal.isupper() == (self.side == "x")

    def is_over(self) -> bool:
        """True if the mover's lion is gone, or the other one is home and cannot be caught."""
        mine, other = ("L", "l") if self.side == "x" else ("l", "L")
        home = range(9, 12) if self.side == "x" else range(3)
        at = self.cells.find(other)
        safe = at in home and not any(at in self.reach(square) for square in self.own())
        return mine not in self.cells or safe

    def moves(self) -> list[str]:
        """The legal moves: from a square, or with an animal of the hand, to a square."""
        if self.is_over():
            return []
        found = [f"{name(at)}-{name(target)}" for at in self.own() for target in self.reach(at)]
        for animal, count in zip(HAND, self.hands, strict=True):
            if count > 0 and self.belongs(animal):
                found += [f"{animal}-{name(at)}" for at in range(12) if self.cells[at] == "."]
        return found

    def play(self, move: str) -> Dobutsu:
        """The position after a move."""
        start, end = move.split("-")
        cells, hands, at = list(self.cells), list(self.hands), number(end)
        if start in HAND:
            animal = start
            hands[HAND.index(start)] -= 1
        else:
            animal = cells[number(start)]
            cells[number(start)] = "."
        taken = cells[at].upper().replace("H", "C")
        if taken in "CEG":
            hands["CEG".index(taken) + (0 if self.side == "x" else 3)] += 1
        arrived = at < 3 if self.side == "x" else at > 8
        if start not in HAND and arrived:
            animal = animal.replace("C", "H").replace("c", "h")
        cells[at] = animal
        return Dobutsu("".join(cells), tuple(hands), "o" if self.side == "x" else "x")

    def result(self) -> int:
        """A game that is over is lost for the side to move."""
        return -1

    def line(self) -> str:
        """The position as Papan writes it."""
        rows = "/".join(self.cells[at : at + 3] for at in range(0, 12, 3))
        for count in (3, 2, 1):
            rows = rows.replace("." * count, str(count))
        return f"{rows} {self.side} {','.join(map(str, self.hands))}"


def name(square: int) -> str:
    """The name of a square: `a4` for the first one."""
    return "abc"[square % 3] + str(4 - square // 3)


def number(square: str) -> int:
    """The number of a named square."""
    return "abc".index(square[0]) + 3 * (4 - int(square[1]))
