"""A king and a pawn a side on 4 × 4 squares, as a user would write it: play that can go in circles.

Rules that chess has for that are options: a draw by the third occurrence, or after some plies in
which no pawn moves and nothing is captured; and one that Go has: no position may come again.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit, down, helper, left, right, up

BOARD = Grid(4, 4)
SQUARES = BOARD.mask
LAST_ROWS = rules.of_squares(BOARD.squares[:4]), rules.of_squares(BOARD.squares[-4:])
PAWN = 32  # added to the square that a pawn goes to
_PAWN_SHIFT = np.uint64(PAWN)


class State(NamedTuple):
    """A position, with the plies since the last progress and the rules that hold."""

    mine: Bits
    theirs: Bits
    kings: Bits
    side: int
    idle: int
    most_quiet: int
    repetition: int
    forbidden: int


@helper
def board_key(state: State) -> np.uint64:
    return rules.mixed((state.mine, state.theirs, state.kings, state.side))


@rules.moves.register(State)
def _(state: State) -> Bits:
    own, pawn = state.mine & state.kings, state.mine & ~state.kings
    promoted = state.theirs & ~state.kings & LAST_ROWS[1 - state.side]
    if own == NONE or promoted != NONE or 0 < state.most_quiet <= state.idle:
        return NONE
    ahead = up(pawn) if state.side == 0 else down(pawn)
    steps = ahead & ~(state.mine | state.theirs) | (left(ahead) | right(ahead)) & state.theirs
    king = rules.surrounding(own) & ~state.mine
    return king & SQUARES | (steps & SQUARES) << _PAWN_SHIFT


@rules.play.register(State)
def _(state: State, move: int) -> State:
    target, is_pawn = bit(move & 31), move >= PAWN
    own = state.mine & (~state.kings if is_pawn else state.kings)
    mine, theirs = state.mine & ~own | target, state.theirs & ~target
    kings = state.kings & ~target
    if not is_pawn:
        kings = kings & ~own | target
    progress = is_pawn or theirs != state.theirs
    idle = 0 if progress else state.idle + 1
    rest = (idle, state.most_quiet, state.repetition, state.forbidden)
    return State(theirs, mine, kings, 1 - state.side, *rest)


@rules.final_value.register(State)
def _(state: State) -> int:
    promoted = state.theirs & ~state.kings & LAST_ROWS[1 - state.side]
    return -WIN if promoted != NONE or state.mine & state.kings == NONE else 0


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return state.repetition


@rules.repetition_is_forbidden.register(State)
def _(state: State) -> bool:
    return state.forbidden == 1


@rules.is_reversible.register(State)
def _(state: State, move: int) -> bool:
    """Pawns never step back, and what is captured does not return."""
    return state.repetition > 0 and move < PAWN and bit(move) & state.theirs == NONE


@rules.position_key.register(State)
def _(state: State) -> np.uint64:
    return board_key(state)


@rules.key.register(State)
def _(state: State) -> np.uint64:
    return board_key(state) ^ rules.quiet_part(state.idle, state.most_quiet)


class Steps(NamedTuple):
    """How far the pawns have come, own − the opponent's."""


@helper
def advance(pawn: Bits, side: int) -> int:
    row = rules.lowest(pawn) // 8 if pawn != NONE else 3 * side
    return row if side == 1 else 3 - row


@rules.evaluate.register(Steps)
def _(evaluation: Steps, state: State) -> int:
    own = advance(state.mine & ~state.kings, state.side)
    return own - advance(state.theirs & ~state.kings, 1 - state.side)


@dataclass(frozen=True)
class KingsAndPawns(rules.Game):
    """Capture the king, or bring your pawn to the last row."""

    evaluations = {"steps": Steps()}
    repetition: int = rules.option(0, "occurrence that is a draw", low=0, high=9)
    quiet: int = rules.option(0, "plies without progress that are a draw", low=0, high=400)
    forbidden: int = rules.option(0, "1 where no position may come again", low=0, high=1)

    board = BOARD
    words = ("K", "P")
    joints = ("",)

    def start_state(self) -> State:
        kings = rules.of_squares([BOARD.square("d1"), BOARD.square("a4")])
        mine = rules.of_squares([BOARD.square("d1"), BOARD.square("a1")])
        theirs = rules.of_squares([BOARD.square("a4"), BOARD.square("d4")])
        return State(mine, theirs, kings, 0, 0, self.quiet, self.repetition, self.forbidden)

    def steps(self, move: int) -> tuple[str, int]:
        return ("P" if move >= PAWN else "K"), move & 31
