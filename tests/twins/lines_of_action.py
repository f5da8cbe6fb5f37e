"""Lines of Action: OpenSpiel's game is a draw as soon as a board comes back, whoever is to move."""

from papan.core.game import Position
from twins import State, Twin


def actions(position: Position, move: str) -> list[str]:
    """`b1-h1`, and `c1xa3` if it captures."""
    target = position.game.board.square(move.split("-")[1])
    captures = position.game.contents(position.state)[target].owner
    return [move.replace("-", "x") if captures else move]


def is_repeated(position: Position, state: State) -> bool:
    """True if OpenSpiel's game has ended without a winner."""
    return bool(state.is_terminal() and state.returns()[0] == 0)


TWINS = (Twin("lines_of_action.py", "lines_of_action", actions, is_repeated),)
