"""Boards and games as pages show them: squares as buttons, lists of moves, names, sentences.

The functions are for every page with a board; `GameView` is a live game, for one browser.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from typing import Any

from papan.core.game import Position
from papan.core.notation import SIDES
from papan.core.pieces import Content
from papan.figures.board import NO_MARKS, Arrangement, Style, board_svg
from papan.figures.highlights import Marks, flips, last_squares, sources, squares_of
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.players.levels import NAMES as LEVELS
from papan.web.live.live_game import LiveGame, other
from papan.web.server.preferences import Preferences

#: Positions whose previews are remembered.
_KEPT = 512


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: the same in words, with what is on it and what it can do.
        value: what the button sends: a move, the square of a piece to move, or the square's name.
        state: `target`, `source`, or nothing where nothing can be done.
    """

    name: str
    label: str
    value: str
    state: str


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


#: Squares that do something: name → (`target` or `source`, what the button sends).
Actions = Mapping[str, tuple[str, str]]


def actions_of(position: Position, moves: Iterable[str], source: str = "") -> Actions:
    """The squares that do something: name → (`target` or `source`, a move or a piece's square).

    Args:
        position: where the moves are made.
        moves: those that can be made.
        source: the square of the piece that was chosen to move.
    """
    found: dict[str, tuple[str, str]] = {}
    for move in moves:
        squares = squares_of(position, move)
        if len(squares) == 1:
            found[squares[0]] = ("target", move)
        elif squares and squares[0] == source:
            found[squares[-1]] = ("target", move)
        elif squares:
            found.setdefault(squares[0], ("source", squares[0]))
    if source:
        found.setdefault(source, ("source", source))
    return found


def targets_of(actions: Actions) -> list[str]:
    """The squares to which one can move."""
    return [name for name, (state, _) in actions.items() if state == "target"]


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
    names = names or {side: say(f"web.side-name.{side}") for side in SIDES}
    squares = []
    for place in board.board.places:
        name = place.name
        state, value = actions.get(name, ("", name))
        words = [name, *_content(board.contents[place.number], names, say)]
        words += [say("web.square.last")] if name in marks.last else []
        if name == marks.selected:
            words.append(say("web.square.selected"))
        elif state:
            words.append(say(f"web.square.{state}"))
        words += [say("web.square.hint")] if name in marks.hint else []
        squares.append(BoardSquare(name, ", ".join(words), value, state))
    found = iter(squares)
    return [[next(found) for _ in row] for row in board.board.text_rows]


def _content(content: Content, names: Mapping[str, str], say: Messages) -> list[str]:
    """Words for what stands on a place."""
    owner = content.owner
    words = [say("web.square.piece", name=names[owner]) if owner else say("web.square.empty")]
    if content.number is not None:
        words.append(say("web.square.steps", steps=content.number))
    return words


def square_buttons(rows: Iterable[Iterable[BoardSquare]], field: str, extra: str = "") -> Markup:
    """The squares as HTML. A template would take most of a page's time for them.

    Args:
        rows: the squares.
        field: what the buttons' values are called in the form.
        extra: further attributes of each button.
    """
    return Markup(
        "\n".join(
            f'<button name="{field}" value="{escape(square.value)}" id="at-{square.name}" '
            f'class="cell {square.state}" data-square="{square.name}" '
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
    return last_squares(positions[ply - 1], moves[ply - 1]) if ply else []


def still_board(
    positions: Sequence[Position], moves: Sequence[str], ply: int, style: Style, say: Messages
) -> dict[str, Any]:
    """A board that is only looked at, as templates take it: its picture, its frame, its words."""
    position = positions[ply]
    marks = Marks(last=last_of(positions, moves, ply))
    title = say("web.game.board", game=position.game.title)
    return {
        "board": board_svg(position, marks=marks, style=style, title=title),
        "geometry": position.game.board,
        "words": in_words(Arrangement.of(position), say),
    }


def paired(positions: Sequence[Position], moves: Sequence[str]) -> list[list[ListedMove | None]]:
    """The moves of a game in pairs, as they were made; none without its positions."""
    if not positions:
        return []
    listed: list[ListedMove | None] = [
        ListedMove(number, positions[number - 1].side, move)
        for number, move in enumerate(moves, start=1)
    ]
    if positions[0].side == "o":
        listed.insert(0, None)
    return [listed[i : i + 2] for i in range(0, len(listed), 2)]


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
        source: the square of the piece that was chosen to move.
        notice: a sentence about what was just refused.
    """

    live: LiveGame
    session: str
    say: Messages
    preferences: Preferences
    ply: int
    source: str = ""
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
    def moves(self) -> list[str]:
        """The legal moves, if the browser can make one."""
        return self.position.moves() if self.my_turn else []

    @cached_property
    def marks(self) -> Marks:
        """All that is marked on the board."""
        live = self.live
        return Marks(
            last=last_of(live.table.positions, live.moves, self.ply),
            targets=targets_of(self._actions),
            selected=self.source,
            hint=squares_of(self.position, live.hint) if self.my_turn and live.hint else (),
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
        return square_buttons(self.rows(), "move", off)

    def other_moves(self) -> list[str]:
        """Legal moves that name no squares, like a pass: buttons below the board."""
        return [move for move in self.moves if not squares_of(self.position, move)]

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
        return actions_of(self.position, self.moves, self.source)

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


@lru_cache(_KEPT)
def previews(position: Position) -> dict[str, list[str]]:
    """The squares that each legal move would turn: move → squares."""
    return {move: flips(position, move) for move in position.moves()}


def refusal(position: Position, square: str, say: Messages) -> str:
    """Why nothing can be done on a square, in one sentence."""
    named = squares_of(position, square)
    if not named:
        return say("web.illegal.unknown")
    square, moving = named[-1], bool(sources(position))
    found = position.game.board.square(square)
    content = position.game.contents(position.state)[found]
    if content.owner and content.owner == position.side:
        return say("web.illegal.stuck" if moving else "web.illegal.own", text=square)
    if content.piece:
        return say("web.illegal.occupied", text=square)
    if content.number == 0:
        return say("web.illegal.used-up", text=square)
    if moving and len(named) == 1:
        return say("web.illegal.choose", text=square)
    return say("web.illegal.unreachable", text=square)
