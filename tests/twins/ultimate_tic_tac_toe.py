"""Ultimate tic-tac-toe: where a side may choose, OpenSpiel has it say on which board first."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`b9` is `Local board 0: x(0,1)`."""
    row, column = position.game.board.row_and_column(position.game.board.square(move))
    board = row // 3 * 3 + column // 3
    stone = f"Local board {board}: {position.side}({row % 3},{column % 3})"
    return [f"Choose local board {board}", stone] if position.state.board == 0 else [stone]


TWINS = (Twin("ultimate_tic_tac_toe.py", "ultimate_tic_tac_toe", actions),)
