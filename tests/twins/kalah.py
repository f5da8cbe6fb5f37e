"""Kalah, which OpenSpiel calls Mancala: pits are numbered as they are sown, 0 being a store."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`a` is 1, `F` is 13."""
    return [str(position.game.board.square(move) + 1)]


TWINS = (Twin("kalah.py", "mancala", actions),)
