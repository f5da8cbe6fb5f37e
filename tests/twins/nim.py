"""Nim: OpenSpiel numbers the piles."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`c-3` is `pile:3, take:3;`."""
    pile, taken = move.split("-")
    return [f"pile:{'abcdefgh'.index(pile) + 1}, take:{taken};"]


TWINS = (
    Twin("nim.py:misere=yes", "nim", actions),
    Twin("nim.py:piles=2-4-8-8-3", "nim(is_misere=False,pile_sizes=2;4;8;8;3)", actions),
)
