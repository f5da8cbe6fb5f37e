"""Adjacency: the Adjacency Strategy Game with its options and notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan.core.board.geometry import Grid
from papan.core.game import Game, by_side
from papan.core.notation import (
    SIDES,
    read_board,
    read_number,
    read_side,
    split_fields,
    write_board,
)
from papan.core.spec import option
from papan.errors import InvalidPosition, InvalidSpec
from papan.games.adjacency.evaluation import Exposure, PieceDifference
from papan.games.adjacency.rules import AdjacencyState
from papan.rules.bits import ROW, Bits, of_squares, popcount

LAYOUT = "<board> <side to move> <plies left>"
SIZES = "4 … 8 | 4x4 … 8x8 (rows x columns)"
_BLOCK = 2  # edge of each side's block of pieces at the start


def read_size(text: str) -> str:
    """Checks a board size: `6`, or `4x5` for four rows of five squares.

    Raises:
        ValueError: the text is malformed or out of range.
    """
    height, _, width = text.partition("x")
    edges = {height, width or height}
    if not edges <= set("45678") or ("x" in text and not width):
        raise ValueError(text)
    return height if width in ("", height) else text


@dataclass(frozen=True)
class Adjacency(Game):
    """Put pieces on empty squares; opposing neighbours change colour; more pieces win."""

    name = "adjacency"
    title = "Adjacency"
    state_class = AdjacencyState
    evaluations = {"pieces": PieceDifference(), "exposure": Exposure()}
    strongest = "exposure"
    fact_names = ("fact.x", "fact.o", "fact.rounds-left")
    levels = {
        "medium": "hill-climbing:variant=steepest",
        "hard": "genetic:model=local-search,depth=2",
        "expert": "engine:depth=4",
    }

    size: str = option("8", "option.size", parse=read_size, expected=SIZES)
    rounds: int = option(0, "option.rounds", low=0, expected="2 … 28")
    first: str = option("x", "option.first", choices=("x", "o"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", str(self.size))
        super().__post_init__()
        if self.rounds and not 2 <= self.rounds <= self.most_rounds:
            expected = f"2 … {self.most_rounds}"
            raise InvalidSpec(
                "spec.bad-value", option="rounds", text=self.rounds, expected=expected
            )

    @property
    def board(self) -> Grid:
        height, _, width = self.size.partition("x")
        return Grid(int(height), int(width or height))

    @property
    def most_rounds(self) -> int:
        """Maximum number of rounds on this board."""
        return (self.board.rows * self.board.columns - 2 * _BLOCK * _BLOCK) // 2

    @property
    def max_plies(self) -> int:
        return 2 * (self.rounds or self.most_rounds)

    def start_state(self) -> AdjacencyState:
        board = self.board
        near, far = range(_BLOCK), range(board.columns - _BLOCK, board.columns)
        bottom = range(board.rows - _BLOCK, board.rows)
        first = of_squares([ROW * row + column for row in bottom for column in near])
        second = of_squares([ROW * row + column for row in near for column in far])
        return self._state(first, second, SIDES.index(self.first), self.max_plies)

    def read_state(self, line: str) -> AdjacencyState:
        board, side, plies = split_fields(line, LAYOUT)
        first, second = read_board(board, self.board)
        pieces = popcount(first | second)
        if pieces < 2 * _BLOCK * _BLOCK:
            raise InvalidPosition("position.too-few", text=board, found=pieces, low=8)
        empties = popcount(self.board.mask) - pieces
        return self._state(
            first, second, read_side(side), read_number(plies, 0, empties, "@word.plies-left")
        )

    def write_state(self, state: AdjacencyState) -> str:
        board = write_board(self.board, *by_side(state))
        return f"{board} {SIDES[state.side]} {state.plies_left}"

    def solvers(self) -> tuple[type[Any], ...]:
        from papan.games.adjacency.partial_board import PartialBoardSolver
        from papan.games.adjacency.subset_dp import FullBoardSolver

        return FullBoardSolver, PartialBoardSolver

    def _state(self, first: Bits, second: Bits, side: int, plies: int) -> AdjacencyState:
        mine, theirs = (first, second) if side == 0 else (second, first)
        return AdjacencyState(mine, theirs, self.board.mask & ~(first | second), plies, side)
