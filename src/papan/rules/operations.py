"""The operations that make a game: all that a search may ask of a state.

A game registers `moves`, `play` and `final_value`; everything else has a default that a game may
replace to be faster (or, for `more`, `head` and `tail`, because its moves do not fit in one set of
squares). Values are integers from the point of view of the side to move.

Moves are walked without writing them down. `moves(state)` returns the moves that are still to be
looked at, in any form the game likes; `more` is true if any is left, `head` is the first of
them, `tail` the others. By default the form is one `uint64`, bit `m` standing for move `m`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.rules.bits import (
    NONE,
    Bits,
    bit_like,
    capacity,
    lowest,
    nth_square,
    popcount,
    stones,
    widest,
    without_lowest,
)
from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.keys import mixed
from papan.rules.wide import WideBits

State = Any  # a NamedTuple of integers; each game has a class of its own
Evaluation = Any  # a NamedTuple of parameters; each evaluation has a class of its own
Moves = Any  # moves not yet looked at

#: No search goes deeper than this many plies.
MAX_PLY = 128

#: Larger than every value, and its negative is a number too.
INFINITY = 1 << 24

#: What a win is worth at the root where a game says nothing else; far above any heuristic value.
WIN = 10_000


# --- the rules -----------------------------------------------------------------------------------


@operation
def moves(state: State) -> Moves:
    """The legal moves, in ascending order of their numbers; none when the game is over."""


@operation
def play(state: State, move: int) -> State:
    """The state after the legal move `move`."""


@operation
def is_over(state: State) -> bool:
    """True if the rules end the game here (repetition aside: that needs the history).

    The same as having no legal move; a game may register a quicker way to tell.
    """


@is_over.register(tuple)
def _(state: State) -> bool:
    return not more(state, moves(state))


@operation
def final_value(state: State) -> int:
    """The value of a finished game to the side to move: > 0 won, 0 drawn, < 0 lost."""


@operation
def side_to_move(state: State) -> int:
    """0 for the first player `x`, 1 for the second player `o`."""


@side_to_move.register(tuple)
def _(state: State) -> int:
    return state.side


@operation
def turns_alternate(state: State) -> bool:
    """True if each move gives the turn to the other side (default); False for a game in which a
    side may have to move again. Searches of games that alternate never ask who moves next."""


@turns_alternate.register(tuple)
def _(state: State) -> bool:
    return True


@operation
def win_value(state: State) -> int:
    """W, where a win at ply p is worth W − p (default: `WIN`); 0 where it is worth its margin.
    Where it is W, `final_value` is W, −W or 0."""


@win_value.register(tuple)
def _(state: State) -> int:
    return WIN


@operation
def repetition_limit(state: State) -> int:
    """The occurrence of a position that makes the game a draw; 0 for no such rule (default)."""


@repetition_limit.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def repetition_is_forbidden(state: State) -> bool:
    """True for a game in which a move is illegal that leads to a position which stood before, as
    under superko; default: False. A side all of whose moves are forbidden has none: the game is
    over, with the `final_value` of the state.

    A pass leaves the board as it was: let `position_key` tell how many came just before. No other
    rule of a state knows what is forbidden: what bounds all games belongs into `Game.max_plies`.
    """


@repetition_is_forbidden.register(tuple)
def _(state: State) -> bool:
    return False


@helper
def remembers(state: State) -> bool:
    """True for a game in which it matters which positions stood before."""
    return repetition_limit(state) > 0 or repetition_is_forbidden(state)


@operation
def is_reversible(state: State, move: int) -> bool:
    """True if `move` may lead back to an earlier position of the game: in a line of moves of
    which none may, no position stands twice. Default: each move of a game with a repetition rule.

    What a table keeps must not depend on how a position was reached, so nothing below which such
    a move was looked at is kept.
    """


@is_reversible.register(tuple)
def _(state: State, move: int) -> bool:
    return repetition_limit(state) > 0


@operation
def max_plies_left(state: State) -> int:
    """No game goes on from here for more plies than this; default: no bound is known."""


@max_plies_left.register(tuple)
def _(state: State) -> int:
    return 1_000_000


# --- how many moves there are --------------------------------------------------------------------
# These decide what a search sets aside, so they are the same for every state of a game.

#: Bounds that a game may state: children of a node are counted, and moves kept, in fields of these
#: sizes (`papan.search.mcts.tree`, `papan.search.table`).
MOST_MOVES = 2**15 - 1
LARGEST_MOVE = 2**31 - 1


@operation
def most_moves(state: State) -> int:
    """No position of the game has more legal moves; at most 32,767 (default: 256, or the number of
    bits of the state's widest set)."""


@most_moves.register(tuple)
def _(state: State) -> int:
    return max(256, widest(state))


@operation
def largest_move(state: State) -> int:
    """No move of the game has a greater number (default: 4095); at most 2³¹ − 1."""


@largest_move.register(tuple)
def _(state: State) -> int:
    return 4095


# --- walking the moves ---------------------------------------------------------------------------


@operation
def more(state: State, rest: Moves) -> bool:
    """True if any move is left in `rest`."""


@more.register(tuple)
def _(state: State, rest: Moves) -> bool:
    return rest != NONE


@operation
def head(state: State, rest: Moves) -> int:
    """The first move of `rest`, which must not be empty."""


@head.register(tuple)
def _(state: State, rest: Moves) -> int:
    return lowest(rest)


@operation
def tail(state: State, rest: Moves) -> Moves:
    """`rest` without its first move."""


@tail.register(tuple)
def _(state: State, rest: Moves) -> Moves:
    return without_lowest(rest)


@operation
def count_left(state: State, rest: Moves) -> int:
    """Number of moves in `rest`."""


@count_left.register(tuple)
@helper
def count_walked(state: State, rest: Moves) -> int:
    """`count_left` for moves of any form: step by step."""
    count = 0
    while more(state, rest):
        count += 1
        rest = tail(state, rest)
    return count


@count_left.register(tuple, WideBits)
@count_left.register(tuple, np.uint64)
def _(state: State, rest: Bits) -> int:
    return count_walked(state, rest) if walks_alone(state) else popcount(rest)


@operation
def nth_left(state: State, rest: Moves, index: int) -> int:
    """The move of `rest` that has `index` others before it."""


@nth_left.register(tuple)
@helper
def nth_walked(state: State, rest: Moves, index: int) -> int:
    """`nth_left` for moves of any form: step by step."""
    for _ in range(index):
        rest = tail(state, rest)
    return head(state, rest)


@nth_left.register(tuple, WideBits)
@nth_left.register(tuple, np.uint64)
def _(state: State, rest: Bits, index: int) -> int:
    return nth_walked(state, rest, index) if walks_alone(state) else nth_square(rest, index)


@helper
def walks_alone(state: State) -> bool:
    """True if a game has a walk of its own, so that a set of squares may mean anything."""
    return is_replaced(more, state) or is_replaced(head, state) or is_replaced(tail, state)


@operation
def count_moves(state: State) -> int:
    """Number of legal moves."""


@count_moves.register(tuple)
def _(state: State) -> int:
    return count_left(state, moves(state))


@helper
def nth_move(state: State, index: int) -> int:
    """The legal move that has `index` others before it."""
    return nth_left(state, moves(state), index)


# --- symmetry ------------------------------------------------------------------------------------


@operation
def symmetry_count(state: State) -> int:
    """Number of symmetries that keep the rules, the identity (index 0) included; sides may swap."""


@symmetry_count.register(tuple)
def _(state: State) -> int:
    return 1


@operation
def transform(state: State, index: int) -> State:
    """The state as it looks under symmetry `index`."""


@transform.register(tuple)
def _(state: State, index: int) -> State:
    return state


@operation
def transform_move(state: State, move: int, index: int) -> int:
    """The move of `transform(state, index)` that corresponds to `move` of `state`."""


@transform_move.register(tuple)
def _(state: State, move: int, index: int) -> int:
    return move


# --- what stands on a place ----------------------------------------------------------------------


@operation
def piece_at(state: State, place: int) -> int:
    """The kind of piece on a place, 0 for none; default: 1, 2 for x, o by `mine` and `theirs`."""


@piece_at.register(tuple)
def _(state: State, place: int) -> int:
    mine, theirs = stones(state)
    if not 0 <= place < capacity(mine):
        return 0
    square, first = bit_like(mine, place), 1 + side_to_move(state)
    return first if mine & square != NONE else 3 - first if theirs & square != NONE else 0


@operation
def count_at(state: State, place: int) -> int:
    """The number that a place shows; −1 for none (default)."""


@count_at.register(tuple)
def _(state: State, place: int) -> int:
    return -1


# --- keys ----------------------------------------------------------------------------------------


@operation
def key(state: State) -> np.uint64:
    """The key of a state, computed from scratch; default: all its fields, mixed."""


@key.register(tuple)
def _(state: State) -> np.uint64:
    return mixed(state)


@operation
def next_key(state: State, old: np.uint64, move: int) -> np.uint64:
    """The key after `move`, where `old` is the key of `state`; default: from scratch."""


@next_key.register(tuple)
def _(state: State, old: np.uint64, move: int) -> np.uint64:
    return key(play(state, move))


# --- points of view ------------------------------------------------------------------------------
# A value belongs to the side to move of its own position. Every search turns values and windows by
# these helpers, and by nothing else: where turns alternate they are compiled to a bare minus.


@helper
def moves_again(state: State, child: State) -> bool:
    """True if the side that moved from `state` to `child` is to move there too."""
    if turns_alternate(state):
        return False
    return side_to_move(child) == side_to_move(state)


@helper
def value_above(state: State, child: State, value: int) -> int:
    """A value of `child`, its side to move's view, in the view of the side to move of `state`."""
    if moves_again(state, child):
        return value
    return -value


@helper
def window_below(state: State, child: State, window: tuple[int, int]) -> tuple[int, int]:
    """A window of `state`, (alpha, beta), in the view of the side to move of `child`."""
    if moves_again(state, child):
        return window
    return -window[1], -window[0]


# --- values --------------------------------------------------------------------------------------


@operation
def evaluate(evaluation: Evaluation, state: State) -> int:
    """The heuristic value of an unfinished game, dispatched on the class of the evaluation."""


@operation
def unit(evaluation: Evaluation) -> int:
    """Number of units of an evaluation that make one point of a final value that is a margin;
    default 1. Wins worth `win_value` − ply are the same in every unit."""


@unit.register(tuple)
def _(evaluation: Evaluation) -> int:
    return 1


@operation
def is_symmetric(evaluation: Evaluation) -> bool:
    """True if an evaluation values a position and its mirror images alike (default)."""


@is_symmetric.register(tuple)
def _(evaluation: Evaluation) -> bool:
    return True


@operation
def evaluate_after(evaluation: Evaluation, state: State, move: int, ply: int) -> int:
    """The value of the position after `move`, to the side that makes the move.

    `ply` is the ply of `state`. A finished game has its final value. An evaluation replaces the
    default, which makes the move and looks, when it can tell from the parent alone: most nodes of
    a search are such leaves.
    """


@evaluate_after.register(tuple)
def _(evaluation: Evaluation, state: State, move: int, ply: int) -> int:
    child = play(state, move)
    if is_over(child):
        return value_above(state, child, terminal_value(evaluation, child, ply + 1))
    return value_above(state, child, evaluate(evaluation, child))


@helper
def terminal_points(state: State, ply: int) -> int:
    """The value of the finished game `state`, reached at `ply`, to its side to move.

    Where a win's length counts, the winner prefers a near one and the loser a far one.
    """
    value = final_value(state)
    if win_value(state) > 0:
        if value > 0:
            return value - ply
        if value < 0:
            return value + ply
    return value


@helper
def terminal_value(evaluation: Evaluation, state: State, ply: int) -> int:
    """`terminal_points` in the unit of the evaluation, as a search wants it."""
    value = terminal_points(state, ply)
    if win_value(state) > 0:
        return value
    return value * unit(evaluation)


@helper
def is_win_distance(state: State, value: int) -> bool:
    """True if a value is that of a forced win or loss, which is a distance from the end of
    the game: between `win_value` and the least that a win at `MAX_PLY` is worth.

    Bounds that say nothing (±`INFINITY`) are none, and heuristic values are smaller.
    """
    win = win_value(state)
    return win > 0 and win - MAX_PLY <= abs(value) <= win


# --- hints ---------------------------------------------------------------------------------------


@operation
def order_hint(state: State, move: int) -> int:
    """The expected merit of a move before it is searched, in small whole numbers; default 0.

    Searches that order moves try those with the greatest hint first.
    """


@order_hint.register(tuple)
def _(state: State, move: int) -> int:
    return 0
