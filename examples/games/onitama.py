"""Onitama: move by one of your two cards, then exchange it for the card beside the board.

papan play onitama:deal=7        Rules: Shimpei Sato, 2014
"""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.errors import InvalidPosition
from papan.gamekit import NONE, WIN, Bits, Piece, bit, popcount, replaced

SQUARES = rules.Grid(5, 5)
HANDS = SQUARES.end  # place of x's first card; the last place has the card beside the board
NOBODY = 63  # source and target of a player who cannot move and only exchanges a card
TEMPLES = bit(34), bit(2)
#: The steps of each card, to the right and forward, and its letter.
STEPS = """
T tiger +0+2 +0-1; D dragon -2+1 +2+1 -1-1 +1-1; F frog -2+0 -1+1 +1-1; R rabbit +2+0 +1+1 -1-1;
C crab +0+1 -2+0 +2+0; E elephant -1+0 +1+0 -1+1 +1+1; G goose -1+0 -1+1 +1+0 +1-1;
K rooster -1+0 -1-1 +1+0 +1+1; Y monkey -1+1 +1+1 -1-1 +1-1; A mantis -1+1 +1+1 +0-1;
H horse +0+1 -1+0 +0-1; U ox +0+1 +1+0 +0-1; N crane +0+1 -1-1 +1-1; B boar +0+1 -1+0 +1+0;
L eel -1+1 -1-1 +1+0; S cobra +1+1 +1-1 -1+0"""
CARDS = [card.split() for card in STEPS.split(";")]
WAYS = [[(int(step[:2]), int(step[2:])) for step in card[2:]] for card in CARDS]
SPOTS = ["".join(f"M{9 * x - 4} {-9 * y - 4}h8v8h-8z" for x, y in ways) for ways in WAYS]
DRAWN = [Piece(c[0], "", c[1], f"M-3 0L0 3L3 0L0-3z{s}") for c, s in zip(CARDS, SPOTS, strict=True)]
MEN = *(Piece(s, s) for s in "xo"), *(Piece(s.upper(), s, "master", "king") for s in "xo")


def reached(ways: list[tuple[int, int]], turn: int, square: int) -> Bits:
    """Returns the squares that a card reaches from a square."""
    return SQUARES.of_squares(filter(SQUARES.has, (square + turn * (x - 8 * y) for x, y in ways)))


REACH = np.array([[[reached(w, turn, s) for s in range(64)] for turn in (1, -1)] for w in WAYS])
REACH[:, :, NOBODY] = bit(NOBODY)


class State(NamedTuple):
    """A position; `cards` are the numbers of x's two cards, o's two, and the one beside the
    board."""

    mine: Bits
    theirs: Bits
    masters: Bits
    side: int
    cards: tuple[int, ...]


@rules.moves.register(State)
def _(state: State) -> rules.FromToThen:
    lost = state.mine & state.masters == NONE
    lost |= state.theirs & state.masters & TEMPLES[state.side] != NONE
    walk = rules.from_to_then(state, NONE if lost else state.mine)
    return walk if lost or rules.more(state, walk) else rules.from_to_then(state, bit(NOBODY))


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    first = state.cards[2 * state.side]
    second = state.cards[2 * state.side + 1]
    to: Bits = REACH[first, state.side, source] | REACH[second, state.side, source]
    return to & ~state.mine


@rules.thirds.register(State)
def _(state: State, source: int, target: int) -> Bits:
    cards = NONE
    for card in range(2 * state.side, 2 * state.side + 2):
        if REACH[state.cards[card], state.side, source] & bit(target) != NONE:
            cards |= bit(HANDS + card)
    return cards


@rules.play.register(State)
def _(state: State, move: int) -> State:
    start, end, place = rules.source_target_third(NONE, move)
    old = bit(start)
    new = bit(end)
    card = place - HANDS
    masters = state.masters
    masters = masters & ~(old | new) | (new if masters & old != NONE else NONE)
    cards = replaced(replaced(state.cards, card, state.cards[4]), 4, state.cards[card])
    return State(state.theirs & ~new, state.mine ^ old ^ new, masters, 1 - state.side, cards)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.largest_move.register(State)
def _(state: State) -> int:
    return (1 << 18) - 1


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    if place >= HANDS:
        return 5 + state.cards[place - HANDS]
    here = bit(place) & (state.mine | state.theirs)
    o = state.mine if state.side else state.theirs
    return popcount(here) + popcount(here & o) + 2 * popcount(here & state.masters)


@dataclass(frozen=True)
class Onitama(rules.Game):
    """Each side has two cards, which show the possible steps of a piece. Move by one of them,
    `c1-c2-A`, and exchange it for the card beside the board; a player who cannot move only
    exchanges, `A`. Capture the other master, or bring yours to its start. A third occurrence is a
    draw."""

    board = rules.beside(SQUARES, x=("A", "B"), o=("a", "b"), shared=("*",))
    look = "mat"
    side_names = ("Red", "Blue")
    pieces = (*MEN, *DRAWN)
    deal: int = rules.option(0, "number of the deal (five of the cards)", low=0, high=9999)

    def start_state(self) -> State:
        cards = tuple(Random(self.deal).sample(range(16), 5))
        return State(np.uint64(31 << 32), np.uint64(31), TEMPLES[0] | TEMPLES[1], 0, cards)

    def read_state(self, line: str) -> State:
        state: State = rules.read_fields(SQUARES, self.start_state(), line, MEN)
        if len(set(state.cards)) < 5 or max(state.cards) > 15:
            raise InvalidPosition("position.not-allowed", text=line, game=self.title)
        return state

    def write_state(self, state: State) -> str:
        return rules.write_fields(SQUARES, state, MEN)
