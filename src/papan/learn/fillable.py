"""Places that a move can fill: a further symbol of tuples, found from the rules alone.

An empty place that a legal move of the side to move fills differs from other empty places: discs
drop to it, or it is within a piece's reach. How the places are found depends on the game; each way
is a technique with its own type, and `NotRead` compiles to no code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.bits import NONE, Bits, lowest, stones, without_lowest
from papan.rules.dispatch import helper, operation
from papan.rules.operations import Moves, State, head, more, moves, play, tail
from papan.rules.walk import FromTo, FromToChoice, FromToThen, targets
from papan.rules.wide import WideBits


class NotRead(NamedTuple):
    """Tuples do not read moves: an empty place has one symbol."""


class ReadFromMoves(NamedTuple):
    """The moves say which places they fill: a set of places, or moves from place to place."""


class FoundByPlaying(NamedTuple):
    """Each move is played; for positions of two sets."""


#: The techniques by the name that a survey has for them.
TECHNIQUES = {"": NotRead(), "moves": ReadFromMoves(), "play": FoundByPlaying()}


@operation
def fillable(technique: Any, state: State) -> Bits:
    """Returns the places that a legal move fills; may contain places that are not empty."""


@fillable.register(NotRead)
def _(technique: NotRead, state: State) -> Bits:
    return NONE


@fillable.register(ReadFromMoves)
def _(technique: ReadFromMoves, state: State) -> Bits:
    return entered(state, moves(state))


@fillable.register(FoundByPlaying)
def _(technique: FoundByPlaying, state: State) -> Bits:
    filled = NONE
    rest = moves(state)
    while more(state, rest):
        mine, theirs = stones(play(state, head(state, rest)))
        filled |= mine | theirs
        rest = tail(state, rest)
    return filled


@operation
def added_symbol(technique: Any, value: Any) -> Any:
    """Returns the value that a fillable place adds to an index: `value`, or 0 if not read."""


@added_symbol.register(NotRead)
def _(technique: NotRead, value: Any) -> Any:
    return NONE


@added_symbol.register(ReadFromMoves)
@added_symbol.register(FoundByPlaying)
@helper
def keep_value(technique: Any, value: Any) -> Any:
    """Returns the value itself."""
    return value


# --- places in the form of the moves --------------------------------------------------------------


@operation
def entered(state: State, rest: Moves) -> Bits:
    """Returns the places in the numbers of the moves `rest`, as far as their form tells them."""


@entered.register(tuple)
def _(state: State, rest: Moves) -> Bits:
    return NONE


@entered.register(tuple, np.uint64)
@entered.register(tuple, WideBits)
def _(state: State, rest: Bits) -> Bits:
    return rest


@entered.register(tuple, FromTo)
@entered.register(tuple, FromToChoice)
@entered.register(tuple, FromToThen)
@helper
def all_targets(state: State, rest: Any) -> Bits:
    """Returns the places to which any piece can move."""
    places, later = rest.targets, rest.later
    while later != NONE:
        places |= targets(state, lowest(later))
        later = without_lowest(later)
    return places
