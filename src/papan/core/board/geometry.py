"""The geometry of boards: places, their names, numbers and neighbours, and where they are drawn.

Code that shows, reads or writes a position uses a `Geometry`. Compiled rules use only the numbers
of places. `Grid` is the board of squares; `papan.core.board.kinds` has the others.

Columns of a grid are letters from the left, rows are numbers from the bottom: a1 is the bottom left
square.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from papan.core.arguments import refuse
from papan.errors import InvalidMove, UsageError
from papan.rules.bits import ROW, Bits
from papan.rules.wide import WORD, wide_class, wide_frame

#: Largest number of rows and of columns.
LARGEST = 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Place(NamedTuple):
    """A place on a board or next to it, which can hold a piece and can be touched.

    Attributes:
        number: its number in states and moves.
        name: its name for people: `c4`.
        x: distance of its middle from the left edge of the board; a square has edge length 1.
        y: distance of its middle from the top edge of the board.
        shape: how it is drawn: `square`, `stack` (a square that wears out), `hexagon`, `point`,
            `pit`, `store`, `edge` (horizontal), `post` (vertical), `joint` (where edges and posts
            meet), `box` or `card`.
    """

    number: int
    name: str
    x: float
    y: float
    shape: str = "square"


class Label(NamedTuple):
    """A name next to the board, with its middle: `c` below the third column."""

    text: str
    x: float
    y: float


class Extent(NamedTuple):
    """The size of a board's picture without labels, in edges of a square."""

    width: float
    height: float


#: The number of a touched place, or a word such as `pass`.
Step = int | str

#: Pattern of the characters that may separate the steps of a written move.
JOINTS = r"[-/x=@*:]"

#: A line on the board, from its first to its second point: (x, y, x, y).
Line = tuple[float, float, float, float]


#: A point of the board: (x, y).
Point = tuple[float, float]


class OwnEdge(NamedTuple):
    """An edge of the board that belongs to a side and is drawn in its colour.

    Attributes:
        owner: `x` or `o`.
        points: the corners of the line; two for each place along the edge.
    """

    owner: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Geometry(ABC):
    """The shape of a board. A subclass defines `listed_places` and overrides what differs.

    Examples:
        >>> Grid(3, 3).neighbours(Grid(3, 3).square("a3"))
        (1, 8)
    """

    # --- what a geometry defines

    @abstractmethod
    def listed_places(self) -> Iterator[Place]:
        """Yields the places in reading order: rows from the top down, each from the left."""

    @property
    @abstractmethod
    def area(self) -> Extent:
        """The size of the picture."""

    def labels(self) -> Iterator[Label]:
        """Yields the names next to the board."""
        yield from ()

    def far_labels(self) -> Iterator[Label]:
        """Yields the labels for the opposite edges of the board.

        A turned board has them on its left and below it. Labels inside the board stay where they
        are.
        """
        width, height = self.area
        for text, x, y in self.labels():
            beyond = not 0 <= x <= width, not 0 <= y <= height
            yield Label(text, width - x if beyond[0] else x, height - y if beyond[1] else y)

    def lines(self) -> Iterator[Line]:
        """Yields the lines that are drawn under the places."""
        yield from ()

    def own_edges(self) -> Iterator[OwnEdge]:
        """Yields the edges that belong to a side."""
        yield from ()

    def neighbours(self, place: int) -> tuple[int, ...]:
        """Returns the numbers of the places next to a place, ascending.

        By default these are the places at most one edge of a square away: horizontal plus vertical
        distance.
        """
        here = self.at_number(place)
        return tuple(
            sorted(
                other.number
                for other in self.places
                if other.number != place
                and abs(other.x - here.x) + abs(other.y - here.y) <= 1 + _ROUNDING
            )
        )

    @property
    def main(self) -> Geometry:
        """The board itself, without the places next to it."""
        return self

    @property
    def row_length(self) -> int:
        """Bits per row in a set of squares."""
        return ROW if self.is_small else WORD

    # --- what every geometry has

    @property
    def places(self) -> tuple[Place, ...]:
        """All places in reading order."""
        return _index(self).places

    @property
    def squares(self) -> list[int]:
        """The numbers of all places in reading order."""
        return [place.number for place in self.places]

    @property
    def text_rows(self) -> list[list[Place]]:
        """The places in the rows of the written board, from the top down."""
        rows: list[list[Place]] = []
        for place in self.places:
            if not rows or abs(rows[-1][0].y - place.y) > _SAME_ROW:
                rows.append([])
            rows[-1].append(place)
        return rows

    @property
    def end(self) -> int:
        """One more than the largest number of a place."""
        return max(self.squares) + 1

    @property
    def extent(self) -> str:
        """The names of the first and the last place, for messages: `a1 … h8`."""
        names = [place.name for place in self.places]
        return f"{names[0]} … {names[-1]}" if names else "–"

    def at_number(self, number: int) -> Place:
        """Returns the place with a number.

        Raises:
            UsageError: the board has no such place.
        """
        if (place := _index(self).by_number.get(number)) is None:
            raise refuse("place", number, self.extent)
        return place

    def has(self, number: int) -> bool:
        """Returns whether a place has this number."""
        return number in _index(self).by_number

    def name(self, number: int) -> str:
        """Returns the name of a place: `c4`."""
        return self.at_number(number).name

    def find(self, text: str) -> int | None:
        """Returns the number of the place with a name, or None if the board has no such place."""
        return _index(self).by_name.get(text)

    def square(self, text: str) -> int:
        """Returns the number of the place with a name.

        Raises:
            InvalidMove: the board has no such place.
        """
        number = self.find(text)
        if number is None:
            raise InvalidMove("move.no-square", text=text, extent=self.extent)
        return number

    # --- moves

    def written(self, steps: Sequence[Step], joints: Sequence[str]) -> str:
        """Returns steps as text, separated by `joints`; the last joint repeats."""
        words = [step if isinstance(step, str) else self.name(step) for step in steps]
        text = words[0]
        for number, word in enumerate(words[1:]):
            text += joints[min(number, len(joints) - 1)] + word
        return text

    def places_in(self, move: str) -> list[int]:
        """Returns the places in a written move, in their order.

        Returns an empty list if the move contains anything else, except a promotion (`=Q`).
        """
        form, name = _forms(self)
        if form.fullmatch(move) is None:
            return []
        return [self.square(match[0]) for match in name.finditer(move)]

    # --- sets of places

    @property
    def is_small(self) -> bool:
        """True if sets of places fit in 64 bits."""
        return self.end <= WORD

    @property
    def set_type(self) -> type[Bits]:
        """The class of the sets of places."""
        return Bits if self.is_small else cast(type[Bits], wide_class(_words(self.end), WORD))

    @property
    def empty(self) -> Bits:
        """The empty set, of the type that this board uses."""
        return self.of_squares([])

    @property
    def mask(self) -> Bits:
        """The set of all places."""
        return self.of_squares(self.squares)

    def of_squares(self, squares: Iterable[int]) -> Bits:
        """Returns the set of the places with the given numbers."""
        return self.set_type(sum(1 << square for square in set(squares)))


#: Tolerance for the comparison of coordinates, in edges of a square.
_ROUNDING = 1e-6
#: Places whose heights differ by at most this much share a row of text.
_SAME_ROW = 0.05


def _words(end: int) -> int:
    """Returns `end`, rounded up to a multiple of the bits of a word."""
    return -(-end // WORD) * WORD


class _Index(NamedTuple):
    """The places of a geometry, indexed by number and by name."""

    places: tuple[Place, ...]
    by_number: dict[int, Place]
    by_name: dict[str, int]


@functools.cache
def _index(geometry: Geometry) -> _Index:
    places = tuple(geometry.listed_places())
    return _Index(
        places,
        {place.number: place for place in places},
        {place.name: place.number for place in places},
    )


def any_of(texts: Iterable[str]) -> str:
    """Returns a pattern that matches any of the texts; longer texts are tried first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


@functools.cache
def _forms(board: Geometry) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns the pattern of a move that names places, and the pattern of a place's name."""
    names = any_of(place.name for place in board.places)
    form = f"(?:(?:{names}){JOINTS}?)+(?:=[A-Za-z]+)?"
    return re.compile(form, re.ASCII), re.compile(names, re.ASCII)


# --- squares --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid(Geometry):
    """A board of `rows` × `columns` squares, up to 26 × 26.

    Boards of up to 8 × 8 have sets of 64 bits in rows of eight. Larger boards have wide sets, whose
    rows have one spare column (`papan.rules.wide`).

    Attributes:
        rows: number of rows.
        columns: number of columns.
        shape: how the squares are drawn (`Place.shape`).
        blocks: number of rows and columns between the lines that divide the board; 0 for no lines.
        spare: whether sets have room for one more number, `end`, used by a move that names no
            square, such as a pass.

    Raises:
        UsageError: the number of rows or columns is below 1 or above 26.

    Examples:
        >>> board = Grid(3, 4)
        >>> board.square("d3"), board.name(0), popcount(board.mask)
        (3, 'a3', 12)
    """

    rows: int
    columns: int
    shape: str = "square"
    blocks: int = 0
    spare: bool = False

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= LARGEST and 1 <= self.columns <= LARGEST):
            raise UsageError(
                "board.size", text=f"{self.rows} × {self.columns}", low=1, high=LARGEST
            )

    def listed_places(self) -> Iterator[Place]:
        for row in range(self.rows):
            for column in range(self.columns):
                name = self.row_names[row]
                yield Place(
                    self.at(row, column),
                    f"{LETTERS[column]}{name}",
                    *self.middle(row, column),
                    self.shape,
                )

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """Returns the middle (x, y) of a square."""
        return column + 0.5, row + 0.5

    @property
    def area(self) -> Extent:
        return Extent(self.columns, self.rows)

    def labels(self) -> Iterator[Label]:
        for row, name in enumerate(self.row_names):
            yield Label(name, _LEFT_OF, row + 0.5)
        for column, name in enumerate(self.column_names):
            yield Label(name, column + 0.5, self.rows + _BELOW)

    def lines(self) -> Iterator[Line]:
        if not self.blocks:
            return
        for edge in range(self.blocks, self.columns, self.blocks):
            yield edge, 0, edge, self.rows
        for edge in range(self.blocks, self.rows, self.blocks):
            yield 0, edge, self.columns, edge

    @property
    def is_small(self) -> bool:
        is_full = self.rows == self.columns == ROW
        return self.rows <= ROW and self.columns <= ROW and not (is_full and self.spare)

    @property
    def row_length(self) -> int:
        return ROW if self.is_small else self.columns + 1

    @property
    def set_type(self) -> type[Bits]:
        return Bits if self.is_small else cast(type[Bits], wide_frame(self.rows, self.columns))

    def at(self, row: int, column: int) -> int:
        """Returns the square in a row, counted from the top, and a column, from the left; both from
        0.
        """
        return self.row_length * row + column

    def row_and_column(self, square: int) -> tuple[int, int]:
        """Returns a square's row, counted from the top, and column, from the left; both from 0."""
        return divmod(square, self.row_length)

    @property
    def row_names(self) -> list[str]:
        """The names of the rows from the top down."""
        return [str(self.rows - row) for row in range(self.rows)]

    @property
    def column_names(self) -> str:
        """The names of the columns from the left, one letter for each."""
        return LETTERS[: self.columns]

    @property
    def extent(self) -> str:
        lowest, highest = sorted((self.row_names[0], self.row_names[-1]), key=int)
        return f"{LETTERS[0]}{lowest} … {LETTERS[self.columns - 1]}{highest}"


#: Distances of the labels of rows and columns from the edge of the board, in edges of a square.
_LEFT_OF = -0.22
_BELOW = 0.22
