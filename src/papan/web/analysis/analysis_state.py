"""The state of the analysis page: a position, its game, and the effect of a click on a square.

All of it stands in the address, so that every position can be shared and reloaded.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from papan.core.game import Game, Position
from papan.core.moves import Partial
from papan.errors import PapanError, UsageError
from papan.protocol.messages import PositionCommand, read_position
from papan.web.analysis import variations
from papan.web.analysis.board_editor import Draft
from papan.web.analysis.variations import Line
from papan.web.board.line import GameLine, read_start
from papan.web.http import request_params
from papan.web.http.allowed import Allowed

#: Characters of the name of an analysis.
LONGEST_TITLE = 60

#: What a click does: make a move, or put something on the square.
PLAY = "play"


@dataclass(frozen=True)
class AnalysisState(GameLine):
    """The state of the page: a line, and what is being done to it. Its start may be a draft.

    Attributes:
        others: the lines besides, each from the first move on (`variations`).
        title: the name of the analysis; empty for no name.
        tool: `play`, or what a click puts on a square.
        chosen: the steps of the move that is being made, by their names.
        problem: what is wrong.
    """

    others: tuple[Line, ...] = ()
    title: str = ""
    tool: str = PLAY
    chosen: tuple[str, ...] = ()
    problem: PapanError | None = None

    @property
    def draft(self) -> Draft:
        """The position that the moves start from, as it is edited."""
        return Draft(self.game, self.start)

    @property
    def shown_draft(self) -> Draft:
        """The position that is shown, as it is edited."""
        return Draft(self.game, self.text)

    @property
    def begun(self) -> Partial | None:
        """The move that is being made, while moves are."""
        playing = self.position is not None and self.tool == PLAY
        return Partial.of(self.position, self.chosen) if playing and self.position else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the tree, the one that is shown among them, in one order whichever that
        is: the longest first, which becomes the main line."""
        lines = variations.keep_newest((*self.others, self.moves))
        return tuple(sorted(lines, key=lambda line: (-len(line), line)))

    def query_on(self, line: Line, ply: int) -> str:
        """The query of another line of the tree, at a ply."""
        others = tuple(other for other in self.lines if other != line)
        return self.query(moves=line, others=others, ply=ply)

    def fields(self) -> dict[str, str]:
        """The fields of its address, without those at their defaults."""
        fields = {
            "others": ";".join(" ".join(line) for line in self.others),
            "title": self.title,
            "tool": self.tool if self.tool != PLAY else "",
            "from": ",".join(self.chosen),
        }
        return super().fields() | {key: value for key, value in fields.items() if value}

    def query(self, **changes: Any) -> str:
        """The address's query, with some things otherwise; then no move is being made."""
        return super().query(**({"chosen": (), **changes} if changes else {}))


def read_state(allowed: Allowed, values: Mapping[str, str]) -> AnalysisState:
    """The state that an address asks for.

    Raises:
        UsageError: there is no such game, or there are far too many moves.
    """
    line = read_start(allowed, values)
    tool = values.get("tool", PLAY)
    state = AnalysisState(line.name, line.game, line.start)
    state = replace(state, tool=tool if tool in state.draft.palette else PLAY)
    moves = request_params.read_moves(values.get("moves", ""))
    try:
        positions = request_params.positions_of(line.game, line.start, moves)
    except PapanError as error:
        return _without_moves(state, error)
    ply = request_params.whole(values, "ply", 0, len(moves), len(moves))
    state = replace(
        state,
        moves=moves,
        ply=ply,
        positions=positions,
        others=_others(line.game, line.start, values.get("others", "")),
        title=" ".join(values.get("title", "").split())[:LONGEST_TITLE],
        chosen=tuple(values.get("from", "").split(",")),
    )
    return replace(state, chosen=state.begun.names if state.begun else ())


def _others(game: Game, line: str, text: str) -> tuple[Line, ...]:
    """The lines besides the one that is shown, those of them that can be played."""
    lines = []
    for part in text.split(";")[: variations.MOST_LINES]:
        with contextlib.suppress(PapanError):
            moves = request_params.read_moves(part)
            request_params.positions_of(game, line, moves)
            lines.append(moves)
    return variations.keep_newest(lines)


def _without_moves(state: AnalysisState, error: PapanError) -> AnalysisState:
    """The state without its moves; without a position where the draft is none yet."""
    position = state.draft.position
    positions = () if position is None else (position,)
    return replace(state, problem=error, positions=positions)


# --- what is done to it ---------------------------------------------------------------------------


def click(state: AnalysisState, step: str) -> AnalysisState:
    """The state after a click on a square, or a word that was said.

    Raises:
        UsageError: nothing can be done there.
    """
    if state.tool != PLAY:
        return _restart(state, state.shown_draft.put(step, state.tool))
    begun = state.begun
    if begun is None:
        raise UsageError("web.analysis.not-yet")
    touched = begun.apply_touch(begun.step(step))
    if touched is None:
        raise UsageError("web.analysis.no-move", text=step[:10])
    if touched.chosen_move is None:
        return replace(state, chosen=touched.names)
    return add_move(state, state.game.write_move(touched.chosen_move))


def _restart(state: AnalysisState, draft: Draft) -> AnalysisState:
    """The state of another start, without moves."""
    return replace(state, start=draft.line, moves=(), others=(), ply=0, chosen=())


def add_move(state: AnalysisState, move: str) -> AnalysisState:
    """The state after one more move, which need not be legal. A line that goes on so is gone
    along; otherwise the moves that came after are kept as a line of their own."""
    moves = (*state.moves[: state.ply], move)
    known = [line for line in (state.moves, *state.others) if line[: len(moves)] == moves]
    line = known[0] if known else moves
    others = [other for other in (*state.others, state.moves) if other != line]
    lines = variations.keep_newest([*others, line])
    return replace(
        state,
        moves=line,
        others=tuple(other for other in lines if other != line),
        ply=len(moves),
        chosen=(),
    )


def apply_setup(state: AnalysisState, values: Mapping[str, str]) -> AnalysisState:
    """The state after the set-up form: side to move, plies left, another line or a record.

    Raises:
        UsageError: what was pasted is nothing.
    """
    draft = state.shown_draft
    if values.get("side") in ("x", "o"):
        draft = draft.with_side(values["side"])
    if values.get("plies", "").strip():
        draft = draft.with_plies(values["plies"].strip())
    return _restart(state, draft)


def read_paste(allowed: Allowed, state: AnalysisState, text: str) -> AnalysisState:
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
        command = _protocol_line(words[1:] if words[0] == "position" else words)
        return _with_lines(state, command.fen or str(state.game.start()), (command.moves,))
    lines = variations.read(text) if "/" not in words[0] else ()
    if lines and _is_move(state, lines[0]):
        return _with_first_that_fits(state, lines)
    line = " ".join(words)
    request_params.positions_of(state.game, line)
    return _with_lines(state, line, ())


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
    heads, _, moves_text = text.partition("\n\n")
    lines = variations.read(moves_text) if "(" in moves_text else ()
    if lines:
        text = f"{heads}\n\n{' '.join(lines[0])}"
    game, start, moves = request_params.read_record(text)
    values = {"game": game, "position": start, "moves": " ".join(moves)}
    state = read_state(allowed, values)
    if state.problem is not None:
        raise state.problem
    state = _with_lines(state, state.start, lines) if lines else state
    return replace(state, ply=0)


def _is_move(state: AnalysisState, moves: tuple[str, ...]) -> bool:
    """True if the first word is written like a move of the game, legal or not."""
    starts = (state.draft.position, state.game.start())
    return bool(moves) and any(
        start is not None and _reads(state.game, start, moves[0]) for start in starts
    )


def _reads(game: Game, position: Position, text: str) -> bool:
    try:
        game.read_move(text, position.state)
    except PapanError:
        return False
    return True


def _with_first_that_fits(state: AnalysisState, lines: tuple[Line, ...]) -> AnalysisState:
    """The state with lines from the page's first position or, if they do not fit there, the
    game's.

    Raises:
        PapanError: they fit nowhere; why not from where they go on farthest.
    """
    try:
        return _with_lines(state, state.start, lines)
    except PapanError:
        return _with_lines(state, str(state.game.start()), lines)


def _with_lines(state: AnalysisState, line: str, lines: Sequence[Line]) -> AnalysisState:
    """The state at the end of the first of some lines from a position on.

    Raises:
        PapanError: the position is none, or a move is not legal; which one is said.
    """
    for moves in lines:
        _check(state.game, line, request_params.read_moves(" ".join(moves)))
    moves = lines[0] if lines else ()
    return replace(
        state,
        start=line,
        moves=moves,
        others=tuple(lines[1:]),
        ply=len(moves),
        chosen=(),
        positions=request_params.positions_of(state.game, line, moves),
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
            raise _explain_move(position, number, move) from error


def _explain_move(position: Position, number: int, move: str) -> UsageError:
    """The reason why the move of that number cannot be made in a position."""
    if not position.moves():
        return UsageError("web.paste.over", number=number)
    if _reads(position.game, position, move):
        return UsageError("web.paste.illegal", number=number, move=move[:20])
    example = position.moves()[0]
    return UsageError("web.paste.unreadable", number=number, move=move[:20], example=example)
