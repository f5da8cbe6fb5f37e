"""The operations that define a game: everything that a search needs of a state.

A game must register `moves`, `play` and `final_value`. All other operations have defaults. A game
replaces a default to be faster, or, for `more`, `head` and `tail`, because its moves do not fit in
one set of squares. Values are integers from the point of view of the side to move.

Moves are not stored in a list. `moves(state)` returns the remaining moves in any form that the game
chooses. `more` is true if any move remains, `head` is the first of them, `tail` the others. The
default form is one `uint64` in which bit `m` stands for move `m`.
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
Moves = Any  # the moves that remain to be visited

#: Largest depth of any search, in plies.
MAX_PLY = 128

#: Larger than every value; −INFINITY is smaller than every value.
INFINITY = 1 << 24

#: Default value of a win at the root; far above any heuristic value.
WIN = 10_000


# --- the rules -----------------------------------------------------------------------------------


@operation
def moves(state: State) -> Moves:
    """The legal moves, in ascending order of their numbers; none when the game is over.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> squares(moves(play(state, 9)))
        [0, 1, 2, 8, 10, 16, 17, 18]
    """


@operation
def play(state: State, move: int) -> State:
    """The state after the legal move `move`.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> side_to_move(play(state, 9))
        1
    """


@operation
def is_over(state: State) -> bool:
    """True if the rules end the game here, apart from draws by repetition, which need the history.

    Equivalent to having no legal move; a game may register a faster test.

    Examples:
        >>> is_over(papan.game("tictactoe").start_state())
        False
    """


@is_over.register(tuple)
def _(state: State) -> bool:
    return not more(state, moves(state))


@operation
def final_value(state: State) -> int:
    """The value of a finished game for the side to move: positive won, 0 drawn, negative lost.

    Examples:
        >>> position = papan.game("tictactoe").position("xxx/oo1/3 o")
        >>> final_value(position.state) == -WIN
        True
    """


@operation
def side_to_move(state: State) -> int:
    """0 for the first player `x`, 1 for the second player `o`.

    Examples:
        >>> side_to_move(papan.game("tictactoe").start_state())
        0
    """


@side_to_move.register(tuple)
def _(state: State) -> int:
    return state.side


@operation
def turns_alternate(state: State) -> bool:
    """True if the turn always passes to the other side (default).

    False for a game in which a side may move twice in succession. Searches of games with
    alternating turns skip the test of who moves next.

    Examples:
        >>> turns_alternate(papan.game("kalah").start_state())
        False
    """


@turns_alternate.register(tuple)
def _(state: State) -> bool:
    return True


@operation
def win_value(state: State) -> int:
    """The value W of a win at the root: a win at ply p has the value W − p (default: `WIN`).

    0 for games in which the value of a win is its margin. Unless it is 0, `final_value` must be W,
    −W or 0.

    Examples:
        >>> win_value(papan.game("othello").start_state())
        0
    """


@win_value.register(tuple)
def _(state: State) -> int:
    return WIN


@operation
def repetition_limit(state: State) -> int:
    """The number of occurrences of a position that end the game as a draw; default 0.

    0 stands for no such rule.

    Examples:
        >>> repetition_limit(papan.game("corners").start_state())
        3
    """


@repetition_limit.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def repetition_is_forbidden(state: State) -> bool:
    """True if a move that repeats an earlier position is illegal, as under superko; default False.

    If all moves of a side are forbidden, the game is over with the `final_value` of the state.

    A pass leaves the board unchanged, so `position_key` should include the number of immediately
    preceding passes. Other rules do not see which moves are forbidden; a limit on the length of
    games therefore belongs in `Game.max_plies`.

    Examples:
        >>> repetition_is_forbidden(papan.game("go:size=5").start_state())
        True
    """


@repetition_is_forbidden.register(tuple)
def _(state: State) -> bool:
    return False


@helper
def remembers(state: State) -> bool:
    """Returns whether the rules depend on the earlier positions of the game."""
    return repetition_limit(state) > 0 or repetition_is_forbidden(state)


@operation
def is_reversible(state: State, move: int) -> bool:
    """True if `move` can be part of a cycle, so that an earlier position of the game recurs.

    A line without reversible moves has no repeated position. By default all moves are reversible in
    a game with a repetition limit.

    The transposition table must not store values that depend on the path to a position. So a search
    does not store a value if a reversible move was searched below it.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> is_reversible(state, 0)
        False
    """


@is_reversible.register(tuple)
def _(state: State, move: int) -> bool:
    return repetition_limit(state) > 0


@operation
def max_plies_left(state: State) -> int:
    """An upper limit of the remaining plies; the default is a large number that limits nothing.

    Examples:
        >>> max_plies_left(papan.game("tictactoe").start_state())
        9
    """


@max_plies_left.register(tuple)
def _(state: State) -> int:
    return 1_000_000


# --- number of moves ------------------------------------------------------------------------------
# These determine how much memory a search allocates, so they are equal for all states of a game.

#: Upper limits of `most_moves` and `largest_move`: numbers of children and moves are stored in
#: fields of these sizes (`papan.search.mcts.tree`, `papan.search.table`).
MOST_MOVES = 2**15 - 1
LARGEST_MOVE = 2**31 - 1


@operation
def most_moves(state: State) -> int:
    """Largest number of legal moves in any position of the game; at most 32,767.

    Default: 256, or the number of bits of the state's widest set if that is more.

    Examples:
        >>> most_moves(papan.game("tictactoe").start_state())
        256
    """


@most_moves.register(tuple)
def _(state: State) -> int:
    return max(256, widest(state))


@operation
def largest_move(state: State) -> int:
    """Largest number of any move of the game; default 4095, at most 2³¹ − 1.

    Examples:
        >>> largest_move(papan.game("tictactoe").start_state())
        4095
    """


@largest_move.register(tuple)
def _(state: State) -> int:
    return 4095


# --- walking the moves ---------------------------------------------------------------------------


@operation
def more(state: State, rest: Moves) -> bool:
    """True if any move is left in `rest`.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> bool(more(state, moves(state))), bool(more(state, NONE))
        (True, False)
    """


@more.register(tuple)
def _(state: State, rest: Moves) -> bool:
    return rest != NONE


@operation
def head(state: State, rest: Moves) -> int:
    """The first move of `rest`, which must not be empty.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> head(state, moves(state))
        0
    """


@head.register(tuple)
def _(state: State, rest: Moves) -> int:
    return lowest(rest)


@operation
def tail(state: State, rest: Moves) -> Moves:
    """`rest` without its first move.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> head(state, tail(state, moves(state)))
        1
    """


@tail.register(tuple)
def _(state: State, rest: Moves) -> Moves:
    return without_lowest(rest)


@operation
def count_left(state: State, rest: Moves) -> int:
    """Number of moves in `rest`.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> count_left(state, moves(state))
        9
    """


@count_left.register(tuple)
@helper
def count_walked(state: State, rest: Moves) -> int:
    """Returns the number of remaining moves in any form, counted one by one."""
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
    """The move at position `index` of `rest`, from 0.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> nth_left(state, moves(state), 3)
        8
    """


@nth_left.register(tuple)
@helper
def nth_walked(state: State, rest: Moves, index: int) -> int:
    """Returns the move at position `index` of remaining moves in any form, found one by one."""
    for _ in range(index):
        rest = tail(state, rest)
    return head(state, rest)


@nth_left.register(tuple, WideBits)
@nth_left.register(tuple, np.uint64)
def _(state: State, rest: Bits, index: int) -> int:
    return nth_walked(state, rest, index) if walks_alone(state) else nth_square(rest, index)


@helper
def walks_alone(state: State) -> bool:
    """Returns whether a game has its own iteration, so that a set of squares may mean anything."""
    return is_replaced(more, state) or is_replaced(head, state) or is_replaced(tail, state)


def count_taken(state: State, all_moves: Moves, rest: Moves, counted: int) -> int:
    """Returns how many of all moves were taken until `rest` was left: `counted` of them.

    Compiled code counts the squares of sets instead, so that the loop that takes the moves does
    not need to count.
    """
    return counted


@operation
def count_moves(state: State) -> int:
    """Number of legal moves.

    Examples:
        >>> count_moves(papan.game("tictactoe").start_state())
        9
    """


@count_moves.register(tuple)
def _(state: State) -> int:
    return count_left(state, moves(state))


@helper
def nth_move(state: State, index: int) -> int:
    """Returns the legal move at position `index`, from 0."""
    return nth_left(state, moves(state), index)


# --- symmetry ------------------------------------------------------------------------------------


@operation
def symmetry_count(state: State) -> int:
    """Number of symmetries of the rules, including the identity (index 0); a symmetry may swap
    sides.

    Examples:
        >>> symmetry_count(papan.game("adjacency").start_state())
        8
    """


@symmetry_count.register(tuple)
def _(state: State) -> int:
    return 1


@operation
def transform(state: State, index: int) -> State:
    """The state under symmetry `index`.

    Examples:
        >>> state = papan.game("adjacency").start_state()
        >>> transform(state, 0) == state
        True
    """


@transform.register(tuple)
def _(state: State, index: int) -> State:
    return state


@operation
def transform_move(state: State, move: int, index: int) -> int:
    """The move of `transform(state, index)` that corresponds to `move` of `state`.

    Examples:
        >>> state = papan.game("adjacency").start_state()
        >>> transform_move(state, 5, 0)
        5
    """


@transform_move.register(tuple)
def _(state: State, move: int, index: int) -> int:
    return move


# --- contents of places ---------------------------------------------------------------------------


@operation
def piece_at(state: State, place: int) -> int:
    """The kind of piece on a place; 0 for an empty place.

    Default: kind 1 for x and 2 for o, from `mine` and `theirs`.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> piece_at(state, 9), piece_at(play(state, 9), 9)
        (0, 1)
    """


@piece_at.register(tuple)
def _(state: State, place: int) -> int:
    mine, theirs = stones(state)
    if not 0 <= place < capacity(mine):
        return 0
    square, first = bit_like(mine, place), 1 + side_to_move(state)
    return first if mine & square != NONE else 3 - first if theirs & square != NONE else 0


@operation
def count_at(state: State, place: int) -> int:
    """The number shown on a place; −1 (default) for none.

    Examples:
        >>> state = papan.game("kalah").start_state()
        >>> count_at(state, 0)
        4
    """


@count_at.register(tuple)
def _(state: State, place: int) -> int:
    return -1


@operation
def fact(state: State, index: int) -> int:
    """The number to show next to the board under the name `Game.fact_names[index]`.

    Examples:
        >>> state = papan.game("adjacency:rounds=8").start_state()
        >>> [fact(state, index) for index in range(3)]
        [4, 4, 8]
    """


@fact.register(tuple)
def _(state: State, index: int) -> int:
    return 0


# --- keys ----------------------------------------------------------------------------------------


@operation
def key(state: State) -> np.uint64:
    """The key of a state, computed from scratch; by default all its fields, mixed.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> bool(key(state) == mixed(state))
        True
    """


@key.register(tuple)
def _(state: State) -> np.uint64:
    return mixed(state)


@operation
def next_key(state: State, old: np.uint64, move: int) -> np.uint64:
    """The key after `move`, where `old` is the key of `state`; by default computed from scratch.

    Examples:
        >>> state = papan.game("tictactoe").start_state()
        >>> bool(next_key(state, key(state), 9) == key(play(state, 9)))
        True
    """


@next_key.register(tuple)
def _(state: State, old: np.uint64, move: int) -> np.uint64:
    return key(play(state, move))


# --- points of view ------------------------------------------------------------------------------
# A value is from the point of view of the side to move of its own position. Searches convert values
# and windows only with these helpers. If turns alternate, they compile to a plain negation.


@helper
def moves_again(state: State, child: State) -> bool:
    """Returns whether the side to move of `state` is also to move in `child`."""
    if turns_alternate(state):
        return False
    return side_to_move(child) == side_to_move(state)


@helper
def value_above(state: State, child: State, value: int) -> int:
    """Converts a value of `child` to the point of view of the side to move of `state`."""
    if moves_again(state, child):
        return value
    return -value


@helper
def window_below(state: State, child: State, window: tuple[int, int]) -> tuple[int, int]:
    """Converts a window (alpha, beta) of `state` to the point of view of `child`'s side to move."""
    if moves_again(state, child):
        return window
    return -window[1], -window[0]


# --- values --------------------------------------------------------------------------------------


@operation
def evaluate(evaluation: Evaluation, state: State) -> int:
    """The heuristic value of an unfinished game; dispatched on the class of the evaluation.

    Examples:
        >>> game = papan.game("adjacency")
        >>> evaluate(game.default_evaluation, game.start_state())
        0
    """


@operation
def unit(evaluation: Evaluation) -> int:
    """Number of units of an evaluation for one point of a final value that is a margin; default 1.

    Values of wins (`win_value` − ply) are the same in every unit.

    Examples:
        >>> unit(papan.game("adjacency").default_evaluation)
        1
    """


@unit.register(tuple)
def _(evaluation: Evaluation) -> int:
    return 1


@operation
def is_symmetric(evaluation: Evaluation) -> bool:
    """True if an evaluation gives a position and its mirror images the same value (default).

    Examples:
        >>> is_symmetric(papan.game("adjacency").default_evaluation)
        True
    """


@is_symmetric.register(tuple)
def _(evaluation: Evaluation) -> bool:
    return True


@operation
def evaluate_after(evaluation: Evaluation, state: State, move: int, ply: int) -> int:
    """The value of the position after `move`, from the view of the side that makes the move.

    `ply` is the ply of `state`. A finished game has its final value. The default makes the move and
    evaluates the new position. An evaluation that can compute the value from the parent alone
    replaces it: most nodes of a search are such leaves.

    Examples:
        >>> game = papan.game("adjacency")
        >>> state = game.start_state()
        >>> evaluate_after(game.default_evaluation, state, game.read_move("c4", state), 0)
        1
    """


@evaluate_after.register(tuple)
def _(evaluation: Evaluation, state: State, move: int, ply: int) -> int:
    child = play(state, move)
    if is_over(child):
        return value_above(state, child, terminal_value(evaluation, child, ply + 1))
    return value_above(state, child, evaluate(evaluation, child))


@helper
def terminal_points(state: State, ply: int) -> int:
    """Returns the value of the finished game `state`, reached at `ply`, for its side to move.

    If the length of a win counts, nearer wins and later losses have greater values.
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
    """Returns `terminal_points` in the unit of the evaluation, as searches need it."""
    value = terminal_points(state, ply)
    if win_value(state) > 0:
        return value
    return value * unit(evaluation)


@helper
def is_win_distance(state: State, value: int) -> bool:
    """Returns whether a value is a forced win or loss, and so encodes the distance to the end.

    The size of such a value is between `win_value` − `MAX_PLY` and `win_value`. Heuristic values
    are smaller, and ±`INFINITY` is larger.
    """
    win = win_value(state)
    return win > 0 and win - MAX_PLY <= abs(value) <= win


# --- hints ---------------------------------------------------------------------------------------


@operation
def order_hint(state: State, move: int) -> int:
    """The expected merit of a move before it is searched, a small integer; default 0.

    Searches that order moves try moves with greater hints first.

    Examples:
        >>> order_hint(papan.game("tictactoe").start_state(), 0)
        0
    """


@order_hint.register(tuple)
def _(state: State, move: int) -> int:
    return 0


@operation
def is_quiet(state: State, move: int) -> bool:
    """False if a position cannot be evaluated just before `move`: a capture or a promotion.

    Register it in games in which a capture can be answered by another capture. The engine then
    follows such moves beyond its depth (quiescence search). Default: all moves are quiet.

    Examples:
        >>> is_quiet(papan.game("tictactoe").start_state(), 0)
        True
    """


@is_quiet.register(tuple)
def _(state: State, move: int) -> bool:
    return True


@operation
def pass_turn(state: State) -> State:
    """The state with the other side to move, as if the side to move could pass.

    Register it together with `may_pass`. A position that is too good for the side to move even
    after a pass is not searched further (null-move pruning). Default: the state itself.

    Examples:
        >>> state = papan.game("chess").start_state()
        >>> side_to_move(pass_turn(state))
        1
    """


@pass_turn.register(tuple)
def _(state: State) -> State:
    return state


@operation
def may_pass(state: State) -> bool:
    """True if moving is an advantage here, so that a pass is a lower bound of what a move gains.

    False where having to move may be a disadvantage, and where a pass would be absurd, as in check.
    Default: False.

    Examples:
        >>> may_pass(papan.game("chess").start_state())
        True
    """


@may_pass.register(tuple)
def _(state: State) -> bool:
    return False


@operation
def quiet_gain(evaluation: Evaluation) -> int:
    """The most that a quiet move usually adds to a value; 0 if not known (default).

    Register it together with `is_quiet` and `may_pass`. The engine then skips quiet moves before
    the leaves if their values cannot reach the window (futility pruning), and positions whose
    value exceeds it by more than this for each ply.

    Examples:
        >>> quiet_gain(papan.game("tictactoe").default_evaluation)
        0
    """


@quiet_gain.register(tuple)
def _(evaluation: Evaluation) -> int:
    return 0
