"""A game as one animated SVG, which plays without a script and repeats.

A place is drawn again only when it changes. An `<animate>` element controls from which ply to which
ply each drawing is visible. Viewers without animation show the last position.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from papan.core.game import Position
from papan.figures.board import (
    DEFAULT_STYLE,
    Arrangement,
    Layout,
    Style,
    board_ground,
    board_labels,
    draw_places,
)
from papan.figures.highlights import last_marks
from papan.figures.palette import look_class
from papan.figures.svg import Markup, Picture, drawing, element, join_elements
from papan.figures.theme import board_rules

#: Duration of a ply, and of the result at the end, in seconds.
PLY_SECONDS = 1.0
END_SECONDS = 4.0

#: Height of the caption below the board.
_CAPTION = 34
#: Approximate width of a letter of the caption.
_LETTER = 9


def game_film(
    positions: Sequence[Position],
    moves: Sequence[str],
    *,
    title: str,
    result: str = "",
    style: Style = DEFAULT_STYLE,
) -> Picture:
    """Returns a game as an animated picture.

    Args:
        positions: all positions, including the first one.
        moves: the move after each position except the last one.
        title: description for screen readers, and the caption of the first position.
        result: caption of the last position at the end.
        style: shapes, coordinates and colours.
    """
    layout = Layout.of(positions[0].game, style.coordinates)
    boards = [
        draw_places(Arrangement.of(position), last_marks(positions, moves, ply), style, layout)
        for ply, position in enumerate(positions)
    ]
    captions = [
        title,
        *(
            f"{ply}. {before.side}: {move}"
            for ply, (before, move) in enumerate(zip(positions, moves, strict=False), start=1)
        ),
        result or title,
    ]
    total = PLY_SECONDS * len(positions) + END_SECONDS
    ends = [PLY_SECONDS * (ply + 1) for ply in range(len(positions))] + [total]
    # The last board stays visible while the result is shown.
    places = [_frames([*drawn, drawn[-1]], ends) for drawn in zip(*boards, strict=True)]
    words = _frames([_caption(text, layout) for text in captions], ends)
    paper = element(
        "rect", class_="ground", width=layout.width, height=layout.height + _CAPTION, rx=10
    )
    return drawing(
        f"papan-board{look_class(layout.look)}",
        (layout.width, layout.height + _CAPTION),
        paper,
        board_ground(layout),
        *places,
        board_labels(layout),
        words,
        title=title,
        rules=board_rules(style.theme, layout.look) if style.standalone else "",
        theme=style.theme,
    )


def _caption(text: str, layout: Layout) -> Markup:
    """Returns a caption below the board; long text is squeezed."""
    room = layout.width - 12
    squeezed = room if _LETTER * len(text) > room else None
    return element(
        "text",
        text,
        class_="label",
        x=layout.width / 2,
        y=layout.height + 20,
        textLength=squeezed,
        lengthAdjust="spacingAndGlyphs" if squeezed else None,
    )


def _frames(drawn: Sequence[Markup], ends: Sequence[float]) -> Markup:
    """Joins drawings in sequence; each ends at its time in seconds, and equal neighbours are
    one."""
    parts, frame, total = [], 0, ends[-1]
    for what, run in groupby(drawn):
        start = ends[frame - 1] if frame else 0.0
        frame += len(list(run))
        if start == 0 and frame == len(drawn):
            return what
        parts.append(_during(what, start / total, ends[frame - 1] / total, total))
    return join_elements(parts)


def _during(what: Markup, start: float, end: float, seconds: float) -> Markup:
    """Returns a drawing that is visible from `start` to `end`, as shares (0 … 1) of the
    duration."""
    steps = [("hidden", 0.0)] if start else []
    steps += [("visible", start), ("hidden", end)] if end < 1 else [("visible", start)]
    timing = element(
        "animate",
        attributeName="visibility",
        calcMode="discrete",
        values=";".join(value for value, _ in steps),
        keyTimes=";".join(f"{when:.5g}" for _, when in steps),
        dur=f"{seconds:g}s",
        repeatCount="indefinite",
    )
    return element("g", timing, what, visibility="hidden" if end < 1 else None)
