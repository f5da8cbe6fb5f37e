"""Quoridor: OpenSpiel counts rows from the top, names a wall by the square where it begins, and
lets positions be repeated."""

from typing import Any

from papan.core.game import Outcome, Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """With 5 × 5 squares `e3` is `c4`, the wall `e4` is `c3h`, and `f3` is `c4v`."""
    board = position.game.board
    row, column = board.row_and_column(board.square(move))
    return [f"{'abcdefghi'[column // 2]}{row // 2 + 1}{'h' * (row % 2)}{'v' * (column % 2)}"]


def repeated(position: Position, state: Any) -> bool:
    """True if a position has occurred three times."""
    return position.outcome() is Outcome.DRAW


TWINS = (Twin("quoridor.py:size=5", "quoridor(board_size=5)", actions, repeated),)
