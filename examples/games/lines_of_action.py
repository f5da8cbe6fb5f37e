"""Lines of Action: connect all of your pieces.

papan play examples/games/lines_of_action.py    (rules: Claude Soucie, 1969)
"""

from typing import Any, NamedTuple

import papan.gamekit as rules
from papan.gamekit import NONE, WIN, Bits, Grid, bit, down, helper, left, popcount, right, up


def along(square: Bits, forth: Any, back: Any) -> Bits:
    """Returns the line through a square in two opposite directions."""
    for _ in range(7):
        square = square | forth(square) | back(square)
    return square


ROWS = rules.table(lambda square: along(square, left, right))
COLUMNS = rules.table(lambda square: along(square, up, down))
FALLING = rules.table(lambda square: along(square, lambda s: up(left(s)), lambda s: down(right(s))))
RISING = rules.table(lambda square: along(square, lambda s: up(right(s)), lambda s: down(left(s))))


class State(NamedTuple):
    """A position: pieces of the side to move, pieces of the other side, and the side to move."""

    mine: Bits
    theirs: Bits
    side: int


@helper
def group(pieces: Bits) -> Bits:
    """Returns the first piece with all pieces that are connected to it by edges or corners."""
    members = pieces & ~rules.without_lowest(pieces)
    old = NONE
    while members != old:
        old = members
        members = members | rules.surrounding(members) & pieces
    return members


@helper
def landings(line: Bits, source: int, step: int, state: State) -> Bits:
    """Returns the targets along a line: the distance is the number of pieces on the line."""
    far = step * popcount(line & (state.mine | state.theirs))
    targets = NONE
    low, high = source - far, source + far
    if low >= 0 and line & (bit(source) - bit(low + 1)) & state.theirs == NONE:
        targets |= bit(low)
    if high < 64 and line & (bit(high) - bit(source)) & state.theirs == NONE:
        targets |= bit(high)
    return targets & line


@rules.moves.register(State)
def _(state: State) -> rules.FromTo:
    over = group(state.theirs) == state.theirs or group(state.mine) == state.mine
    return rules.from_to(state, NONE if over else state.mine)


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    targets = landings(ROWS[source], source, 1, state)
    targets |= landings(COLUMNS[source], source, 8, state)
    targets |= landings(FALLING[source], source, 9, state)
    targets |= landings(RISING[source], source, 7, state)
    return targets & ~state.mine


@rules.play.register(State)
def _(state: State, move: int) -> State:
    source = bit(rules.source_of(NONE, move))
    target = bit(rules.target_of(NONE, move))
    return State(state.theirs & ~target, state.mine & ~source | target, 1 - state.side)


@rules.final_value.register(State)
def _(state: State) -> int:
    """The side that moved last wins if both sides are connected, or if the opponent cannot move."""
    wins = group(state.mine) == state.mine and group(state.theirs) != state.theirs
    return WIN if wins else -WIN


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.is_reversible.register(State)
def _(state: State, move: int) -> bool:
    return bool(bit(rules.target_of(NONE, move)) & state.theirs == NONE)


class Groups(NamedTuple):
    """Connected groups of pieces, the opponent's − own."""


@helper
def groups(pieces: Bits) -> int:
    """Returns the number of groups."""
    count = 0
    while pieces != NONE:
        pieces, count = pieces & ~group(pieces), count + 1
    return count


@rules.evaluate.register(Groups)
def _(evaluation: Groups, state: State) -> int:
    return groups(state.theirs) - groups(state.mine)


class LinesOfAction(rules.Game):
    """A piece moves along a line by exactly as many squares as there are pieces on that line: over
    its own pieces but not over opposing ones, to an empty square or to capture. A player whose
    pieces form one group, connected by edges or corners, wins. The third occurrence of a position
    is a draw."""

    look = "draughts"
    side_names = ("Black", "White")
    board = Grid(8, 8)
    evaluations = {"groups": Groups()}

    def start_state(self) -> State:
        return State(Bits(0x7E00_0000_0000_007E), Bits(0x0081_8181_8181_8100), 0)
