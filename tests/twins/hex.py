"""Hex: the same names, and the same word for taking over the first stone."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """The move as it is."""
    return [move]


TWINS = (
    Twin("hex.py", "hex", actions),
    Twin("hex.py:size=4", "hex(board_size=4)", actions),
    Twin("hex.py:size=5,swap=yes", "hex(board_size=5,swap=True)", actions),
)
