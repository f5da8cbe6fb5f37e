"""Connect Four: drop pieces into seven columns of six; four in a row win.

papan play examples/games/connect_four.py
"""

from typing import NamedTuple

from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    Game,
    Grid,
    can_win_at_once,
    down,
    evaluate,
    exact_key,
    final_value,
    helper,
    max_plies_left,
    moves,
    order_hint,
    play,
    popcount,
    safe_moves,
    solving_hint,
    symmetry_count,
    transform,
    transform_move,
    transformed,
    up,
    without_lowest,
)

BOARD = Grid(6, 7)
SQUARES = BOARD.mask
WIDTH, HEIGHT = BOARD.columns, BOARD.rows
COLUMNS = "abcdefg"

#: A move is the number of its column, which equals the number of the column's top square.
TOP_ROW = Grid(1, 7).mask
BOTTOM_ROW = TOP_ROW << 8 * (HEIGHT - 1)
COLUMN = Grid(6, 1).mask
MIDDLE = WIDTH // 2

MIRROR = 2  # index of the left-right reflection in `transformed`


class State(NamedTuple):
    """A position: pieces of the side to move, pieces of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def fours(squares: Bits, step: int) -> Bits:
    """Returns the squares from which three steps in one direction stay in the set."""
    pairs = squares & (squares >> step)
    return pairs & (pairs >> (2 * step))


@helper
def has_four(pieces: Bits) -> bool:
    """Returns True if four pieces are in a row: horizontally, vertically or diagonally."""
    rows = fours(pieces, 1) | fours(pieces, 7) | fours(pieces, 8) | fours(pieces, 9)
    return bool(rows != NONE)


@moves.register(State)
def _(state: State) -> Bits:
    if has_four(state.theirs):
        return NONE
    return TOP_ROW & ~(state.mine | state.theirs)


@play.register(State)
def _(state: State, move: int) -> State:
    taken = state.mine | state.theirs
    landing = (BOTTOM_ROW | up(taken)) & ~taken & (COLUMN << move)
    return State(state.theirs, state.mine | landing, 1 - state.side)


@final_value.register(State)
def _(state: State) -> int:
    return -WIN if has_four(state.theirs) else 0


@max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(SQUARES) - popcount(state.mine | state.theirs)


@order_hint.register(State)
def _(state: State, move: int) -> int:
    """The middle is part of more fours than the edges."""
    return -abs(move - MIDDLE)


@symmetry_count.register(State)
def _(state: State) -> int:
    return 2


@transform.register(State)
def _(state: State, index: int) -> State:
    return State(
        transformed(state.mine, MIRROR * index, HEIGHT, WIDTH),
        transformed(state.theirs, MIRROR * index, HEIGHT, WIDTH),
        state.side,
    )


@transform_move.register(State)
def _(state: State, move: int, index: int) -> int:
    return move if index == 0 else WIDTH - 1 - move


# --- faster solving ------------------------------------------------------------------------------


@helper
def in_line(pieces: Bits, step: int) -> Bits:
    """Returns the squares that complete a four with three pieces, in both directions of a line."""
    before = (pieces << step) & (pieces << (2 * step))
    behind = (pieces >> step) & (pieces >> (2 * step))
    ends = (before & (pieces << (3 * step))) | (behind & (pieces >> (3 * step)))
    return ends | (before & (pieces >> step)) | (behind & (pieces << step))


@helper
def completing(pieces: Bits, taken: Bits) -> Bits:
    """Returns the empty squares that complete a four."""
    squares = in_line(pieces, 1) | in_line(pieces, 7) | in_line(pieces, 8) | in_line(pieces, 9)
    return squares & SQUARES & ~taken


@helper
def landings(taken: Bits) -> Bits:
    """Returns the lowest empty square of each column."""
    return (BOTTOM_ROW | up(taken)) & ~taken


@can_win_at_once.register(State)
def _(state: State) -> bool:
    taken = state.mine | state.theirs
    return bool(completing(state.mine, taken) & landings(taken) != NONE)


@safe_moves.register(State)
def _(state: State) -> Bits:
    taken = state.mine | state.theirs
    threats = completing(state.theirs, taken)
    free = landings(taken)
    forced = free & threats
    if forced != NONE:
        if without_lowest(forced) != NONE:
            return NONE
        free = forced
    free &= ~down(threats)
    free |= free >> 8
    free |= free >> 16
    return (free | free >> 32) & TOP_ROW


@solving_hint.register(State)
def _(state: State, move: int) -> int:
    """Number of squares that would complete a four after the move, then the middle."""
    taken = state.mine | state.theirs
    mine = state.mine | landings(taken) & (COLUMN << move)
    return 4 * popcount(completing(mine, taken | mine)) - abs(move - MIDDLE)


@exact_key.register(State)
def _(state: State) -> tuple[Bits, Bits]:
    return state.mine, state.theirs


class OpenFours(NamedTuple):
    """Rows of four squares without opposing pieces, own − the opponent's."""


@helper
def count_open(squares: Bits) -> int:
    """Returns the number of rows of four squares inside a set."""
    upright = popcount(fours(squares, 1)) + popcount(fours(squares, 8))
    return upright + popcount(fours(squares, 7)) + popcount(fours(squares, 9))


@evaluate.register(OpenFours)
def _(evaluation: OpenFours, state: State) -> int:
    return count_open(SQUARES & ~state.theirs) - count_open(SQUARES & ~state.mine)


class ConnectFour(Game):
    """Drop a piece into one of seven columns. Four in a row, horizontally, vertically or
    diagonally, win. When the board is full, the game is a draw."""

    board = BOARD
    look = "rack"
    side_names = ("Yellow", "Red")
    winning_row = 4
    words = tuple(BOARD.column_names)
    evaluations = {"open-fours": OpenFours()}

    def start_state(self) -> State:
        return State(NONE, NONE, 0)

    def allows(self, state: State) -> bool:
        """Pieces rest on the bottom or on other pieces, and the sides alternate."""
        taken = state.mine | state.theirs
        resting = bool(taken & ~(BOTTOM_ROW | up(taken)) == NONE)
        ahead = popcount(state.theirs) - popcount(state.mine)
        return resting and ahead == state.side and not has_four(state.mine)

    def steps(self, move: int) -> tuple[str]:
        return (self.words[move],)

    def touches(self, move: int) -> tuple[int, ...]:
        return tuple(BOARD.at(row, move) for row in range(HEIGHT))
