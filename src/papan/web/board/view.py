"""Boards and games as pages show them: squares as buttons, lists of moves, names, sentences.

The functions are for every page with a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from papan.core.game import Position
from papan.figures.board import NO_MARKS, Arrangement, Marks, Style, board_picture
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.web.board.clicks import Action, Actions
from papan.web.board.words import content_in_words, in_words, side_names


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: the same in words, with what is on it and what it can do.
        action: what happens when it is touched.
        shape: that of the place (`papan.core.board.geometry.Place`).
    """

    name: str
    label: str
    action: Action
    shape: str


def square_rows(
    board: Arrangement,
    say: Messages,
    actions: Actions,
    *,
    marks: Marks = NO_MARKS,
    names: Mapping[str, str] | None = None,
) -> list[list[BoardSquare]]:
    """All squares from the top row down, each in words and with what it can do.

    Args:
        board: what stands where.
        say: the texts.
        actions: what the squares do.
        marks: what is said of squares besides: the last move, the chosen piece, a hint.
        names: who plays each side; without them sides have their own names.
    """
    names = names or side_names(say)
    squares = []
    for place in board.board.places:
        name = place.name
        action = actions.get(name) or Action("", "move", name)
        words = [name, *content_in_words(board.contents[place.number], place.shape, names, say)]
        words += [say("web.square.last")] if name in marks.last else []
        if name in marks.selected:
            words.append(say("web.square.selected"))
        elif action.state:
            words.append(say(f"web.square.{action.state}"))
        words += [say("web.square.hint")] if name in marks.hint else []
        words += [say("web.square.won")] if name in marks.won else []
        squares.append(BoardSquare(name, ", ".join(words), action, place.shape))
    found = iter(squares)
    return [[next(found) for _ in row] for row in board.board.text_rows]


def square_buttons(rows: Iterable[Iterable[BoardSquare]], extra: str = "") -> Markup:
    """The squares as HTML. A template would take most of a page's time for them.

    Args:
        rows: the squares.
        extra: further attributes of each button.
    """
    return Markup(
        "\n".join(
            f'<button name="{square.action.field}" value="{escape(square.action.value)}" '
            f'id="at-{escape(square.name)}" class="cell {square.action.state}" '
            f'data-square="{escape(square.name)}" data-shape="{square.shape}" '
            f'aria-label="{escape(square.label)}"{extra}></button>'
            for row in rows
            for square in row
        )
    )


def last_of(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[str]:
    """The squares of the move before a ply; none at the start."""
    if not ply:
        return []
    before, move = positions[ply - 1], moves[ply - 1]
    if named := places_named(before, move):
        return named
    from papan.figures.highlights import last_squares

    return last_squares(before, move)


def turned_of(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[str]:
    """The squares whose pieces the move before a ply has turned; none at the start."""
    from papan.figures.highlights import flips

    return flips(positions[ply - 1], moves[ply - 1]) if ply else []


def hint_of(position: Position, move: str) -> list[str]:
    """The squares of a move that is suggested: those it names, or else those it changes."""
    from papan.figures.highlights import last_squares

    return (places_named(position, move) or last_squares(position, move)) if move else []


def last_marks(positions: Sequence[Position], moves: Sequence[str], ply: int) -> Marks:
    """The marks of the move before a ply, of what it has turned, and of the line that has won."""
    last, turned = (found(positions, moves, ply) for found in (last_of, turned_of))
    return Marks(last=last, turned=turned, won=positions[ply].winning_line())


def places_named(position: Position, move: str) -> list[str]:
    """The places that a written move names."""
    board = position.game.board
    return [board.name(place) for place in board.places_in(move)]


def still_board(
    positions: Sequence[Position], moves: Sequence[str], ply: int, style: Style, say: Messages
) -> dict[str, Any]:
    """A board that is only looked at, as templates take it: its picture and its words."""
    position = positions[ply]
    marks = last_marks(positions, moves, ply)
    title = say("web.game.board", game=position.game.title)
    return {
        "board": board_picture(position, marks=marks, style=style, title=title),
        "words": in_words(Arrangement.of(position), say),
    }
