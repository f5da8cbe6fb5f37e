"""Boards as pixels, for what records videos of environments: plain numpy, nothing to install."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papan.core.game import Cell, Position
from papan.figures.theme import LIGHT

#: The edge of a square in pixels.
SQUARE = 32

#: Radii of pieces, as parts of a square's edge.
_RADIUS = 0.36
_HOLE = 0.18

Pixels = NDArray[np.uint8]

_PLACES = (np.arange(SQUARE) + 0.5) / SQUARE - 0.5
_DISTANCE = np.hypot(*np.meshgrid(_PLACES, _PLACES))
_SHAPES = {"x": _DISTANCE < _RADIUS, "o": (_HOLE < _DISTANCE) & (_DISTANCE < _RADIUS)}


def board_pixels(position: Position) -> Pixels:
    """The board as an array of height × width × 3 colours: discs for `x`, rings for `o`; the
    lighter a platform, the more often it can be stepped on."""
    frame = position.game.frame
    cells = position.game.cells(position.state)
    pixels = np.empty((frame.height * SQUARE, frame.width * SQUARE, 3), dtype=np.uint8)
    for square in frame.squares:
        row, column = (SQUARE * place for place in divmod(square, 8))
        pixels[row : row + SQUARE, column : column + SQUARE] = _tile(cells[square])
    return pixels


def _tile(cell: Cell) -> Pixels:
    tile = np.empty((SQUARE, SQUARE, 3), dtype=np.uint8)
    tile[:] = _rgb("line")
    tile[1:, 1:] = _rgb(_ground(cell))
    if cell.piece:
        tile[_SHAPES[cell.piece]] = _rgb(cell.piece)
    return tile


def _ground(cell: Cell) -> str:
    """The name of the colour of a square."""
    if cell.steps_left is None:
        return "square"
    return f"layer-{cell.steps_left}" if cell.steps_left else "gone"


def _rgb(name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(LIGHT[name].removeprefix("#")))
