"""Minichess: chess on five rows and columns without double steps, castling and en passant.

papan play minichess        Rules: Martin Gardner, 1969
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit, helper, lowest, popcount

BOARD = rules.Grid(5, 5)
OUTSIDE = ~BOARD.mask
LAST_ROWS = BOARD.of_squares([*range(5), *range(32, 37)])
KNIGHT = rules.table(rules.knight_steps)
KING = rules.table(rules.surrounding)
NAMES = ("pawn", "bishop", "knight", "rook", "king", "queen")
MEN = [Piece(letter, "x", name, name) for letter, name in zip("PBNRKQ", NAMES, strict=True)]
MEN += [Piece(letter, "o", name, name) for letter, name in zip("pbnrkq", NAMES, strict=True)]


class State(NamedTuple):
    """A position. Queens are both in `diagonal` (like bishops) and in `straight` (like rooks)."""

    mine: Bits
    theirs: Bits
    pawns: Bits
    knights: Bits
    diagonal: Bits
    straight: Bits
    kings: Bits
    side: int


@helper
def ahead(squares: Bits, side: int) -> Bits:
    """Returns the squares in front of a side's pawns."""
    return rules.up(squares) if side == 0 else rules.down(squares)


@helper
def attackers(state: State, source: Bits, target: Bits) -> Bits:
    """Returns the opposing pieces that attack the king after a move."""
    occupied = (state.mine | state.theirs) & ~source | target | OUTSIDE
    kings = target if source & state.kings != NONE else state.mine & state.kings
    if kings == NONE:
        return state.theirs  # a position read from text may have no king
    king = lowest(kings)
    front = ahead(bit(king), state.side)
    attacking: Bits = (rules.left(front) | rules.right(front)) & state.pawns
    attacking |= KNIGHT[king] & state.knights | KING[king] & state.kings
    attacking |= rules.bishop_reach(king, occupied) & state.diagonal
    attacking |= rules.rook_reach(king, occupied) & state.straight
    return attacking & state.theirs & ~target


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    piece = bit(source)
    occupied = state.mine | state.theirs | OUTSIDE
    legal = NONE
    front = ahead(piece, state.side)
    beside = rules.left(front) | rules.right(front)
    targets = front & ~occupied | beside & state.theirs if piece & state.pawns != NONE else NONE
    targets |= KNIGHT[source] if piece & state.knights != NONE else NONE
    targets |= KING[source] if piece & state.kings != NONE else NONE
    targets |= rules.bishop_reach(source, occupied) if piece & state.diagonal != NONE else NONE
    targets |= rules.rook_reach(source, occupied) if piece & state.straight != NONE else NONE
    targets &= ~(state.mine | OUTSIDE)
    while targets != NONE:
        target = bit(lowest(targets))
        legal |= target if attackers(state, piece, target) == NONE else NONE
        targets ^= target
    return legal


@helper
def after(men: Bits, source: Bits, target: Bits, made: bool) -> Bits:
    """Returns a set of pieces after a move; `made` adds a promoted pawn."""
    return men & ~(source | target) | (target if made or men & source != NONE else NONE)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    start, end, choice = rules.source_target_choice(NONE, move)
    source, target = bit(start), bit(end)
    pawns = after(state.pawns, source, target, False) ^ (target if choice > 0 else NONE)
    knights = after(state.knights, source, target, choice == 1)
    diagonal = after(state.diagonal, source, target, choice == 2 or choice == 4)
    straight = after(state.straight, source, target, choice >= 3)
    kings = after(state.kings, source, target, False)
    mine = after(state.mine, source, target, False)
    theirs = state.theirs & ~target
    return State(theirs, mine, pawns, knights, diagonal, straight, kings, 1 - state.side)


@rules.choices.register(State)
def _(state: State, source: int, target: int) -> int:
    return 4 if bit(source) & state.pawns and bit(target) & LAST_ROWS else 1


@rules.moves.register(State)
def _(state: State) -> rules.FromToChoice:
    return rules.from_to_choice(state, state.mine)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN if attackers(state, NONE, NONE) else 0


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.largest_move.register(State)
def _(state: State) -> int:
    return (1 << 15) - 1


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    here = bit(place) & (state.mine | state.theirs)
    o = state.mine if state.side else state.theirs
    kind = popcount(here & state.pawns) + 2 * popcount(here & state.diagonal)
    kind += 3 * popcount(here & state.knights) + 4 * popcount(here & state.straight)
    kind = 5 if here & state.kings != NONE else kind
    return kind + 6 * popcount(here & o) if 0 < kind < 7 else 0


class Minichess(rules.Game):
    """Chess on five rows: pawns make only single steps, and there is no castling. Checkmate wins.
    The game is drawn without a legal move, or when a position occurs for the third time."""

    board = BOARD
    side_names = ("White", "Black")
    pieces = tuple(MEN)
    joints = ("",)
    words = ("n", "b", "r", "q")

    def start_state(self) -> State:
        x = Bits(0x1F1F000000)
        o = Bits(0x1F1F)
        pawns = Bits(0x1F001F00)
        ends = bit(0) | bit(32)
        return State(x, o, pawns, 2 * ends, 12 * ends, 9 * ends, 16 * ends, 0)
