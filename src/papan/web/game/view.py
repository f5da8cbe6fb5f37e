"""Boards and games as pages show them: squares as buttons, lists of moves, names, sentences.

The functions are for every page with a board; `GameView` is a live game, for one browser.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from papan.core.game import Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.core.pieces import Content, Piece
from papan.figures.board import NO_MARKS, Arrangement, Marks, Style, board_svg
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.players.levels import NAMES as LEVELS
from papan.web.live.live_game import LiveGame, other
from papan.web.server.preferences import Preferences


class Action(NamedTuple):
    """The effect of a button.

    Attributes:
        state: `target`, `source`, or nothing where nothing can be done.
        field: what the form calls what the button sends: `move` for a whole move, `step`.
        value: what it sends: a move as it is written, or the name of a place or a word.
    """

    state: str
    field: str
    value: str


#: The effects of places and words, by their names.
Actions = Mapping[str, Action]


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: the same in words, with what is on it and what it can do.
        action: what happens when it is touched.
        shape: that of the place (`papan.core.geometry.Place`).
    """

    name: str
    label: str
    action: Action
    shape: str


@dataclass(frozen=True)
class ListedMove:
    """A move in the list.

    Attributes:
        number: how many moves had been made when it was.
        side: who made it.
        text: how it is written.
    """

    number: int
    side: str
    text: str


def actions_of(begun: Partial) -> dict[str, Action]:
    """The effects of touching a place, or saying a word, while a move is being made: by its name.

    A place that ends the move, or goes on with it, is a `target`; one where it can begin with what
    stands there, and one that was chosen, is a `source`.
    """
    game, found = begun.position.game, dict[str, Action]()
    if begun.steps:
        found = {
            name: action
            for name, action in actions_of(Partial.begin(begun.position)).items()
            if action.state == "source"
        } | {name: Action("source", "step", name) for name in begun.names}
    contents = game.contents(begun.position.state)
    for step in begun.following:
        name, settled = begun.name(step), begun.after(step).settled
        if settled is not None:
            found[name] = Action("target", "move", game.write_move(settled))
        else:
            lifted = not begun.steps and not isinstance(step, str) and contents[step].piece
            found[name] = Action("source" if lifted else "target", "step", name)
    return found


def words_of(begun: Partial) -> list[tuple[str, Action]]:
    """Buttons beside the board, each with its label: words that can be said, and moves that end
    where others go on."""
    game, actions = begun.position.game, actions_of(begun)
    ended = [game.write_move(code) for code in begun.ended]
    found = [(move, Action("target", "move", move)) for move in ended]
    for step, codes in begun.following.items():
        if isinstance(step, str) and not (not begun.steps and game.touches(codes[0])):
            action = actions[step]
            found.append((action.value, action))
    return found


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
        squares.append(BoardSquare(name, ", ".join(words), action, place.shape))
    found = iter(squares)
    return [[next(found) for _ in row] for row in board.board.text_rows]


def side_names(say: Messages) -> dict[str, str]:
    """The names of the sides where nobody in particular plays them."""
    return {side: say(f"web.side-name.{side}") for side in SIDES}


def content_in_words(
    content: Content, shape: str, names: Mapping[str, str], say: Messages
) -> list[str]:
    """Words for what is on a place of some shape: `king of Ani`, `number 4`."""
    piece, words = content.piece, []
    if piece:
        kind = kind_in_words(piece, say)
        owner = names.get(content.owner, "")
        key = "web.square.kind" if kind and owner else "web.square.piece"
        words = [say(key, kind=kind, name=owner) if owner else kind or say("web.square.neutral")]
    elif content.number is None or shape == "stack":
        words = [say("web.square.empty")]
    if content.number is not None:
        key = "web.square.steps" if shape == "stack" else "web.square.number"
        words.append(say(key, steps=content.number, number=content.number))
    return words


def kind_in_words(piece: Piece, say: Messages) -> str:
    """The name of a kind of piece: in the reader's language if it is a common one."""
    message = f"web.piece.{piece.name}"
    known = say(message)
    return piece.name if known == message else known


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


def in_words(board: Arrangement, say: Messages) -> str:
    """Where each side's pieces stand, for those who cannot see the board."""
    parts = []
    for side in SIDES:
        places = [place.name for place, look in board.places() if look.content.owner == side]
        names = ", ".join(places)
        parts.append(f"{say(f'web.side-name.{side}')}: {names or '–'}.")
    return " ".join(parts)


def last_of(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[str]:
    """The squares of the move before a ply; none at the start."""
    if not ply:
        return []
    before, move = positions[ply - 1], moves[ply - 1]
    if named := _places_named(before, move):
        return named
    from papan.figures.highlights import last_squares

    return last_squares(before, move)


def _places_named(position: Position, move: str) -> list[str]:
    """The places that a written move names."""
    board = position.game.board
    return [board.name(place) for place in board.places_in(move)]


def dots_of(begun: Partial, actions: Actions) -> list[str]:
    """The places to be marked because a move, or its next step, goes there."""
    position = begun.position
    if not begun.steps and any(map(position.game.touches, begun.codes)):
        from papan.figures.highlights import targets

        return targets(position)
    return [name for name, action in actions.items() if action.state == "target"]


def still_board(
    positions: Sequence[Position], moves: Sequence[str], ply: int, style: Style, say: Messages
) -> dict[str, Any]:
    """A board that is only looked at, as templates take it: its picture and its words."""
    position = positions[ply]
    marks = Marks(last=last_of(positions, moves, ply))
    title = say("web.game.board", game=position.game.title)
    return {
        "board": board_svg(position, marks=marks, style=style, title=title),
        "words": in_words(Arrangement.of(position), say),
    }


def paired(positions: Sequence[Position], moves: Sequence[str]) -> list[list[ListedMove | None]]:
    """The moves of a game as they were made, `o`'s beside that of `x` before it; where one side
    moves again, None stands for the other's. Nothing without the positions."""
    rows: list[list[ListedMove | None]] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), start=1):
        listed = ListedMove(number, position.side, move)
        if position.side == "x":
            rows.append([listed])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(listed)
        else:
            rows.append([None, listed])
    return rows


# --- a live game ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plate:
    """A player's plate beside the board."""

    side: str
    name: str
    about: str
    mine: bool
    turn: bool
    left: float | None
    ticking: bool
    facts: list[tuple[str, int]]


@dataclass(frozen=True)
class GameView:
    """A game at one ply, for one browser.

    Attributes:
        live: the game.
        session: who looks.
        say: the texts in their language.
        preferences: how they want boards.
        ply: the position that is shown: how many moves had been made.
        chosen: the names of the steps that were chosen for the move that is being made.
        notice: a sentence about what was just refused.
    """

    live: LiveGame
    session: str
    say: Messages
    preferences: Preferences
    ply: int
    chosen: Sequence[str] = ()
    notice: str = ""

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.live.table.positions[self.ply]

    @property
    def is_newest(self) -> bool:
        """True if the game stands there, and not further on."""
        return self.ply == len(self.live.moves)

    @property
    def sides(self) -> list[str]:
        """The sides that the browser plays."""
        return self.live.sides_of(self.session)

    @cached_property
    def my_turn(self) -> bool:
        """True if the browser can move now."""
        return self.is_newest and self.live.going and self.live.turn in self.sides

    @property
    def flipped(self) -> bool:
        """True if the board is seen from `o`'s side: for the one who plays `o` by a link."""
        return self.live.kind == "link" and self.sides == ["o"]

    @cached_property
    def begun(self) -> Partial | None:
        """The move that the browser is making, if it can make one."""
        return Partial.of(self.position, self.chosen) if self.my_turn else None

    @cached_property
    def marks(self) -> Marks:
        """All that is marked on the board."""
        live = self.live
        return Marks(
            last=last_of(live.table.positions, live.moves, self.ply),
            targets=dots_of(self.begun, self._actions) if self.begun else (),
            selected=self.begun.names if self.begun else (),
            hint=_places_named(self.position, live.hint) if self.my_turn else (),
        )

    def board(self) -> Markup:
        """The picture of the board."""
        return board_svg(
            self.position,
            marks=self.marks,
            style=self.preferences.style,
            flipped=self.flipped,
            title=self.say("web.game.board", game=self.position.game.title),
        )

    def rows(self) -> list[list[BoardSquare]]:
        """The squares as buttons, from the top row down as they are seen."""
        names = {side: self.name(side) for side in SIDES}
        board = Arrangement.of(self.position)
        rows = square_rows(board, self.say, self._actions, marks=self.marks, names=names)
        return [row[::-1] for row in rows[::-1]] if self.flipped else rows

    def cells(self) -> Markup:
        """The squares as HTML; at an earlier ply they do nothing."""
        off = "" if self.is_newest else ' aria-disabled="true" type="button"'
        return square_buttons(self.rows(), off)

    def words(self) -> list[tuple[str, Action]]:
        """Buttons beside the board: a pass, ways to promote, and other words."""
        return words_of(self.begun) if self.begun else []

    def plates(self) -> list[Plate]:
        """Both players, the one at the top of the board first."""
        order = ("x", "o") if self.flipped else ("o", "x")
        return [self._plate(side) for side in order]

    def pairs(self) -> list[list[ListedMove | None]]:
        """The moves in pairs, as they were made."""
        return paired(self.live.table.positions, self.live.moves)

    def shared_facts(self) -> list[tuple[str, int]]:
        """Numbers about the game that belong to neither side: rounds left."""
        return [
            (self.say(name), number)
            for name, number in self.position.facts().items()
            if _fact_side(name) is None
        ]

    def name(self, side: str) -> str:
        """The name of a side's player, for people."""
        seat = self.live.seats[side]
        if seat.player and not seat.name:
            return player_name(seat.player, self.say)
        return seat.name or self.say("web.game.nobody")

    def status(self) -> str:
        """One sentence: whose turn it is, or how it ended."""
        live, say = self.live, self.say
        if not self.is_newest:
            return say("web.status.history", ply=self.ply, plies=len(live.moves))
        if live.over:
            return self.verdict()
        if live.waiting:
            return say("web.status.waiting")
        if live.thinker:
            return say("web.status.thinking", name=self.name(live.turn))
        if self.sides == [live.turn]:
            return say("web.status.yours")
        return say("web.status.turn", name=self.name(live.turn))

    def verdict(self) -> str:
        """A sentence with the winner."""
        if self.live.table.result == "draw":
            return self.say("web.verdict.draw")
        return self.say("web.verdict.won", name=self.name(self.live.table.result))

    def reason(self) -> str:
        """A sentence with the manner in which the game ended."""
        result, how = self.live.table.result, self.live.table.termination.value
        loser = self.name(other(result)) if result in SIDES else ""
        return self.say(f"web.ended.{how.replace(' ', '-')}", name=loser)

    def scores(self) -> list[tuple[str, int]]:
        """The numbers of each side in the end, in games that are won by numbers."""
        facts = self.live.position.facts()
        names = {f"fact.{side}": side for side in SIDES}
        return [(names[fact], number) for fact, number in facts.items() if fact in names]

    def announcement(self) -> str:
        """Words for a screen reader after a change."""
        if not self.ply:
            return self.status()
        mover = self.live.table.positions[self.ply - 1].side
        move = self.say(
            "web.announce.move", name=self.name(mover), move=self.live.moves[self.ply - 1]
        )
        return f"{move} {self.status()}"

    def can_undo(self) -> bool:
        """True if the browser may take back a move."""
        return self.live.can_undo(self.session)

    def can_reset(self) -> bool:
        """True if the browser may go back to the start."""
        if self.live.kind == "watch":
            return self.live.owner == self.session
        return self.live.kind != "link" and bool(self.sides)

    def offered(self) -> str:
        """The side whose offer of a draw this browser can answer; nothing if there is none."""
        offer = self.live.table.offer
        return offer if self.is_newest and offer and other(offer) in self.sides else ""

    # --- parts

    @cached_property
    def _actions(self) -> Actions:
        return actions_of(self.begun) if self.begun else {}

    def _plate(self, side: str) -> Plate:
        live, seat, clock = self.live, self.live.seats[side], self.live.table.clock
        turn = live.turn if self.is_newest else self.position.side
        timed = clock.initial > 0
        left = clock.now_left(side, live.turn, time.time()) if timed else None
        about = player_name(seat.public, self.say) if seat.player else ""
        return Plate(
            side=side,
            name=self.name(side),
            about=about if about != seat.name else "",
            mine=side in self.sides,
            turn=not (self.is_newest and live.over) and turn == side,
            left=left,
            ticking=clock.since is not None and live.turn == side and live.going,
            facts=[
                (self.say(_fact_label(name)), number)
                for name, number in self.position.facts().items()
                if _fact_side(name) == side
            ],
        )


def _fact_side(name: str) -> str | None:
    """The side that a fact is about: `fact.x` and `fact.x-to-go` are about `x`."""
    word = name.removeprefix("fact.").partition("-")[0]
    return word if word in SIDES else None


def _fact_label(name: str) -> str:
    """The name of what a number on a player's plate counts."""
    rest = name.removeprefix("fact.").partition("-")[2]
    return f"web.fact.{rest or 'pieces'}"


def player_name(text: str, say: Messages) -> str:
    """A program for people: its level in words, or its spec."""
    name, _, options = text.partition(":")
    if name in LEVELS and not options:
        return say("web.player.level", level=f"@web.level.{name}")
    return text
