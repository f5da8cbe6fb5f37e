"""Go: OpenSpiel forbids suicide, and ends a game where a board comes again, which we forbid."""

from papan.core.game import Position
from papan.rules.bits import bit_like
from twins import Twin

#: OpenSpiel leaves out the letter i, as players do.
LETTERS = "abcdefghjklmnopqrst"


def actions(position: Position, move: str) -> list[str]:
    """`e5` is `B e5`; a stone that has no liberty when it has taken what it can is no action."""
    side = {"x": "B", "o": "W"}[position.side]
    if move == "pass":
        return [f"{side} PASS"]
    place = position.game.board.square(move)
    after = position.after(place).state
    if not after.theirs & bit_like(after.theirs, place):
        return []
    row, column = position.game.board.row_and_column(place)
    return [f"{side} {LETTERS[column]}{position.game.board.rows - row}"]


def comes_again(position: Position, action: str) -> bool:
    """True if the board after an action has been there before."""
    where = action.split()[1]
    if where == "PASS":
        return False
    place = position.game.board.at(
        position.game.board.rows - int(where[1:]), LETTERS.index(where[0])
    )
    stood = {*position.past, position.position_key}
    return position.after(place).position_key in stood


TWINS = tuple(
    Twin(
        f"go.py:size={size},komi={komi}",
        f"go(board_size={size},komi={komi / 2},max_game_length=2000)",
        actions,
        forbids=comes_again,
    )
    for size, komi in ((5, 15), (9, 15))
)
