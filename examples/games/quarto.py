"""Quarto: four pieces in a row with a common property win; the opponent chooses your piece.

papan play quarto

By Blaise Müller (1991). `b3-C` puts the received piece on b3 and gives the piece C.
"""

from typing import NamedTuple

import numpy as np

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Piece, Points, bit, helper, popcount, replaced

LETTERS = "aAbBcCdDeEfFgGhH"  # capitals are tall
WORDS = (("short", "tall"), ("light", "dark"), ("square", "round"), ("solid", "hollow"))
#: Properties of a piece and their opposites, as bits; 0 for no piece. Pieces are numbered from 1.
TRAITS = np.array([0, *(n | (15 - n) << 4 for n in range(16))])
GRID = Points({"abcd"[x] + "4321"[y]: (x, y) for y in range(4) for x in range(4)}, shape="square")
LINES = ((0, 1), (4, 1), (8, 1), (12, 1), (0, 4), (1, 4), (2, 4), (3, 4), (0, 5), (3, 3))
ROWS = np.array([[first + step * n for n in range(4)] for first, step in LINES])
#: Place 16 has the piece to put next; place 16 + n has piece n until it is given.
NEXT, ALL_LEFT = 16, np.uint64(0xFFFF << 17)


class State(NamedTuple):
    """A position: the piece on each square, the piece to put next (0 for none), and the side to
    move."""

    squares: tuple[int, ...]
    given: int
    side: int


@helper
def is_won(state: State) -> bool:
    """Returns True if four pieces in a row have a common property."""
    for row in ROWS:
        common = 0xFF
        for square in row:
            common &= TRAITS[state.squares[square]]
        if common != 0:
            return True
    return False


@helper
def left(state: State) -> Bits:
    """Returns the places of the pieces that were not yet given."""
    used = bit(NEXT + state.given)
    for piece in state.squares:
        used |= bit(NEXT + piece)
    return ALL_LEFT & ~used


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    if place <= NEXT:
        return state.squares[place] if place < NEXT else state.given
    return place - NEXT if left(state) & bit(place) != NONE else 0


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    sources = left(state) if state.given == 0 else NONE
    for square in range(16):
        if state.given > 0 and state.squares[square] == 0:
            sources |= bit(square)
    return rules.from_to(state, NONE if is_won(state) else sources)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    gifts = left(state)  # the first move puts no piece, and the last one gives none
    return gifts if state.given > 0 and gifts != NONE else bit(source)


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source, target = move >> 6, move & 63
    squares = replaced(state.squares, source, state.given) if source < NEXT else state.squares
    return State(squares, max(target - NEXT, 0), 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    return -WIN if is_won(state) else 0


@rules.max_plies_left.register(State)
def _(state: State) -> int:
    return popcount(left(state)) + 1


def piece(n: int) -> Piece:
    """Returns a piece; light ones have the colour of x, dark ones that of o."""
    height, colour, form, core = (words[n >> i & 1] for i, words in enumerate(WORDS))
    name = f"{height} {colour} {form} {core}"
    return Piece(LETTERS[n], "", name, f"{height}-{form}-{core}", "xo"[n >> 1 & 1])


class Quarto(rules.Game):
    """Put the piece that you received on any square, and choose the piece that your opponent must
    put next. Four in a row that are all tall, short, dark, light, round, square, hollow or solid
    win. When all pieces are on the board, the game is a draw."""

    board = rules.beside(GRID, shared=("next", *LETTERS))
    look = "solids"
    side_names = ("First", "Second")
    pieces = tuple(map(piece, range(16)))

    def start_state(self) -> State:
        return State((0,) * 16, 0, 0)

    def allows(self, state: State) -> bool:
        used = [piece for piece in (*state.squares, state.given) if piece != 0]
        return len(used) == len(set(used)) and state.given in range(len(used) % 16 > 0, 17)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return (move >> 6, move & 63)[: 1 + (move >> 6 != move & 63)]
