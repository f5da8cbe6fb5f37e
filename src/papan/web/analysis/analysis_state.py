"""The state of the analysis page: a position, its game, and the effect of a click on a square.

All of it stands in the address, so that every position can be shared and reloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from papan.core.game import Game, Position
from papan.errors import PapanError, UsageError
from papan.records.model import Record
from papan.web.analysis.analysis_jobs import AnalysisQuestion
from papan.web.analysis.board_editor import Draft
from papan.web.game.view import Actions, actions_of
from papan.web.live.live_game import LiveGame
from papan.web.server import request_params
from papan.web.server.allowed import Allowed

#: What a click does: make a move, or put something on the square.
PLAY = "play"


@dataclass(frozen=True)
class AnalysisState:
    """The state of the page.

    Attributes:
        name: the game, as addresses name it.
        draft: the position that the moves start from.
        moves: what was played from there.
        ply: how many of them have been made in the position that is shown.
        tool: `play`, or what a click puts on a square.
        source: the square of the piece that is about to move.
        positions: all of the game; empty where the draft is no position yet.
        problem: what is wrong.
    """

    name: str
    draft: Draft
    moves: tuple[str, ...] = ()
    ply: int = 0
    tool: str = PLAY
    source: str = ""
    positions: tuple[Position, ...] = ()
    problem: PapanError | None = None

    @property
    def game(self) -> Game:
        """The rules."""
        return self.draft.game

    @property
    def position(self) -> Position | None:
        """The position that is shown; None for a draft that is none."""
        return self.positions[self.ply] if self.positions else None

    @property
    def actions(self) -> Actions:
        """Effects of clicks in the position that is shown, while moves are made."""
        position = self.position
        return {} if position is None else actions_of(position, position.moves(), self.source)

    @property
    def line(self) -> str:
        """The line of the position that is shown."""
        return str(self.position or self.draft.line)

    @property
    def question(self) -> AnalysisQuestion:
        """The question about the position that is shown."""
        return AnalysisQuestion(self.game.spec, self.draft.line, self.moves[: self.ply])

    @property
    def whole_game(self) -> AnalysisQuestion:
        """The question about all of the game."""
        return AnalysisQuestion(self.game.spec, self.draft.line, self.moves)

    def fields(self) -> dict[str, str]:
        """The fields of its address, without those at their defaults."""
        start = "" if self.draft.line == str(self.game.start()) else self.draft.line
        found = {
            "game": self.name,
            "position": start,
            "moves": " ".join(self.moves),
            "ply": str(self.ply) if self.ply != len(self.moves) else "",
            "tool": self.tool if self.tool != PLAY else "",
            "from": self.source,
        }
        return {key: value for key, value in found.items() if value}

    def query(self, **changes: Any) -> str:
        """The address's query, with some things otherwise."""
        return urlencode(replace(self, **changes).fields())


def analysis_state_of(allowed: Allowed, values: Mapping[str, str]) -> AnalysisState:
    """The state that an address asks for.

    Raises:
        UsageError: there is no such game, or there are far too many moves.
    """
    game = request_params.offered_game(allowed, values.get("game", ""))
    draft = Draft(
        game, values.get("position", "")[: request_params.LONGEST_LINE] or str(game.start())
    )
    tool = values.get("tool", PLAY)
    subject = AnalysisState(
        allowed.public.text(game.spec), draft, tool=tool if tool in draft.palette else PLAY
    )
    moves = request_params.read_moves(values.get("moves", ""))
    try:
        positions = request_params.positions_of(game, draft.line, moves)
    except PapanError as error:
        return _broken(subject, error)
    ply = request_params.whole(values, "ply", 0, len(moves), len(moves))
    source = values.get("from", "")
    subject = replace(subject, moves=moves, ply=ply, positions=positions)
    if subject.actions.get(source, ("",))[0] != "source":
        source = ""
    return replace(subject, source=source)


def _broken(subject: AnalysisState, error: PapanError) -> AnalysisState:
    """The subject without its moves, or a draft that is no position yet."""
    position = subject.draft.position
    positions = () if position is None else (position,)
    return replace(subject, problem=error, positions=positions)


# --- what is done to it ---------------------------------------------------------------------------


def clicked(subject: AnalysisState, square: str) -> AnalysisState:
    """The subject after a click on a square.

    Raises:
        UsageError: nothing can be done there.
    """
    if subject.tool != PLAY:
        draft = Draft(subject.game, subject.line).put(square, subject.tool)
        return replace(subject, draft=draft, moves=(), ply=0, source="")
    position = subject.position
    if position is None:
        raise UsageError("web.analysis.not-yet")
    state, meant = subject.actions.get(square, ("", ""))
    if not state:
        raise UsageError("web.analysis.no-move", text=square[:10])
    if state == "source":
        return replace(subject, source="" if meant == subject.source else meant)
    moves = (*subject.moves[: subject.ply], meant)
    return replace(subject, moves=moves, ply=len(moves), source="")


def changed(subject: AnalysisState, values: Mapping[str, str]) -> AnalysisState:
    """The subject after the set-up form: side to move, plies left, another line or a record.

    Raises:
        UsageError: what was pasted is nothing.
    """
    draft = Draft(subject.game, subject.line)
    if values.get("side") in ("x", "o"):
        draft = draft.turned(values["side"])
    if values.get("plies", "").strip():
        draft = draft.with_plies(values["plies"].strip())
    return replace(subject, draft=draft, moves=(), ply=0, source="")


def pasted(allowed: Allowed, subject: AnalysisState, text: str) -> AnalysisState:
    """The state after a paste: a record in the text form, or a position line.

    Raises:
        PapanError: it is neither.
    """
    text = text.strip()
    if text.startswith("["):
        game, start, moves = request_params.pasted_record(text)
        values = {"game": game, "position": start, "moves": " ".join(moves)}
        found = analysis_state_of(allowed, values)
        if found.problem is not None:
            raise found.problem
        return replace(found, ply=0)
    line = " ".join(text.split())[: request_params.LONGEST_LINE]
    return replace(subject, draft=Draft(subject.game, line), moves=(), ply=0, source="")


def query_of(allowed: Allowed, played: LiveGame | Record, ply: int | None = None) -> str:
    """The query of the analysis of a game that was played; empty where there can be none."""
    try:
        game = request_params.offered_game(allowed, played.game)
    except PapanError:
        return ""
    if len(played.moves) > request_params.MOST_MOVES:
        return ""
    fields = {
        "game": allowed.public.text(game.spec),
        "position": played.start,
        "moves": " ".join(played.moves),
        "ply": "" if ply is None else str(ply),
    }
    return urlencode({key: value for key, value in fields.items() if value})
