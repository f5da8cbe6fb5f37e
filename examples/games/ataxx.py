"""Ataxx: pieces double or jump and turn adjacent pieces; more pieces win.

papan play examples/games/ataxx.py

Rules: Dave Crummack and Craig Galley, 1988.
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit, helper, popcount, source_of, surrounding

BOARD = Grid(7, 7)
SQUARES = BOARD.mask
#: Source and target of a pass; no square has this number.
NOWHERE = 63
PASS = rules.from_to_move(NONE, NOWHERE, NOWHERE)


class State(NamedTuple):
    """A position: pieces of the side to move, pieces of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def free(state: State) -> Bits:
    """Returns the empty squares."""
    return SQUARES & ~(state.mine | state.theirs)


@helper
def jumps(pieces: Bits) -> Bits:
    """Returns the squares exactly two steps away from pieces."""
    return surrounding(pieces | surrounding(pieces))


@helper
def can_move(pieces: Bits, state: State) -> bool:
    """Returns True if there is an empty square near some pieces."""
    return bool((surrounding(pieces) | jumps(pieces)) & free(state) != NONE)


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    """A jump starts at a piece; a doubling has its target as source, too."""
    sources = NONE
    if state.mine != NONE and state.theirs != NONE:
        if can_move(state.mine, state):
            sources = state.mine | surrounding(state.mine) & free(state)
        elif can_move(state.theirs, state):
            sources = bit(NOWHERE)
    return rules.from_to(state, sources)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    piece = bit(source)
    return piece if piece & state.mine == NONE else jumps(piece) & free(state)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    if move == PASS:
        return State(state.theirs, state.mine, 1 - state.side)
    left = bit(source_of(NONE, move))
    entered = bit(rules.target_of(NONE, move))
    turned = surrounding(entered) & state.theirs
    mine = state.mine & ~left | entered | turned
    return State(state.theirs & ~turned, mine, 1 - state.side)


@helper
def lead(state: State) -> int:
    """Returns the piece difference from the view of the side to move."""
    return popcount(state.mine) - popcount(state.theirs)


@rules.final_value.register(State)
def _(state: State) -> int:
    if lead(state) == 0:
        return 0
    return WIN if lead(state) > 0 else -WIN


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.is_reversible.register(State)
def _(state: State, move: int) -> bool:
    """Only jumps are reversible; doubled pieces stay."""
    return bool(source_of(NONE, move) != rules.target_of(NONE, move))


class Pieces(NamedTuple):
    """Pieces, own − the opponent's."""


@rules.evaluate.register(Pieces)
def _(evaluation: Pieces, state: State) -> int:
    return lead(state)


class Ataxx(rules.Game):
    """A piece doubles onto an adjacent free square, or jumps two steps, in any direction. All
    opposing pieces adjacent to the target change sides. A player who cannot move passes. The game
    ends when neither side can move or a side has no pieces; more pieces win. A position that occurs
    for the third time is a draw."""

    board = BOARD
    words = ("pass",)
    evaluations = {"pieces": Pieces()}

    def start_state(self) -> State:
        return State(bit(0) | bit(54), bit(6) | bit(48), 0)  # a7 and g1, g7 and a1

    def steps(self, move: int) -> tuple[int | str, ...]:
        source, target = divmod(move, 64)
        if move == PASS:
            return ("pass",)
        return (source, target) if source != target else (target,)
