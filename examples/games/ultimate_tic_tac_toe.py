"""Ultimate tic-tac-toe: nine small boards; your square decides on which board the opponent plays.

papan play ultimate_tic_tac_toe
"""

from itertools import zip_longest
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, bit, bit_like, down, helper, left, popcount, right

BOARD = rules.Grid(9, 9, blocks=3)
ROW = BOARD.row_length


class State(NamedTuple):
    """A position: stones, the side to move, the board to play on (1 to 9 from the top; 0 for any),
    the usable squares, and the boards that each side has won, as squares of a board of nine.
    """

    mine: Bits
    theirs: Bits
    side: int
    board: int
    free: Bits
    own: Bits
    other: Bits


@helper
def has_row(stones: Bits) -> bool:
    """Returns True if three stones are in a row, on a small board or on the board of nine."""
    rows = stones & right(stones) & right(right(stones))
    rows |= stones & down(stones) & down(down(stones))
    rows |= stones & down(right(stones)) & down(down(right(right(stones))))
    rows |= stones & down(left(stones)) & down(down(left(left(stones))))
    return bool(rows != NONE)


@helper
def small(kind: Bits, board: int) -> Bits:
    """Returns the squares of a small board."""
    squares = bit_like(kind, 3 * ((board - 1) // 3 * ROW + (board - 1) % 3))
    squares |= right(squares) | right(right(squares))
    return squares | down(squares) | down(down(squares))


@rules.moves.register(State)
def _(state: State) -> Bits:
    return state.free & small(state.free, state.board) if state.board > 0 else state.free


@rules.play.register(State)
def _(state: State, move: int) -> State:
    row = move // ROW
    column = move % ROW
    stone = bit_like(state.free, move)
    mine = state.mine | stone
    free = state.free & ~stone
    own = state.own
    here = small(free, 1 + row // 3 * 3 + column // 3)
    if has_row(mine & here):
        free = free & ~here
        own = own | bit(row // 3 * 8 + column // 3)
        if has_row(own):
            free &= NONE
    board = 1 + row % 3 * 3 + column % 3
    if free & small(free, board) == NONE:
        board = 0
    return State(state.theirs, mine, 1 - state.side, board, free, state.other, own)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN if has_row(state.other) else 0


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(state.free)


class Boards(NamedTuple):
    """Small boards won, own − the opponent's."""


@rules.evaluate.register(Boards)
def _(evaluation: Boards, state: State) -> int:
    return popcount(state.own) - popcount(state.other)


class UltimateTicTacToe(rules.Game):
    """Three in a row on a small board win that board; three boards in a row win the game. The
    square of your stone decides on which board the opponent must play; if that board is won or
    full, any board is allowed. When no square is left, the game is a draw."""

    look = "paper"
    board = BOARD
    evaluations = {"boards": Boards()}
    derived = ("free", "own", "other")

    def start_state(self) -> State:
        return State(BOARD.empty, BOARD.empty, 0, 0, BOARD.mask, NONE, NONE)

    def completed(self, state: State) -> State:
        """Plays the stones again, in any order."""
        played = self.start_state()
        for turn in zip_longest(*map(rules.squares, rules.by_side(state))):
            for square in turn:
                played = played if square is None else rules.play(played, square)
        return state._replace(free=played.free, own=played.own, other=played.other)

    def allows(self, state: State) -> bool:
        if popcount(state.theirs) - popcount(state.mine) != state.side:
            return False
        return 0 <= state.board <= 9 and bool(rules.moves(state) != NONE or state.free == NONE)

    def winning_line(self, state: State) -> tuple[int, ...]:
        """Returns the stones of the winner on the boards of the winning row."""
        nine = rules.Grid(3, 3)
        own = set(rules.squares(state.other))
        rows = [row for row in rules.straight_rows(nine, 3) if own.issuperset(row)]
        boards = {1 + square // 8 * 3 + square % 8 for row in rows for square in row}
        won = (rules.squares(state.theirs & small(BOARD.mask, board)) for board in boards)
        return tuple(sorted(square for stones in won for square in stones))
