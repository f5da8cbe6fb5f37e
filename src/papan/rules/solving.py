"""The operations that solvers, tablebases and players use, besides those of every search; all
have defaults."""

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
    """Which values a position that is not over can have, side to move's view, seen from `ply`.

    The value is from `lower` to `upper`, and not strictly between `gap_from` and `gap_to`.
    """

    lower: int
    upper: int
    gap_from: int
    gap_to: int


@operation
def static_bounds(state: State, ply: int) -> StaticBounds:
    """Bounds of the value that are known without search; by default those of any game."""


@static_bounds.register(tuple)
def _(state: State, ply: int) -> StaticBounds:
    best = INFINITY
    if win_value(state) > 0:
        best = win_value(state) - ply - 1
    return StaticBounds(-best, best, 0, 0)


@operation
def exact_key(state: State) -> tuple[np.uint64, np.uint64]:
    """Two words that positions share only if their values are the same, to the side to move.

    The default is the key, and all fields mixed: a proof is then as sure as it is that no two
    positions of the search have both in common. A game that can say all in 128 bits should.
    """


@exact_key.register(tuple)
def _(state: State) -> tuple[np.uint64, np.uint64]:
    return key(state), mixed(state)


@operation
def solving_hint(state: State, move: int) -> int:
    """`order_hint` for a solver, which wants to prove a win soon; default: the same hint."""


@solving_hint.register(tuple)
def _(state: State, move: int) -> int:
    return order_hint(state, move)


# --- one move ahead ------------------------------------------------------------------------------


@operation
def can_win_at_once(state: State) -> bool:
    """True if a move of the side to move ends the game with its win; default: each is tried.

    Asked only where the game is not over, in games in which a win's length counts.
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
    """The moves after which the other side cannot win at once, in the form that `moves` has.

    Default: all moves, which says nothing. A game may have its own together with its own
    `can_win_at_once`, if the sides alternate and no move ends a game with the loss of the side that
    makes it. Asked only where the side to move cannot win at once.
    """


@safe_moves.register(tuple)
def _(state: State) -> Moves:
    return moves(state)


# --- numbers of positions ------------------------------------------------------------------------


@operation
def index_count(state: State) -> int:
    """Numbers that `index` gives out, from 0 on; default: 0, the game does not number positions."""


@index_count.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def index(state: State) -> int:
    """The number of a position, less than `index_count`, which no other one has.

    Of positions that are mirror images of one another, only the one whose words come first is
    asked about. Together with `position_of` and `index_count`.
    """


@index.register(tuple)
def _(state: State) -> int:
    return 0


@operation
def position_of(state: State, number: int) -> State:
    """The position that has a number; `state` is any one of the same game."""


@position_of.register(tuple)
def _(state: State, number: int) -> State:
    return state


# --- strategies ----------------------------------------------------------------------------------


@operation
def strategy_move(state: State) -> int:
    """A move known without search to secure `strategy_value` at least; −1 for none (default)."""


@strategy_move.register(tuple)
def _(state: State) -> int:
    return -1


@operation
def strategy_value(state: State) -> int:
    """The value that `strategy_move` secures, in the unit of final values, side to move's view."""


@strategy_value.register(tuple)
def _(state: State) -> int:
    return 0
