"""A game of many moves with large numbers: take counters, the last one wins.

A move takes one to three counters and paints what is left in one of 130 colours, which mean nothing
but that each move has a number of its own.
"""

from typing import NamedTuple

from papan.errors import InvalidMove
from papan.gamekit import (
    WIN,
    Game,
    Grid,
    count_at,
    final_value,
    head,
    is_over,
    largest_move,
    max_plies_left,
    more,
    most_moves,
    moves,
    option,
    play,
    tail,
)

COLOURS = 130
TAKEN = 3
STEP = 5_506_532  # so that the last move has nearly the largest number


class State(NamedTuple):
    """Counters left, their colour, whose turn it is."""

    left: int
    colour: int
    side: int


class Rest(NamedTuple):
    """Moves from number `at` on, `end` of them in all."""

    at: int
    end: int


@moves.register(State)
def _(state: State) -> Rest:
    return Rest(0, COLOURS * min(state.left, TAKEN))


@more.register(State)
def _(state: State, rest: Rest) -> bool:
    return rest.at < rest.end


@head.register(State)
def _(state: State, rest: Rest) -> int:
    return STEP * rest.at


@tail.register(State)
def _(state: State, rest: Rest) -> Rest:
    return Rest(rest.at + 1, rest.end)


@most_moves.register(State)
def _(state: State) -> int:
    return COLOURS * TAKEN


@largest_move.register(State)
def _(state: State) -> int:
    return 2**31 - 1


@play.register(State)
def _(state: State, move: int) -> State:
    number = move // STEP
    return State(state.left - 1 - number // COLOURS, number % COLOURS, 1 - state.side)


@is_over.register(State)
def _(state: State) -> bool:
    return state.left == 0


@final_value.register(State)
def _(state: State) -> int:
    return -WIN


@max_plies_left.register(State)
def _(state: State) -> int:
    return state.left


@count_at.register(State)
def _(state: State, place: int) -> int:
    return state.left


class ManyMoves(Game):
    """Take the last counter."""

    board = Grid(1, 1)

    count: int = option(5, "counters", low=1, high=60)

    def start_state(self) -> State:
        return State(self.count, 0, 0)

    def read_move(self, text: str, state: State) -> int:
        if not text.isascii() or not text.isdigit() or str(int(text)) != text or int(text) >= 2**31:
            raise InvalidMove("move.no-square", text=text, extent="0 …")
        return int(text)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return (str(move),)
