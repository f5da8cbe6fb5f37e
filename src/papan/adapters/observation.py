"""Positions as planes of numbers from 0 to 1, one number for each square, for learning.

    own          a piece of the observer's stands here
    other        a piece of the opponent's stands here
    is-x         everywhere 1 if the observer is `x`, whose direction and home differ from `o`'s
    to-move      everywhere 1 if it is the observer's turn
    plies-left   everywhere the share of the longest game that is left, where a game knows that
    repeated     everywhere how near the position is to a draw by repetition, where that is a rule
    steps-1 …    the square can be stepped on so often at least, where squares wear out

Rows run from the top of the board down, as they are written.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papan.core.game import Game, Position
from papan.kernel import operations as rules

Observation = NDArray[np.float32]


@dataclass(frozen=True)
class Planes:
    """Which planes a game has; `planes_of` has them ready."""

    game: Game
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many planes, rows and columns."""
        frame = self.game.frame
        return len(self.names), frame.height, frame.width

    def observe(self, position: Position, observer: str) -> Observation:
        """A position as the side `observer` sees it; float32 in the shape of `shape`."""
        cells = position.game.cells(position.state)
        shown = [cells[square] for square in self.game.frame.squares]
        everywhere = {
            "is-x": float(observer == "x"),
            "to-move": float(position.side == observer),
            "plies-left": self._plies_left(position),
            "repeated": _repeated(position),
        }
        seen = np.zeros((len(self.names), len(shown)), dtype=np.float32)
        for plane, name in zip(seen, self.names, strict=True):
            if name in everywhere:
                plane[:] = everywhere[name]
            elif name.startswith("steps-"):
                least = int(name.removeprefix("steps-"))
                plane[:] = [(cell.steps_left or 0) >= least for cell in shown]
            else:
                own = name == "own"
                plane[:] = [cell.piece != "" and (cell.piece == observer) == own for cell in shown]
        return seen.reshape(self.shape)

    def _plies_left(self, position: Position) -> float:
        return min(1.0, rules.max_plies_left(position.state) / max(1, self.game.max_plies))


@functools.cache
def planes_of(game: Game) -> Planes:
    """The planes of a game."""
    start = game.start()
    names = ["own", "other", "is-x", "to-move"]
    if rules.max_plies_left(start.state) <= game.max_plies:
        names.append("plies-left")
    if rules.repetition_limit(start.state) > 0:
        names.append("repeated")
    most = max(cell.steps_left or 0 for cell in game.cells(start.state).values())
    return Planes(game, (*names, *(f"steps-{number}" for number in range(1, most + 1))))


def _repeated(position: Position) -> float:
    """0 for a position that is new in its game, 1 where the next time is a draw or has been."""
    limit = rules.repetition_limit(position.state)
    if limit < 2 or not position.past:
        return 0.0
    return min(1.0, position.past.count(position.key) / (limit - 1))
