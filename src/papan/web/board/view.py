"""Boards on pages: the picture, the squares as buttons, and a text.

Live games, analysis, puzzles, records and tournaments show a `BoardView`. For pages without script,
the squares and words that can be clicked are decided here. With script, `static/board.js` decides
the same from the legal moves in `board/snapshot`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, NamedTuple, Self

from papan.core.board.geometry import Place, Step
from papan.core.board.pieces import Content
from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.figures.board import NO_MARKS, Arrangement, Marks, Style, board_picture
from papan.figures.highlights import last_marks, targets
from papan.figures.svg import Markup
from papan.figures.values import MoveValue, by_place, by_step
from papan.messages import Messages
from papan.web.board.words import content_in_words, in_words, label_of, side_names


class Action(NamedTuple):
    """The effect of a button.

    Attributes:
        state: `target`, `source`, or empty without an effect.
        field: the form field that the button sends: `move` for a whole move, or `step`.
        value: the value that the button sends: a written move, or the name of a place or word.
    """

    state: str
    field: str
    value: str


#: Effects by names of places and words.
Actions = Mapping[str, Action]


def actions_of(begun: Partial) -> dict[str, Action]:
    """Returns the effects of clicking each place or word during a move, by name.

    A place that ends or continues the move is a `target`. A place where a move can start, and a
    chosen place, is a `source`.
    """
    actions = dict[str, Action]()
    if begun.steps:
        actions = {
            name: action
            for name, action in actions_of(Partial.begin(begun.position)).items()
            if action.state == "source"
        } | {name: Action("source", "step", name) for name in begun.names}
    return actions | {begun.name(step): _action_of(begun, step) for step in begun.following}


def _action_of(begun: Partial, step: Step) -> Action:
    """Returns the effect of a possible next step."""
    game, settled = begun.position.game, begun.after(step).chosen_move
    if settled is not None:
        return Action("target", "move", game.write_move(settled))
    contents = game.contents(begun.position.state)
    lifted = not begun.steps and not isinstance(step, str) and contents[step].piece
    return Action("source" if lifted else "target", "step", begun.name(step))


def words_of(begun: Partial, say: Messages) -> list[tuple[str, Action]]:
    """Returns buttons next to the board with labels: words, and moves that end where others
    continue."""
    game = begun.position.game
    ended = [game.write_move(code) for code in begun.ended_moves]
    found = [(move, Action("target", "move", move)) for move in ended]
    for step, codes in begun.following.items():
        if isinstance(step, str) and not (not begun.steps and game.touches(codes[0])):
            found.append((label_of(step, game, say), _action_of(begun, step)))
    return found


def dots_of(begun: Partial, actions: Actions) -> list[str]:
    """Returns the places to mark as targets of a move or of its next step."""
    position = begun.position
    if not begun.steps and any(map(position.game.touches, begun.codes)):
        return targets(position)
    return [name for name, action in actions.items() if action.state == "target"]


def refusal(begun: Partial, text: str, say: Messages) -> str:
    """Returns one sentence that explains why a place cannot be clicked.

    Args:
        begun: the unfinished move.
        text: the name of the place, or a written move that ends there.
        say: the messages.
    """
    position, board = begun.position, begun.position.game.board
    named = board.places_in(text)
    if not named:
        return say("web.illegal.unknown")
    place = board.at_number(named[-1])
    content = position.game.contents(position.state)[place.number]
    return say(f"web.illegal.{_reason(begun, place.shape, content, len(named))}", text=place.name)


def _reason(begun: Partial, shape: str, content: Content, named: int) -> str:
    """Returns the last word of the message that explains why a place cannot be clicked."""
    lifted = bool(begun.steps) or any(
        begun.after(step).chosen_move is None for step in begun.following
    )
    if content.owner:
        mine = content.owner == begun.position.side
        return ("stuck" if lifted else "own") if mine else "occupied"
    if content.piece:
        return "taken"
    if shape == "stack" and content.number == 0:
        return "used-up"
    if lifted and not begun.steps and named == 1:
        return "choose"
    return "unreachable"


@dataclass(frozen=True)
class BoardView:
    """A board as a page shows it.

    Attributes:
        game: the rules.
        shown: the contents of the squares.
        say: the messages.
        style: the looks.
        begun: the unfinished move of the visitor; None if the visitor cannot move.
        marks: the last move, the pieces that it turned, the winning line, a hint.
        values: the shown values of legal moves: move → value.
        names: the players of the sides; empty for the names of the sides.
        flipped: true for the view of `o`.
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
        """Returns the board at a ply of a game, with the marks of the last move."""
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
        """The squares of each side's pieces, for screen readers."""
        return in_words(self.shown, side_names(self.game, self.say))

    def cells(self, *, field: str = "", names: str = "", extra: str = "") -> Markup:
        """Returns the squares as buttons, in the shown order from the top row down.

        Plain Python is used here, because a template takes most of the time of a page.

        Args:
            field: the form field that all buttons send with their names; if empty, each sends its
                action.
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
        """Returns the buttons next to the board, each with label and value: a pass, promotions,
        other words."""
        if not self.begun:
            return []
        values = self.values and {**by_step(self.begun, self.values), **self.values}
        words = words_of(self.begun, self.say)
        return [(label, action, values.get(action.value)) for label, action in words]

    # --- parts

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        return self.names or side_names(self.game, self.say)

    def _cell(
        self, place: Place, value: MoveValue | None, field: str, names: str, extra: str
    ) -> str:
        """Returns a square as a button."""
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
        """Returns the label of a square: its name, its content, its action."""
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
