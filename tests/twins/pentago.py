"""Pentago: OpenSpiel counts rows from the top, and has a letter for each way to turn a quarter."""

from papan.core.game import Position
from twins import Twin

WAYS = {"b5": "st", "e5": "uv", "e2": "wx", "b2": "yz"}


def actions(position: Position, move: str) -> list[str]:
    """`c4-b5-left` is `c3s`."""
    square, quarter, way = move.split("-")
    return [f"{square[0]}{7 - int(square[1])}{WAYS[quarter][way == 'right']}"]


TWINS = (Twin("pentago.py", "pentago", actions),)
