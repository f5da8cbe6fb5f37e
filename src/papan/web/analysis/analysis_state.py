"""The state of the analysis page: a position, its game, and the effect of a click.

The address contains the whole state, so that every position can be shared and reloaded.
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
from papan.records.text import is_pgn, read_pgn
from papan.web.analysis import variations
from papan.web.analysis.board_editor import Draft
from papan.web.analysis.variations import Line
from papan.web.board.line import GameLine, read_start
from papan.web.http import request_params
from papan.web.http.allowed import Allowed

#: Maximum number of characters in the name of an analysis.
LONGEST_TITLE = 60

#: Tools: play a move, or put a piece on the square.
PLAY = "play"


@dataclass(frozen=True)
class AnalysisState(GameLine):
    """The state of the page: a line of moves, and the current action. Its start may be a draft.

    Attributes:
        others: further lines, each from the first move on (`variations`).
        title: the name of the analysis; empty for no name.
        tool: `play`, or the content that a click puts on a square.
        chosen: names of the chosen steps of an unfinished move.
        shows_all: true to show the values of all moves, not only of the best ones.
        problem: the error message.
    """

    others: tuple[Line, ...] = ()
    title: str = ""
    tool: str = PLAY
    chosen: tuple[str, ...] = ()
    shows_all: bool = False
    problem: PapanError | None = None

    @property
    def draft(self) -> Draft:
        """The start position as a draft."""
        return Draft(self.game, self.start)

    @property
    def shown_draft(self) -> Draft:
        """The shown position as a draft."""
        return Draft(self.game, self.text)

    @property
    def begun(self) -> Partial | None:
        """The unfinished move; None in setup mode."""
        playing = self.position is not None and self.tool == PLAY
        return Partial.of(self.position, self.chosen) if playing and self.position else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the tree, including the shown one, longest first. The longest is the main
        line."""
        lines = variations.keep_newest((*self.others, self.moves))
        return tuple(sorted(lines, key=lambda line: (-len(line), line)))

    def texts(self, line: Line) -> list[str]:
        """Returns the moves of a line from the start as people read them."""
        return self.positions[0].book_line(line)

    def query_on(self, line: Line, ply: int) -> str:
        """The query of another line of the tree at a ply."""
        others = tuple(other for other in self.lines if other != line)
        return self.query(moves=line, others=others, ply=ply)

    def fields(self) -> dict[str, str]:
        """The fields of the address that differ from their defaults."""
        fields = {
            "others": ";".join(" ".join(line) for line in self.others),
            "title": self.title,
            "tool": self.tool if self.tool != PLAY else "",
            "from": ",".join(self.chosen),
            "values": "all" if self.shows_all else "",
        }
        return super().fields() | {key: value for key, value in fields.items() if value}

    def line_query(self) -> str:
        """The query of the shown line at its end, for pages about a whole game."""
        line = GameLine(self.name, self.game, self.start, self.moves, len(self.moves))
        return line.query()

    def query(self, **changes: Any) -> str:
        """The query of the address with some fields changed and without an unfinished move."""
        return super().query(**({"chosen": (), **changes} if changes else {}))


def read_state(allowed: Allowed, values: Mapping[str, str]) -> AnalysisState:
    """Returns the state that an address describes.

    Raises:
        UsageError: The game does not exist, or there are too many moves.
    """
    line = read_start(allowed, values)
    tool = values.get("tool", PLAY)
    state = AnalysisState(line.name, line.game, line.start, shows_all=values.get("values") == "all")
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
    """Returns the further lines that are legal."""
    lines = []
    for part in text.split(";")[: variations.MOST_LINES]:
        with contextlib.suppress(PapanError):
            moves = request_params.read_moves(part)
            request_params.positions_of(game, line, moves)
            lines.append(moves)
    return variations.keep_newest(lines)


def _without_moves(state: AnalysisState, error: PapanError) -> AnalysisState:
    """Returns the state without moves; without a position if the draft is not valid yet."""
    position = state.draft.position
    positions = () if position is None else (position,)
    return replace(state, problem=error, positions=positions)


# --- changes --------------------------------------------------------------------------------------


def click(state: AnalysisState, step: str) -> AnalysisState:
    """Returns the state after a click on a square or word.

    Raises:
        UsageError: The click has no effect there.
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
    """Returns a state with another start and without moves."""
    return replace(state, start=draft.line, moves=(), others=(), ply=0, chosen=())


def add_move(state: AnalysisState, move: str) -> AnalysisState:
    """Returns the state after another move, which may be illegal.

    If a line continues with this move, the state follows that line. Otherwise the later moves
    become a line of their own.
    """
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
    """Returns the state after the setup form: side to move, plies left, a position line or a
    record.

    Raises:
        UsageError: The pasted text is not recognised.
    """
    draft = state.shown_draft
    if values.get("side") in ("x", "o"):
        draft = draft.with_side(values["side"])
    if values.get("plies", "").strip():
        draft = draft.with_plies(values["plies"].strip())
    return _restart(state, draft)


def read_paste(allowed: Allowed, state: AnalysisState, text: str) -> AnalysisState:
    """Returns the state after a paste: a game record, a game in PGN, a UGI line, a position line,
    or moves.

    Moves continue from the start position of the page or from the start of the game.

    Raises:
        PapanError: The text is none of these; the message is about the most likely one.
    """
    words = text.split()
    if not words:
        raise UsageError("web.paste.nothing")
    if is_pgn(text.strip()):
        start, moves_text = read_pgn(text)
        return _with_lines(state, start or str(state.game.start()), variations.read(moves_text))
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


#: First words of UGI lines.
_UGI = ("position", "startpos", "fen")


def _protocol_line(words: Sequence[str]) -> PositionCommand:
    """Returns the position of a UGI `position` line.

    Raises:
        UsageError: The line has no position.
    """
    try:
        return read_position(" ".join(words))
    except UsageError:
        raise UsageError("web.paste.protocol", text=" ".join(words)[:80]) from None


def _of_record(allowed: Allowed, text: str) -> AnalysisState:
    """Returns the state of a record at its start, with all of its moves."""
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
    """True if the first word has the form of a move of the game, legal or not."""
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
    """Returns the state with lines from the start of the page, or else from the start of the game.

    Raises:
        PapanError: The lines are illegal from both starts; the error is from the start with more
            legal moves.
    """
    try:
        return _with_lines(state, state.start, lines)
    except PapanError:
        return _with_lines(state, str(state.game.start()), lines)


def _with_lines(state: AnalysisState, line: str, lines: Sequence[Line]) -> AnalysisState:
    """Returns the state at the end of the first of several lines from a position.

    Raises:
        PapanError: The position is invalid, or a move is illegal; the message names it.
    """
    lines = [_rewrite(state.game, line, moves) for moves in lines]
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


def _rewrite(game: Game, line: str, moves: Line) -> Line:
    """Returns moves from a position as `write_move` writes them.

    Raises:
        PapanError: The position is invalid, or a move is illegal; the message names it.
    """
    position = request_params.positions_of(game, line)[0]
    written = []
    for number, move in enumerate(request_params.read_moves(" ".join(moves)), start=1):
        try:
            after = position.play(move)
        except PapanError as error:
            raise _explain_move(position, number, move) from error
        written.append(game.write_move(game.read_move(move, position.state)))
        position = after
    return tuple(written)


def _explain_move(position: Position, number: int, move: str) -> UsageError:
    """Returns the reason why a move is illegal, by the index of the move."""
    if not position.moves():
        return UsageError("web.paste.over", number=number)
    if _reads(position.game, position, move):
        return UsageError("web.paste.illegal", number=number, move=move[:20])
    example = position.book_line(position.moves()[:1])[0]
    return UsageError("web.paste.unreadable", number=number, move=move[:20], example=example)
