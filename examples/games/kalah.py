"""Kalah: sow the seeds of a pit around the board; more seeds win.

papan play kalah:seeds=3

By William Julius Champion (1940). A side may move several times; each move is a ply.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    Piece,
    Pits,
    bit,
    helper,
    number_at,
    option,
    replaced,
)


class State(NamedTuple):
    """A position: the seeds in the pits of `x` and its store, then those of `o`, counter-clockwise
    in the order of sowing; the side to move; and the number of pits per side."""

    seeds: tuple[int, ...]
    side: int
    pits: int


@helper
def in_pits(state: State, side: int) -> int:
    """Returns the number of seeds in the pits of a side."""
    first = side * (state.pits + 1)
    total = 0
    for pit in range(first, first + state.pits):
        total += number_at(state.seeds, pit)
    return total


@rules.moves.register(State)
def _(state: State) -> Bits:
    filled, every = rules.nonzero(state.seeds), bit(state.pits) - bit(0)
    other = (1 - state.side) * (state.pits + 1)
    if filled & every << np.uint64(other) == NONE:
        return NONE
    return filled & every << np.uint64(state.side * (state.pits + 1))


@rules.play.register(State)
def _(state: State, move: int) -> State:
    first = state.side * (state.pits + 1)
    store, length, hand = first + state.pits, len(state.seeds), number_at(state.seeds, move)
    skipped = (1 - state.side) * (state.pits + 1) + state.pits  # the opponent's store
    seeds = rules.sown(replaced(state.seeds, move, 0), move, hand, skipped)
    place = move + 1 + (hand - 1) % (length - 1)
    place += int(place >= (skipped if move < skipped else skipped + length))
    place -= length if place >= length else 0
    if place == store:
        return State(seeds, state.side, state.pits)
    facing = length - 2 - place
    if first <= place < store and number_at(seeds, place) == 1 and number_at(seeds, facing) > 0:
        seeds = replaced(seeds, store, number_at(seeds, store) + 1 + number_at(seeds, facing))
        seeds = replaced(replaced(seeds, place, 0), facing, 0)
    return State(seeds, 1 - state.side, state.pits)


@rules.turns_alternate.register(State)
def _(state: State) -> bool:
    return False


class Lead(NamedTuple):
    """Seeds in store and pits, own − the opponent's."""


@rules.evaluate.register(Lead)
@helper
def lead(evaluation: Lead, state: State) -> int:
    store = state.side * (state.pits + 1) + state.pits
    return 2 * (in_pits(state, state.side) + number_at(state.seeds, store)) - sum(state.seeds)


@rules.final_value.register(State)
def _(state: State) -> int:
    return WIN * max(-1, min(lead(Lead(), state), 1))


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    """A move that reaches no store brings each of its seeds nearer to a store."""
    left = in_pits(state, 0) + in_pits(state, 1)
    return left * (3 * left + 4)


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    if number_at(state.seeds, place) == 0:
        return 0
    return 1 if place <= state.pits else 2


@rules.count_at.register(State)
def _(state: State, place: int) -> int:
    return number_at(state.seeds, place)


@dataclass(frozen=True)
class Kalah(rules.Game):
    """Sow the seeds of one of your pits, one by one, counter-clockwise. If the last seed lands in
    your store, move again. If it lands in an empty pit of yours, this seed and the opposite ones,
    if any, go to your store. When a side's pits are empty, the player with more seeds wins."""

    side_names = ("South", "North")
    pieces = (Piece("x", "x", picture="seed"), Piece("o", "o", picture="seed"))
    evaluations = {"lead": Lead()}
    pits: int = option(6, "pits per side", low=2, high=10)
    seeds: int = option(4, "seeds in each pit at the start", low=1, high=6)

    @property
    def board(self) -> Pits:
        return Pits(self.pits)

    def start_state(self) -> State:
        return State(((self.seeds,) * self.pits + (0,)) * 2, 0, self.pits)

    def allows(self, state: State) -> bool:
        return min(state.seeds) >= 0 and sum(state.seeds) == 2 * self.pits * self.seeds
