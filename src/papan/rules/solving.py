"""Operations that solvers, tablebases and players use in addition to those of every search.

All of them have defaults.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.rules.dispatch import operation
from papan.rules.keys import mixed
from papan.rules.operations import (
    INFINITY,
    Moves,
    State,
    final_value,
    head,
    is_over,
    key,
    more,
    moves,
    order_hint,
    play,
    tail,
    value_above,
    win_value,
)


class StaticBounds(NamedTuple):
    """The possible values of an unfinished position, side to move's view, seen from `ply`.

    The value is between `lower` and `upper`, and not strictly between `gap_from` and `gap_to`.

    Examples:
        >>> state = papan.game("platforms").start_state()
        >>> static_bounds(state, 0)
        StaticBounds(lower=-998, upper=999, gap_from=-994, gap_to=993)
    """

    lower: int
    upper: int
    gap_from: int
    gap_to: int


@operation
def static_bounds(state: State, ply: int) -> StaticBounds:
    """Bounds of the value that hold without search; by default those that hold in every game.

    Examples:
        >>> state = papan.game("platforms").start_state()
        >>> static_bounds(state, 0)
        StaticBounds(lower=-998, upper=999, gap_from=-994, gap_to=993)
    """


@static_bounds.register(tuple)
def _(state: State, ply: int) -> StaticBounds:
    best = INFINITY
    if win_value(state) > 0:
        best = win_value(state) - ply - 1
    return StaticBounds(-best, best, 0, 0)


@operation
def exact_key(state: State) -> tuple[np.uint64, np.uint64]:
    """A key of two words: positions with the same key have the same value for the side to move.

    The default is the key and all fields, mixed. A proof then relies on no two positions of the
    search sharing both words. A game whose positions fit in 128 bits should encode them exactly.

    Examples:
        >>> len(exact_key(papan.game("platforms").start_state()))
        2
    """


@exact_key.register(tuple)
def _(state: State) -> tuple[np.uint64, np.uint64]:
    return key(state), mixed(state)


@operation
def solving_hint(state: State, move: int) -> int:
    """The `order_hint` of a solver, which tries likely wins first; by default `order_hint` itself.

    Examples:
        >>> solving_hint(papan.game("tictactoe").start_state(), 0)
        0
    """


@solving_hint.register(tuple)
def _(state: State, move: int) -> int:
    return order_hint(state, move)


# --- one move ahead ------------------------------------------------------------------------------


@operation
def can_win_at_once(state: State) -> bool:
    """True if a move of the side to move ends the game with its win; the default tries each move.

    Called only if the game is not over and the length of a win counts.

    Examples:
        >>> position = papan.game("tictactoe").position("xx1/oo1/3 x")
        >>> can_win_at_once(position.state)
        True
    """


@can_win_at_once.register(tuple)
def _(state: State) -> bool:
    rest = moves(state)
    while more(state, rest):
        child = play(state, head(state, rest))
        rest = tail(state, rest)
        if is_over(child) and value_above(state, child, final_value(child)) > 0:
            return True
    return False


@operation
def safe_moves(state: State) -> Moves:
    """The moves after which the other side cannot win at once, in the same form as `moves`.

    The default returns all moves. A game may register it together with `can_win_at_once` if turns
    alternate and no move loses at once. Called only if the side to move cannot win at once.

    Examples:
        >>> state = papan.game("tictactoe").position("xx1/1o1/3 o").state
        >>> squares(safe_moves(state))
        [2, 8, 10, 16, 17, 18]
    """


@safe_moves.register(tuple)
def _(state: State) -> Moves:
    return moves(state)


# --- numbers of positions ------------------------------------------------------------------------


@operation
def index_count(state: State) -> int:
    """Number of indices that `index` returns, from 0; default 0: the game does not number
    positions.

    Examples:
        >>> from typing import NamedTuple
        >>> class Pile(NamedTuple):
        ...     left: int
        >>> @index_count.register(Pile)
        ... def _(state: Pile) -> int:
        ...     return 22
        >>> index_count(Pile(3))
        22
    """


@index_count.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def index(state: State) -> int:
    """The unique number of a position, less than `index_count`.

    Called only for one of each set of mirror images, the one whose words come first. Register it
    together with `position_of` and `index_count`.

    Examples:
        >>> from typing import NamedTuple
        >>> class Pile(NamedTuple):
        ...     left: int
        >>> @index.register(Pile)
        ... def _(state: Pile) -> int:
        ...     return state.left
        >>> index(Pile(3))
        3
    """


@index.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def position_of(state: State, number: int) -> State:
    """The position with a number; `state` is any state of the same game.

    Examples:
        >>> from typing import NamedTuple
        >>> class Pile(NamedTuple):
        ...     left: int
        >>> @position_of.register(Pile)
        ... def _(state: Pile, number: int) -> Pile:
        ...     return Pile(number)
        >>> position_of(Pile(0), 3)
        Pile(left=3)
    """


@position_of.register(tuple)
def _(state: State, number: int) -> State:
    return state


# --- strategies ----------------------------------------------------------------------------------


@operation
def strategy_move(state: State) -> int:
    """A move that secures at least `strategy_value`, known without search; −1 (default) if
    unknown.

    Examples:
        >>> state = papan.game("platforms:size=4").start().play("a3").state
        >>> strategy_move(state)
        19
    """


@strategy_move.register(tuple)
def _(state: State) -> int:
    return -1


@operation
def strategy_value(state: State) -> int:
    """The final value that `strategy_move` secures for the side to move.

    Examples:
        >>> strategy_value(papan.game("platforms:size=4").start_state())
        986
    """


@strategy_value.register(tuple)
def _(state: State) -> int:
    return 0
