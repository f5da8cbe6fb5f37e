"""Boards other than grids of squares: hexagons, points and lines, pits, edges, plain tables.

`Beside` adds hands, reserves or cards next to a board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from papan.core.board.geometry import (
    LETTERS,
    Extent,
    Geometry,
    Grid,
    Label,
    Line,
    OwnEdge,
    Place,
    Point,
)
from papan.rules.bits import Bits

#: Vertical distance between two rows of hexagons of width 1.
_HEX_ROW = math.sqrt(3) / 2
#: Height of a hexagon of width 1.
_HEX_HEIGHT = 2 / math.sqrt(3)


@dataclass(frozen=True)
class Hex(Grid):
    """A rhombus of hexagons, up to 26 × 26, each row half a hexagon to the right of the one above.

    Numbers are those of a `Grid`. As usual in Hex, a1 is the hexagon at the top left. A hexagon has
    six neighbours: left, right, above, above right, below, and below left.

    Attributes:
        owned: True if x owns the upper and lower edges, and o the left and right edges.

    Examples:
        >>> Hex(3, 3).neighbours(Hex(3, 3).square("b2"))
        (1, 2, 8, 10, 16, 17)
    """

    shape: str = "hexagon"
    owned: bool = False

    @property
    def row_names(self) -> list[str]:
        return [str(row + 1) for row in range(self.rows)]

    def middle(self, row: int, column: int) -> tuple[float, float]:
        return column + row / 2 + 0.5, row * _HEX_ROW + _HEX_HEIGHT / 2

    @property
    def area(self) -> Extent:
        width = self.columns + (self.rows - 1) / 2
        return Extent(width, (self.rows - 1) * _HEX_ROW + _HEX_HEIGHT)

    def labels(self) -> Iterator[Label]:
        for row, name in enumerate(self.row_names):
            x, y = self.middle(row, 0)
            yield Label(name, x - 0.72, y)
        for column, name in enumerate(self.column_names):
            x, y = self.middle(self.rows - 1, column)
            yield Label(name, x + 0.36, y + 0.78)

    def far_labels(self) -> Iterator[Label]:
        for row, name in enumerate(self.row_names):
            x, y = self.middle(row, self.columns - 1)
            yield Label(name, x + 0.72, y)
        for column, name in enumerate(self.column_names):
            x, y = self.middle(0, column)
            yield Label(name, x - 0.36, y - 0.78)

    def own_edges(self) -> Iterator[OwnEdge]:
        if not self.owned:
            return
        rows, columns = range(self.rows), range(self.columns)
        # Two vertices of each hexagon, numbered clockwise from the top one, 0.
        upper = self._vertices([(0, column) for column in columns], (5, 0))
        lower = self._vertices([(rows[-1], column) for column in columns], (4, 3))
        yield OwnEdge("x", (*upper, _vertex(self.middle(0, columns[-1]), 1)))
        yield OwnEdge("x", (*lower, _vertex(self.middle(rows[-1], columns[-1]), 2)))
        yield OwnEdge("o", self._vertices([(row, 0) for row in rows], (5, 4)))
        yield OwnEdge("o", self._vertices([(row, columns[-1]) for row in rows], (1, 2)))

    def _vertices(self, cells: list[tuple[int, int]], which: tuple[int, int]) -> tuple[Point, ...]:
        return tuple(_vertex(self.middle(*cell), one) for cell in cells for one in which)

    def neighbours(self, place: int) -> tuple[int, ...]:
        row, column = self.row_and_column(place)
        steps = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
        around = ((row + down, column + right) for down, right in steps)
        there = (self.at(*one) for one in around if self._has(*one))
        return tuple(sorted(there))

    def _has(self, row: int, column: int) -> bool:
        return 0 <= row < self.rows and 0 <= column < self.columns


def _vertex(middle: Point, which: int) -> Point:
    """Returns a vertex of a hexagon; vertices are numbered clockwise from the top one, 0."""
    turn = math.pi / 3 * which
    radius = _HEX_HEIGHT / 2
    return middle[0] + radius * math.sin(turn), middle[1] - radius * math.cos(turn)


@dataclass(frozen=True)
class Grooves(Grid):
    """A grid whose every second row and column is a groove between the squares, for walls.

    The names and numbers are those of a `Grid`; squares are in odd rows and columns.

    Examples:
        >>> [place.shape for place in Grooves(3, 3).places[:4]]
        ['box', 'post', 'box', 'edge']
    """

    def listed_places(self) -> Iterator[Place]:
        for place in super().listed_places():
            row, column = self.row_and_column(place.number)
            yield place._replace(shape=_GROOVES[row % 2][column % 2])

    def middle(self, row: int, column: int) -> tuple[float, float]:
        return (column + 1) / 2, (row + 1) / 2

    @property
    def area(self) -> Extent:
        return Extent((self.columns + 1) / 2, (self.rows + 1) / 2)

    def labels(self) -> Iterator[Label]:
        for row, name in enumerate(self.row_names):
            yield Label(name, -0.22, self.middle(row, 0)[1])
        for column, name in enumerate(self.column_names):
            yield Label(name, self.middle(0, column)[0], self.area.height + 0.22)


#: Shapes of the places of `Grooves` by row and column, each even or odd.
_GROOVES = (("box", "post"), ("edge", "joint"))


@dataclass(frozen=True)
class Hexagon(Geometry):
    """A hexagon of hexagons, with `side` of them along each edge, up to 13.

    It is a `Hex` of 2·side − 1 rows and columns without two of its corners, and has the same
    numbers.

    Examples:
        >>> len(Hexagon(3).squares)
        19
    """

    side: int

    @property
    def _whole(self) -> Hex:
        return Hex(2 * self.side - 1, 2 * self.side - 1)

    def listed_places(self) -> Iterator[Place]:
        least = self.side - 1
        for place in self._whole.places:
            row, column = self._whole.row_and_column(place.number)
            if least <= row + column <= 3 * least:
                yield place._replace(x=place.x - least / 2)

    @property
    def area(self) -> Extent:
        extent = self._whole.area
        return Extent(2 * self.side - 1, extent.height)

    def neighbours(self, place: int) -> tuple[int, ...]:
        own = set(self.squares)
        return tuple(other for other in self._whole.neighbours(place) if other in own)

    @property
    def is_small(self) -> bool:
        return self._whole.is_small

    @property
    def row_length(self) -> int:
        return self._whole.row_length

    @property
    def set_type(self) -> type[Bits]:
        return self._whole.set_type


@dataclass(frozen=True, init=False)
class Points(Geometry):
    """A graph: named points, and lines that join them.

    Points are numbered 0, 1, … in the given order.

    Examples:
        >>> board = Points({"a1": (0, 0), "b1": (1, 0)}, (("a1", "b1"),))
        >>> board.neighbours(board.square("a1"))
        (1,)
    """

    points: tuple[tuple[str, float, float], ...]
    joined: tuple[tuple[str, str], ...]
    shape: str

    def __init__(
        self,
        points: Mapping[str, tuple[float, float]],
        lines: tuple[tuple[str, str], ...] = (),
        shape: str = "point",
    ) -> None:
        """Creates the graph.

        Args:
            points: the middle (x, y) of each point by name; y grows downwards.
            lines: pairs of points that a line joins. A line also joins the points that it passes.
            shape: how the points are drawn (`Place.shape`).
        """
        middles = tuple((name, float(x), float(y)) for name, (x, y) in points.items())
        object.__setattr__(self, "points", middles)
        object.__setattr__(self, "joined", tuple(lines))
        object.__setattr__(self, "shape", shape)

    def listed_places(self) -> Iterator[Place]:
        left = min(x for _, x, _ in self.points) - 0.5
        top = min(y for _, _, y in self.points) - 0.5
        numbered = [
            Place(number, name, x - left, y - top, self.shape)
            for number, (name, x, y) in enumerate(self.points)
        ]
        yield from sorted(numbered, key=lambda place: (round(place.y, 2), place.x))

    @property
    def area(self) -> Extent:
        places = self.places
        return Extent(max(p.x for p in places) + 0.5, max(p.y for p in places) + 0.5)

    def lines(self) -> Iterator[Line]:
        by_name = {place.name: place for place in self.places}
        for first, last in self.joined:
            start, stop = by_name[first], by_name[last]
            yield start.x, start.y, stop.x, stop.y

    def labels(self) -> Iterator[Label]:
        """Yields letters below and numbers on the left if the points are named like those of a
        grid.
        """
        columns = {place.name[:1]: place.x for place in self.places}
        rows = {place.name[1:]: place.y for place in self.places}
        if all((columns[p.name[:1]], rows[p.name[1:]]) == (p.x, p.y) for p in self.places):
            for name, y in rows.items():
                yield Label(name, -0.22, y)
            for name, x in columns.items():
                yield Label(name, x, self.area.height + 0.22)

    def neighbours(self, place: int) -> tuple[int, ...]:
        neighbours = set()
        for line in self.lines():
            along = sorted(
                (math.dist((p.x, p.y), line[:2]), p.number)
                for p in self.places
                if _lies_on(line, p.x, p.y)
            )
            numbers = [number for _, number in along]
            if place in numbers:
                at = numbers.index(place)
                neighbours |= set(numbers[max(at - 1, 0) : at + 2]) - {place}
        return tuple(sorted(neighbours))


def _lies_on(line: Line, x: float, y: float) -> bool:
    """Returns whether a point lies between the ends of a line."""
    start, stop = line[:2], line[2:]
    way = math.dist(start, (x, y)) + math.dist((x, y), stop)
    return math.isclose(way, math.dist(start, stop), abs_tol=1e-6)


@dataclass(frozen=True)
class Pits(Geometry):
    """Two rows of pits with a store for each side, as in Kalah.

    Numbers run counter-clockwise from the lower left:

    - 0 … n − 1: x's pits, named a, b … from the left
    - n: x's store (`x`)
    - n + 1 … 2n: o's pits, capital letters from the right
    - 2n + 1: o's store (`o`)

    Examples:
        >>> Pits(2).squares
        [4, 3, 5, 2, 0, 1]
    """

    columns: int

    def listed_places(self) -> Iterator[Place]:
        count = self.columns
        for column in range(count):
            number = 2 * count - column
            name = LETTERS[count - 1 - column].upper()
            yield Place(number, name, column + 2, 0.95, "pit")
        yield Place(2 * count + 1, "o", 0.75, 1.45, "store")
        yield Place(count, "x", count + 2.25, 1.45, "store")
        for column in range(count):
            yield Place(column, LETTERS[column], column + 2, 1.95, "pit")

    @property
    def area(self) -> Extent:
        return Extent(self.columns + 3, 2.9)

    def labels(self) -> Iterator[Label]:
        for place in self.places:
            if place.shape == "pit":
                below = place.number < self.columns
                yield Label(place.name, place.x, 2.66 if below else 0.24)

    def neighbours(self, place: int) -> tuple[int, ...]:
        size = 2 * self.columns + 2
        return tuple(sorted(((place - 1) % size, (place + 1) % size)))


@dataclass(frozen=True)
class Edges(Geometry):
    """The edges of `rows` × `columns` boxes, to be drawn one after the other.

    Numbers: first the horizontal edges row by row, then the vertical edges row by row, then the
    boxes. Names are those of a grid with 2·rows + 1 rows and 2·columns + 1 columns, whose corners
    are dots: b1 lies between the dots a1 and c1, and b2 is the box above b1.

    Examples:
        >>> Edges(1, 1).squares
        [0, 2, 4, 3, 1]
    """

    rows: int
    columns: int

    def listed_places(self) -> Iterator[Place]:
        horizontal = (self.rows + 1) * self.columns
        vertical = self.rows * (self.columns + 1)
        for line in range(2 * self.rows + 1):
            row, between = divmod(line, 2)
            for column in range(self.columns + 1):
                x, y = column + _DOT, row + _DOT
                if not between and column < self.columns:
                    number = row * self.columns + column
                    yield self._place(number, line, 2 * column + 1, (x + 0.5, y, "edge"))
                if between:
                    number = horizontal + row * (self.columns + 1) + column
                    yield self._place(number, line, 2 * column, (x, y + 0.5, "post"))
                if between and column < self.columns:
                    number = horizontal + vertical + row * self.columns + column
                    yield self._place(number, line, 2 * column + 1, (x + 0.5, y + 0.5, "box"))

    def _place(self, number: int, line: int, column: int, drawn: tuple[float, float, str]) -> Place:
        return Place(number, f"{LETTERS[column]}{2 * self.rows + 1 - line}", *drawn)

    @property
    def area(self) -> Extent:
        return Extent(self.columns + 2 * _DOT, self.rows + 2 * _DOT)

    def labels(self) -> Iterator[Label]:
        for line in range(2 * self.rows + 1):
            yield Label(str(2 * self.rows + 1 - line), -0.22, line / 2 + _DOT)
        for column in range(2 * self.columns + 1):
            yield Label(LETTERS[column], column / 2 + _DOT, self.area.height + 0.22)


#: Distance of the outermost dots from the edge of the picture, in edges of a box.
_DOT = 0.3


@dataclass(frozen=True)
class Cells(Geometry):
    """Rows of named cells: a plain table for games that fit no other board.

    Cells are numbered 0, 1, … in reading order.

    Examples:
        >>> Cells((("1", "2"), ("3",))).square("3")
        2
    """

    names: tuple[tuple[str, ...], ...]

    def listed_places(self) -> Iterator[Place]:
        number = 0
        for y, row in enumerate(self.names):
            for x, name in enumerate(row):
                yield Place(number, name, x + 0.5, y + 0.5, "card")
                number += 1

    @property
    def area(self) -> Extent:
        return Extent(max(map(len, self.names)), len(self.names))


@dataclass(frozen=True)
class Beside(Geometry):
    """A board with places next to it: hands, reserves, cards. The function `beside` makes one.

    Attributes:
        board: the board itself; sets of places contain only its places.
        hands: names of the places below the board (x's), above it (o's), and right of it (neutral).
    """

    board: Geometry
    hands: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]

    def listed_places(self) -> Iterator[Place]:
        yield from sorted(self._all_places(), key=lambda place: (round(place.y, 2), place.x))

    def _all_places(self) -> Iterator[Place]:
        below, above, right = self.hands
        start, area = self.board.end, self.board.area
        shared = start + len(below) + len(above)
        for column, name in enumerate(above):
            yield Place(start + len(below) + column, name, column + 0.5, 0.5, "card")
        for place in self.board.places:
            yield place._replace(y=place.y + self._top)
        for column, name in enumerate(below):
            y = self._top + area.height + _GAP + 0.5
            yield Place(start + column, name, column + 0.5, y, "card")
        for index, name in enumerate(right):
            row, column = divmod(index, self._shared_columns)
            x = area.width + _GAP + column + 0.5
            yield Place(shared + index, name, x, self._top + row + 0.5, "card")

    @property
    def _top(self) -> float:
        """Height of the places above the board."""
        return 1 + _GAP if self.hands[1] else 0

    @property
    def _shared_columns(self) -> int:
        """Number of columns on the right, chosen so that they are not higher than the board."""
        return max(1, -(-len(self.hands[2]) // max(1, int(self.board.area.height))))

    @property
    def area(self) -> Extent:
        below, above, right = self.hands
        inner = self.board.area
        width = inner.width + (self._shared_columns + _GAP if right else 0)
        height = inner.height + self._top + (1 + _GAP if below else 0)
        return Extent(max(width, len(below), len(above)), height)

    def labels(self) -> Iterator[Label]:
        for label in self.board.labels():
            yield label._replace(y=label.y + self._top)

    def far_labels(self) -> Iterator[Label]:
        for label in self.board.far_labels():
            yield label._replace(y=label.y + self._top)

    def lines(self) -> Iterator[Line]:
        for x, y, to_x, to_y in self.board.lines():
            yield x, y + self._top, to_x, to_y + self._top

    def own_edges(self) -> Iterator[OwnEdge]:
        for owner, points in self.board.own_edges():
            yield OwnEdge(owner, tuple((x, y + self._top) for x, y in points))

    def neighbours(self, place: int) -> tuple[int, ...]:
        return self.board.neighbours(place) if place < self.board.end else ()

    @property
    def main(self) -> Geometry:
        return self.board

    @property
    def is_small(self) -> bool:
        return self.board.is_small

    @property
    def row_length(self) -> int:
        return self.board.row_length

    @property
    def set_type(self) -> type[Bits]:
        return self.board.set_type

    @property
    def mask(self) -> Bits:
        return self.board.mask


#: Distance between a board and the places next to it, in edges of a square.
_GAP = 0.35


def beside(
    board: Geometry,
    *,
    x: tuple[str, ...] = (),
    o: tuple[str, ...] = (),
    shared: tuple[str, ...] = (),
) -> Beside:
    """Returns the board with places next to it.

    Numbers of these places start at `board.end`, first those of x, then o's, then the shared ones.

    Args:
        board: the board.
        x: names of the places of x, below the board.
        o: names of the places of o, above the board.
        shared: names of the places on the right of the board.

    Examples:
        >>> board = beside(Grid(3, 3), x=("x1", "x2"))
        >>> board.square("x1")
        19
    """
    return Beside(board, (x, o, shared))
