"""Chess: OpenSpiel writes moves as players do (`Nf3`) and counts White, who begins, as its 1."""

from functools import lru_cache
from typing import Any

import pyspiel

from papan.core.game import Position
from twins import Twin

CHESS = pyspiel.load_game("chess")


@lru_cache(maxsize=1)
def there(position: Position) -> Any:
    """A position as OpenSpiel's."""
    return CHESS.new_initial_state(str(position))


def actions(position: Position, move: str) -> list[str]:
    """What OpenSpiel calls a move there; it reads ours too."""
    state = there(position)
    return [state.action_to_string(state.parse_move_to_action(move))]


TWINS = (Twin("chess.py", "chess", actions, first=1),)
