"""English draughts: OpenSpiel makes a chain jump by jump, and ends games without captures early."""

import re
from itertools import pairwise
from typing import Any

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`c3xe5xg7` is `c3e5`, then `e5g7`."""
    return [f"{start}{end}" for start, end in pairwise(re.split("[-x]", move))]


def is_early_draw(position: Position, state: Any) -> bool:
    """True where OpenSpiel has counted forty plies without a capture."""
    return bool(state.is_terminal() and state.returns() == [0, 0])


TWINS = (Twin("checkers.py", "checkers", actions, is_early_draw),)
