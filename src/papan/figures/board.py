"""Boards as SVG, for any game: `board_svg(position)`.

A place is a group `<g class="square last …" data-square="d5">`. Its contents have class names too,
and all colours come from a style sheet (`papan.figures.theme`). By default a picture contains its
style sheet and stands alone. With `Style(standalone=False)` it has only class names, as a page
with a strict content security policy requires.

The pieces of each side have their own shape, so that they differ without colours
(`papan.figures.pieces`). Places are drawn by their shape (`papan.figures.places`).

    size of a square    60 units, so the squares of 8 × 8 take 480
    coordinates         a margin of 26 units on the left and below
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from papan.core.arguments import check_arguments, within
from papan.core.board.geometry import Geometry, Grid, Label, Place
from papan.core.board.pieces import Content
from papan.core.game import Game, Position, picture
from papan.figures.palette import PALETTE, look_class, look_of
from papan.figures.places import SQUARE, PlaceLook, dot, frame, ground, standing
from papan.figures.svg import (
    Markup,
    Picture,
    classes,
    drawing,
    element,
    format_number,
    join_elements,
)
from papan.figures.theme import board_rules

#: Width of the margin for coordinates, on the left and below.
MARGIN = 26
#: Width of the margin without coordinates.
BORDER = 6
_HALF = SQUARE / 2
#: Length of an arrow's head.
_HEAD = 20


#: Maximum width of a picture in pixels.
LARGEST_SIZE = 100_000


@dataclass(frozen=True)
class Style:
    """The style of boards.

    Attributes:
        x_shape: shape of `x`'s pieces, one of `SHAPES`, in games with a plain look.
        o_shape: shape of `o`'s pieces.
        coordinates: True labels rows and columns.
        standalone: True for a picture with its own style sheet and title. Other pictures have class
            names and `aria-label`, and need the style sheet of their page.
        theme: colours of a standalone picture, one of `papan.figures.theme.THEMES`.
    """

    x_shape: str = "disc"
    o_shape: str = "ring"
    coordinates: bool = True
    standalone: bool = True
    theme: str = "light"

    def shape(self, side: str) -> str:
        """Returns the shape of a side's pieces."""
        return self.x_shape if side == "x" else self.o_shape


@dataclass(frozen=True)
class Marks:
    """The marked squares, by kind of mark.

    Attributes:
        last: squares of the last move.
        turned: squares whose pieces the last move turned.
        targets: squares with a dot: possible destinations of a move.
        selected: squares already selected for the current move.
        flips: squares whose pieces would change sides.
        hint: squares of a suggested move.
        won: squares of the winning line.
        arrow: start and end square of an arrow; empty for none.
    """

    last: Collection[str] = ()
    turned: Collection[str] = ()
    targets: Collection[str] = ()
    selected: tuple[str, ...] = ()
    flips: Collection[str] = ()
    hint: Collection[str] = ()
    won: Collection[str] = ()
    arrow: tuple[str, str] | tuple[()] = ()

    def by_square(self) -> dict[str, tuple[str, ...]]:
        """Returns the class names of each marked square."""
        names: dict[str, tuple[str, ...]] = {}
        marked = {
            "last": self.last,
            "was-turned": self.turned,
            "target": self.targets,
            "selected": self.selected,
            "flip": self.flips,
            "hint": self.hint,
            "won": self.won,
        }
        for name, squares in marked.items():
            for square in squares:
                names[square] = (*names.get(square, ()), name)
        return names


@functools.lru_cache(maxsize=64)
def _labelled_edges(board: Geometry) -> tuple[bool, bool]:
    """Returns whether the board has labels beyond its left edge, and beyond its lower edge."""
    labels = list(board.labels())
    return (
        any(label.x < 0 for label in labels),
        any(label.y > board.area.height for label in labels),
    )


@dataclass(frozen=True)
class Layout:
    """Sizes and coordinates of a picture, in its units."""

    board: Geometry
    coordinates: bool = True
    flipped: bool = False
    look: str = "plain"

    @classmethod
    def of(cls, game: Game, coordinates: bool = True) -> Layout:
        """Returns the layout of a game's board."""
        return cls(game.board, coordinates, look=look_of(game))

    @property
    def left(self) -> int:
        """Distance of the squares from the left edge."""
        return MARGIN if self.coordinates and _labelled_edges(self.board)[0] else BORDER

    @property
    def width(self) -> float:
        """Width of the picture."""
        return self.left + SQUARE * self.board.area.width + BORDER

    @property
    def height(self) -> float:
        """Height of the picture."""
        below = MARGIN if self.coordinates and _labelled_edges(self.board)[1] else BORDER
        return BORDER + SQUARE * self.board.area.height + below

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Converts a point of the board to a point of the picture."""
        if self.flipped:
            x, y = self.board.area.width - x, self.board.area.height - y
        return self.left + SQUARE * x, BORDER + SQUARE * y

    def corner(self, place: Place) -> tuple[float, float]:
        """Returns the top left corner of the box around a place."""
        x, y = self.point(place.x, place.y)
        return x - _HALF, y - _HALF


@dataclass(frozen=True)
class Arrangement:
    """A board to draw: a position, or a board that is still being edited.

    Attributes:
        board: geometry of the board.
        contents: number of a place → content.
        side: the side to move.
        homes: number of a home square → side.
        look: look of the game, one of `papan.figures.palette.PALETTE`.
    """

    board: Geometry
    contents: Mapping[int, Content]
    side: str = "x"
    homes: Mapping[int, str] = field(default_factory=dict)
    look: str = "plain"

    @classmethod
    def of(cls, position: Position) -> Arrangement:
        """Returns the board of a position."""
        return cls.of_game(position.game, position.game.contents(position.state), position.side)

    @classmethod
    def of_game(cls, game: Game, contents: Mapping[int, Content], side: str) -> Arrangement:
        """Returns a board of a game."""
        return cls(game.board, contents, side, game.homes(), look_of(game))

    def places(self) -> list[tuple[Place, PlaceLook]]:
        """Returns each place with its look."""
        contents, homes = self.contents, self.homes
        return [
            (
                place,
                PlaceLook(shape, contents[place.number], homes.get(place.number, ""), alt, look),
            )
            for place, shape, alt, look in _drawn_shapes(self.board, self.look)
        ]


#: Shapes of places that alternate in brightness.
_ALTERNATING = ("square", "field", "stack")


@functools.lru_cache(maxsize=64)
def _drawn_shapes(board: Geometry, look: str) -> list[tuple[Place, str, bool, str]]:
    """Returns each place with its drawn shape, whether it is a darker square, and the look."""
    ground, height = PALETTE[look].ground, board.area.height
    drawn = []
    for place in board.places:
        # Counted from the lower left, because a1 is dark on a chessboard.
        is_odd = (math.floor(place.x) + math.floor(height - place.y)) % 2 == 0
        shape = ground if place.shape == "square" else place.shape
        drawn.append((place, shape, shape in _ALTERNATING and is_odd, look))
    return drawn


DEFAULT_STYLE = Style()
NO_MARKS = Marks()


@check_arguments
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
    """Returns the board of a position as an `<svg>` element.

    Args:
        shown: a position, or a board that is not a position.
        marks: marked squares; the winning line of a finished game is added.
        style: shapes, coordinates and colours.
        size: width in pixels; by default the picture fills the available width.
        flipped: True shows the board from the other side.
        title: description for screen readers; by default game and position, and empty for a board
            that is not a position.
        ident: prefix of ids: the square d5 gets the id `ident-d5`. Empty for no ids.

    Returns:
        The picture; notebooks display it.

    Raises:
        UsageError: an argument has a wrong type, or the size is out of range.

    Examples:
        >>> papan.board_svg(papan.game("platforms").start())[:4]
        '<svg'
    """
    if size is not None:
        within("size", size, 1, LARGEST_SIZE)
    if isinstance(shown, Position):
        drawn, title = Arrangement.of(shown), title or f"{shown.game.title}: {shown}"
        marks = marks if marks.won else replace(marks, won=shown.winning_line())
    else:
        drawn = shown
    layout = Layout(drawn.board, style.coordinates, flipped, drawn.look)
    return drawing(
        classes(
            f"papan-board{look_class(drawn.look)}",
            "flipped" if flipped and style.standalone else None,
        ),
        (layout.width, layout.height),
        drawn_board(drawn, marks, style, layout, ident),
        title=title,
        rules=board_rules(style.theme, drawn.look) if style.standalone else "",
        theme=style.theme,
        size=size,
        ident=ident,
    )


#: `board_svg` without checks of the arguments, for pages that draw many boards.
board_picture: Callable[..., Picture] = inspect.unwrap(board_svg)


def drawn_board(
    board: Arrangement, marks: Marks, style: Style, layout: Layout, ident: str = ""
) -> Markup:
    """Returns the contents of the picture."""
    arrow = [pointer(layout, *marks.arrow)] if marks.arrow else []
    places = draw_places(board, marks, style, layout, ident)
    return Markup("".join([board_ground(layout), *places, board_labels(layout), *arrow]))


def draw_places(
    board: Arrangement, marks: Marks, style: Style, layout: Layout, ident: str = ""
) -> list[Markup]:
    """Returns the drawing of each place, in the order of the board."""
    marked = marks.by_square()
    how = (style, board.side)
    return [
        _at(place, layout, _place_classes(look, marked.get(place.name, ()), how), ident)
        for place, look in board.places()
    ]


def small_board(position: Position, marks: Marks, style: Style) -> Markup:
    """Returns a board without coordinates, for pictures with many boards.

    Uses as few elements as possible: all empty squares are one path.
    """
    layout = Layout.of(position.game, coordinates=False)
    marked, how = marks.by_square(), (style, position.side)
    plain: dict[bool, str] = {}
    others = []
    for place, look in Arrangement.of(position).places():
        path = look.bare_path
        if path is None or place.name in marked:
            others.append(_at(place, layout, _place_classes(look, marked.get(place.name, ()), how)))
        elif path:
            x, y = layout.point(place.x, place.y)
            is_dark = look.is_alternate and look.shape == "field"
            plain[is_dark] = plain.get(is_dark, "") + f"M{x:g} {y:g}{path}"
    empty = [
        element("g", element("path", class_="tile", d=way), class_="alt" if is_dark else "")
        for is_dark, way in plain.items()
    ]
    return join_elements([board_ground(layout), *empty, *others])


@functools.lru_cache(maxsize=64)
def board_ground(layout: Layout) -> Markup:
    """Returns the background with the lines of the board."""
    ground = element("rect", class_="ground", width=layout.width, height=layout.height, rx=10)
    return join_elements([ground, *_crossing_lines(layout), *_lines(layout), *_own_edges(layout)])


def _crossing_lines(layout: Layout) -> list[Markup]:
    """Returns the lines of a grid whose pieces are on the intersections, with the star points."""
    board = layout.board.main
    if PALETTE[layout.look].ground != "crossing" or not isinstance(board, Grid):
        return []
    rows, columns = board.rows, board.columns
    ends = [((row, 0), (row, columns - 1)) for row in range(rows)]
    ends += [((0, column), (rows - 1, column)) for column in range(columns)]
    ways = [[layout.point(*board.middle(*end)) for end in line] for line in ends]
    path = "".join(f"M{x:g} {y:g}L{to_x:g} {to_y:g}" for (x, y), (to_x, to_y) in ways)
    stars = (layout.point(*board.middle(*star)) for star in _star_points(rows, columns))
    return [
        element("path", class_="grid", d=path),
        *(element("circle", class_="star", cx=x, cy=y, r=6) for x, y in stars),
    ]


def _star_points(rows: int, columns: int) -> list[tuple[int, int]]:
    """Returns the star points of a square board of odd size: corners, the middle, and on large
    boards the sides."""
    if rows != columns or rows % 2 == 0 or rows < _LEAST_STARS:
        return []
    near, middle = (2 if rows < _FOURTH_LINE else 3), rows // 2
    lines = (near, middle, rows - 1 - near)
    stars = [(row, column) for row in lines for column in lines]
    return stars if rows >= _SIDE_STARS else [star for star in stars if star.count(middle) != 1]


#: Sizes of Go boards from which there are star points, on the fourth line, and at the sides.
_LEAST_STARS, _FOURTH_LINE, _SIDE_STARS = 7, 13, 17


def _own_edges(layout: Layout) -> list[Markup]:
    """Returns the edges that belong to a side; places are drawn over half of their width."""
    paths = []
    for owner, points in layout.board.own_edges():
        corners = (layout.point(*point) for point in points)
        way = "L".join(f"{format_number(x)} {format_number(y)}" for x, y in corners)
        paths.append(element("path", class_=f"own {owner}", d=f"M{way}"))
    return paths


def _lines(layout: Layout) -> list[Markup]:
    """Returns the lines of the board as one path."""
    ways = []
    for x, y, to_x, to_y in layout.board.lines():
        start, stop = layout.point(x, y), layout.point(to_x, to_y)
        ways.append(
            f"M{format_number(start[0])} {format_number(start[1])}"
            f"L{format_number(stop[0])} {format_number(stop[1])}"
        )
    return [element("path", class_="line", d="".join(ways))] if ways else []


@functools.lru_cache(maxsize=64)
def board_labels(layout: Layout) -> Markup:
    """Returns the coordinates and the names of cards.

    The coordinates of a flipped board are on the left and below, too.
    """
    board, labels = layout.board, []
    beside = board.far_labels() if layout.flipped else board.labels()
    named = [("label", *label) for label in beside]
    named += [("label named", *label) for label in _names_of_cards(board)]
    for name, text, x, y in named if layout.coordinates else ():
        x, y = layout.point(x, y)
        labels.append(element("text", text, class_=name, x=x, y=y + 5, aria_hidden="true"))
    return join_elements(labels)


def _names_of_cards(board: Geometry) -> list[Label]:
    """Returns the name of each card in its upper left corner."""
    cards = [place for place in board.places if place.shape == "card"]
    return [Label(p.name, p.x - 0.42 + 0.07 * len(p.name), p.y - 0.3) for p in cards]


def _at(place: Place, layout: Layout, drawn: tuple[str, Markup], ident: str = "") -> Markup:
    """Returns a place at its position. Names and coordinates need no escaping."""
    x, y = layout.corner(place)
    named = f' id="{ident}-{place.name}"' if ident else ""
    return Markup(
        f'<g class="{drawn[0]}" transform="translate({format_number(x)} {format_number(y)})" '
        f'data-square="{place.name}"{named}>{drawn[1]}</g>'
    )


def drawn_place(look: PlaceLook, style: Style) -> tuple[str, Markup]:
    """Returns the class names of an unmarked place and its contents."""
    return _place_classes(look, (), (style, "x"))


# Cached: a page draws hundreds of boards a second, and most places look the same.
@functools.lru_cache(maxsize=16_384)
def _place_classes(
    look: PlaceLook, marked: tuple[str, ...], how: tuple[Style, str]
) -> tuple[str, Markup]:
    """Returns the class names of a place and its contents."""
    style, mover = how
    steps = look.content.number if look.is_stack else None
    names = classes(
        "square",
        look.shape if look.shape not in ("square", "stack") else None,
        "alt" if look.is_alternate else None,
        look.home and f"home-{look.home}",
        "gone" if look.is_gone else None,
        f"steps-{steps}" if steps else None,
        *marked,
    )
    owner = look.content.owner
    shape = PALETTE[look.look].shape(owner, style.shape(owner))
    return names, join_elements(
        [*ground(look), *standing(look, shape), *_marks(look, marked, mover)]
    )


def _marks(look: PlaceLook, marked: tuple[str, ...], mover: str) -> list[Markup]:
    """Returns the marks on a place: a frame, a dot on a target, the new owner of a flipped
    piece."""
    drawn = []
    if {"selected", "flip", "hint", "won"} & set(marked):
        drawn.append(frame(look.shape))
    if "flip" in marked:
        drawn.append(element("circle", class_=f"turned {mover}", cx=_HALF, cy=_HALF, r=8))
    if "target" in marked:
        drawn.append(dot(look))
    return drawn


def pointer(layout: Layout, start: str, end: str, name: str = "") -> Markup:
    """Returns an arrow between the centres of two squares; `name` is an additional class name."""
    (x, y), (to_x, to_y) = (middle_of(layout, place) for place in (start, end))
    length = math.hypot(to_x - x, to_y - y)
    along, across = (to_x - x) / length, (to_y - y) / length
    # The shaft ends inside the head, so that its round cap does not show at the tip.
    base_x, base_y = to_x - _HEAD * along, to_y - _HEAD * across
    wing_x, wing_y = _HEAD * across * 0.6, _HEAD * along * 0.6
    corners = (
        f"M{format_number(to_x)} {format_number(to_y)}"
        f"L{format_number(base_x - wing_x)} {format_number(base_y + wing_y)}"
        f"L{format_number(base_x + wing_x)} {format_number(base_y - wing_y)}Z"
    )
    shaft = (
        f"M{format_number(x)} {format_number(y)}L{format_number(base_x)} {format_number(base_y)}"
    )
    return element(
        "g",
        element("path", class_="shaft", d=shaft),
        element("path", class_="head", d=corners),
        class_=classes("arrow", name),
        data_from=start,
        data_to=end,
    )


def middle_of(layout: Layout, name: str) -> tuple[float, float]:
    """Returns the centre of a named place, in the picture's units."""
    place = layout.board.at_number(layout.board.square(name))
    return layout.point(place.x, place.y)


@picture.register
def _(position: Position) -> str:
    return str(board_svg(position, size=SQUARE * position.game.board.area.width))
