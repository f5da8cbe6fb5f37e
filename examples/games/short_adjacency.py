"""Adjacency: the built-in game again in one short file, searched as fast.

papan search examples/games/short_adjacency.py:rounds=8 --depth 6
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import ALL, NONE, Bits, bit, helper, orthogonal, popcount, table

NEIGHBOURS = table(orthogonal)
START_X = bit(48) | bit(49) | bit(56) | bit(57)
START_O = bit(6) | bit(7) | bit(14) | bit(15)


class State(NamedTuple):
    """A position; `mine` belongs to the side to move."""

    mine: Bits
    theirs: Bits
    side: int
    plies_left: int


@rules.moves.register(State)
def _(state: State) -> Bits:
    return ALL & ~(state.mine | state.theirs) if state.plies_left > 0 else NONE


@rules.play.register(State)
def _(state: State, move: int) -> State:
    turned = NEIGHBOURS[move] & state.theirs
    mine = state.mine | turned | bit(move)
    return State(state.theirs & ~turned, mine, 1 - state.side, state.plies_left - 1)


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return state.plies_left


@rules.win_value.register(State)
def _(state: State) -> int:
    return 0  # the value of a win is its margin


@rules.final_value.register(State)
@helper
def lead(state: State) -> int:
    """Returns the piece difference from the view of the side to move."""
    return popcount(state.mine) - popcount(state.theirs)


class Pieces(NamedTuple):
    """Evaluation by the number of pieces."""


@rules.evaluate.register(Pieces)
def _(evaluation: Pieces, state: State) -> int:
    return lead(state)


@rules.evaluate_after.register(Pieces)
def _(evaluation: Pieces, state: State, move: int, ply: int) -> int:
    """The same without making the move: it adds one piece, and each turned piece counts two."""
    return lead(state) + 1 + 2 * popcount(NEIGHBOURS[move] & state.theirs)


@dataclass(frozen=True)
class ShortAdjacency(rules.Game):
    """Put a piece on an empty square; adjacent opposing pieces change sides; more pieces win."""

    board = rules.Grid(8, 8)
    evaluations = {"pieces": Pieces()}
    rounds: int = rules.option(28, "option.rounds", low=2, high=28)

    def start_state(self) -> State:
        return State(START_X, START_O, 0, 2 * self.rounds)
