"""The value of each legal move on its place: by a sign, a distance and a colour.

A value stands on the place that is touched next to make the move; where several moves go on there,
it is that of the best of them. Proven values are full, the nearer the end of the game the fuller.
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
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, Picture, classes, drawing, element
from papan.figures.theme import value_rules
from papan.rules.operations import INFINITY, win_value

#: Shades of proven values; each is for ends of the game that are so much farther away, in plies.
SHADES, _PLIES_A_SHADE = 5, 4

#: Size of a value's box and its distance from the middle of its place, in the picture's units.
_WIDE, _TALL, _BELOW = 46, 20, 0.3 * SQUARE


@dataclass(frozen=True)
class MoveValue:
    """The worth of a legal move to its mover.

    Attributes:
        score: as the search gives it.
        text: in a few signs: `62`, `✓7` (wins in 7), `✗4`, `+3`, `=`.
        words: the same in words.
        proven: whether it is certain.
        grade: `best`, `good`, `fair` or `bad`, by what it loses.
        outcome: `win`, `draw` or `loss`; empty where it is not certain.
        shade: of what is certain, 1 for a near end of the game … `SHADES` for a far one.
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
        """The class names of its look."""
        sure = ("proven", self.outcome, f"shade-{self.shade}") if self.proven else ("estimate",)
        return classes("worth", self.grade, *sure)


def proven_value(score: float, plies: int | None, words: str = "", grade: str = "") -> MoveValue:
    """A value that is certain: a win or loss in so many plies, or else a margin or a draw."""
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
    """A value that is not known yet."""
    return MoveValue(-INFINITY, "?", words, False, "unknown")


def by_step(begun: Partial, values: Mapping[str, MoveValue]) -> dict[str, MoveValue]:
    """The value of the best move that goes on with each step: name of the step → value."""
    write, best = begun.position.game.write_move, {}
    for step, codes in begun.following.items():
        known = [values[move] for code in codes if (move := write(code)) in values]
        if known:
            best[begun.name(step)] = max(known, key=lambda value: value.score)
    return best


def value_boxes(layout: Layout, begun: Partial, values: Mapping[str, MoveValue]) -> list[Markup]:
    """The values that go on a move that is being made, each on its place."""
    return [_box(layout, place, value) for place, value in by_place(begun, values).items()]


def values_svg(
    position: Position,
    values: Mapping[str, int | None],
    *,
    style: Style = DEFAULT_STYLE,
    size: float | None = None,
) -> Picture:
    """The board of a position with the proven value of each legal move on its place.

    Args:
        position: the position.
        values: move → proven value in the unit of `Solution.value`, the mover's view; None for
            what is not known.
        style: shapes, coordinates, colours.
        size: the width in pixels; without one the picture is as wide as there is room.
    """
    layout = Layout(position.game.board, style.coordinates)
    board = drawn_board(Arrangement.of(position), NO_MARKS, style, layout)
    begun, shown = Partial.begin(position), _grade(position, values)
    places = by_place(begun, shown)
    under = [element("rect", class_="under", **_extent(layout, place)) for place in places]
    return drawing(
        "papan-board",
        (layout.width, layout.height),
        board,
        *under,
        *value_boxes(layout, begun, shown),
        title=f"{position.game.title}: {position}",
        rules=value_rules() if style.standalone else "",
        theme=style.theme,
        size=size,
    )


def _grade(position: Position, values: Mapping[str, int | None]) -> dict[str, MoveValue]:
    """Values as they are shown; the best are called so once all are known, or one of them wins."""
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
    """The places that get a value. All places of a column mean its move: only the one on which
    the piece will lie has it."""
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
    """A value on its place: framed and full where it is proven, a bare number where not."""
    extent = _extent(layout, place)
    text = element("text", value.text, x=extent["x"] + _WIDE / 2, y=extent["y"] + 15)
    box = element("rect", **extent)
    return element("g", box, text, class_=value.names, data_place=place)


def _extent(layout: Layout, place: str) -> dict[str, float]:
    """The attributes of a value's box."""
    x, y = middle_of(layout, place)
    left, top = x - _WIDE / 2, y + _BELOW - _TALL / 2
    return {"x": left, "y": top, "width": _WIDE, "height": _TALL, "rx": _TALL / 2}
