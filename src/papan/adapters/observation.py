"""Positions as environments show them: planes of numbers, a mask of legal actions, text or pixels.

Planes hold numbers from 0 to 1, one for each square, for learning:

    own          a piece of the observer's stands here; where a side has several kinds, there is a
                 plane for each: `own-king`
    other        a piece of the opponent's stands here; the same
    neutral-…    a piece of neither side stands here
    is-x         everywhere 1 if the observer is `x`, whose direction and home differ from `o`'s
    to-move      everywhere 1 if it is the observer's turn
    plies-left   everywhere the share of the longest game that is left, where a game knows that
    repeated     everywhere how near the position is to a draw by repetition, where that is a rule
    steps-1 …    the square can be stepped on so often at least, where squares wear out
    number       n ÷ (n + 1), where places show other numbers: seeds, pieces in hand

Rows run from the top of the board down, as they are written.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.adapters.actions import Actions, actions_of
from papan.core.board.geometry import Grid
from papan.core.board.pieces import Content, Piece
from papan.core.game import Game, Position
from papan.errors import UsageError
from papan.figures.theme import LIGHT
from papan.rules import operations as rules
from papan.usercode import registry

Observation = NDArray[np.float32]
Pixels = NDArray[np.uint8]

#: The ways in which a position can be rendered: as text, or as pixels.
RENDER_MODES = ("ansi", "rgb_array")

#: The edge of a square in pixels.
SQUARE = 32
#: Radii of pieces, as parts of a square's edge.
_RADIUS = 0.36
_HOLE = 0.18
_PLACES = (np.arange(SQUARE) + 0.5) / SQUARE - 0.5
_DISTANCE = np.hypot(*np.meshgrid(_PLACES, _PLACES))
_SHAPES = {"x": _DISTANCE < _RADIUS, "o": (_HOLE < _DISTANCE) & (_DISTANCE < _RADIUS)}


@dataclass(frozen=True)
class Planes:
    """The planes that a game has; `planes_of` keeps them."""

    game: Game
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Number of planes, rows and columns; the places of a board that is no grid are one row."""
        board = self.game.board
        if isinstance(board, Grid):
            return len(self.names), board.rows, board.columns
        return len(self.names), 1, len(board.places)

    def observe(self, position: Position, observer: str) -> Observation:
        """A position as the side `observer` sees it; float32 in the shape of `shape`."""
        shown = [*position.game.contents(position.state).values()]
        everywhere = {
            "is-x": float(observer == "x"),
            "to-move": float(position.side == observer),
            "plies-left": self._plies_left(position),
            "repeated": _repetition_share(position),
        }
        seen = np.zeros((len(self.names), len(shown)), dtype=np.float32)
        for plane, name in zip(seen, self.names, strict=True):
            if name in everywhere:
                plane[:] = everywhere[name]
            elif name.startswith("steps-"):
                least = int(name.removeprefix("steps-"))
                plane[:] = [(content.number or 0) >= least for content in shown]
            elif name == "number":
                plane[:] = [1 - 1 / (1 + (content.number or 0)) for content in shown]
            else:
                kinds = self._kinds(name, observer)
                plane[:] = [content.piece in kinds for content in shown]
        return seen.reshape(self.shape)

    def _kinds(self, name: str, observer: str) -> list[Piece]:
        """The kinds of pieces that a plane shows."""
        whose, _, role = name.partition("-")
        pieces = [piece for piece in self.game.pieces if role in ("", _role(piece))]
        if whose == "neutral":
            return [piece for piece in pieces if not piece.owner]
        return [
            piece
            for piece in pieces
            if piece.owner and (piece.owner == observer) == (whose == "own")
        ]

    def _plies_left(self, position: Position) -> float:
        return min(1.0, rules.max_plies_left(position.state) / max(1, self.game.max_plies))


@functools.cache
def planes_of(game: Game) -> Planes:
    """The planes of a game."""
    start = game.start()
    names = [*_piece_planes(game), "is-x", "to-move"]
    if rules.max_plies_left(start.state) <= game.max_plies:
        names.append("plies-left")
    if rules.repetition_limit(start.state) > 0:
        names.append("repeated")
    return Planes(game, (*names, *_number_planes(game)))


def _piece_planes(game: Game) -> list[str]:
    """The names of the planes for pieces."""
    roles = dict.fromkeys(_role(piece) for piece in game.pieces if piece.owner)
    neutral = dict.fromkeys(_role(piece) for piece in game.pieces if not piece.owner)
    several = len(roles) > 1 and any(piece.name for piece in game.pieces)
    names = [f"{side}-{role}" for side in ("own", "other") for role in roles]
    sides = ["own", "other"] if roles else []
    return [*(names if several else sides), *(f"neutral-{role}" for role in neutral)]


def _role(piece: Piece) -> str:
    """The name of a kind of piece in the names of planes."""
    return piece.name.replace(" ", "-") or piece.letter.lower()


def _number_planes(game: Game) -> list[str]:
    """The names of the planes for numbers on places."""
    numbers = [content.number for content in game.contents(game.start_state()).values()]
    if any(place.shape == "stack" for place in game.board.places):
        return [f"steps-{number}" for number in range(1, max(filter(None, numbers)) + 1)]
    return ["number"] if any(number is not None for number in numbers) else []


def _repetition_share(position: Position) -> float:
    """0 for a position that is new in its game, 1 where the next time is a draw or has been."""
    limit = rules.repetition_limit(position.state)
    if limit < 2 or not position.past:
        return 0.0
    return min(1.0, position.stood / (limit - 1))


@dataclass(frozen=True)
class View:
    """A game as environments show it."""

    game: Game
    actions: Actions
    planes: Planes
    render_mode: str | None

    @classmethod
    def of(cls, game: Game | str, render_mode: str | None) -> View:
        """The view of a game, or of the game that a spec names.

        Raises:
            UsageError: there is no such way to render, or no such game.
        """
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = ", ".join(RENDER_MODES)
            raise UsageError("adapter.render-mode", text=render_mode, known=known)
        instance = registry.game(game) if isinstance(game, str) else game
        return cls(instance, actions_of(instance), planes_of(instance), render_mode)

    def observe(self, position: Position, side: str) -> Observation:
        """The planes of a position as a side sees them."""
        return self.planes.observe(position, side)

    def mask(self, position: Position, side: str) -> NDArray[np.int8]:
        """The legal actions of a side: none when it is not its turn."""
        if position.side != side:
            return np.zeros(len(self.actions), dtype=np.int8)
        return self.actions.mask(position)

    def render(self, position: Position, last_move: str | None) -> Any:
        """The board in the way that was chosen; None where none was."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            from papan.figures.terminal_board import text_board

            return f"{text_board(position, last_move).plain}\n"
        return board_pixels(position)


# --- pixels: plain numpy, for what records videos; nothing to install


def board_pixels(position: Position) -> Pixels:
    """The board as an array of height × width × 3 colours: discs for `x`, rings for `o`; the
    lighter a platform, the more often it can be stepped on."""
    board = position.game.board
    contents = position.game.contents(position.state)
    height, width = (math.ceil(SQUARE * edge) for edge in board.area[::-1])
    pixels = np.empty((height, width, 3), dtype=np.uint8)
    pixels[:] = _rgb("line")
    for place in board.places:
        row, column = (int(SQUARE * (middle - 0.5)) for middle in (place.y, place.x))
        pixels[row : row + SQUARE, column : column + SQUARE] = _tile(contents[place.number])
    return pixels


def _tile(content: Content) -> Pixels:
    tile = np.empty((SQUARE, SQUARE, 3), dtype=np.uint8)
    tile[:] = _rgb("line")
    tile[1:, 1:] = _rgb(_ground(content))
    if content.owner:
        tile[_SHAPES[content.owner]] = _rgb(content.owner)
    return tile


def _ground(content: Content) -> str:
    """The name of the colour of a square."""
    if content.number is None:
        return "square"
    return f"layer-{min(content.number, 3)}" if content.number else "gone"


def _rgb(name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(LIGHT[name].removeprefix("#")))
