"""Chess: OpenSpiel writes moves as players do (`Nf3`) and counts White, who begins, as its 1."""

import pyspiel

from papan.core.game import Position
from twins import Twin

CHESS = pyspiel.load_game("chess")


def actions(position: Position, move: str) -> list[str]:
    """What OpenSpiel calls a move there; it reads ours too."""
    state = CHESS.new_initial_state(str(position))
    return [state.action_to_string(state.parse_move_to_action(move))]


TWINS = (Twin("chess.py", "chess", actions, first=1),)
