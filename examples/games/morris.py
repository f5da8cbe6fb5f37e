"""Nine men's morris: three men in a row are a mill and capture a man of the other side.

papan play morris

Rules as in R. Gasser, "Solving Nine Men's Morris", Computational Intelligence 12, 1996: a draw.
"""

from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, bit, helper, popcount

NAMES = """a7 d7 g7  b6 d6 f6  c5 d5 e5  a4 b4 c4  e4 f4 g4  c3 d3 e3  b2 d2 f2  a1 d1 g1
           a7 a4 a1  b6 b4 b2  c5 c4 c3  d7 d6 d5  d3 d2 d1  e5 e4 e3  f6 f4 f2  g7 g4 g1"""
ROWS = [NAMES.split()[start : start + 3] for start in range(0, 48, 3)]
BOARD = rules.Points(
    {name: ("abcdefg".index(name[0]), 7 - int(name[1])) for row in ROWS[:8] for name in row},
    lines=tuple((first, last) for first, _, last in ROWS),
)
MILLS = np.array([BOARD.of_squares(map(BOARD.square, row)) for row in ROWS])
#: The two other points of the two mills of each point.
PARTNERS = np.array([[mill & ~bit(p) for mill in MILLS if mill & bit(p)] for p in range(24)])
BESIDE = np.array([*(BOARD.of_squares(BOARD.neighbours(p)) for p in range(24)), BOARD.mask])
NOBODY = 24  # source of men not yet on the board, and captured man if no mill is closed
PATIENCE = 100  # number of consecutive moves without a capture that makes a draw


class State(NamedTuple):
    """A position; `to_place` men are not yet placed, after `patience` moves the game is a draw."""

    mine: Bits
    theirs: Bits
    side: int
    to_place: int
    patience: int


@helper
def in_mills(men: Bits) -> Bits:
    """Returns the men in mills."""
    members = NONE
    for mill in MILLS:
        members |= mill if men & mill == mill else NONE
    return members


@helper
def closes(men: Bits, place: int) -> bool:
    """Returns whether a man on a place makes a mill with others."""
    first, second = PARTNERS[place, 0], PARTNERS[place, 1]
    return bool(men & first == first or men & second == second)


@rules.moves.register(State)
def _(state: State) -> rules.FromToThen:
    movers = bit(NOBODY) if state.to_place > 0 else state.mine
    is_over = state.patience == 0 or popcount(state.mine) + (state.to_place + 1) // 2 < 3
    return rules.from_to_then(state, NONE if is_over else movers)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    beside: Bits = BESIDE[NOBODY if popcount(state.mine) == 3 else source]
    return beside & ~(state.mine | state.theirs)


@rules.thirds.register(State)
def _(state: State, source: int, target: int) -> Bits:
    """The men that a move may capture: men outside mills, or any if all are in mills."""
    if not closes(state.mine & ~bit(source), target):
        return bit(NOBODY)
    loose = state.theirs & ~in_mills(state.theirs)
    return loose if loose != NONE else state.theirs


@rules.largest_move.register(State)
def _(state: State) -> int:
    return 64**3 - 1


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source, target, taken = rules.source_target_third(state.mine, move)
    mine = (state.mine & ~bit(source)) | bit(target)
    theirs = state.theirs & ~bit(taken)
    patience = state.patience - 1 if taken == NOBODY != source else PATIENCE
    return State(theirs, mine, 1 - state.side, max(state.to_place - 1, 0), patience)


@rules.final_value.register(State)
def _(state: State) -> int:
    return 0 if state.patience == 0 else -WIN


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    men = popcount(state.mine | state.theirs) + state.to_place
    return state.to_place + state.patience + PATIENCE * (men - 6)


class Men(NamedTuple):
    """Men, own − the opponent's."""


@rules.evaluate.register(Men)
def _(evaluation: Men, state: State) -> int:
    return popcount(state.mine) - popcount(state.theirs) + state.to_place % 2


class Morris(rules.Game):
    """Place nine men on the points, then move them along the lines to adjacent points; the last
    three men may move to any point. Three in a row capture a man, if possible one outside a row. A
    player with two men or no move loses; after a hundred moves without a capture the game is a
    draw."""

    title = "Nine men's morris"
    side_names = ("White", "Black")
    board = BOARD
    joints = ("-", "x")  # `a1-a4xd7` closes a mill and captures d7
    evaluations = {"men": Men()}

    def start_state(self) -> State:
        return State(NONE, NONE, 0, 18, PATIENCE)

    def allows(self, state: State) -> bool:
        fits = 0 <= state.to_place <= 18 and 0 <= state.patience <= PATIENCE
        return fits and max(map(popcount, state[:2])) <= 9 - state.to_place // 2
