"""The state of the analysis page: a position, its game, and the effect of a click on a square.

All of it stands in the address, so that every position can be shared and reloaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.errors import PapanError, UsageError
from papan.protocol.messages import PositionCommand, read_position
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
    """The state after a paste: a record in the text form, a UGI line, a position line, or moves
    that go on from the position that the moves on the page start from, or from the game's start.

    Raises:
        PapanError: it is none of these; the sentence is about what it looks like.
    """
    words = text.split()
    if not words:
        raise UsageError("web.paste.nothing")
    if words[0].startswith("["):
        return _of_record(allowed, text.strip())
    if words[0] in _UGI:
        told = _protocol_line(words[1:] if words[0] == "position" else words)
        return _with_moves(subject, told.fen or str(subject.game.start()), told.moves)
    listed = text.replace(",", " ").split()
    moves = tuple(word for word in map(_bare, listed) if word)
    if _is_move(subject, moves):
        return _with_first_that_fits(subject, moves)
    line = " ".join(words)
    request_params.positions_of(subject.game, line)
    return _with_moves(subject, line, ())


#: Words that a line of the protocol for engines begins with.
_UGI = ("position", "startpos", "fen")
#: Numbers of moves and results, which records have among the moves.
_NUMBER = re.compile(r"\d+\.+|\*|1-0|0-1|1/2-1/2")


def _protocol_line(words: Sequence[str]) -> PositionCommand:
    """The position that words of the protocol for engines name.

    Raises:
        UsageError: they name none.
    """
    try:
        return read_position(" ".join(words))
    except UsageError:
        raise UsageError("web.paste.protocol", text=" ".join(words)[:80]) from None


def _of_record(allowed: Allowed, text: str) -> AnalysisState:
    """The state of a record: at its start, with all of its moves."""
    game, start, moves = request_params.pasted_record(text)
    values = {"game": game, "position": start, "moves": " ".join(moves)}
    found = analysis_state_of(allowed, values)
    if found.problem is not None:
        raise found.problem
    return replace(found, ply=0)


def _bare(word: str) -> str:
    """A move without the number that stands before it; nothing for a number or a result."""
    return _NUMBER.sub("", word, count=1) if not word.isdigit() else word


def _is_move(subject: AnalysisState, moves: tuple[str, ...]) -> bool:
    """True if the first word is written like a move of the game, legal or not."""
    starts = (subject.draft.position, subject.game.start())
    return bool(moves) and any(
        start is not None and _reads(subject.game, start, moves[0]) for start in starts
    )


def _reads(game: Game, position: Position, text: str) -> bool:
    try:
        game.read_move(text, position.state)
    except PapanError:
        return False
    return True


def _with_first_that_fits(subject: AnalysisState, moves: tuple[str, ...]) -> AnalysisState:
    """The state with moves from the page's first position or, if they do not fit there, the
    game's.

    Raises:
        PapanError: they fit nowhere; why not from where they go on farthest.
    """
    try:
        return _with_moves(subject, subject.draft.line, moves)
    except PapanError:
        return _with_moves(subject, str(subject.game.start()), moves)


def _with_moves(subject: AnalysisState, line: str, moves: tuple[str, ...]) -> AnalysisState:
    """The state at the end of moves from a position on.

    Raises:
        PapanError: the position is none, or a move is not legal; which one is said.
    """
    moves = request_params.read_moves(" ".join(moves))
    positions = request_params.positions_of(subject.game, line)
    for number, move in enumerate(moves, start=1):
        try:
            positions = (*positions, positions[-1].play(move))
        except PapanError as error:
            raise _explained(positions[-1], number, move) from error
    draft = Draft(subject.game, line)
    return replace(
        subject, draft=draft, moves=moves, ply=len(moves), chosen=(), positions=positions
    )


def _explained(position: Position, number: int, move: str) -> UsageError:
    """The reason why the move of that number cannot be made in a position."""
    if not position.moves():
        return UsageError("web.paste.over", number=number)
    if _reads(position.game, position, move):
        return UsageError("web.paste.illegal", number=number, move=move[:20])
    example = position.moves()[0]
    return UsageError("web.paste.unreadable", number=number, move=move[:20], example=example)


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
