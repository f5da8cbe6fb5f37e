"""The state of the analysis page: a position, its game, and the effect of a click on a square.

All of it stands in the address, so that every position can be shared and reloaded.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.errors import PapanError, UsageError
from papan.protocol.messages import PositionCommand, read_position
from papan.records.model import Record
from papan.web.analysis import variations
from papan.web.analysis.analysis_jobs import AnalysisQuestion
from papan.web.analysis.board_editor import Draft
from papan.web.analysis.variations import Line
from papan.web.live.live_game import LiveGame
from papan.web.server import request_params
from papan.web.server.allowed import Allowed

#: Characters of the name of an analysis.
LONGEST_TITLE = 60

#: What a click does: make a move, or put something on the square.
PLAY = "play"


@dataclass(frozen=True)
class AnalysisState:
    """The state of the page.

    Attributes:
        name: the game, as addresses name it.
        draft: the position that the moves start from.
        moves: what was played from there.
        others: the lines besides, each from the first move on (`variations`).
        title: what the analysis is called; empty for no name.
        ply: how many of them have been made in the position that is shown.
        tool: `play`, or what a click puts on a square.
        chosen: the steps of the move that is being made, by their names.
        positions: all of the game; empty where the draft is no position yet.
        problem: what is wrong.
    """

    name: str
    draft: Draft
    moves: tuple[str, ...] = ()
    others: tuple[Line, ...] = ()
    title: str = ""
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

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the tree, the one that is shown among them, in one order whichever that
        is: the longest first, which becomes the main line."""
        lines = variations.kept((*self.others, self.moves))
        return tuple(sorted(lines, key=lambda line: (-len(line), line)))

    def on(self, line: Line, ply: int) -> str:
        """The query of another line of the tree, at a ply."""
        others = tuple(other for other in self.lines if other != line)
        return self.query(moves=line, others=others, ply=ply)

    def fields(self) -> dict[str, str]:
        """The fields of its address, without those at their defaults."""
        start = "" if self.draft.line == str(self.game.start()) else self.draft.line
        found = {
            "game": self.name,
            "position": start,
            "moves": " ".join(self.moves),
            "others": ";".join(" ".join(line) for line in self.others),
            "title": self.title,
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
    others = _others(game, draft.line, values.get("others", ""))
    title = " ".join(values.get("title", "").split())[:LONGEST_TITLE]
    subject = replace(subject, others=others, title=title)
    ply = request_params.whole(values, "ply", 0, len(moves), len(moves))
    chosen = tuple(values.get("from", "").split(","))
    subject = replace(subject, moves=moves, ply=ply, positions=positions, chosen=chosen)
    return replace(subject, chosen=subject.begun.names if subject.begun else ())


def _others(game: Game, line: str, text: str) -> tuple[Line, ...]:
    """The lines besides the one that is shown, those of them that can be played."""
    found = []
    for part in text.split(";")[: variations.MOST_LINES]:
        with contextlib.suppress(PapanError):
            moves = request_params.read_moves(part)
            request_params.positions_of(game, line, moves)
            found.append(moves)
    return variations.kept(found)


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
        return replace(subject, draft=draft, moves=(), others=(), ply=0, chosen=())
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
    """The subject after one more move, which need not be legal. A line that goes on so is gone
    along; otherwise the moves that came after are kept as a line of their own."""
    moves = (*subject.moves[: subject.ply], move)
    known = [line for line in (subject.moves, *subject.others) if line[: len(moves)] == moves]
    line = known[0] if known else moves
    others = [other for other in (*subject.others, subject.moves) if other != line]
    kept = variations.kept([*others, line])
    return replace(
        subject,
        moves=line,
        others=tuple(other for other in kept if other != line),
        ply=len(moves),
        chosen=(),
    )


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
    return replace(subject, draft=draft, moves=(), others=(), ply=0, chosen=())


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
        return _with_lines(subject, told.fen or str(subject.game.start()), (told.moves,))
    lines = variations.read(text) if "/" not in words[0] else ()
    if lines and _is_move(subject, lines[0]):
        return _with_first_that_fits(subject, lines)
    line = " ".join(words)
    request_params.positions_of(subject.game, line)
    return _with_lines(subject, line, ())


#: Words that a line of the protocol for engines begins with.
_UGI = ("position", "startpos", "fen")


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
    heads, _, said = text.partition("\n\n")
    lines = variations.read(said) if "(" in said else ()
    if lines:
        text = f"{heads}\n\n{' '.join(lines[0])}"
    game, start, moves = request_params.pasted_record(text)
    values = {"game": game, "position": start, "moves": " ".join(moves)}
    found = analysis_state_of(allowed, values)
    if found.problem is not None:
        raise found.problem
    found = _with_lines(found, found.draft.line, lines) if lines else found
    return replace(found, ply=0)


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


def _with_first_that_fits(subject: AnalysisState, lines: tuple[Line, ...]) -> AnalysisState:
    """The state with lines from the page's first position or, if they do not fit there, the
    game's.

    Raises:
        PapanError: they fit nowhere; why not from where they go on farthest.
    """
    try:
        return _with_lines(subject, subject.draft.line, lines)
    except PapanError:
        return _with_lines(subject, str(subject.game.start()), lines)


def _with_lines(subject: AnalysisState, line: str, lines: Sequence[Line]) -> AnalysisState:
    """The state at the end of the first of some lines from a position on.

    Raises:
        PapanError: the position is none, or a move is not legal; which one is said.
    """
    for moves in lines:
        _check(subject.game, line, request_params.read_moves(" ".join(moves)))
    moves = lines[0] if lines else ()
    return replace(
        subject,
        draft=Draft(subject.game, line),
        moves=moves,
        others=tuple(lines[1:]),
        ply=len(moves),
        chosen=(),
        positions=request_params.positions_of(subject.game, line, moves),
    )


def _check(game: Game, line: str, moves: Line) -> None:
    """Plays moves from a position on.

    Raises:
        PapanError: the position is none, or a move is not legal; which one is said.
    """
    position = request_params.positions_of(game, line)[0]
    for number, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except PapanError as error:
            raise _explained(position, number, move) from error


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
