"""A live game at one ply, as its page shows it to one browser."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.figures.board import Marks
from papan.figures.highlights import last_marks, last_squares
from papan.figures.pieces import side_sample
from papan.figures.svg import Markup
from papan.figures.values import MoveValue
from papan.messages import Messages
from papan.report import name_side
from papan.web.board.move_values import label_values
from papan.web.board.snapshot import preview_moves, snapshot
from papan.web.board.view import BoardView
from papan.web.board.words import ListedMove, pair_moves, player_name
from papan.web.http.preferences import Preferences
from papan.web.play.live_game import LiveGame, Preparation, other, seconds_left

#: The company of a game without spectators and absences.
NOBODY: tuple[int, tuple[str, ...]] = (0, ())


@dataclass(frozen=True)
class Plate:
    """The name plate of a player next to the board."""

    side: str
    name: str
    about: str
    mine: bool
    turn: bool
    left: float | None
    ticking: bool
    away: bool
    facts: list[tuple[str, int]]


@dataclass(frozen=True)
class GameView:
    """A game at one ply, for one browser.

    Attributes:
        live: the game.
        session: the browser.
        say: the messages in its language.
        preferences: its looks of boards.
        ply: the number of moves before the shown position.
        chosen: names of the chosen steps of an unfinished move.
        notice: the message for a rejected action.
        present: the browsers that show the game now.
    """

    live: LiveGame
    session: str
    say: Messages
    preferences: Preferences
    ply: int
    chosen: Sequence[str] = ()
    notice: str = ""
    present: frozenset[str] = frozenset()

    def company(self) -> tuple[int, tuple[str, ...]]:
        """The number of spectators, and the sides of a game by link whose players left."""
        live = self.live
        players = {seat.session for seat in live.seats.values()}
        gone = (
            side
            for side, seat in live.seats.items()
            if seat.session and seat.session != self.session and seat.session not in self.present
        )
        away = live.kind == "link" and not live.over
        return len(self.present - players - {live.owner}), tuple(gone) if away else ()

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.live.table.positions[self.ply]

    @property
    def preparing(self) -> Preparation | None:
        """The compilation for the side to move; None at earlier plies."""
        return self.live.preparing if self.is_newest and self.live.going else None

    @property
    def preparing_left(self) -> float | None:
        """Estimated seconds to the end of the compilation (`Preparation.left`); None if
        unknown."""
        return self.preparing.left(time.time()) if self.preparing else None

    def preparing_status(self, left: str) -> str:
        """Returns the sentence for the compilation, with its remaining seconds unless empty."""
        if self.preparing is None or not self.preparing.parts:
            return self.say("web.status.preparing")
        done, parts, _ = self.preparing
        known = {"part": done + 1, "parts": parts}
        if not left:
            return self.say("web.status.compiling", **known)
        return self.say("web.status.compiling-left", **known, seconds=left)

    @property
    def is_newest(self) -> bool:
        """True if the last position is shown."""
        return self.ply == len(self.live.moves)

    @property
    def sides(self) -> list[str]:
        """The sides of this browser."""
        return self.live.sides_of(self.session)

    @cached_property
    def my_turn(self) -> bool:
        """True if this browser can move now."""
        return self.is_newest and self.live.going and self.live.turn in self.sides

    @property
    def flipped(self) -> bool:
        """True for the view of `o`: for its player in a game by link."""
        return self.live.kind == "link" and self.sides == ["o"]

    @cached_property
    def begun(self) -> Partial | None:
        """The unfinished move of this browser."""
        return Partial.of(self.position, self.chosen) if self.my_turn else None

    @cached_property
    def values(self) -> dict[str, MoveValue]:
        """The values of moves, for the browser that requested them: move → value."""
        if not self.live.values or not self.my_turn:
            return {}
        return label_values(self.position, self.live.values, self.say)

    @cached_property
    def board(self) -> BoardView:
        """The board."""
        return BoardView.of(
            self.live.table.positions,
            self.live.moves,
            self.ply,
            say=self.say,
            style=self.preferences.style,
            begun=self.begun,
            marks=self._marks,
            values=self.values,
            names=self.names,
            flipped=self.flipped,
        )

    @property
    def _marks(self) -> Marks:
        marks = last_marks(self.live.table.positions, self.live.moves, self.ply)
        shown = self.my_turn and self.live.hint
        return replace(marks, hint=last_squares(self.position, self.live.hint) if shown else ())

    def cells(self) -> Markup:
        """The squares as HTML; disabled at earlier plies."""
        off = "" if self.is_newest else ' aria-disabled="true" type="button"'
        return self.board.cells(extra=off)

    def plates(self) -> list[Plate]:
        """Both players, top of the board first."""
        order = ("x", "o") if self.flipped else ("o", "x")
        return [self._plate(side) for side in order]

    def pairs(self) -> list[list[ListedMove | None]]:
        """The moves in rows of two."""
        return pair_moves(self.live.table.positions, self.live.moves)

    def shared_facts(self) -> list[tuple[str, int]]:
        """Numbers about the game that belong to no side, such as rounds left."""
        return [
            (self.say(name), number)
            for name, number in self.position.facts().items()
            if side_of_fact(name) is None
        ]

    @property
    def names(self) -> dict[str, str]:
        """The names of both players."""
        return {side: self.name(side) for side in SIDES}

    def snapshot(self) -> str:
        """The last ply of the game for the script, whichever ply is shown."""
        same = self.is_newest and not (self.begun and self.begun.steps)
        now = self if same else replace(self, ply=len(self.live.moves), chosen=())
        return snapshot(
            self.live.table.positions,
            self.live.moves,
            now.board,
            preview_moves(now.position) if now.my_turn else (),
            history=self.say("web.status.history", ply="{ply}", plies="{plies}"),
            mine=now.my_turn,
            sides=self.sides,
            kind=self.live.kind,
            going=self.live.going,
            status=now.status(),
        )

    def name(self, side: str) -> str:
        """Returns the name of a player."""
        seat = self.live.seats[side]
        if seat.player and not seat.name:
            return player_name(seat.player, self.say)
        return seat.name or self.say("web.game.nobody")

    def token(self, side: str) -> Markup:
        """Returns a picture of a side's piece."""
        return side_sample(side, self.board.shown.look, self.preferences.style.shape(side))

    def status(self) -> str:
        """One sentence: the side to move, or the result."""
        live, say = self.live, self.say
        if not self.is_newest:
            return say("web.status.history", ply=self.ply, plies=len(live.moves))
        if live.over:
            return self.verdict()
        if live.waiting:
            return say("web.status.waiting")
        if live.thinker and live.preparing:
            left = self.preparing_left
            return self.preparing_status("" if left is None else str(seconds_left(left)))
        if live.thinker:
            return say("web.status.thinking", name=self.name(live.turn))
        mine = self.sides == [live.turn]
        turn = (
            say("web.status.yours") if mine else say("web.status.turn", name=self.name(live.turn))
        )
        hint = live.hint and self.my_turn
        return f"{turn} {say('web.status.hint', move=live.hint)}" if hint else turn

    def verdict(self) -> str:
        """A sentence with the winner."""
        if self.live.table.result == "draw":
            return self.say("web.verdict.draw")
        return self.say("web.verdict.won", name=self.name(self.live.table.result))

    def reason(self) -> str:
        """A sentence with the termination."""
        result, how = self.live.table.result, self.live.table.termination.value
        loser = self.name(other(result)) if result in SIDES else ""
        return self.say(f"web.ended.{how.replace(' ', '-')}", name=loser)

    def scores(self) -> list[tuple[str, int]]:
        """The final numbers of each side, in games won by numbers."""
        facts = self.live.position.facts()
        names = {f"fact.{side}": side for side in SIDES}
        return [(names[fact], number) for fact, number in facts.items() if fact in names]

    def announcement(self) -> str:
        """The text for screen readers after a change; it does not count the compiled parts."""
        is_compiling = self.live.thinker and self.preparing
        status = self.say("web.status.preparing") if is_compiling else self.status()
        if not self.ply:
            return status
        mover = self.live.table.positions[self.ply - 1].side
        move = self.say(
            "web.announce.move", name=self.name(mover), move=self.live.moves[self.ply - 1]
        )
        return f"{move} {status}"

    def can_undo(self) -> bool:
        """True if this browser may undo a move."""
        return self.live.can_undo(self.session)

    def can_reset(self) -> bool:
        """True if this browser may restart the game."""
        if self.live.kind == "watch":
            return self.live.owner == self.session
        return self.live.kind != "link" and bool(self.sides)

    def offered(self) -> str:
        """The side whose draw offer this browser can answer; empty without an offer."""
        offer = self.live.table.offer
        return offer if self.is_newest and offer and other(offer) in self.sides else ""

    def open_request(self) -> str:
        """The request of the other person that this browser can answer; empty without a request."""
        live = self.live
        asked = (
            self.is_newest
            and live.going
            and live.request
            and other(live.requested_by) in self.sides
        )
        return live.request if asked else ""

    # --- parts

    def _plate(self, side: str) -> Plate:
        live, seat, clock = self.live, self.live.seats[side], self.live.table.clock
        turn = live.turn if self.is_newest else self.position.side
        timed = clock.initial > 0
        left = clock.now_left(side, live.turn, time.time()) if timed else None
        about = player_name(seat.public, self.say) if seat.player else ""
        game = self.position.game
        named = name_side(game, side, self.say) if game.side_names != Game.side_names else ""
        return Plate(
            side=side,
            name=self.name(side),
            about=" · ".join(filter(None, (named, about if about != seat.name else ""))),
            mine=side in self.sides,
            turn=not (self.is_newest and live.over) and turn == side,
            left=left,
            ticking=clock.since is not None and live.turn == side and live.going,
            away=side in self.company()[1],
            facts=[
                (self.say(_fact_label(name)), number)
                for name, number in self.position.facts().items()
                if side_of_fact(name) == side
            ],
        )


def side_of_fact(name: str) -> str | None:
    """Returns the side of a fact: `fact.x` and `fact.x-to-go` belong to `x`."""
    word = name.removeprefix("fact.").partition("-")[0]
    return word if word in SIDES else None


def _fact_label(name: str) -> str:
    """Returns the label of a number on a plate."""
    rest = name.removeprefix("fact.").partition("-")[2]
    return f"web.fact.{rest or 'pieces'}"
