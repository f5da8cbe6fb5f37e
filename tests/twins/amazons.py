"""Amazons: OpenSpiel's moves are made of three actions, with rows and columns from the top left."""

from papan.core.game import Position
from twins import Twin

WORDS = ("From", "To", "Shoot:")


def actions(position: Position, move: str) -> list[str]:
    """`a4-a7/b7` is `X From (7, 1)`, `X To (4, 1)` and `X Shoot: (4, 2)`."""
    board = position.game.board
    places = [board.square(name) for name in move.replace("/", "-").split("-")]
    cells = [tuple(1 + number for number in board.row_and_column(place)) for place in places]
    side = position.side.upper()
    return [f"{side} {word} {cell}" for word, cell in zip(WORDS, cells, strict=True)]


TWINS = (
    Twin("amazons.py:size=6", "amazons(board_size=6)", actions),
    Twin("amazons.py:size=8", "amazons(board_size=8)", actions),
    Twin("amazons.py", "amazons(board_size=10)", actions),
)
