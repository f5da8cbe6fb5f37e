"""Breakthrough: OpenSpiel's first player begins at the top; captures end with a star."""

from papan.core.game import Position
from twins import Twin


def actions(position: Position, move: str) -> list[str]:
    """`a2-b3` is `a7b6`, with a star if it captures."""
    board = position.game.board
    squares = [board.square(name) for name in move.split("-")]
    names = [f"{name[0]}{board.rows + 1 - int(name[1:])}" for name in map(board.name, squares)]
    captures = position.game.contents(position.state)[squares[1]].owner
    return ["".join(names) + "*" * bool(captures)]


TWINS = (
    Twin("breakthrough.py", "breakthrough", actions),
    Twin("breakthrough.py:rows=6,columns=5", "breakthrough(rows=6,columns=5)", actions),
)
