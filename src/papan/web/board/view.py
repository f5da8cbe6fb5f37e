"""Boards as pages show them: the picture, the squares as buttons, the same in words.

Live games, analysis, puzzles, records and tournaments all show a `BoardView`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, Self

from papan.core.board.geometry import Place
from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.figures.board import NO_MARKS, Arrangement, Marks, Style, board_picture
from papan.figures.svg import Markup
from papan.figures.values import MoveValue, by_place, by_step
from papan.messages import Messages
from papan.web.board.clicks import Action, Actions, actions_of, dots_of, words_of
from papan.web.board.words import content_in_words, in_words, side_names


@dataclass(frozen=True)
class BoardView:
    """A board as a page shows it.

    Attributes:
        game: the rules.
        shown: what stands where.
        say: the texts.
        style: the looks.
        begun: the move that the reader is making; None where none can be made.
        marks: the last move, what it has turned, the line that has won, a hint.
        values: what each legal move is worth, as far as that is to be shown: move → value.
        names: who plays each side; empty for the sides' own names.
        flipped: whether it is seen from `o`'s side.
    """

    game: Game
    shown: Arrangement
    say: Messages
    style: Style
    begun: Partial | None = None
    marks: Marks = NO_MARKS
    values: Mapping[str, MoveValue] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    flipped: bool = False

    @classmethod
    def of(
        cls,
        positions: Sequence[Position],
        moves: Sequence[str],
        ply: int,
        *,
        say: Messages,
        style: Style,
        **more: Any,
    ) -> Self:
        """The board at a ply of a game, with what the move before it has changed."""
        position = positions[ply]
        marks = last_marks(positions, moves, ply)
        return cls(position.game, Arrangement.of(position), say, style, **{"marks": marks, **more})

    @cached_property
    def actions(self) -> Actions:
        """The effects of places and words."""
        return actions_of(self.begun) if self.begun else {}

    def svg(self) -> Markup:
        """The picture."""
        begun = self.begun
        marks = self.marks
        if begun:
            marks = replace(marks, targets=dots_of(begun, self.actions), selected=begun.names)
        return board_picture(
            self.shown,
            marks=marks,
            style=self.style,
            flipped=self.flipped,
            title=self.say("web.game.board", game=self.game.title),
        )

    def text(self) -> str:
        """Where each side's pieces stand, for those who cannot see the board."""
        return in_words(self.shown, self.say)

    def cells(self, *, field: str = "", names: str = "", extra: str = "") -> Markup:
        """The squares as buttons, from the top row down as they are seen.

        A template would take most of a page's time for them.

        Args:
            field: the name under which all of them send their own names; without one each sends
                its action.
            names: further class names.
            extra: further attributes.
        """
        values = by_place(self.begun, self.values) if self.begun and self.values else {}
        places = self.shown.board.places[:: -1 if self.flipped else 1]
        return Markup(
            "\n".join(
                self._cell(place, values.get(place.name), field, names, extra) for place in places
            )
        )

    @cached_property
    def buttons(self) -> list[tuple[str, Action, MoveValue | None]]:
        """Buttons beside the board, each with its label and what it is worth: a pass, ways to
        promote, and other words."""
        if not self.begun:
            return []
        values = self.values and {**by_step(self.begun, self.values), **self.values}
        return [(label, action, values.get(action.value)) for label, action in words_of(self.begun)]

    # --- parts

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        return self.names or side_names(self.say)

    def _cell(
        self, place: Place, value: MoveValue | None, field: str, names: str, extra: str
    ) -> str:
        """A square as a button."""
        action = self.actions.get(place.name) or Action("", "move", place.name)
        if field:
            action = Action(action.state, field, place.name)
        more = filter(None, [names, value.names if value else ""])
        look = " ".join(["cell", action.state, *more])
        worth = f' data-worth="{escape(value.text)}"' if value else ""
        name = escape(place.name)
        return (
            f'<button name="{action.field}" value="{escape(action.value)}" id="at-{name}" '
            f'class="{look}" data-square="{name}" data-shape="{place.shape}" '
            f'aria-label="{escape(self._label(place, action, value))}"{worth}{extra}></button>'
        )

    def _label(self, place: Place, action: Action, value: MoveValue | None) -> str:
        """A square in words: its name, what stands there, what can be done there."""
        name, marks, say = place.name, self.marks, self.say
        content = self.shown.contents[place.number]
        words = [name, *content_in_words(content, place.shape, self._owners, say)]
        words += [say("web.square.last")] if name in marks.last else []
        if self.begun and name in self.begun.names:
            words.append(say("web.square.selected"))
        elif action.state:
            words.append(say(f"web.square.{action.state}"))
        words += [say("web.square.hint")] if name in marks.hint else []
        words += [say("web.square.won")] if name in marks.won else []
        words += [value.words] if value and value.words else []
        return ", ".join(words)


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
