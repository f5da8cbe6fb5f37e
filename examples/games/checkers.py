"""English draughts: captures are mandatory; a chain of jumps is one move.

papan play checkers        Rules: World Checkers Draughts Federation
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import ALL, NONE, WIN, Bits, Piece, bit, popcount

BOARD = rules.Grid(8, 8)
DARK = [square for square in BOARD.squares if (square // 8 + square) % 2]
LAST_ROWS = BOARD.of_squares([*range(8), *range(56, 64)])
MEN = Piece("x", "x", "man"), Piece("o", "o", "man")
KINGS = Piece("X", "x", "king", "crowned"), Piece("O", "o", "king", "crowned")
WAYS = 9, 7, -9, -7  # from a place to the next one down-right, down-left, up-left and up-right
QUIET = 80  # plies without a capture or a man's move after which the game is a draw


class State(NamedTuple):
    """A position: the pieces of both sides, the kings, and the plies without progress."""

    mine: Bits
    theirs: Bits
    kings: Bits
    side: int
    quiet: int


@rules.movers.register(State)
def _(state: State, way: int) -> Bits:
    """Ways 0 to 3 are jumps down-right, down-left, up-left and up-right; ways 4 to 7 are steps in
    the same directions. Men only move forward."""
    back = 2 * way + 5 & 7
    forward = (way & 3) >> 1 != state.side
    free = rules.moved(~(state.mine | state.theirs), back)
    if way < 4:
        free = rules.moved(free & state.theirs, back)
    return free & state.mine & (ALL if forward else state.kings)


@rules.gone.register(State)
def _(state: State, place: int, way: int) -> tuple[State, int]:
    over, target = NONE, place + WAYS[way & 3]
    if way < 4:
        over, target = bit(target), target + WAYS[way & 3]
    both = bit(place) | bit(target)
    kings = state.kings & ~over
    kings ^= both if kings & bit(place) != NONE else NONE
    return State(state.mine ^ both, state.theirs & ~over, kings, state.side, state.quiet), target


@rules.moves.register(State)
def _(state: State) -> rules.Chain:
    return rules.chain(state, state.mine if state.quiet < QUIET else NONE)


@rules.count_moves.register(State)
def _(state: State) -> int:
    return rules.count_chains(state, state.mine if state.quiet < QUIET else NONE)


@rules.final_value.register(State)
def _(state: State) -> int:
    return 0 if rules.more(state, rules.chain(state, state.mine)) else -WIN


@rules.play.register(State)
def _(state: State, move: int) -> State:
    after, place = rules.chain_end(state, move)
    progress = rules.chain_length(move) > 0 or after.kings & bit(place) == NONE
    kings = after.kings | bit(place) & LAST_ROWS
    quiet = 0 if progress else state.quiet + 1
    return State(after.theirs, after.mine, kings, 1 - state.side, quiet)


@rules.largest_move.register(State)
def _(state: State) -> int:
    return rules.LARGEST_CHAIN


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    return rules.chain_length(move)


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    o = state.mine if state.side == 1 else state.theirs
    square = bit(place)
    kind = popcount((state.mine | state.theirs) & square) + popcount(o & square)
    return kind + 2 * popcount(state.kings & square)


class Material(NamedTuple):
    """Men, own − the opponent's; a king counts as one and a half men."""


@rules.evaluate.register(Material)
def _(evaluation: Material, state: State) -> int:
    men = popcount(state.mine) - popcount(state.theirs)
    return 2 * men + popcount(state.mine & state.kings) - popcount(state.theirs & state.kings)


class Checkers(rules.Game):
    """Men step diagonally forward, kings also backward. A piece that can jump over an opposing
    piece onto the empty square behind it must jump, and continues as long as it can; jumped pieces
    are captured. A man that reaches the last row becomes a king and stops. A player who cannot move
    loses.
    """

    board = BOARD
    look = "draughts"
    side_names = ("Black", "White")
    pieces = (*MEN, *KINGS)
    joints, ways = ("-", "x"), WAYS
    evaluations = {"material": Material()}

    def start_state(self) -> State:
        return State(BOARD.of_squares(DARK[20:]), BOARD.of_squares(DARK[:12]), NONE, 0, 0)
