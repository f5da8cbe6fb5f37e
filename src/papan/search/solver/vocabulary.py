"""The operations by which a game helps to solve it; each has a default that serves any game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.kernel.bits import NONE
from papan.kernel.operation import operation
from papan.kernel.vocabulary import State, key, promise, win_value
from papan.search.workspace import INFINITY


class Outlook(NamedTuple):
    """Which values a position that is not over can have, side to move's view, seen from `ply`.

    The value is from `lower` to `upper`, and not strictly between `gap_from` and `gap_to`.
    """

    lower: int
    upper: int
    gap_from: int
    gap_to: int


@operation
def outlook(state: State, ply: int) -> Outlook:
    """Bounds of the value that can be told without search; by default those of any game."""


@outlook.register(tuple)
def _(state: State, ply: int) -> Outlook:
    best = INFINITY
    if win_value(state) > 0:
        best = win_value(state) - ply - 1
    return Outlook(-best, best, 0, 0)


@operation
def identity(state: State) -> tuple[np.uint64, np.uint64]:
    """Two words that positions share only if their values are the same, to the side to move.

    The default is the Zobrist key: a proof is then as sure as it is that no two positions of the
    search have the same 64-bit key. A game that can say everything in 128 bits should.
    """


@identity.register(tuple)
def _(state: State) -> tuple[np.uint64, np.uint64]:
    return key(state), NONE


@operation
def hope(state: State, move: int) -> int:
    """How good a move looks to somebody who wants to prove a win; default: what it promises."""


@hope.register(tuple)
def _(state: State, move: int) -> int:
    return promise(state, move)
