"""Platforms (Permainan Papan Strategi) with its options and notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import papan.games.platforms.solver  # noqa: F401  # registers bounds and keys for solving
from papan.core.board.geometry import Grid
from papan.core.game import Game, by_side
from papan.core.notation import SIDES, read_side, split_fields
from papan.core.spec import option
from papan.errors import InvalidPosition
from papan.games.platforms.evaluation import Mobility, Undecided
from papan.games.platforms.rules import PlatformsState, steps_left
from papan.rules.bits import ROW, of_squares

LAYOUT = "<durability> <side to move> <square of x> <square of o>"


@dataclass(frozen=True)
class Platforms(Game):
    """Step on platforms that wear out; a player who cannot step loses."""

    name = "platforms"
    title = "Platforms"
    state_class = PlatformsState
    evaluations = {"undecided": Undecided(), "mobility": Mobility()}
    strongest = "mobility"
    levels = {
        "easy": "hill-climbing:variant=stochastic,evaluation=mobility",
        "medium": "platforms-minimax:depth=4",
        "hard": "minimax:depth=4,evaluation=mobility",
        "expert": "engine:depth=12",
    }

    size: int = option(3, "option.size", low=3, high=6)
    level: int = option(1, "option.level", low=1, high=3)
    first: str = option("x", "option.first", choices=("x", "o"))

    @property
    def board(self) -> Grid:
        return Grid(self.size, self.size, shape="stack")

    @property
    def max_plies(self) -> int:
        return self.size * self.size * self.level - 2

    def solvers(self) -> tuple[type[Any], ...]:
        # The known bounds of the values make this solver faster than a search for near wins first.
        from papan.solve.null_window import NullWindowSolver

        return (NullWindowSolver,)

    def start_state(self) -> PlatformsState:
        corners = (0, (ROW + 1) * (self.size - 1))
        left = {square: self.level - (square in corners) for square in self.board.squares}
        return self._state(left, corners, SIDES.index(self.first))

    def read_state(self, line: str) -> PlatformsState:
        durability, side, *pawns = split_fields(line, LAYOUT)
        left = self._read_durability(durability)
        squares = [self._read_pawn(text, left) for text in pawns]
        if squares[0] == squares[1]:
            raise InvalidPosition("position.same-square", text=pawns[1])
        return self._state(left, (squares[0], squares[1]), read_side(side))

    def write_state(self, state: PlatformsState) -> str:
        digits = [str(steps_left(state, square)) for square in self.board.squares]
        rows = ["".join(digits[i : i + self.size]) for i in range(0, len(digits), self.size)]
        pawns = " ".join(self.board.name(square) for square in by_side(state))
        return f"{'/'.join(rows)} {SIDES[state.side]} {pawns}"

    def _read_durability(self, text: str) -> dict[int, int]:
        rows = text.split("/")
        if len(rows) != self.size:
            raise InvalidPosition("position.rows", text=text, found=len(rows), expected=self.size)
        for row in rows:
            if len(row) != self.size:
                raise InvalidPosition(
                    "position.row-length", text=row, found=len(row), expected=self.size
                )
        digits = "".join(rows)
        for digit in digits:
            if digit not in "0123"[: self.level + 1]:
                raise InvalidPosition("position.durability", text=digit, level=self.level)
        return dict(zip(self.board.squares, map(int, digits), strict=True))

    def _read_pawn(self, text: str, left: dict[int, int]) -> int:
        square = self.board.find(text)
        if square is None:
            raise InvalidPosition("position.no-square", text=text, extent=self.board.extent)
        if left[square] == self.level:
            raise InvalidPosition("position.untouched", text=text, level=self.level)
        return square

    def _state(self, left: dict[int, int], pawns: tuple[int, int], side: int) -> PlatformsState:
        one, two, three = (
            of_squares([square for square, steps in left.items() if steps >= least])
            for least in (1, 2, 3)
        )
        return PlatformsState(one, two, three, pawns[side], pawns[1 - side], side, self.size)
