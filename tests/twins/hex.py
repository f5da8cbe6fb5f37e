"""Hex: the same names; OpenSpiel has a word for taking over the first stone."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """A move onto a stone is `swap`."""
    taken = position.game.contents(position.state)[position.game.board.square(move)].owner
    return ["swap" if taken else move]


TWINS = (
    Twin("hex.py", "hex", actions),
    Twin("hex.py:size=4", "hex(board_size=4)", actions),
    Twin("hex.py:size=5,swap=yes", "hex(board_size=5,swap=True)", actions),
)
