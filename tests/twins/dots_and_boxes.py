"""Dots and Boxes: OpenSpiel numbers the rows and columns of lying and of upright edges."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`b5` on a board of 2 × 2 boxes is `(h,0,0)`, after the player's number."""
    board = position.game.board
    edge, lying = board.square(move), (board.rows + 1) * board.columns
    if edge < lying:
        kind, row, column = "h", *divmod(edge, board.columns)
    else:
        kind, row, column = "v", *divmod(edge - lying, board.columns + 1)
    return [f"P{'xo'.index(position.side) + 1}({kind},{row},{column})"]


TWINS = (
    Twin("dots_and_boxes.py:rows=2,columns=2", "dots_and_boxes", actions),
    Twin("dots_and_boxes.py:rows=3,columns=4", "dots_and_boxes(num_rows=3,num_cols=4)", actions),
)
