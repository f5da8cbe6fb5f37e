"""Clobber: the same names; OpenSpiel's first player has the o, where Papan's x stands."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`a5-b5` is `a5b5`."""
    return [move.replace("-", "")]


TWINS = (
    Twin("clobber.py", "clobber", actions),
    Twin("clobber.py:rows=8,columns=7", "clobber(rows=8,columns=7)", actions),
)
