"""What every environment shows of its position: planes, mask and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.adapters.actions import Actions, actions_of
from papan.adapters.observation import Observation, Planes, planes_of
from papan.core import registry
from papan.core.game import Game, Position
from papan.errors import UsageError

#: How a position can be rendered: as text, or as pixels.
RENDER_MODES = ("ansi", "rgb_array")


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
        found = registry.game(game) if isinstance(game, str) else game
        return cls(found, actions_of(found), planes_of(found), render_mode)

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
        from papan.adapters.rgb import board_pixels

        return board_pixels(position)
