"""A game as its page shows it to one browser: names, squares in words, what may be done."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape

from papan.core.game import Cell, Position
from papan.core.spec import split
from papan.figures.board import board_svg
from papan.figures.highlights import Marks, flips, last_squares, sources, squares_of
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.players.levels import NAMES as LEVELS
from papan.web.live.live_game import SIDES, LiveGame, other
from papan.web.server.cookies import Preferences

#: Positions whose previews are remembered.
_KEPT = 512


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: what it is in words.
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
        return self.live.positions[self.ply]

    @property
    def is_newest(self) -> bool:
        """Whether it is the one where the game stands."""
        return self.ply == len(self.live.moves)

    @property
    def sides(self) -> list[str]:
        """The sides that the browser plays."""
        return self.live.sides_of(self.session)

    @cached_property
    def my_turn(self) -> bool:
        """Whether the browser can move now."""
        return self.is_newest and self.live.going and self.live.turn in self.sides

    @property
    def flipped(self) -> bool:
        """Whether the board is seen from `o`'s side: no, but for whoever plays `o` by a link."""
        return self.live.kind == "link" and self.sides == ["o"]

    @cached_property
    def moves(self) -> list[str]:
        """The legal moves, if the browser can make one."""
        return self.position.moves() if self.my_turn else []

    def board(self) -> Markup:
        """The picture of the board."""
        live, marks = self.live, Marks()
        last = live.moves[self.ply - 1] if self.ply else ""
        marks = Marks(
            last=last_squares(live.positions[self.ply - 1], last) if last else (),
            targets=self._targets(),
            selected=self.source,
            hint=squares_of(self.position, live.hint) if self._hinted() else (),
        )
        return board_svg(
            self.position,
            marks=marks,
            style=self.preferences.style,
            flipped=self.flipped,
            title=self.say("web.game.board", game=self.position.game.title),
        )

    def rows(self) -> list[list[BoardSquare]]:
        """The squares as buttons, from the top row down as they are seen."""
        frame = self.position.game.frame
        cells = self.position.game.cells(self.position.state)
        by_square = self._moves_by_square
        last = set()
        if self.ply:
            move = self.live.moves[self.ply - 1]
            last = set(last_squares(self.live.positions[self.ply - 1], move))
        squares = [
            self._square(frame.name(square), cells[square], by_square, last)
            for square in frame.squares
        ]
        rows = [squares[i : i + frame.width] for i in range(0, len(squares), frame.width)]
        return [row[::-1] for row in rows[::-1]] if self.flipped else rows

    def cells(self) -> Markup:
        """The squares as HTML. A template would take most of a page's time for them."""
        off = "" if self.is_newest else ' aria-disabled="true" type="button"'
        return Markup(
            "\n".join(
                f'<button name="move" value="{escape(square.value)}" id="at-{square.name}" '
                f'class="cell {square.state}" data-square="{square.name}" '
                f'aria-label="{escape(square.label)}"{off}></button>'
                for row in self.rows()
                for square in row
            )
        )

    def other_moves(self) -> list[str]:
        """Legal moves that name no squares, like a pass: buttons below the board."""
        return [move for move in self.moves if not squares_of(self.position, move)]

    def plates(self) -> list[Plate]:
        """Both players, the one at the top of the board first."""
        order = ("x", "o") if self.flipped else ("o", "x")
        return [self._plate(side) for side in order]

    def plies(self) -> list[list[ListedMove | None]]:
        """The moves in pairs, as they were made."""
        first = self.live.positions[0].side
        listed: list[ListedMove | None] = [
            ListedMove(number, self.live.positions[number - 1].side, move)
            for number, move in enumerate(self.live.moves, start=1)
        ]
        if first == "o":
            listed.insert(0, None)
        return [listed[i : i + 2] for i in range(0, len(listed), 2)]

    def shared_facts(self) -> list[tuple[str, int]]:
        """Numbers about the game that belong to neither side: rounds left."""
        return [
            (self.say(name), number)
            for name, number in self.position.facts().items()
            if _fact_side(name) is None
        ]

    def name(self, side: str) -> str:
        """Who plays a side, for people."""
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
        """Who has won."""
        if self.live.result == "draw":
            return self.say("web.verdict.draw")
        return self.say("web.verdict.won", name=self.name(self.live.result))

    def reason(self) -> str:
        """How the game ended."""
        result = self.live.result
        loser = self.name(other(result)) if result in SIDES else ""
        return self.say(f"web.ended.{self.live.termination}", name=loser)

    def scores(self) -> list[tuple[str, int]]:
        """What each side has in the end, in games that are won by numbers."""
        facts = self.live.position.facts()
        names = {f"fact.{side}": side for side in SIDES}
        return [(names[fact], number) for fact, number in facts.items() if fact in names]

    def announcement(self) -> str:
        """What a screen reader says after a change."""
        if not self.ply:
            return self.status()
        mover = self.live.positions[self.ply - 1].side
        move = self.say(
            "web.announce.move", name=self.name(mover), move=self.live.moves[self.ply - 1]
        )
        return f"{move} {self.status()}"

    def can_undo(self) -> bool:
        """Whether the browser may take back a move."""
        return self.live.can_undo(self.session)

    def can_reset(self) -> bool:
        """Whether the browser may go back to the start."""
        if self.live.kind == "watch":
            return self.live.owner == self.session
        return self.live.kind != "link" and bool(self.sides)

    def offered(self) -> str:
        """The side whose offer of a draw this browser can answer; nothing if there is none."""
        offer = self.live.offer
        return offer if self.is_newest and offer and other(offer) in self.sides else ""

    # --- parts

    def _hinted(self) -> bool:
        return self.my_turn and bool(self.live.hint)

    def _targets(self) -> list[str]:
        return [name for name, (state, _) in self._moves_by_square.items() if state == "target"]

    @cached_property
    def _moves_by_square(self) -> dict[str, tuple[str, str]]:
        """Squares that do something: name → (`target` or `source`, what the button sends)."""
        found: dict[str, tuple[str, str]] = {}
        for move in self.moves:
            squares = squares_of(self.position, move)
            if len(squares) == 1:
                found[squares[0]] = ("target", move)
            elif squares and squares[0] == self.source:
                found[squares[-1]] = ("target", move)
            elif squares:
                found.setdefault(squares[0], ("source", squares[0]))
        if self.source:
            found.setdefault(self.source, ("source", self.source))
        return found

    def _square(
        self, name: str, cell: Cell, actions: Mapping[str, tuple[str, str]], last: set[str]
    ) -> BoardSquare:
        state, value = actions.get(name, ("", name))
        words = [name, self._content(cell)]
        if cell.steps_left is not None:
            words.append(self.say("web.square.steps", steps=cell.steps_left))
        if name in last:
            words.append(self.say("web.square.last"))
        if name == self.source:
            words.append(self.say("web.square.selected"))
        elif state:
            words.append(self.say(f"web.square.{state}"))
        if self._hinted() and name in squares_of(self.position, self.live.hint):
            words.append(self.say("web.square.hint"))
        return BoardSquare(name, ", ".join(words), value, state)

    def _content(self, cell: Cell) -> str:
        if not cell.piece:
            return self.say("web.square.empty")
        return self.say("web.square.piece", name=self.name(cell.piece))

    def _plate(self, side: str) -> Plate:
        live, seat = self.live, self.live.seats[side]
        turn = live.turn if self.is_newest else self.position.side
        timed = live.clock.initial > 0
        left = live.clock.now_left(side, live.turn, time.time()) if timed else None
        about = player_name(seat.public, self.say) if seat.player else ""
        return Plate(
            side=side,
            name=self.name(side),
            about=about if about != seat.name else "",
            mine=side in self.sides,
            turn=not (self.is_newest and live.over) and turn == side,
            left=left,
            ticking=live.clock.since is not None and live.turn == side and live.going,
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
    """What a number on a player's plate counts."""
    rest = name.removeprefix("fact.").partition("-")[2]
    return f"web.fact.{rest or 'pieces'}"


def player_name(text: str, say: Messages) -> str:
    """A program for people: its level in words, or its spec."""
    name, options = split(text)
    if name in LEVELS and not options:
        return say("web.player.level", level=f"@web.level.{name}")
    return text


@lru_cache(_KEPT)
def previews(position: Position) -> dict[str, list[str]]:
    """What each legal move would turn: move → squares."""
    return {move: flips(position, move) for move in position.moves()}


def refusal(position: Position, square: str, say: Messages) -> str:
    """Why nothing can be done on a square, in one sentence."""
    named = squares_of(position, square)
    if not named:
        return say("web.illegal.unknown")
    square, moving = named[-1], bool(sources(position))
    found = position.game.frame.square(square)
    cell = position.game.cells(position.state)[found]
    if cell.piece and cell.piece == position.side:
        return say("web.illegal.stuck" if moving else "web.illegal.own", text=square)
    if cell.piece:
        return say("web.illegal.occupied", text=square)
    if cell.steps_left == 0:
        return say("web.illegal.used-up", text=square)
    if moving and len(named) == 1:
        return say("web.illegal.choose", text=square)
    return say("web.illegal.unreachable", text=square)
