"""Corners: one-way Ugolki with its notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan.core.board.geometry import Grid
from papan.core.game import Game, by_side
from papan.core.notation import SIDES, read_board, read_side, split_fields, write_board
from papan.errors import InvalidMove, InvalidPosition
from papan.games.corners.evaluation import (
    CornerDistance,
    CornerStuck,
    MatchedDestinations,
)
from papan.games.corners.rules import BOTTOM_RIGHT, TOP_LEFT, CornersState, goal
from papan.rules.bits import popcount

LAYOUT = "<board> <side to move>"
_BOARD = Grid(8, 8)
_PIECES = 9


@dataclass(frozen=True)
class Corners(Game):
    """Bring nine pieces to the opposite corner, stepping and jumping forward."""

    name = "corners"
    title = "Corners"
    state_class = CornersState
    joints = ("",)
    fact_names = ("fact.x-to-go", "fact.o-to-go")
    evaluations = {
        "corner": CornerDistance(),
        "matched": MatchedDestinations(),
        "stuck": CornerStuck(),
    }
    # 18 wins, 2 draws, no loss in 20 games against `corner`, both by alpha–beta to depth 3.
    strongest = "stuck"
    levels = {
        "easy": "hill-climbing:variant=stochastic,evaluation=stuck",
        "medium": "hill-climbing:variant=steepest,evaluation=stuck",
        "hard": "corners-minimax:heuristic=corner,depth=3",
    }

    @property
    def board(self) -> Grid:
        return _BOARD

    @property
    def max_plies(self) -> int:
        """An upper limit: random games last 156 plies on average and at most 250."""
        return 2000

    def start_state(self) -> CornersState:
        return CornersState(BOTTOM_RIGHT, TOP_LEFT, 0)

    def read_state(self, line: str) -> CornersState:
        board, side = split_fields(line, LAYOUT)
        pieces = read_board(board, _BOARD)
        for name, bits in zip(SIDES, pieces, strict=True):
            if popcount(bits) != _PIECES:
                raise InvalidPosition(
                    "position.count", text=board, side=name, found=popcount(bits), expected=_PIECES
                )
        mover = read_side(side)
        return CornersState(pieces[mover], pieces[1 - mover], mover)

    def write_state(self, state: CornersState) -> str:
        return f"{write_board(_BOARD, *by_side(state))} {SIDES[state.side]}"

    def read_move(self, text: str, state: CornersState) -> int:
        source, target = _BOARD.find(text[:2]), _BOARD.find(text[2:])
        if source is None or target is None:
            raise InvalidMove("move.no-pair", text=text)
        return 64 * source + target

    def steps(self, move: int) -> tuple[int, int]:
        return move >> 6, move & 63

    def homes(self) -> dict[int, str]:
        blocks = {"x": goal(1), "o": goal(0)}
        return {
            square: side
            for side, block in blocks.items()
            for square in _BOARD.squares
            if int(block) >> square & 1
        }

    def solvers(self) -> tuple[type[Any], ...]:
        from papan.games.corners.solver import EndgameSolver

        return (EndgameSolver,)
