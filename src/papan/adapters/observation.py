"""Observations of positions: planes of numbers, masks of legal actions, text and pixels.

Planes for learning contain numbers from 0 to 1, one for each square:

    own          1 for a piece of the observer; a side with several kinds of pieces has one plane
                 per kind, such as `own-king`
    other        1 for a piece of the opponent; likewise
    neutral-…    1 for a piece of neither side
    is-x         1 everywhere if the observer is `x`, since the sides differ in direction and home
    to-move      1 everywhere if the observer is to move
    plies-left   remaining share of the longest game, everywhere; only if the game has such a limit
    repeated     closeness to a draw by repetition, everywhere; only in games with such a rule
    steps-1 …    1 if the square has at least that many steps left; only if squares wear out
    number       n ÷ (n + 1) for other numbers on places, such as seeds or pieces in hand

Rows run from the top of the board to the bottom.
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

#: Ways to render a position: text or pixels.
RENDER_MODES = ("ansi", "rgb_array")

#: Width of a square in pixels.
SQUARE = 32
#: Radii of pieces, relative to the width of a square.
_RADIUS = 0.36
_HOLE = 0.18
_PLACES = (np.arange(SQUARE) + 0.5) / SQUARE - 0.5
_DISTANCE = np.hypot(*np.meshgrid(_PLACES, _PLACES))
_SHAPES = {"x": _DISTANCE < _RADIUS, "o": (_HOLE < _DISTANCE) & (_DISTANCE < _RADIUS)}


@dataclass(frozen=True)
class Planes:
    """The planes of a game; `planes_of` returns them from a cache."""

    game: Game
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Number of planes, rows and columns; a board that is not a grid has a single row."""
        board = self.game.board
        if isinstance(board, Grid):
            return len(self.names), board.rows, board.columns
        return len(self.names), 1, len(board.places)

    def observe(self, position: Position, observer: str) -> Observation:
        """Returns a position from the view of side `observer`, a float32 array of shape `shape`."""
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
        """Returns the kinds of pieces in a plane."""
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
    """Returns the planes of a game."""
    start = game.start()
    names = [*_piece_planes(game), "is-x", "to-move"]
    if rules.max_plies_left(start.state) <= game.max_plies:
        names.append("plies-left")
    if rules.repetition_limit(start.state) > 0:
        names.append("repeated")
    return Planes(game, (*names, *_number_planes(game)))


def _piece_planes(game: Game) -> list[str]:
    """Returns the names of the planes for pieces."""
    roles = dict.fromkeys(_role(piece) for piece in game.pieces if piece.owner)
    neutral = dict.fromkeys(_role(piece) for piece in game.pieces if not piece.owner)
    several = len(roles) > 1 and any(piece.name for piece in game.pieces)
    names = [f"{side}-{role}" for side in ("own", "other") for role in roles]
    sides = ["own", "other"] if roles else []
    return [*(names if several else sides), *(f"neutral-{role}" for role in neutral)]


def _role(piece: Piece) -> str:
    """Returns the name of a kind of piece as used in the names of planes."""
    return piece.name.replace(" ", "-") or piece.letter.lower()


def _number_planes(game: Game) -> list[str]:
    """Returns the names of the planes for numbers on places."""
    numbers = [content.number for content in game.contents(game.start_state()).values()]
    if any(place.shape == "stack" for place in game.board.places):
        return [f"steps-{number}" for number in range(1, max(filter(None, numbers)) + 1)]
    return ["number"] if any(number is not None for number in numbers) else []


def _repetition_share(position: Position) -> float:
    """Returns the closeness to a draw by repetition: 0 for a new position, 1 for a draw."""
    limit = rules.repetition_limit(position.state)
    if limit < 2 or not position.past:
        return 0.0
    return min(1.0, position.stood / (limit - 1))


@dataclass(frozen=True)
class View:
    """Observations, actions and rendering of a game."""

    game: Game
    actions: Actions
    planes: Planes
    render_mode: str | None

    @classmethod
    def of(cls, game: Game | str, render_mode: str | None) -> View:
        """Returns the view of a game or of a game's spec.

        Raises:
            UsageError: the render mode or the game is unknown.
        """
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = ", ".join(RENDER_MODES)
            raise UsageError("adapter.render-mode", text=render_mode, known=known)
        instance = registry.game(game) if isinstance(game, str) else game
        return cls(instance, actions_of(instance), planes_of(instance), render_mode)

    def observe(self, position: Position, side: str) -> Observation:
        """Returns the planes of a position from the view of a side."""
        return self.planes.observe(position, side)

    def mask(self, position: Position, side: str) -> NDArray[np.int8]:
        """Returns the mask of legal actions of a side: 1 for legal, all 0 if it is not to move."""
        if position.side != side:
            return np.zeros(len(self.actions), dtype=np.int8)
        return self.actions.mask(position)

    def render(self, position: Position, last_move: str | None) -> Any:
        """Returns the board as text or pixels (`render_mode`); None without a render mode."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            from papan.figures.terminal_board import text_board

            return f"{text_board(position, last_move).plain}\n"
        return board_pixels(position)


# --- pixels: drawn with NumPy alone, so that recording videos needs no other package


def board_pixels(position: Position) -> Pixels:
    """Returns the board as an array (height, width, 3): discs for `x`, rings for `o`.

    A platform with more steps left is lighter.
    """
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
    """Returns the name of a square's colour."""
    if content.number is None:
        return "square"
    return f"layer-{min(content.number, 3)}" if content.number else "gone"


def _rgb(name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(LIGHT[name].removeprefix("#")))
