"""Gomoku: OpenSpiel says row and column, from the top left; six in a row win there as well."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`a15` is `0,0`."""
    board = position.game.board
    row, column = board.row_and_column(board.square(move))
    return [f"{row},{column}"]


TWINS = (
    Twin("gomoku.py", "gomoku", actions),
    Twin("gomoku.py:size=7,row=4", "gomoku(size=7,connect=4)", actions),
)
