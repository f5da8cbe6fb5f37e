"""Adjacency again, in one short file: the built-in game searched as fast.

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
    """A position: whose turn it is has `mine`."""

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
    return 0  # a win is worth its margin


@rules.final_value.register(State)
@helper
def lead(state: State) -> int:
    """The lead of the side to move, in pieces."""
    return popcount(state.mine) - popcount(state.theirs)


class Pieces(NamedTuple):
    """The evaluation: more pieces are better."""


@rules.evaluate.register(Pieces)
def _(evaluation: Pieces, state: State) -> int:
    return lead(state)


@rules.evaluate_after.register(Pieces)
def _(evaluation: Pieces, state: State, move: int, ply: int) -> int:
    """The same, told without making the move: it adds a piece, and each one turned is worth two."""
    return lead(state) + 1 + 2 * popcount(NEIGHBOURS[move] & state.theirs)


@dataclass(frozen=True)
class ShortAdjacency(rules.Game):
    """Put a piece on an empty square; opposing pieces beside it change sides; more pieces win."""

    board = rules.Grid(8, 8)
    evaluations = {"pieces": Pieces()}
    rounds: int = rules.option(28, "option.rounds", low=2, high=28)

    def start_state(self) -> State:
        return State(START_X, START_O, 0, 2 * self.rounds)
