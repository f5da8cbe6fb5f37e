"""The rules of Adjacency on bitboards.

A move puts a piece on any empty square; opposing pieces on the four orthogonal neighbours change
sides. The game lasts a fixed number of plies, and the side with more pieces wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.rules.bits import (
    LEFT_COLUMN,
    NONE,
    Bits,
    bit,
    half_turn,
    lowest,
    orthogonal,
    popcount,
    table,
    transformed,
    without_lowest,
)
from papan.rules.dispatch import helper
from papan.rules.keys import combined, zobrist_keys
from papan.rules.operations import (
    count_moves,
    fact,
    final_value,
    is_over,
    key,
    max_plies_left,
    moves,
    next_key,
    order_hint,
    play,
    symmetry_count,
    transform,
    transform_move,
    win_value,
)
from papan.rules.solving import strategy_move

#: Orthogonal neighbours of each square. On smaller boards the outer squares are unused.
NEIGHBOURS = table(orthogonal)

_PIECE = zobrist_keys("adjacency piece", 2, 64)
_FLIP = _PIECE[0] ^ _PIECE[1]
_PLIES = zobrist_keys("adjacency plies", 65)
_SIDE = zobrist_keys("adjacency side", 1)[0]


class AdjacencyState(NamedTuple):
    """A position of Adjacency; `mine` contains the pieces of the side to move."""

    mine: Bits
    theirs: Bits
    empty: Bits
    plies_left: int
    side: int


@moves.register(AdjacencyState)
def _(state: AdjacencyState) -> Bits:
    if state.plies_left <= 0:
        return NONE
    return state.empty


@count_moves.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    return popcount(moves(state))


@play.register(AdjacencyState)
def _(state: AdjacencyState, move: int) -> AdjacencyState:
    square = bit(move)
    flipped = NEIGHBOURS[move] & state.theirs
    return AdjacencyState(
        state.theirs & ~flipped,
        state.mine | flipped | square,
        state.empty & ~square,
        state.plies_left - 1,
        1 - state.side,
    )


@is_over.register(AdjacencyState)
def _(state: AdjacencyState) -> bool:
    return state.plies_left <= 0


@final_value.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    return popcount(state.mine) - popcount(state.theirs)


@win_value.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    return 0


@max_plies_left.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    return state.plies_left


@key.register(AdjacencyState)
def _(state: AdjacencyState) -> np.uint64:
    result = combined(_PIECE[state.side], state.mine)
    result ^= combined(_PIECE[1 - state.side], state.theirs)
    if state.side == 1:
        result ^= _SIDE
    return result ^ _PLIES[state.plies_left]


@next_key.register(AdjacencyState)
def _(state: AdjacencyState, old: np.uint64, move: int) -> np.uint64:
    new = old ^ _SIDE ^ _PLIES[state.plies_left] ^ _PLIES[state.plies_left - 1]
    new ^= _PIECE[state.side, move]
    flipped = NEIGHBOURS[move] & state.theirs
    while flipped != NONE:
        new ^= _FLIP[lowest(flipped)]
        flipped = without_lowest(flipped)
    return new


@strategy_move.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    """The mirror strategy: answer each move with the square half a turn away.

    On a board of even height and width, a square and its image are never adjacent. The strategy
    keeps an invariant after each answer: the image of each opposing piece is an own piece. If a
    move turns pieces, the answer turns their images. A square adjacent to both (in the middle of
    the board) ends up as an own piece, and so does its image. So the strategy ends with at least as
    many pieces. The move to answer is the one piece whose image is empty.
    """
    height, width = dimensions(state)
    if height % 2 == 1 or width % 2 == 1 or state.plies_left % 2 == 0:
        return -1
    # A square and its image are both occupied or both empty, except for the move to answer.
    unanswered = (state.mine | state.theirs) & half_turn(state.empty, height, width)
    if popcount(unanswered) != 1:
        return -1
    answer = lowest(half_turn(unanswered, height, width))
    child = play(state, answer)
    if half_turn(child.mine, height, width) & ~child.theirs == NONE:
        return answer
    return -1


@order_hint.register(AdjacencyState)
def _(state: AdjacencyState, move: int) -> int:
    """Gain from turned pieces, minus the empty neighbours, which allow the opponent to reply."""
    neighbours = NEIGHBOURS[move]
    return 2 * popcount(neighbours & state.theirs) - popcount(neighbours & state.empty)


@helper
def dimensions(state: AdjacencyState) -> tuple[int, int]:
    """Returns height and width of the board, computed from the existing squares."""
    board = state.mine | state.theirs | state.empty
    height = popcount(board & LEFT_COLUMN)
    return height, popcount(board) // height


@symmetry_count.register(AdjacencyState)
def _(state: AdjacencyState) -> int:
    height, width = dimensions(state)
    if height == width:
        return 8
    return 4


@transform.register(AdjacencyState)
def _(state: AdjacencyState, index: int) -> AdjacencyState:
    height, width = dimensions(state)
    return AdjacencyState(
        transformed(state.mine, index, height, width),
        transformed(state.theirs, index, height, width),
        transformed(state.empty, index, height, width),
        state.plies_left,
        state.side,
    )


@transform_move.register(AdjacencyState)
def _(state: AdjacencyState, move: int, index: int) -> int:
    height, width = dimensions(state)
    return lowest(transformed(bit(move), index, height, width))


@fact.register(AdjacencyState)
def _(state: AdjacencyState, index: int) -> int:
    if index == 2:
        return (state.plies_left + 1) // 2
    return popcount(state.mine if index == state.side else state.theirs)
