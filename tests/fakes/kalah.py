"""Kalah with six pits a side, as a user would write it: a last seed in the store moves again."""

from typing import NamedTuple

import numpy as np

from papan.gamekit import (
    WIN,
    Bits,
    Game,
    Grid,
    bit,
    count_at,
    final_value,
    helper,
    max_plies_left,
    moves,
    option,
    play,
    turns_alternate,
)

PITS = 6
STORE = PITS  # the number of the store, after the pits
BYTE = np.uint64(0xFF)


class State(NamedTuple):
    """Seeds of the side to move and of the other one, a byte a pit and the store above them."""

    own: Bits
    other: Bits
    side: int


@helper
def seeds(row: Bits, pit: int) -> int:
    return int((row >> np.uint64(8 * pit)) & BYTE)


@helper
def put(row: Bits, pit: int, count: int) -> Bits:
    """A row with so many seeds in a pit."""
    shift = np.uint64(8 * pit)
    return (row & ~(BYTE << shift)) | (np.uint64(count) << shift)


@helper
def in_pits(row: Bits) -> int:
    total = 0
    for pit in range(PITS):
        total += seeds(row, pit)
    return total


@helper
def is_finished(state: State) -> bool:
    return in_pits(state.own) == 0 or in_pits(state.other) == 0


@moves.register(State)
def _(state: State) -> Bits:
    found = np.uint64(0)
    if is_finished(state):
        return found
    for pit in range(PITS):
        if seeds(state.own, pit) > 0:
            found |= bit(pit)
    return found


@play.register(State)
def _(state: State, move: int) -> State:
    own, other = put(state.own, move, 0), state.other
    place = move
    for _seed in range(seeds(state.own, move)):
        place = (place + 1) % (2 * PITS + 1)  # the other side's store is passed over
        if place <= STORE:
            own = put(own, place, seeds(own, place) + 1)
        else:
            pit = place - STORE - 1
            other = put(other, pit, seeds(other, pit) + 1)
    if place == STORE:
        return State(own, other, state.side)
    if place < STORE and seeds(own, place) == 1 and seeds(other, PITS - 1 - place) > 0:
        caught = seeds(other, PITS - 1 - place) + 1
        own = put(put(own, place, 0), STORE, seeds(own, STORE) + caught)
        other = put(other, PITS - 1 - place, 0)
    return State(other, own, 1 - state.side)


@turns_alternate.register(State)
def _(state: State) -> bool:
    return False


@final_value.register(State)
def _(state: State) -> int:
    lead = in_pits(state.own) + seeds(state.own, STORE)
    lead -= in_pits(state.other) + seeds(state.other, STORE)
    return WIN if lead > 0 else -WIN if lead < 0 else 0


@max_plies_left.register(State)
def _(state: State) -> int:
    """A move that reaches no store brings each of its seeds nearer to the one on its own side."""
    left = in_pits(state.own) + in_pits(state.other)
    return left * (3 * left + 4)


@count_at.register(State)
def _(state: State, place: int) -> int:
    first, second = state.own, state.other
    if state.side == 1:
        first, second = second, first
    return seeds(first, place - 8) if place >= 8 else seeds(second, PITS - 1 - place)


class Kalah(Game):
    """Sow the seeds of a pit; a last one in your store moves again. Most seeds win."""

    board = Grid(2, PITS)

    count: int = option(4, "seeds in each pit at the beginning", low=1, high=6)

    def start_state(self) -> State:
        row = np.uint64(0)
        for pit in range(PITS):
            row = put(row, pit, self.count)
        return State(row, row, 0)
