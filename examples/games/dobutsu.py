"""Dōbutsu shōgi: catch the opposing lion on 3 × 4 squares, or bring your own across the board.

papan play dobutsu        Rules: the Japan Shogi Association's, by Madoka Kitao
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit, helper, popcount

SQUARES = rules.Grid(4, 3)
BOARD = rules.beside(SQUARES, x=("C", "E", "G"), o=("c", "e", "g"))
ALL, HANDS = SQUARES.mask, SQUARES.end
NAMES = {"C": "chick", "E": "elephant", "G": "giraffe", "H": "hen", "L": "lion"}
ANIMALS = [Piece(letter, "x", name, "letter-wedge") for letter, name in NAMES.items()]
ANIMALS += [Piece(letter.lower(), "o", name, "letter-disc") for letter, name in NAMES.items()]


class State(NamedTuple):
    """A position; `hands` are x's chicks, elephants and giraffes, then o's."""

    mine: Bits
    theirs: Bits
    chicks: Bits
    elephants: Bits
    giraffes: Bits
    hens: Bits
    lions: Bits
    side: int
    hands: tuple[int, ...]


@helper
def reach(state: State, pieces: Bits) -> Bits:
    """The squares that some of one's own pieces attack."""
    ahead, hens, elephants = 6 - 4 * state.side, pieces & state.hens, pieces & state.elephants
    found = rules.moved(pieces & state.chicks | hens, ahead)
    found |= rules.moved(hens, ahead - 1) | rules.moved(hens, ahead + 1 & 7)
    found |= rules.orthogonal(pieces & state.giraffes | hens)
    found |= rules.surrounding(elephants) & ~rules.orthogonal(elephants)
    return (found | rules.surrounding(pieces & state.lions)) & ALL & ~state.mine


@helper
def is_lost(state: State) -> bool:
    """True if the own lion is caught, or the other one has crossed the board unassailed."""
    goal = ALL << 24 if state.side == 0 else ALL >> 24
    crossed = state.theirs & state.lions & goal & ~reach(state, state.mine)
    return bool(state.mine & state.lions == NONE or crossed != NONE)


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    sources = state.mine
    for place in range(HANDS + 3 * state.side, HANDS + 3 * state.side + 3):
        sources |= bit(place) if state.hands[place - HANDS] > 0 else NONE
    return rules.from_to(state, NONE if is_lost(state) else sources)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    return ALL & ~(state.mine | state.theirs) if source >= HANDS else reach(state, bit(source))


@rules.piece_at.register(State)
@helper
def piece_at(state: State, place: int) -> int:
    """1 to 5 for x's chick, elephant, giraffe, hen and lion, 6 to 10 for o's."""
    if place >= HANDS:
        kind = 1 + (place - HANDS) % 3 + 5 * ((place - HANDS) // 3)
        return kind if state.hands[place - HANDS] > 0 else 0
    here, o = bit(place) & (state.mine | state.theirs), state.mine if state.side else state.theirs
    kind = popcount(state.chicks & here) + 2 * popcount(state.elephants & here)
    kind += 3 * popcount(state.giraffes & here) + 4 * popcount(state.hens & here)
    kind += 5 * popcount(state.lions & here)
    return kind + 5 * popcount(o & here) if kind > 0 else 0


@rules.play.register(State)
def _(state: State, move: int) -> State:
    start, end, hands = rules.source_of(NONE, move), rules.target_of(NONE, move), state.hands
    target, stays, kind = bit(end), ~(bit(start) | bit(end)), (piece_at(state, start) - 1) % 5 + 1
    taken = piece_at(state, end) % 5
    if taken > 0:  # a hen is a chick again
        taken = 3 * state.side + (taken - 1) % 3
        hands = rules.replaced(hands, taken, hands[taken] + 1)
    if start >= HANDS:
        hands = rules.replaced(hands, start - HANDS, hands[start - HANDS] - 1)
    elif kind == 1 and target & (ALL << 24 | ALL >> 24) != NONE:
        kind = 4
    chicks = state.chicks & stays | (target if kind == 1 else NONE)
    elephants = state.elephants & stays | (target if kind == 2 else NONE)
    giraffes = state.giraffes & stays | (target if kind == 3 else NONE)
    hens = state.hens & stays | (target if kind == 4 else NONE)
    men = (chicks, elephants, giraffes, hens, state.lions & stays | (target if kind == 5 else NONE))
    return State(state.theirs & stays, state.mine & stays | target, *men, 1 - state.side, hands)


rules.final_value.register(State)(lambda state: -WIN)
rules.repetition_limit.register(State)(lambda state: 3)


@rules.count_at.register(State)
def _(state: State, place: int) -> int:
    return state.hands[place - HANDS] if place >= HANDS and state.hands[place - HANDS] > 1 else -1


class Dobutsu(rules.Game):
    """Each animal steps one square: chicks ahead, giraffes upright and sideways, elephants on
    diagonals, lions anywhere. What you catch you may put on any empty square instead of a move. A
    chick that steps onto the last row becomes a hen. Who catches the lion wins, and so does a lion
    on the last row that cannot be caught at once."""

    title = "Dōbutsu shōgi"
    board = BOARD
    pieces = tuple(ANIMALS)

    def start_state(self) -> State:
        men = (bit(9) | bit(17), bit(2) | bit(24), bit(0) | bit(26), NONE, bit(1) | bit(25))
        return State(bit(17) | ALL & ALL << 24, bit(9) | ALL >> 24, *men, 0, (0,) * 6)
