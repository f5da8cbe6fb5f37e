"""Boards as SVG, for any game: `board_svg(position)`.

A square is a group `<g class="square last …" data-square="d5">`; what is on it has class names
too, and all colours come from a style sheet (`papan.figures.theme`). By default the picture
carries the sheet with it and stands alone. With `Style(standalone=False)` it has class names only
and fits into a page with a strict content security policy.

Each side's pieces have a shape of their own, so that they differ without colours. A shape
fills a square of 60 × 60 around its middle, with a radius of about 20.

    size of a square    60 units, so the squares of 8 × 8 take 480
    coordinates         a margin of 26 units on the left and below
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from papan.core.game import Cell, Position, picture
from papan.core.notation import Frame
from papan.figures.highlights import Marks
from papan.figures.svg import Markup, Picture, classes, drawing, element, joined, written
from papan.figures.theme import board_rules

#: The edge of a square in the picture's units.
SQUARE = 60
#: Room for coordinates on the left and below.
MARGIN = 26
#: Around the squares where there are no coordinates.
BORDER = 6

#: How much higher the top of a stack is for each step that is left.
LAYER = 5
#: Stacks begin so far below the middle that the highest one stays inside its square.
_SINK = 8
_GAP = 2
_FLAT = SQUARE - 2 * _GAP
_PLATFORM_INSET = 9
#: Pawns leave room for the number of the steps that are left.
_PAWN_SCALE = 0.72
_PAWN_SHIFT = -3
#: The length of an arrow's head.
_HEAD = 20

#: The outlines of filled shapes, as SVG paths around (0, 0). Two circles make a ring.
_PATHS = {
    "disc": "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z",
    "ring": (
        "M-20 0A20 20 0 1 1 20 0A20 20 0 1 1 -20 0Z"
        "M-9.5 0A9.5 9.5 0 1 0 9.5 0A9.5 9.5 0 1 0 -9.5 0Z"
    ),
    "cross": (
        "M-18.5 -11.5L-11.5 -18.5L0 -7L11.5 -18.5L18.5 -11.5L7 0"
        "L18.5 11.5L11.5 18.5L0 7L-11.5 18.5L-18.5 11.5L-7 0Z"
    ),
    "square": "M-17 -13Q-17 -17 -13 -17H13Q17 -17 17 -13V13Q17 17 13 17H-13Q-17 17 -17 13Z",
    "diamond": "M0 -22L22 0L0 22L-22 0Z",
    "triangle": "M0 -20L20 15H-20Z",
    "star": (
        "M0 -22L5.9 -8.1L20.9 -6.8L9.5 3.1L12.9 17.8L0 10L-12.9 17.8L-9.5 3.1L-20.9 -6.8L-5.9 -8.1Z"
    ),
}

#: Their names, in the order in which to offer them.
SHAPES = tuple(_PATHS)


@dataclass(frozen=True)
class Style:
    """The looks of boards.

    Attributes:
        x_shape: the shape of `x`'s pieces, one of `SHAPES`.
        o_shape: the same for `o`.
        coordinates: True labels rows and columns.
        standalone: True for a picture that carries its style sheet and title with it; other
            pictures have class names and `aria-label`, and their page has the sheet.
        theme: a standalone picture's colours, one of `papan.figures.theme.THEMES`.
    """

    x_shape: str = "disc"
    o_shape: str = "ring"
    coordinates: bool = True
    standalone: bool = True
    theme: str = "light"

    def shape(self, side: str) -> str:
        """The shape of a side's pieces."""
        return self.x_shape if side == "x" else self.o_shape


@dataclass(frozen=True)
class Layout:
    """Where things are in the picture, in its units."""

    frame: Frame
    coordinates: bool = True
    flipped: bool = False

    @property
    def left(self) -> int:
        """Where the squares begin, from the left."""
        return MARGIN if self.coordinates else BORDER

    @property
    def width(self) -> int:
        """The picture's width."""
        return self.left + SQUARE * self.frame.width + BORDER

    @property
    def height(self) -> int:
        """The picture's height."""
        below = MARGIN if self.coordinates else BORDER
        return BORDER + SQUARE * self.frame.height + below

    def place(self, square: int) -> tuple[int, int]:
        """The top left corner of a square."""
        row, column = self.frame.place(square)
        if self.flipped:
            row, column = self.frame.height - 1 - row, self.frame.width - 1 - column
        return self.left + SQUARE * column, BORDER + SQUARE * row


@dataclass(frozen=True)
class Arrangement:
    """A board to be drawn: of a position, or of what is not one yet.

    Attributes:
        frame: which squares there are.
        cells: each square's content.
        side: the side to move.
        homes: home squares: square → side.
    """

    frame: Frame
    cells: Mapping[int, Cell]
    side: str = "x"
    homes: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position) -> Arrangement:
        """The board of a position."""
        game = position.game
        return cls(game.frame, game.cells(position.state), position.side, game.homes())


DEFAULT_STYLE = Style()
NO_MARKS = Marks()


def board_svg(
    shown: Position | Arrangement,
    *,
    marks: Marks = NO_MARKS,
    style: Style = DEFAULT_STYLE,
    size: float | None = None,
    flipped: bool = False,
    title: str = "",
    ident: str = "",
) -> Picture:
    """The board of a position as an `<svg>` element.

    Args:
        shown: the position, or a board that is none.
        marks: what is marked.
        style: shapes, coordinates, colours.
        size: the width in pixels; without one the picture is as wide as there is room.
        flipped: True for the board as seen from the other side.
        title: what it is called for those who cannot see it; by default game and position, and
            nothing for a board that is no position.
        ident: makes ids: the square d5 has the id `ident-d5`. Without it nothing has an id.
    """
    if isinstance(shown, Position):
        board, title = Arrangement.of(shown), title or f"{shown.game.title}: {shown}"
    else:
        board = shown
    layout = Layout(board.frame, style.coordinates, flipped)
    return drawing(
        "papan-board",
        (layout.width, layout.height),
        drawn_board(board, marks, style, layout, ident),
        title=title,
        rules=board_rules() if style.standalone else "",
        theme=style.theme,
        size=size,
        ident=ident,
    )


def drawn_board(
    board: Arrangement, marks: Marks, style: Style, layout: Layout, ident: str = ""
) -> Markup:
    """The inside of the picture."""
    marked = marks.by_square()
    how = (style, board.side, ident)
    squares = [
        _square(square, marked.get(square.name, ()), how, layout.place(place))
        for place, square in _squares(board).items()
    ]
    arrow = [_arrow(layout, *marks.arrow)] if marks.arrow else []
    return Markup("".join([_board_ground(layout), *squares, *arrow]))


def small_board(position: Position, marks: Marks, style: Style) -> Markup:
    """A board without coordinates for a picture that shows many of them, drawn with as few
    elements as will do: all squares on which there is nothing are one path."""
    layout = Layout(position.game.frame, coordinates=False)
    marked, how = marks.by_square(), (style, position.side, "")
    plain, others = [], []
    for place, square in _squares(Arrangement.of(position)).items():
        x, y = layout.place(place)
        if square.bare and square.name not in marked:
            plain.append(f"M{x + _GAP} {y + _GAP}h{_FLAT}v{_FLAT}h-{_FLAT}z")
        else:
            others.append(_square(square, marked.get(square.name, ()), how, (x, y)))
    empty = element("path", class_="tile", d="".join(plain)) if plain else Markup()
    return joined([_board_ground(layout), empty, *others])


def piece(side: str, shape: str, x: float = 0, y: float = 0, scale: float = 1) -> Markup:
    """A piece of a side (`x` or `o`) with its middle at (x, y)."""
    size = "" if scale == 1 else f" scale({scale:g})"
    body = element("path", class_="body", d=_PATHS[shape], fill_rule="evenodd")
    return element("g", body, class_=f"piece {side}", transform=f"translate({x:g} {y:g}){size}")


def sample(side: str, shape: str) -> Markup:
    """A picture of one piece alone, for choosing among shapes; it is for the eye only."""
    return element(
        "svg",
        piece(side, shape, 30, 30),
        class_="papan-board papan-piece",
        viewBox="0 0 60 60",
        aria_hidden="true",
    )


@functools.lru_cache(maxsize=64)
def _board_ground(layout: Layout) -> Markup:
    """The ground below the squares, the names of rows and columns included."""
    ground = element("rect", class_="ground", width=layout.width, height=layout.height, rx=10)
    return joined([ground, *(_labels(layout) if layout.coordinates else [])])


def _squares(board: Arrangement) -> dict[int, _Square]:
    """Each square of a board with what is on it, by its number."""
    name, cells, homes = board.frame.name, board.cells, board.homes
    place_of = board.frame.place
    return {
        place: _Square(name(place), cells[place], homes.get(place, ""), sum(place_of(place)))
        for place in board.frame.squares
    }


def _labels(layout: Layout) -> list[Markup]:
    """The names of rows and columns."""
    frame, half = layout.frame, SQUARE // 2
    labels = []
    for row, name in enumerate(frame.row_names):
        y = layout.place(frame.at(row, 0))[1] + half + 5
        labels.append(_label(name, layout.left / 2, y))
    for column, name in enumerate(frame.column_names):
        x = layout.place(frame.at(0, column))[0] + half
        labels.append(_label(name, x, layout.height - 8))
    return labels


def _label(text: str, x: float, y: float) -> Markup:
    return element("text", text, class_="label", x=x, y=y, aria_hidden="true")


class _Square(NamedTuple):
    """One square: its name, what stands on it, whose home it is, and its parity's number."""

    name: str
    cell: Cell
    home: str
    diagonal: int

    @property
    def bare(self) -> bool:
        """True if there is nothing to be seen but the square."""
        return self.cell == Cell() and not self.home

    @property
    def gone(self) -> bool:
        """True if this is a hole: a platform without a step left."""
        return self.cell.steps_left == 0

    @property
    def lift(self) -> int:
        """Height of the top of the square over the middle of its place."""
        steps = self.cell.steps_left
        return LAYER * (steps - 1) - _SINK if steps else 0


# A page draws hundreds of boards a second, and most of their squares look like others before.
@functools.lru_cache(maxsize=16_384)
def _square(
    square: _Square, marked: tuple[str, ...], how: tuple[Style, str, str], place: tuple[int, int]
) -> Markup:
    """A square with all that is on it."""
    style, mover, ident = how
    names = classes(
        "square",
        "alt" if square.diagonal % 2 else None,
        square.home and f"home-{square.home}",
        "gone" if square.gone else None,
        f"steps-{square.cell.steps_left}" if square.cell.steps_left else None,
        *marked,
    )
    return element(
        "g",
        *_ground(square),
        *_piece(square, style),
        *_marks(square, marked, mover),
        class_=names,
        transform=f"translate({place[0]} {place[1]})",
        data_square=square.name,
        id=ident and f"{ident}-{square.name}",
    )


def _tile(inset: float, raised: float, name: str) -> Markup:
    edge = SQUARE - 2 * inset
    return element("rect", class_=name, x=inset, y=inset - raised, width=edge, height=edge, rx=6)


def _ground(square: _Square) -> list[Markup]:
    """The square itself: flat, a stack, or a hole."""
    steps = square.cell.steps_left
    if not steps:
        return [_tile(_GAP if steps is None else _PLATFORM_INSET, 0, "tile")]
    return [_tile(_PLATFORM_INSET, LAYER * k - _SINK, "layer") for k in range(steps)]


def _piece(square: _Square, style: Style) -> list[Markup]:
    """The piece, and the number of steps left in the corner of a platform."""
    side, steps, half = square.cell.piece, square.cell.steps_left, SQUARE / 2
    drawn = []
    if side and steps is None:
        drawn.append(piece(side, style.shape(side), half, half))
    elif side:
        shift = _PAWN_SHIFT if steps else 0
        place = (half + shift, half + shift - square.lift)
        drawn.append(piece(side, style.shape(side), *place, _PAWN_SCALE))
    if steps:
        corner = SQUARE - _PLATFORM_INSET - 4
        drawn.append(element("text", str(steps), class_="steps", x=corner, y=corner - square.lift))
    return drawn


def _marks(square: _Square, marked: tuple[str, ...], mover: str) -> list[Markup]:
    """Marks over the square: a frame, a dot on a target, the new owner of a flipped piece."""
    half = SQUARE / 2
    drawn = []
    if {"selected", "flip", "hint"} & set(marked):
        drawn.append(_tile(4, 0, "frame"))
    if "flip" in marked:
        drawn.append(element("circle", class_=f"turned {mover}", cx=half, cy=half, r=8))
    if "target" in marked:
        y = half - square.lift
        radius = 24 if square.cell.piece else 7
        drawn.append(element("circle", class_="dot", cx=half, cy=y, r=radius))
    return drawn


def _arrow(layout: Layout, start: str, end: str) -> Markup:
    """An arrow from the middle of one square to that of another."""
    (x, y), (to_x, to_y) = (
        [edge + SQUARE / 2 for edge in layout.place(layout.frame.square(name))]
        for name in (start, end)
    )
    length = math.hypot(to_x - x, to_y - y)
    along, across = (to_x - x) / length, (to_y - y) / length
    # The line ends inside of the head, so that its round cap does not show at the tip.
    base_x, base_y = to_x - _HEAD * along, to_y - _HEAD * across
    wing_x, wing_y = _HEAD * across * 0.6, _HEAD * along * 0.6
    corners = (
        f"M{written(to_x)} {written(to_y)}"
        f"L{written(base_x - wing_x)} {written(base_y + wing_y)}"
        f"L{written(base_x + wing_x)} {written(base_y - wing_y)}Z"
    )
    shaft = f"M{written(x)} {written(y)}L{written(base_x)} {written(base_y)}"
    return element(
        "g",
        element("path", class_="shaft", d=shaft),
        element("path", class_="head", d=corners),
        class_="arrow",
        data_from=start,
        data_to=end,
    )


@picture.register
def _(position: Position) -> str:
    return str(board_svg(position, size=SQUARE * position.game.frame.width))
