"""Three Men's Morris with lists of points, as the oracle of tablebases asks for positions."""

from typing import NamedTuple

ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")
#: Where the lines lead from each point; points are numbered in rows of three.
BESIDE = ("134", "024", "145", "046", "01235678", "248", "347", "468", "457")
MEN = 3


class Morris(NamedTuple):
    """Who stands on each point, `x`, `o` or `.`, and whose turn it is, 0 for `x`."""

    points: str = "." * 9
    side: int = 0

    def has_row(self, piece: str) -> bool:
        return any(all(self.points[int(point)] == piece for point in row) for row in ROWS)

    def moves(self) -> list[tuple[int, int]]:
        """From a point to a point; a piece that is put on the board goes to where it is."""
        mine, empty = "xo"[self.side], [n for n in range(9) if self.points[n] == "."]
        if self.has_row("ox"[self.side]):
            return []
        if self.points.count(mine) < MEN:
            return [(point, point) for point in empty]
        own = [n for n in range(9) if self.points[n] == mine]
        return [(a, b) for a in own for b in empty if str(b) in BESIDE[a]]

    def play(self, move: tuple[int, int]) -> "Morris":
        points = list(self.points)
        points[move[0]] = "."
        points[move[1]] = "xo"[self.side]
        return Morris("".join(points), 1 - self.side)

    def result(self) -> int:
        return -1
