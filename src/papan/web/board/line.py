"""The game that an address carries: `game`, `position`, `moves`, and the `ply` that is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self
from urllib.parse import urlencode

from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.errors import PapanError
from papan.web.engines.analysis_jobs import AnalysisQuestion
from papan.web.http import request_params
from papan.web.http.allowed import Allowed


@dataclass(frozen=True)
class GameLine:
    """A game from a position on, and the ply of it that is shown.

    Attributes:
        name: the game, as addresses name it.
        game: the rules.
        start: the position line that the moves start from.
        moves: the moves from there.
        ply: number of moves before the position that is shown.
        positions: all of the game; empty where `start` is not a position.
    """

    name: str
    game: Game
    start: str
    moves: tuple[str, ...] = ()
    ply: int = 0
    positions: tuple[Position, ...] = ()

    @property
    def position(self) -> Position | None:
        """The position that is shown; None where `start` is not a position."""
        return self.positions[self.ply] if self.positions else None

    @property
    def text(self) -> str:
        """The position line of the position that is shown."""
        return str(self.position or self.start)

    @property
    def question(self) -> AnalysisQuestion:
        """The question about the position that is shown."""
        return AnalysisQuestion(self.game.spec, self.start, self.moves[: self.ply])

    @property
    def whole_game(self) -> AnalysisQuestion:
        """The question about all of the game."""
        return AnalysisQuestion(self.game.spec, self.start, self.moves)

    def fields(self) -> dict[str, str]:
        """The fields of its address, without those at their defaults."""
        fields = {
            "game": self.name,
            "position": "" if self.start == str(self.game.start()) else self.start,
            "moves": " ".join(self.moves),
            "ply": str(self.ply) if self.ply != len(self.moves) else "",
        }
        return {key: value for key, value in fields.items() if value}

    def query(self, **changes: Any) -> str:
        """The address's query, with some attributes changed."""
        return urlencode(replace(self, **changes).fields())

    def with_moves(self, moves: tuple[str, ...], ply: str = "") -> Self:
        """The line with other moves, at a ply from an address; at the last one without it.

        Raises:
            PapanError: `start` is not a position, a move is not legal, or the ply is wrong.
        """
        positions = request_params.positions_of(self.game, self.start, moves)
        last = len(moves)
        shown = request_params.whole({"ply": ply}, "ply", 0, last, last)
        return replace(self, moves=moves, ply=shown, positions=positions)


def read_start(allowed: Allowed, values: Mapping[str, str]) -> GameLine:
    """The game and the start that an address asks for, before any move; not validated.

    Raises:
        UsageError: there is no such game.
    """
    game = request_params.offered_game(allowed, values.get("game", ""))
    start = values.get("position", "")[: request_params.LONGEST_LINE] or str(game.start())
    return GameLine(allowed.public.text(game.spec), game, start)


def read_line(allowed: Allowed, values: Mapping[str, str]) -> GameLine:
    """The line that an address asks for.

    Raises:
        PapanError: the game, the start, a move or the ply is wrong.
    """
    moves = request_params.read_moves(values.get("moves", ""))
    return read_start(allowed, values).with_moves(moves, values.get("ply", ""))


# --- games that were played -----------------------------------------------------------------------


class GameMoves(Protocol):
    """A game that was played: a live game or a record."""

    @property
    def game(self) -> str:
        """The spec of the game."""

    @property
    def start(self) -> str:
        """The position line that it started from; empty for the game's start."""

    @property
    def moves(self) -> Sequence[str]:
        """The moves that were made."""


def fields_of(allowed: Allowed, played: GameMoves) -> dict[str, str]:
    """The fields of the address of a game that was played; none where the game is not offered or
    has too many moves."""
    try:
        game = request_params.offered_game(allowed, played.game)
    except PapanError:
        return {}
    if len(played.moves) > request_params.MOST_MOVES:
        return {}
    fields = {
        "game": allowed.public.text(game.spec),
        "position": played.start,
        "moves": " ".join(played.moves),
    }
    return {key: value for key, value in fields.items() if value}


def query_of(allowed: Allowed, played: GameMoves, ply: int | None = None) -> str:
    """The query of the analysis of a game that was played; empty where there can be none."""
    fields = fields_of(allowed, played)
    return urlencode(fields | ({} if ply is None else {"ply": ply})) if fields else ""


def position_as_json(allowed: Allowed, position: Position) -> dict[str, Any]:
    """A position for programs: its line, its legal moves, who has won."""
    outcome = position.outcome()
    contents, board = position.game.contents(position.state), position.game.board
    pieces = {
        side: [place.name for place in board.places if contents[place.number].owner == side]
        for side in SIDES
    }
    return {
        "game": allowed.public.text(position.game.spec),
        "position": str(position),
        "side": position.side,
        "moves": position.moves(),
        "outcome": outcome and outcome.value,
        "pieces": pieces,
    }
