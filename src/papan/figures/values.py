"""The value of each legal move on its place, as a sign, a distance and a colour.

A value is drawn on the next place to click for the move. If several moves continue there, it is the
value of the best one. Proven values are filled: the nearer the end of the game, the stronger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from papan.core.game import Position
from papan.core.moves import Partial
from papan.figures.board import (
    DEFAULT_STYLE,
    NO_MARKS,
    Arrangement,
    Layout,
    Style,
    drawn_board,
    middle_of,
)
from papan.figures.highlights import puts
from papan.figures.palette import look_class
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, Picture, classes, drawing, element
from papan.figures.theme import value_rules
from papan.rules.operations import INFINITY, win_value

#: Number of shades of proven values, and plies to the end of the game per shade.
SHADES, _PLIES_A_SHADE = 5, 4

#: Size of a value's box and its distance below the middle of its place, in the picture's units.
_WIDE, _TALL, _BELOW = 46, 20, 0.3 * SQUARE


@dataclass(frozen=True)
class MoveValue:
    """The value of a legal move for its mover.

    Attributes:
        score: score from the search.
        text: short text: `62`, `✓7` (wins in 7 plies), `✗4`, `+3`, `=`.
        words: description of the value in words.
        proven: True for a proven value.
        grade: `best`, `good`, `fair`, `bad` or `unknown`, by the loss against the best move.
        outcome: `win`, `draw` or `loss`; empty if not proven.
        shade: shade of a proven value: 1 for a near end of the game … `SHADES` for a far one.
    """

    score: float
    text: str
    words: str
    proven: bool
    grade: str
    outcome: str = ""
    shade: int = 1

    @property
    def names(self) -> str:
        """Class names for the style sheet."""
        sure = ("proven", self.outcome, f"shade-{self.shade}") if self.proven else ("estimate",)
        return classes("worth", self.grade, *sure)


def proven_value(score: float, plies: int | None, words: str = "", grade: str = "") -> MoveValue:
    """Returns a proven value: a win or loss in a number of plies, else a margin or a draw."""
    if plies is not None:
        text = f"{'✓' if score > 0 else '✗'}{plies}"
    elif score:
        size = f"{abs(score):.2f}".rstrip("0").rstrip(".")
        text = f"{'+' if score > 0 else '−'}{size}"
    else:
        text = "="
    outcome = "win" if score > 0 else "loss" if score < 0 else "draw"
    shade = min(SHADES, 1 + (plies or 0) // _PLIES_A_SHADE)
    return MoveValue(score, text, words, True, grade, outcome, shade)


def unknown_value(words: str = "") -> MoveValue:
    """Returns the value of a move that is still unknown."""
    return MoveValue(-INFINITY, "?", words, False, "unknown")


def by_step(begun: Partial, values: Mapping[str, MoveValue]) -> dict[str, MoveValue]:
    """Returns, for each next step by name, the value of the best move that continues with it."""
    write, best = begun.position.game.write_move, {}
    for step, codes in begun.following.items():
        known = [values[move] for code in codes if (move := write(code)) in values]
        if known:
            best[begun.name(step)] = max(known, key=lambda value: value.score)
    return best


def value_boxes(layout: Layout, begun: Partial, values: Mapping[str, MoveValue]) -> list[Markup]:
    """Returns the boxes with the values of the moves that continue the selected steps."""
    return [_box(layout, place, value) for place, value in by_place(begun, values).items()]


def values_svg(
    position: Position,
    values: Mapping[str, int | None],
    *,
    style: Style = DEFAULT_STYLE,
    size: float | None = None,
) -> Picture:
    """Returns the board of a position with the proven value of each legal move on its place.

    Args:
        position: the position.
        values: move → proven value in the unit of `Solution.value`, the mover's view; None if
            unknown.
        style: shapes, coordinates and colours.
        size: width in pixels; by default the picture fills the available width.
    """
    layout = Layout.of(position.game, style.coordinates)
    board = drawn_board(Arrangement.of(position), NO_MARKS, style, layout)
    begun, shown = Partial.begin(position), _grade(position, values)
    places = by_place(begun, shown)
    under = [element("rect", class_="under", **_extent(layout, place)) for place in places]
    return drawing(
        f"papan-board{look_class(layout.look)}",
        (layout.width, layout.height),
        board,
        *under,
        *value_boxes(layout, begun, shown),
        title=f"{position.game.title}: {position}",
        rules=value_rules(style.theme, layout.look) if style.standalone else "",
        theme=style.theme,
        size=size,
    )


def _grade(position: Position, values: Mapping[str, int | None]) -> dict[str, MoveValue]:
    """Returns values for display; best moves are marked if all values are known or one wins."""
    win = int(win_value(position.state))
    known = [value for value in values.values() if value is not None]
    best = max(known, default=0)
    decided = len(known) == len(values) or best > 0
    grades = {}
    for move, value in values.items():
        plies = win - abs(value) if value and win > 0 else None
        shown = unknown_value() if value is None else proven_value(value, plies)
        grades[move] = replace(shown, grade="best") if decided and value == best else shown
    return grades


def by_place(begun: Partial, values: Mapping[str, MoveValue]) -> dict[str, MoveValue]:
    """Returns the places that get a value.

    All places of a column stand for the same move; only the place where the piece lands gets the
    value.
    """
    position, places = begun.position, {}
    game = position.game
    for name, value in by_step(begun, values).items():
        step = begun.step(name)
        codes = begun.following[step]
        if not begun.steps and game.touches(codes[0]):
            places.update(dict.fromkeys(puts(position, codes[0]), value))
        elif not isinstance(step, str):
            places[name] = value
    return places


def _box(layout: Layout, place: str, value: MoveValue) -> Markup:
    """Returns a value on its place: framed and filled if proven, else a plain number."""
    extent = _extent(layout, place)
    text = element("text", value.text, x=extent["x"] + _WIDE / 2, y=extent["y"] + 15)
    box = element("rect", **extent)
    return element("g", box, text, class_=value.names, data_place=place)


def _extent(layout: Layout, place: str) -> dict[str, float]:
    """Returns the attributes of a value's box."""
    x, y = middle_of(layout, place)
    left, top = x - _WIDE / 2, y + _BELOW - _TALL / 2
    return {"x": left, "y": top, "width": _WIDE, "height": _TALL, "rx": _TALL / 2}
