"""Othello: enclose rows of opposing discs and turn them; more discs at the end win.

papan play examples/games/othello.py

A side that cannot enclose anything passes: then `pass` is its only legal move, which counts as a
move in `papan perft`. The game is over when neither side can enclose anything.
"""

from typing import NamedTuple

import numpy as np

from papan.gamekit import (
    NONE,
    Bits,
    Game,
    Grid,
    StaticBounds,
    bit,
    evaluate,
    final_value,
    helper,
    max_plies_left,
    moves,
    order_hint,
    orthogonal,
    play,
    popcount,
    solving_hint,
    static_bounds,
    win_value,
)

BOARD = Grid(8, 8)
#: Squares on which a row can continue on both sides. The mask keeps rows from leaving the board on
#: the right and continuing on the left.
INNER = np.uint64(0x7E7E_7E7E_7E7E_7E7E)
CORNERS = np.uint64(0x8100_0000_0000_0081)
#: The upper left quarter of the board; the others begin at its squares 4, 32 and 36.
QUARTER = np.uint64(0x0F0F_0F0F)
EDGE = np.uint64(0xFF81_8181_8181_81FF)
CENTRE = np.uint64(0x0000_0018_1800_0000)
START_X = np.uint64(0x0000_0010_0800_0000)

#: The pass has the number of a centre square, where no disc is ever put.
PASS = 27
#: Maximum number of discs between two others in a row.
LONGEST = 6


class State(NamedTuple):
    """A position: discs of the side to move, discs of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def behind(mine: Bits, row: Bits, step: int) -> Bits:
    """Returns the squares directly behind discs of `row` that continue from own discs."""
    forth = row & (mine << step)
    back = row & (mine >> step)
    for _ in range(LONGEST - 1):
        forth |= row & (forth << step)
        back |= row & (back >> step)
    return (forth << step) | (back >> step)


@helper
def placements(mine: Bits, theirs: Bits) -> Bits:
    """Returns the empty squares on which a disc encloses others."""
    inner = theirs & INNER
    squares = behind(mine, theirs, 8) | behind(mine, inner, 1)
    squares |= behind(mine, inner, 7) | behind(mine, inner, 9)
    return squares & ~(mine | theirs)


@helper
def enclosed(disc: Bits, mine: Bits, row: Bits, step: int) -> Bits:
    """Returns the discs of `row` between a new disc and own discs, on both sides."""
    forth = row & (disc << step)
    back = row & (disc >> step)
    for _ in range(LONGEST - 1):
        forth |= row & (forth << step)
        back |= row & (back >> step)
    turned = NONE
    if mine & (forth << step) != NONE:
        turned |= forth
    if mine & (back >> step) != NONE:
        turned |= back
    return turned


@moves.register(State)
def _(state: State) -> Bits:
    squares = placements(state.mine, state.theirs)
    if squares == NONE and placements(state.theirs, state.mine) != NONE:
        return bit(PASS)
    return squares


@play.register(State)
def _(state: State, move: int) -> State:
    if move == PASS:
        return State(state.theirs, state.mine, 1 - state.side)
    disc, inner = bit(move), state.theirs & INNER
    turned = enclosed(disc, state.mine, state.theirs, 8) | enclosed(disc, state.mine, inner, 1)
    turned |= enclosed(disc, state.mine, inner, 7) | enclosed(disc, state.mine, inner, 9)
    return State(state.theirs & ~turned, state.mine | disc | turned, 1 - state.side)


@final_value.register(State)
def _(state: State) -> int:
    return popcount(state.mine) - popcount(state.theirs)


@win_value.register(State)
def _(state: State) -> int:
    """The value of a win is its margin."""
    return 0


@max_plies_left.register(State)
def _(state: State) -> int:
    """After a pass a disc is put, or the game is over."""
    return 2 * popcount(~(state.mine | state.theirs))


@order_hint.register(State)
def _(state: State, move: int) -> int:
    """Corners first."""
    return popcount(bit(move) & CORNERS)


@helper
def anchored(discs: Bits) -> Bits:
    """Returns the discs in unbroken rows from a corner along an edge, which are never turned."""
    edge, held = discs & EDGE, discs & CORNERS
    for _ in range(LONGEST):
        held |= edge & orthogonal(held)
    return held


@static_bounds.register(State)
def _(state: State, ply: int) -> StaticBounds:
    lost, held = popcount(anchored(state.theirs)), popcount(anchored(state.mine))
    return StaticBounds(2 * held - 64, 64 - 2 * lost, 0, 0)


@solving_hint.register(State)
def _(state: State, move: int) -> int:
    """Moves that leave few replies first, corners counted twice; then corners, and quarters with an
    odd number of empty squares, where one may have the last move."""
    if move == PASS:
        return 0
    child = play(state, move)
    replies = placements(child.mine, child.theirs)
    quarter = QUARTER << np.uint64(move & 0o44)
    odd = popcount(quarter & ~(state.mine | state.theirs)) & 1
    merit = popcount(bit(move) & CORNERS) + odd
    return merit - 2 * (popcount(replies) + popcount(replies & CORNERS))


class Mobility(NamedTuple):
    """Possible moves and corners, own − the opponent's. Discs in corners cannot be turned, and a
    side without good moves must make bad ones; the number of discs says little."""

    corner: int  # value of a corner in moves


@evaluate.register(Mobility)
def _(evaluation: Mobility, state: State) -> int:
    choice = popcount(placements(state.mine, state.theirs))
    choice -= popcount(placements(state.theirs, state.mine))
    held = popcount(state.mine & CORNERS) - popcount(state.theirs & CORNERS)
    return choice + evaluation.corner * held


class Othello(Game):
    """Put a disc so that it encloses opposing discs in a row, in any of the eight directions; they
    change to your colour. A side that cannot do so passes. The game ends when neither side can
    move; more discs win."""

    look = "felt"
    side_names = ("Black", "White")
    board = BOARD
    words = ("pass",)
    evaluations = {"mobility": Mobility(corner=8)}

    def start_state(self) -> State:
        return State(START_X, CENTRE & ~START_X, 0)

    def allows(self, state: State) -> bool:
        """The four squares in the middle are never empty."""
        return bool(CENTRE & ~(state.mine | state.theirs) == NONE)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return ("pass",) if move == PASS else (move,)
