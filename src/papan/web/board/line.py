"""The game in an address: `game`, `position`, `moves`, and the shown `ply`."""

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
    """A game from a position on, and its shown ply.

    Attributes:
        name: the game, as written in addresses.
        game: the rules.
        start: the position line before the moves.
        moves: the moves from there.
        ply: number of moves before the shown position.
        positions: all positions of the game; empty if `start` is invalid.
    """

    name: str
    game: Game
    start: str
    moves: tuple[str, ...] = ()
    ply: int = 0
    positions: tuple[Position, ...] = ()

    @property
    def position(self) -> Position | None:
        """The shown position; None if `start` is invalid."""
        return self.positions[self.ply] if self.positions else None

    @property
    def text(self) -> str:
        """The position line of the shown position."""
        return str(self.position or self.start)

    @property
    def question(self) -> AnalysisQuestion:
        """The engine query for the shown position."""
        return AnalysisQuestion(self.game.spec, self.start, self.moves[: self.ply])

    @property
    def whole_game(self) -> AnalysisQuestion:
        """The engine query for the whole game."""
        return AnalysisQuestion(self.game.spec, self.start, self.moves)

    def fields(self) -> dict[str, str]:
        """The fields of the address that differ from their defaults."""
        fields = {
            "game": self.name,
            "position": "" if self.start == str(self.game.start()) else self.start,
            "moves": " ".join(self.moves),
            "ply": str(self.ply) if self.ply != len(self.moves) else "",
        }
        return {key: value for key, value in fields.items() if value}

    def query(self, **changes: Any) -> str:
        """The query of the address with some attributes changed."""
        return urlencode(replace(self, **changes).fields())

    def with_moves(self, moves: tuple[str, ...], ply: str = "") -> Self:
        """Returns the line with other moves, at the ply of an address or else at the last ply.

        Raises:
            PapanError: `start` is invalid, a move is illegal, or the ply is out of range.
        """
        positions = request_params.positions_of(self.game, self.start, moves)
        last = len(moves)
        shown = request_params.whole({"ply": ply}, "ply", 0, last, last)
        return replace(self, moves=moves, ply=shown, positions=positions)


def read_start(allowed: Allowed, values: Mapping[str, str]) -> GameLine:
    """Returns the game and the start of an address, before any move and without validation.

    Raises:
        UsageError: The game does not exist.
    """
    game = request_params.offered_game(allowed, values.get("game", ""))
    start = values.get("position", "")[: request_params.LONGEST_LINE] or str(game.start())
    return GameLine(allowed.public.text(game.spec), game, start)


def read_line(allowed: Allowed, values: Mapping[str, str]) -> GameLine:
    """Returns the line that an address describes.

    Raises:
        PapanError: The game, the start, a move or the ply is invalid.
    """
    moves = request_params.read_moves(values.get("moves", ""))
    return read_start(allowed, values).with_moves(moves, values.get("ply", ""))


# --- played games ---------------------------------------------------------------------------------


class GameMoves(Protocol):
    """A played game: a live game or a record."""

    @property
    def game(self) -> str:
        """The spec of the game."""

    @property
    def start(self) -> str:
        """The first position line; empty for the start of the game."""

    @property
    def moves(self) -> Sequence[str]:
        """The moves of the game."""


def fields_of(allowed: Allowed, played: GameMoves) -> dict[str, str]:
    """Returns the address fields of a played game; none if the game is not offered or too long."""
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
    """Returns the analysis query of a played game; empty if there is none."""
    fields = fields_of(allowed, played)
    return urlencode(fields | ({} if ply is None else {"ply": ply})) if fields else ""


def position_as_json(allowed: Allowed, position: Position) -> dict[str, Any]:
    """Returns a position for programs: its line, its legal moves, the winner."""
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
