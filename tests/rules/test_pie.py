"""The pie rule in a small game: two in a row win on a strip of five squares."""

from typing import NamedTuple

import papan.gamekit as rules
from papan.core.game import Position
from papan.gamekit import NONE, WIN, Bits, Grid, bit, left, popcount

BOARD = Grid(1, 5)
SQUARES = BOARD.mask


class State(NamedTuple):
    """A position; the game is over when two stones of a side stand side by side."""

    mine: Bits
    theirs: Bits
    side: int


@rules.moves.register(State)
def _(state: State) -> Bits:
    if state.theirs & left(state.theirs) != NONE:
        return NONE
    return SQUARES & ~(state.mine | state.theirs) | rules.swappable(state)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    if bit(move) & rules.swappable(state) != NONE:
        return State(state.mine, bit(move), 0)
    return State(state.theirs, state.mine | bit(move), 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN if state.theirs & left(state.theirs) != NONE else 0


class Strip(rules.Game):
    """Two in a row win; `o` may take over the first stone."""

    board = BOARD

    def start_state(self) -> State:
        return State(NONE, NONE, 0)


def perft(position: Position, depth: int) -> int:
    """The number of move sequences."""
    if depth == 0:
        return 1
    return sum(perft(position.after(code), depth - 1) for code in position.codes())


def test_the_first_stone_can_be_taken_over_once_and_by_the_second_player_alone() -> None:
    first = Strip().start().play("b1")
    assert first.moves() == ["a1", "b1", "c1", "d1", "e1"]
    taken = first.play("b1")
    assert taken.side == "x"
    assert (popcount(taken.state.mine), taken.state.theirs) == (0, bit(1))
    assert taken.moves() == ["a1", "c1", "d1", "e1"]
    assert first.play("c1").moves() == ["a1", "d1", "e1"]


def test_it_adds_one_move_at_the_second_ply() -> None:
    assert [perft(Strip().start(), depth) for depth in (1, 2, 3)] == [5, 25, 5 * (4 * 3 + 4)]
