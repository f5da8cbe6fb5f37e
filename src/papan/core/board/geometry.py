"""The geometry of boards: which places there are, their names, numbers and neighbours, where they
lie in a picture.

Whatever shows, reads or writes a position asks a `Geometry`; compiled rules know nothing but the
numbers of places. `Grid` is the board of squares; others stand in `papan.core.board.kinds`.

Columns of a grid are letters from the left, rows are numbers from the bottom: a1 is the square at
the bottom left.
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

#: Boards have at most so many rows and columns.
LARGEST = 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Place(NamedTuple):
    """A place on a board or beside it: something can stand there, and it can be touched.

    Attributes:
        number: what states and moves call it.
        name: what people call it: `c4`.
        x: the middle, from the left edge of the board; the edge of a square is 1.
        y: the middle, from the top edge of the board.
        shape: how it is drawn: `square`, `stack` (a square that wears out), `hexagon`, `point`,
            `pit`, `store`, `edge` (lying), `post` (upright), `box` or `card`.
    """

    number: int
    name: str
    x: float
    y: float
    shape: str = "square"


class Label(NamedTuple):
    """A name beside the board, with its middle: `c` below the third column."""

    text: str
    x: float
    y: float


class Extent(NamedTuple):
    """The rectangle that a board takes, without labels, in edges of a square."""

    width: float
    height: float


#: A place that is touched, by its number; or a word that is said.
Step = int | str

#: What may stand between the steps of a written move.
JOINTS = r"[-/x=@*:]"

#: A line on the board, from one point to another: (x, y, x, y).
Line = tuple[float, float, float, float]


#: A point of the board: (x, y).
Point = tuple[float, float]


class OwnEdge(NamedTuple):
    """An edge of the board that a side has, which is drawn in its colour.

    Attributes:
        owner: `x` or `o`.
        points: its bends, two of each place there; the second one lies on its edge.
    """

    owner: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Geometry(ABC):
    """The shape of a board. A subclass says `listed_places` and whatever else is its own."""

    # --- what a geometry defines

    @abstractmethod
    def listed_places(self) -> Iterator[Place]:
        """The places in reading order: rows from the top down, each from the left."""

    @property
    @abstractmethod
    def area(self) -> Extent:
        """The rectangle of the picture."""

    def labels(self) -> Iterator[Label]:
        """Names beside the board."""
        yield from ()

    def far_labels(self) -> Iterator[Label]:
        """The names on the other side of the board: where they lie on the left and below when it
        is turned. Names within the board stay where they are."""
        width, height = self.area
        for text, x, y in self.labels():
            beyond = not 0 <= x <= width, not 0 <= y <= height
            yield Label(text, width - x if beyond[0] else x, height - y if beyond[1] else y)

    def lines(self) -> Iterator[Line]:
        """Lines below the places."""
        yield from ()

    def own_edges(self) -> Iterator[OwnEdge]:
        """Edges that belong to a side."""
        yield from ()

    def neighbours(self, place: int) -> tuple[int, ...]:
        """The numbers of the places beside a place, ascending; by default those that a step of
        the length of a square away, or less, leads to."""
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
        """The board itself, without what lies beside it."""
        return self

    @property
    def row_length(self) -> int:
        """Number of bits from a square to the one below it, in sets of squares."""
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
        """The places in the rows in which they are written, from the top down."""
        rows: list[list[Place]] = []
        for place in self.places:
            if not rows or abs(rows[-1][0].y - place.y) > _SAME_ROW:
                rows.append([])
            rows[-1].append(place)
        return rows

    @property
    def end(self) -> int:
        """The first number above those of all places."""
        return max(self.squares) + 1

    @property
    def extent(self) -> str:
        """The names of the first and the last place, as people would say them: `a1 … h8`."""
        names = [place.name for place in self.places]
        return f"{names[0]} … {names[-1]}" if names else "–"

    def at_number(self, number: int) -> Place:
        """The place of that number.

        Raises:
            UsageError: the board has no such place.
        """
        if (place := _index(self).by_number.get(number)) is None:
            raise refuse("place", number, self.extent)
        return place

    def has(self, number: int) -> bool:
        """True if there is a place of that number."""
        return number in _index(self).by_number

    def name(self, number: int) -> str:
        """The name of a place: `c4`."""
        return self.at_number(number).name

    def find(self, text: str) -> int | None:
        """The number of the place of that name, or None if the board has none."""
        return _index(self).by_name.get(text)

    def square(self, text: str) -> int:
        """The number of the place of that name.

        Raises:
            InvalidMove: the board has no such place.
        """
        number = self.find(text)
        if number is None:
            raise InvalidMove("move.no-square", text=text, extent=self.extent)
        return number

    # --- moves

    def written(self, steps: Sequence[Step], joints: Sequence[str]) -> str:
        """Steps as text: `joints` stand between them, the last one as often as it takes."""
        words = [step if isinstance(step, str) else self.name(step) for step in steps]
        text = words[0]
        for number, word in enumerate(words[1:]):
            text += joints[min(number, len(joints) - 1)] + word
        return text

    def places_in(self, move: str) -> list[int]:
        """Returns the places in a written move, in their order.

        No places if the move contains anything else except a promotion (`=Q`).
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
        """The set without places, of the kind that this board has."""
        return self.of_squares([])

    @property
    def mask(self) -> Bits:
        """The set of all places."""
        return self.of_squares(self.squares)

    def of_squares(self, squares: Iterable[int]) -> Bits:
        """The set of the places of given numbers."""
        return self.set_type(sum(1 << square for square in set(squares)))


#: Coordinates are compared with so much tolerance.
_ROUNDING = 1e-6
#: Places nearer than that in height stand in one row of text.
_SAME_ROW = 0.05


def _words(end: int) -> int:
    """Number of bits, in whole words, for numbers below `end`."""
    return -(-end // WORD) * WORD


class _Index(NamedTuple):
    """The places of a geometry, to be looked up."""

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
    """A pattern for any of some texts, the longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


@functools.cache
def _forms(board: Geometry) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The form of a move that names places, and that of a name."""
    names = any_of(place.name for place in board.places)
    form = f"(?:(?:{names}){JOINTS}?)+(?:=[A-Za-z]+)?"
    return re.compile(form, re.ASCII), re.compile(names, re.ASCII)


# --- squares --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid(Geometry):
    """A board of `rows` × `columns` squares, up to 26 × 26.

    Boards of up to 8 × 8 have sets of 64 bits in rows of eight; larger ones have wide sets, whose
    rows have one spare column (`papan.rules.wide`).

    Attributes:
        shape: how its squares are drawn (`Place.shape`).
        blocks: a line is drawn after each so many rows and columns; 0 for none.
        spare: True if sets have room for one more number, `end`: that of a move which names no
            square, a pass say.

    Raises:
        UsageError: there are no rows or columns, or too many.
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
        """The middle (x, y) of a square."""
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
        """The square in a row, counted from the top, and a column, from the left; both from 0."""
        return self.row_length * row + column

    def row_and_column(self, square: int) -> tuple[int, int]:
        """The row of a square, counted from the top, and its column, from the left; both from 0."""
        return divmod(square, self.row_length)

    @property
    def row_names(self) -> list[str]:
        """The names of the rows from the top down."""
        return [str(self.rows - row) for row in range(self.rows)]

    @property
    def column_names(self) -> str:
        """The names of the columns from the left, a letter each."""
        return LETTERS[: self.columns]

    @property
    def extent(self) -> str:
        lowest, highest = sorted((self.row_names[0], self.row_names[-1]), key=int)
        return f"{LETTERS[0]}{lowest} … {LETTERS[self.columns - 1]}{highest}"


#: Where the names of rows and columns stand: so far from the edge of the board.
_LEFT_OF = -0.22
_BELOW = 0.22
