"""A game as one animated SVG: it plays by itself, without script, and starts again at its end.

Each place is drawn anew only where it changes. Every drawing is shown from one ply to another by an
`<animate>` of its visibility. Programs that do not animate show the last position.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from papan.core.game import Position
from papan.figures.board import (
    DEFAULT_STYLE,
    Arrangement,
    Layout,
    Marks,
    Style,
    board_ground,
    board_labels,
    draw_places,
)
from papan.figures.highlights import flips, last_squares
from papan.figures.svg import Markup, Picture, drawing, element, join_elements
from papan.figures.theme import board_rules

#: Time of a ply, and of the result at the end.
PLY_SECONDS = 1.0
END_SECONDS = 4.0

#: Room for the words below the board.
_CAPTION = 34
#: About the width of a letter of these words.
_LETTER = 9


def game_film(
    positions: Sequence[Position],
    moves: Sequence[str],
    *,
    title: str,
    result: str = "",
    style: Style = DEFAULT_STYLE,
) -> Picture:
    """A game as an animated picture.

    Args:
        positions: all positions, the first one included.
        moves: the move after each position but the last.
        title: what it is called for those who cannot see it; the words below the first position.
        result: the words below the last position at the end.
        style: shapes, coordinates, colours.
    """
    layout = Layout(positions[0].game.board, style.coordinates)
    boards = [
        draw_places(Arrangement.of(position), _marks(positions, moves, ply), style, layout)
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
    # The last board stays below the result.
    places = [_frames([*drawn, drawn[-1]], ends) for drawn in zip(*boards, strict=True)]
    words = _frames([_caption(text, layout) for text in captions], ends)
    paper = element(
        "rect", class_="ground", width=layout.width, height=layout.height + _CAPTION, rx=10
    )
    return drawing(
        "papan-board",
        (layout.width, layout.height + _CAPTION),
        paper,
        board_ground(layout),
        *places,
        board_labels(layout),
        words,
        title=title,
        rules=board_rules() if style.standalone else "",
        theme=style.theme,
    )


def _marks(positions: Sequence[Position], moves: Sequence[str], ply: int) -> Marks:
    """The squares of the move before a ply, those it turned, and the line that has won."""
    won = positions[ply].winning_line()
    if not ply:
        return Marks(won=won)
    before, move = positions[ply - 1], moves[ply - 1]
    return Marks(last=last_squares(before, move), turned=flips(before, move), won=won)


def _caption(text: str, layout: Layout) -> Markup:
    """Words below the board, squeezed if they are too long."""
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
    """Drawings one after the other, equal neighbours as one; each ends at its time in seconds."""
    parts, frame, total = [], 0, ends[-1]
    for what, run in groupby(drawn):
        start = ends[frame - 1] if frame else 0.0
        frame += len(list(run))
        if start == 0 and frame == len(drawn):
            return what
        parts.append(_during(what, start / total, ends[frame - 1] / total, total))
    return join_elements(parts)


def _during(what: Markup, start: float, end: float, seconds: float) -> Markup:
    """A drawing that is seen from `start` to `end`, which are parts (0 … 1) of the whole time."""
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
