"""Random legal moves: all moves are counted, then the one with a random index is found.

A game's moves are generated once for both steps. Counts are kept in a row of the workspace that
other searches use for move ordering.
"""

from __future__ import annotations

import numpy as np

from papan.rules.bits import NONE, Bits, lowest, nth_square, popcount, without_lowest
from papan.rules.dispatch import helper, is_replaced, operation
from papan.rules.operations import (
    Moves,
    State,
    count_left,
    count_moves,
    head,
    more,
    nth_left,
    tail,
)
from papan.rules.walk import (
    FromTo,
    FromToChoice,
    FromToThen,
    Walk,
    count_of,
    count_ways,
    nth_way,
    targets,
)
from papan.rules.wide import WideBits
from papan.search.workspace import Workspace, fits


@operation
def count_and_note(state: State, every: Moves, workspace: Workspace) -> int:
    """The number of moves of a state; stores what `draw_noted` needs to find them."""


@operation
def draw_noted(state: State, every: Moves, index: int, workspace: Workspace) -> int:
    """The move at position `index` of those that `count_and_note` counted last."""


@helper
def finds_alone(state: State) -> bool:
    """Returns whether a game has its own rule to count its moves or to find one."""
    return is_replaced(count_moves, state) or finds_in_rest(state)


@helper
def finds_in_rest(state: State) -> bool:
    """Returns whether a game has its own rule to count the rest of its moves or to find one."""
    return is_replaced(count_left, state) or is_replaced(nth_left, state)


# --- moves of any form, which are stored ----------------------------------------------------------


@count_and_note.register(tuple)
def _(state: State, every: Moves, workspace: Workspace) -> int:
    if finds_alone(state):
        return count_of(state, every)
    count = 0
    while more(state, every):
        move = head(state, every)
        every = tail(state, every)
        if not fits(state, count, move, workspace):
            break
        workspace.ordered[0, count] = move
        count += 1
    return count


@draw_noted.register(tuple)
def _(state: State, every: Moves, index: int, workspace: Workspace) -> int:
    if finds_alone(state):
        return nth_left(state, every, index)
    return workspace.ordered[0, index]


# --- sets of squares, which need no storage -------------------------------------------------------


@count_and_note.register(tuple, WideBits)
@count_and_note.register(tuple, np.uint64)
def _(state: State, every: Bits, workspace: Workspace) -> int:
    return count_of(state, every)


@draw_noted.register(tuple, WideBits)
@draw_noted.register(tuple, np.uint64)
def _(state: State, every: Bits, index: int, workspace: Workspace) -> int:
    return nth_left(state, every, index)


# --- moves from place to place: the number of each piece's moves is stored ------------------------


@count_and_note.register(tuple, FromToThen)
@count_and_note.register(tuple, FromToChoice)
@count_and_note.register(tuple, FromTo)
def _(state: State, every: Walk, workspace: Workspace) -> int:
    if finds_in_rest(state) or not has_row(every, workspace):
        return count_of(state, every)
    count = count_ways(state, every, every.source, every.targets)
    workspace.ordered[0, 0] = count
    place, later = 1, every.later
    while later != NONE:
        source = lowest(later)
        own = count_ways(state, every, source, targets(state, source))
        later = without_lowest(later)
        workspace.ordered[0, place] = own
        place += 1
        count += own
    return count


@draw_noted.register(tuple, FromToThen)
@draw_noted.register(tuple, FromToChoice)
@draw_noted.register(tuple, FromTo)
def _(state: State, every: Walk, index: int, workspace: Workspace) -> int:
    if finds_in_rest(state) or not has_row(every, workspace):
        return nth_left(state, every, index)
    place = 0
    while index >= workspace.ordered[0, place]:
        index -= workspace.ordered[0, place]
        place += 1
    source, ends = every.source, every.targets
    if place > 0:
        source = nth_square(every.later, place - 1)
        ends = targets(state, source)
    return nth_way(state, every, source, ends, index)


@helper
def has_row(every: Walk, workspace: Workspace) -> bool:
    """Returns whether the row has room for the count of each piece."""
    return popcount(every.later) < workspace.ordered.shape[1]
