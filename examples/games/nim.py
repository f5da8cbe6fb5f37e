"""Nim: take counters from one pile; the player who takes the last counter wins.

papan play nim:piles=3-4-5

The winning strategy, which the evaluation uses, is from C. L. Bouton, "Nim, a game with a complete
mathematical theory", Annals of Mathematics 3, 1901.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import WIN, Cells, Piece, option, replaced

#: Names of the piles, and maximum number of counters in a pile.
NAMES, MOST = "abcdefgh", 32


class State(NamedTuple):
    """A position: the counters in each pile, the side to move, and 1 in misère play."""

    piles: tuple[int, ...]
    side: int
    misere: int


# Taking n counters from pile p is the move MOST * p + n - 1.


@rules.moves.register(State)
def _(state: State) -> rules.Scan:
    return rules.scan(state)


@rules.next_move.register(State)
def _(state: State, after: int) -> int:
    taken = (after + 1) % MOST
    for pile in range((after + 1) // MOST, len(state.piles)):
        if taken < state.piles[pile]:
            return MOST * pile + taken
        taken = 0
    return -1


@rules.draw_move.register(State)
def _(state: State, number: np.uint64) -> int:
    taken = rules.below(number, sum(state.piles))
    for pile in range(len(state.piles)):
        if taken < rules.number_at(state.piles, pile):
            return MOST * pile + taken
        taken -= rules.number_at(state.piles, pile)
    return -1


@rules.play.register(State)
def _(state: State, move: int) -> State:
    pile, taken = move // MOST, move % MOST + 1
    piles = replaced(state.piles, pile, state.piles[pile] - taken)
    return State(piles, 1 - state.side, state.misere)


@rules.final_value.register(State)
def _(state: State) -> int:
    return WIN if state.misere else -WIN


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return sum(state.piles)


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    return 1 if state.piles[place] > 0 else 0


@rules.count_at.register(State)
def _(state: State, place: int) -> int:
    return state.piles[place]


class NimSum(NamedTuple):
    """Bouton's theorem: 1 if the side to move wins, else −1; the value is exact."""


@rules.evaluate.register(NimSum)
def _(evaluation: NimSum, state: State) -> int:
    nim_sum, largest = 0, 0
    for pile in state.piles:
        nim_sum = nim_sum ^ pile
        largest = max(largest, pile)
    # If all piles are single counters, misère play reverses the result.
    wins = (nim_sum != 0) != (state.misere == 1 and largest <= 1)
    return 1 if wins else -1


def sizes(text: str) -> tuple[int, ...]:
    """Parses piles such as `1-3-5-7`."""
    piles = tuple(int(size) for size in text.split("-"))
    if len(piles) > len(NAMES) or not all(1 <= size <= MOST for size in piles):
        raise ValueError(text)
    return piles


@dataclass(frozen=True)
class Nim(rules.Game):
    """Take one or more counters from one pile. The player who takes the last counter wins; in
    misère play that player loses."""

    look = "felt"
    side_names = ("First", "Second")
    pieces = (Piece("c", name="counters", picture="seed"),)
    words = tuple(str(taken + 1) for taken in range(MOST))
    evaluations = {"nim-sum": NimSum()}
    piles: str = option(
        "1-3-5-7",
        "counters in each pile",
        parse=lambda text: "-".join(map(str, sizes(text))),
        expected=f"1-3-5-7: up to {len(NAMES)} piles of 1 to {MOST}",
    )
    misere: bool = option(False, "the player who takes the last counter loses")

    @property
    def board(self) -> Cells:
        return Cells((tuple(NAMES[: len(sizes(self.piles))]),))

    def start_state(self) -> State:
        return State(sizes(self.piles), 0, int(self.misere))

    def steps(self, move: int) -> tuple[int | str, ...]:
        return move // MOST, str(move % MOST + 1)
