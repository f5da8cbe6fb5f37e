"""Dōbutsu shōgi: catch the opposing lion on 3 × 4 squares, or bring your own across the board.

papan play dobutsu        Rules: the Japan Shogi Association's, by Madoka Kitao
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, bit, helper, popcount

SQUARES = rules.Grid(4, 3)
ALL = SQUARES.mask
HANDS = SQUARES.end
HAND = rules.Grid(1, 3).mask << SQUARES.end
NAMES = {"C": "chick", "E": "elephant", "G": "giraffe", "H": "hen", "L": "lion"}
ANIMALS = [Piece(letter, "x", name, name) for letter, name in NAMES.items()]
ANIMALS += [Piece(letter.lower(), "o", name, name) for letter, name in NAMES.items()]


class State(NamedTuple):
    """A position: the mover's animals, and the kinds of all animals (1 to 5) in binary digits."""

    mine: Bits
    ones: Bits  # chicks, giraffes, lions
    twos: Bits  # elephants, giraffes
    fours: Bits  # hens, lions
    side: int
    hands: tuple[int, ...]  # x's chicks, elephants and giraffes, then o's


@helper
def reach(state: State, men: Bits) -> Bits:
    """Returns the squares that some of the mover's animals attack."""
    ahead = 6 - 4 * state.side
    lions = men & state.fours & state.ones
    hens = men & state.fours ^ lions
    elephants = men & state.twos & ~state.ones
    chicks = men & state.ones & ~state.twos ^ lions
    giraffes = men & state.ones & state.twos
    reached = rules.moved(chicks, ahead) | rules.moved(hens, ahead - 1)
    reached |= rules.moved(hens, ahead + 1 & 7) | rules.orthogonal(giraffes | hens)
    return (reached | rules.diagonal(elephants) | rules.surrounding(lions)) & ALL & ~state.mine


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    lions = state.fours & state.ones
    goal = ALL << 24 if state.side == 0 else ALL >> 24
    crossed = lions & ~state.mine & goal & ~reach(state, state.mine)
    is_lost = state.mine & lions == NONE or crossed != NONE
    return rules.from_to(state, NONE if is_lost else state.mine | HAND << 3 * state.side)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    if source < HANDS:
        return reach(state, bit(source))
    return ALL & ~(state.ones | state.twos | state.fours) if state.hands[source - HANDS] else NONE


@rules.piece_at.register(State)
@helper
def piece_at(state: State, place: int) -> int:
    """1 to 5 for x's chick, elephant, giraffe, hen and lion, 6 to 10 for o's."""
    at = bit(place)
    o = popcount(state.mine & bit(place)) ^ 1 ^ state.side
    kind = popcount(state.ones & at) | popcount(state.twos & at) << 1
    kind |= popcount(state.fours & at) << 2
    if place >= HANDS and state.hands[place - HANDS] > 0:
        kind = 1 + (place - HANDS) % 3
        o = (place - HANDS) // 3
    return kind + 5 * o if kind > 0 else 0


@rules.play.register(State)
def _(state: State, move: int) -> State:
    start = rules.source_of(NONE, move)
    end = rules.target_of(NONE, move)
    hands = state.hands
    target = bit(end)
    stays = ~(bit(start) | bit(end))
    kind = (piece_at(state, start) - 1) % 5 + 1
    taken = piece_at(state, end) % 5
    if taken > 0:  # a caught hen becomes a chick
        taken = 3 * state.side + (taken - 1) % 3
        hands = rules.replaced(hands, taken, hands[taken] + 1)
    if start >= HANDS:
        hands = rules.replaced(hands, start - HANDS, hands[start - HANDS] - 1)
    elif kind == 1 and target & (ALL << 24 | ALL >> 24) != NONE:
        kind = 4
    theirs = (state.ones | state.twos | state.fours) & ~state.mine & stays
    ones = state.ones & stays | (target if kind & 1 else NONE)
    twos = state.twos & stays | (target if kind & 2 else NONE)
    fours = state.fours & stays | (target if kind & 4 else NONE)
    return State(theirs, ones, twos, fours, 1 - state.side, hands)


@rules.transform.register(State)
def _(state: State, index: int) -> State:
    hands = state.hands[3:] + state.hands[:3] if index & 1 else state.hands
    return State(*rules.turned(state, index, 4, 3)[:4], state.side ^ (index & 1), hands)


@rules.transform_move.register(State)
def _(state: State, move: int, index: int) -> int:
    start = rules.source_of(NONE, move)
    end = rules.target_of(NONE, move)
    hand = HANDS + (start - HANDS + 3 * (index & 1)) % 6
    start = hand if start >= HANDS else rules.turned_place(start, index, 4, 3)
    return rules.from_to_move(NONE, start, rules.turned_place(end, index, 4, 3))


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.symmetry_count.register(State)
def _(state: State) -> int:
    return 4


@rules.count_at.register(State)
def _(state: State, place: int) -> int:
    return (state.hands[place - HANDS] or -1) if place >= HANDS else -1


class Dobutsu(rules.Game):
    """Chicks step forward, giraffes orthogonally, elephants diagonally, lions in any direction. A
    caught animal can be put on any empty square. A chick that steps onto the last row becomes a
    hen. A player who catches the lion wins, as does a lion on the last row that cannot be caught at
    once."""

    title = "Dōbutsu shōgi"
    board = rules.beside(SQUARES, x=("C", "E", "G"), o=("c", "e", "g"))
    look = "tiles"
    side_names = ("Forest", "Sky")
    pieces = tuple(ANIMALS)

    def start_state(self) -> State:
        ones = bit(9) | bit(17) | bit(0) | bit(26) | bit(1) | bit(25)
        twos = bit(2) | bit(24) | bit(0) | bit(26)
        fours = bit(1) | bit(25)
        return State(bit(17) | ALL & ALL << 24, ones, twos, fours, 0, (0,) * 6)
