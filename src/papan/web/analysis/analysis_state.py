"""The state of the analysis page: a position, its game, and the effect of a click on a square.

All of it stands in the address, so that every position can be shared and reloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.errors import PapanError, UsageError
from papan.records.model import Record
from papan.web.analysis.analysis_jobs import AnalysisQuestion
from papan.web.analysis.board_editor import Draft
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
        chosen: the steps of the move that is being made, by their names.
        positions: all of the game; empty where the draft is no position yet.
        problem: what is wrong.
    """

    name: str
    draft: Draft
    moves: tuple[str, ...] = ()
    ply: int = 0
    tool: str = PLAY
    chosen: tuple[str, ...] = ()
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
    def begun(self) -> Partial | None:
        """The move that is being made, while moves are."""
        playing = self.position is not None and self.tool == PLAY
        return Partial.of(self.position, self.chosen) if playing and self.position else None

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
            "from": ",".join(self.chosen),
        }
        return {key: value for key, value in found.items() if value}

    def query(self, **changes: Any) -> str:
        """The address's query, with some things otherwise; then no move is being made."""
        let_go: dict[str, Any] = {"chosen": ()} if changes else {}
        return urlencode(replace(self, **{**let_go, **changes}).fields())


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
    chosen = tuple(values.get("from", "").split(","))
    subject = replace(subject, moves=moves, ply=ply, positions=positions, chosen=chosen)
    return replace(subject, chosen=subject.begun.names if subject.begun else ())


def _broken(subject: AnalysisState, error: PapanError) -> AnalysisState:
    """The subject without its moves, or a draft that is no position yet."""
    position = subject.draft.position
    positions = () if position is None else (position,)
    return replace(subject, problem=error, positions=positions)


# --- what is done to it ---------------------------------------------------------------------------


def clicked(subject: AnalysisState, step: str) -> AnalysisState:
    """The subject after a click on a square, or a word that was said.

    Raises:
        UsageError: nothing can be done there.
    """
    if subject.tool != PLAY:
        draft = Draft(subject.game, subject.line).put(step, subject.tool)
        return replace(subject, draft=draft, moves=(), ply=0, chosen=())
    begun = subject.begun
    if begun is None:
        raise UsageError("web.analysis.not-yet")
    touched = begun.touched(begun.step(step))
    if touched is None:
        raise UsageError("web.analysis.no-move", text=step[:10])
    if touched.settled is None:
        return replace(subject, chosen=touched.names)
    return moved(subject, subject.game.write_move(touched.settled))


def moved(subject: AnalysisState, move: str) -> AnalysisState:
    """The subject after one more move, which need not be legal."""
    moves = (*subject.moves[: subject.ply], move)
    return replace(subject, moves=moves, ply=len(moves), chosen=())


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
    return replace(subject, draft=draft, moves=(), ply=0, chosen=())


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
    return replace(subject, draft=Draft(subject.game, line), moves=(), ply=0, chosen=())


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
