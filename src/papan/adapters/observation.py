"""Positions and moves as learning libraries expect them: planes of numbers, text and pixels;
actions and masks of the legal ones.

Planes for learning contain numbers from 0 to 1, one for each square:

    own          1 for a piece of the observer; a side with several kinds of pieces has one plane
                 per kind, such as `own-king`
    other        1 for a piece of the opponent; likewise
    neutral-…    1 for a piece of neither side
    is-x         1 everywhere if the observer is `x`, since the sides differ in direction and home
    to-move      1 everywhere if the observer is to move
    plies-left   remaining share of the longest game, everywhere; only if the game has such a limit
    repeated     closeness to a draw by repetition, from 0 for a new position to 1 for a draw,
                 everywhere; only in games with such a rule
    steps-1 …    1 if the square has at least that many steps left; only if squares wear out
    number       n ÷ (n + 1) for other numbers on places, such as seeds or pieces in hand

Rows run from the top of the board to the bottom.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.core.board.geometry import Grid
from papan.core.board.pieces import Content, Piece
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.core.readiness import prepare
from papan.errors import GameOver, IllegalMove, InvalidMove, PapanError, UsageError
from papan.figures.theme import LIGHT
from papan.jit.compiler import entry_of, kernel
from papan.rules import operations as rules
from papan.rules.operations import State
from papan.usercode import registry

Observation = NDArray[np.float32]
Pixels = NDArray[np.uint8]

#: Ways to render a position: text or pixels.
RENDER_MODES = ("ansi", "rgb_array")

_NO_PLANE = -1

#: Width of a square in pixels.
SQUARE = 32
#: Radii of pieces, relative to the width of a square.
_RADIUS = 0.36
_HOLE = 0.18
_PLACES = (np.arange(SQUARE) + 0.5) / SQUARE - 0.5
_DISTANCE = np.hypot(*np.meshgrid(_PLACES, _PLACES))
_SHAPES = {"x": _DISTANCE < _RADIUS, "o": (_HOLE < _DISTANCE) & (_DISTANCE < _RADIUS)}


class PlaneTable(NamedTuple):
    """The planes of a game as compiled code needs them; planes have indices, −1 if there is none.

    Attributes:
        places: numbers of the places.
        plane_of: plane of each kind of piece, for each observer.
        is_x: plane with the side of the observer; the next one shows whether it is to move.
        plies_left: plane with the share of plies that remain.
        most_plies: largest length of a game.
        repeated: plane with the closeness to a draw by repetition.
        number: plane with the numbers on places.
        first_step: plane with the places that have at least one step left.
        steps: number of such planes.
    """

    places: NDArray[np.int64]
    plane_of: NDArray[np.int64]
    is_x: int
    plies_left: int
    most_plies: int
    repeated: int
    number: int
    first_step: int
    steps: int


@kernel
def fill_planes(
    state: State, observer: int, stood: int, table: PlaneTable, planes: Observation
) -> bool:
    """Writes the planes of a position; returns False if a place has an impossible content.

    Args:
        state: the position.
        observer: the side whose view it is.
        stood: number of earlier occurrences of the position.
        table: the planes.
        planes: an array of zeros for planes, rows and columns.
    """
    columns = planes.shape[2]
    for index in range(len(table.places)):
        row, column = index // columns, index % columns
        place = table.places[index]
        kind, number = rules.piece_at(state, place), max(0, rules.count_at(state, place))
        if not 0 <= kind < table.plane_of.shape[1]:
            return False
        if table.plane_of[observer, kind] >= 0:
            planes[table.plane_of[observer, kind], row, column] = 1.0
        if table.number >= 0:
            planes[table.number, row, column] = 1.0 - 1.0 / (1.0 + number)
        for step in range(min(number, table.steps)):
            planes[table.first_step + step, row, column] = 1.0
    planes[table.is_x] = 1.0 - observer
    planes[table.is_x + 1] = rules.side_to_move(state) == observer
    if table.plies_left >= 0:
        left = rules.max_plies_left(state)
        planes[table.plies_left] = min(1.0, left / table.most_plies)
    if table.repeated >= 0:
        planes[table.repeated] = min(1.0, stood / max(1, rules.repetition_limit(state) - 1))
    return True


@dataclass(frozen=True)
class Planes:
    """The planes of a game; `planes_of` returns them from a cache."""

    game: Game
    names: tuple[str, ...]

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """Number of planes, rows and columns; a board that is not a grid has a single row."""
        board = self.game.board
        if isinstance(board, Grid):
            return len(self.names), board.rows, board.columns
        return len(self.names), 1, len(board.places)

    def observe(self, position: Position, observer: str) -> Observation:
        """Returns a position from the view of side `observer`, a float32 array of shape `shape`."""
        planes = np.zeros(self.shape, dtype=np.float32)
        self.write(position, observer, planes)
        return planes

    def write(self, position: Position, observer: str, planes: Observation) -> None:
        """Writes a position from the view of side `observer` into an array of shape `shape`, whose
        numbers are 0.
        """
        side, stood = SIDES.index(observer), position.stood if position.past else 0
        try:
            fits = self._fill(position.fields, side, stood, self._table, planes)
        except Exception:
            self._explain(position)
            raise
        if not fits:
            self._explain(position)

    def _explain(self, position: Position) -> None:
        """Runs the rules in plain Python, which raises an error with file and line."""
        self.game.contents(position.state)
        rules.max_plies_left(position.state)

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

    @cached_property
    def _table(self) -> PlaneTable:
        plane = {name: index for index, name in enumerate(self.names)}
        kinds = np.full((len(SIDES), len(self.game.pieces) + 1), _NO_PLANE, dtype=np.int64)
        for observer in SIDES:
            for name in self.names[: plane["is-x"]]:
                for piece in self._kinds(name, observer):
                    kind = self.game.pieces.index(piece) + 1
                    kinds[SIDES.index(observer), kind] = plane[name]
        steps = [name for name in self.names if name.startswith("steps-")]
        return PlaneTable(
            places=np.array([*self.game.contents(self.game.start_state())], dtype=np.int64),
            plane_of=kinds,
            is_x=plane["is-x"],
            plies_left=plane.get("plies-left", _NO_PLANE),
            most_plies=max(1, self.game.max_plies),
            repeated=plane.get("repeated", _NO_PLANE),
            number=plane.get("number", _NO_PLANE),
            first_step=plane[steps[0]] if steps else _NO_PLANE,
            steps=len(steps),
        )

    @cached_property
    def _fill(self) -> Callable[..., bool]:
        planes = np.zeros(self.shape, dtype=np.float32)
        return entry_of(fill_planes, self.game.start_state(), 0, 0, self._table, planes)

    def __reduce__(self) -> tuple[Any, ...]:
        return planes_of, (self.game,)


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
        prepare(instance)
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


# --- actions -------------------------------------------------------------------------------------
#
# Actions are consecutive numbers from 0. A game's own move numbers have gaps: on a 5 × 5 board of
# Adjacency they go up to 36. The actions are all moves that have a notation, legal or not, in the
# order of their numbers.

#: Upper limit of move numbers: enough for moves between two places of up to 256.
MOST_CODES = 1 << 16

_NO_ACTION = -1


@dataclass(frozen=True)
class Actions:
    """The actions of a game; `actions_of` returns them from a cache.

    Attributes:
        game: the game.
        codes: move number of each action.
    """

    game: Game
    codes: tuple[int, ...]
    _action_of: list[int] = field(init=False, repr=False, compare=False)
    _texts: list[str] = field(init=False, repr=False, compare=False)
    _action_of_text: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        action_of = [_NO_ACTION] * codes_of(self.game)
        for action, code in enumerate(self.codes):
            action_of[code] = action
        object.__setattr__(self, "_action_of", action_of)
        texts = [self.game.write_move(code) for code in self.codes]
        object.__setattr__(self, "_texts", texts)
        actions = {text: action for action, text in enumerate(texts)}
        object.__setattr__(self, "_action_of_text", actions)

    def __len__(self) -> int:
        return len(self.codes)

    def legal(self, position: Position) -> list[int]:
        """Returns the legal actions in ascending order; empty after the end of the game.

        Raises:
            UsageError: a move of the game has no action.
        """
        try:
            actions = [self._action_of[code] for code in position.codes()]
        except IndexError:
            actions = [_NO_ACTION]
        if _NO_ACTION in actions:
            raise UsageError("adapter.moves", text=self.game.spec, most=MOST_CODES)
        return actions

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Returns an array with one element per action: 1 if it is legal, else 0."""
        mask = bytearray(len(self))
        for action in self.legal(position):
            mask[action] = 1
        return np.frombuffer(mask, np.int8)

    def text(self, action: int) -> str:
        """Returns the move of an action in the game's notation."""
        return self._texts[action]

    def action(self, move: str) -> int:
        """Returns the action of a written move.

        Raises:
            InvalidMove: the text is not a move.
        """
        action = self._action_of_text.get(move)
        if action is None:
            raise InvalidMove("move.unreadable", text=move, example=self.text(0))
        return action

    def after(self, position: Position, action: int) -> Position:
        """Returns the position after an action.

        Raises:
            IllegalMove: the action is illegal or does not exist.
        """
        number = operator.index(action)
        if not 0 <= number < len(self.codes):
            raise self._refusal(position, str(number))
        try:
            return position.play(self.codes[number])
        except (IllegalMove, GameOver):
            raise self._refusal(position, self.text(number)) from None

    def _refusal(self, position: Position, text: str) -> IllegalMove:
        shown = ", ".join(map(self.text, self.legal(position)[:8]))
        return IllegalMove("move.illegal", text=text, legal=shown)


@functools.cache
def actions_of(game: Game) -> Actions:
    """Returns the actions of a game: all moves that have a notation."""
    return Actions(game, tuple(_codes(game)))


def codes_of(game: Game) -> int:
    """Returns the number after the largest move number of a game, at most `MOST_CODES`."""
    return min(int(rules.largest_move(game.start_state())) + 1, MOST_CODES)


def _codes(game: Game) -> Iterator[int]:
    for code in range(codes_of(game)):
        try:
            game.write_move(code)
        except (PapanError, LookupError, ValueError):  # not the number of a move
            continue
        yield code
