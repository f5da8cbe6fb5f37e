"""Evaluations of unfinished games of Platforms, from the side to move's view."""

from __future__ import annotations

from typing import NamedTuple

from papan.games.platforms.rules import NEIGHBOURS, PlatformsState
from papan.rules.bits import bit, popcount, surrounding
from papan.rules.dispatch import helper
from papan.rules.operations import evaluate


class Undecided(NamedTuple):
    """The value 0 for every unfinished game, as in the source's paper."""


@evaluate.register(Undecided)
def _(evaluation: Undecided, state: PlatformsState) -> int:
    return 0


class Mobility(NamedTuple):
    """Room to move: remaining steps next to a pawn count once, those two steps away one half.

    The unit is half a step, own room − the opponent's. The player whose room runs out first loses.
    """


@helper
def room(state: PlatformsState, pawn: int, other: int) -> int:
    """Returns twice the remaining steps on adjacent squares, plus those on the squares behind
    them."""
    near = NEIGHBOURS[pawn] & ~bit(other)
    around = near & state.one
    reach = (surrounding(around) | around) & ~bit(pawn) & ~bit(other)
    total = 0
    for open_squares in (state.one, state.two, state.three):
        total += popcount(near & open_squares) + popcount(reach & open_squares)
    return total


@evaluate.register(Mobility)
def _(evaluation: Mobility, state: PlatformsState) -> int:
    return room(state, state.mine, state.theirs) - room(state, state.theirs, state.mine)
