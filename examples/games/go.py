"""Go with the rules of Tromp and Taylor: area scoring, and no position of the board twice.

papan play go:size=13

Rules: https://tromp.github.io/go.html. Suicide is legal; programs such as GNU Go forbid it, as
`suicide=no` does. The komi is in half points, so an odd komi excludes draws.
"""

from dataclasses import dataclass
from typing import NamedTuple

import papan.gamekit as rules
from papan.errors import InvalidPosition
from papan.gamekit import (
    NONE,
    WIN,
    Bits,
    bit_like,
    connected,
    helper,
    lowest,
    orthogonal,
    popcount,
    without_lowest,
)


class Stones(NamedTuple):
    """A position in the form of its notation."""

    mine: Bits
    theirs: Bits
    side: int
    passes: int


class State(NamedTuple):
    """A position in the form for the search; `size`, `komi` and `suicide` (0 or 1) are options of
    the game."""

    mine: Bits
    theirs: Bits
    empty: Bits
    side: int
    passes: int
    size: int
    komi: int
    suicide: int


@helper
def pass_move(state: State) -> int:
    """Returns the number of the pass: one above the numbers of the points."""
    return state.size + (state.size - 1) * (8 if state.size < 8 else state.size + 1)


@helper
def alive(stones: Bits, empty: Bits) -> Bits:
    """Returns the stones whose chains have a liberty."""
    return connected(orthogonal(empty) & stones, stones)


@helper
def suicides(state: State) -> Bits:
    """Returns the empty points where a stone of the side to move would be removed at once."""
    dead = state.empty & NONE
    rest = state.empty & ~orthogonal(state.empty)
    while rest != NONE:
        stone = bit_like(rest, lowest(rest))
        rest = without_lowest(rest)
        empty = state.empty & ~stone
        takes = alive(state.theirs, empty) != state.theirs
        if not takes and alive(state.mine | stone, empty) & stone == NONE:
            dead = dead | stone
    return dead


@rules.moves.register(State)
def _(state: State) -> Bits:
    if state.passes == 2:
        return state.empty & NONE
    points = state.empty if state.suicide == 1 else state.empty & ~suicides(state)
    return points | bit_like(state.empty, pass_move(state))


@rules.play.register(State)
def _(state: State, move: int) -> State:
    mine = state.mine
    theirs = state.theirs
    empty = state.empty
    passes = state.passes + 1
    if move != pass_move(state):
        stone, passes = bit_like(empty, move), 0
        points = mine | theirs | empty
        mine, empty = mine | stone, empty & ~stone
        if orthogonal(stone) & theirs != NONE:
            theirs = alive(theirs, empty)
        mine = alive(mine, points & ~(mine | theirs))
        empty = points & ~(mine | theirs)
    return State(theirs, mine, empty, 1 - state.side, passes, state.size, state.komi, state.suicide)


@helper
def lead(state: State) -> int:
    """Returns the area difference in half points from the view of the side to move. The area
    consists of the stones and of the empty points from which only these stones can be reached."""
    mine = connected(orthogonal(state.mine), state.empty)
    theirs = connected(orthogonal(state.theirs), state.empty)
    area = popcount(state.mine | mine & ~theirs) - popcount(state.theirs | theirs & ~mine)
    return 2 * area + (state.komi if state.side == 1 else -state.komi)


@rules.final_value.register(State)
def _(state: State) -> int:
    margin = lead(state)
    if margin == 0:
        return 0
    return WIN if margin > 0 else -WIN


@rules.repetition_is_forbidden.register(State)
def _(state: State) -> bool:
    return True


@rules.most_moves.register(State)
def _(state: State) -> int:
    return 362


@rules.position_key.register(State)
def _(state: State) -> Bits:
    """The stones, regardless of the side to move; a pass changes only the number of passes."""
    x, o = (state.mine, state.theirs) if state.side == 0 else (state.theirs, state.mine)
    return rules.mixed((x, o, state.passes))


@rules.playout_filter.register(State)
def _(state: State, move: int) -> bool:
    """Random games fill no eye: a point between own stones that no two diagonal neighbours take."""
    if move == pass_move(state):
        return True
    point, points = bit_like(state.empty, move), state.mine | state.theirs | state.empty
    if orthogonal(point) & ~state.mine & points != NONE:
        return True
    corners = rules.diagonal(point) & points
    most = 1 if popcount(corners) == 4 else 0
    return popcount(corners & state.theirs) > most


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    """Captures first, then points next to stones, the pass last."""
    if move == pass_move(state):
        return -1
    stone = bit_like(state.empty, move)
    taken = popcount(state.theirs) - popcount(alive(state.theirs, state.empty & ~stone))
    return 4 * taken + popcount(orthogonal(stone) & (state.mine | state.theirs))


class Area(NamedTuple):
    """The area as if the game ended now."""


@rules.evaluate.register(Area)
def _(evaluation: Area, state: State) -> int:
    return lead(state)


@dataclass(frozen=True)
class Go(rules.Game):
    """Put a stone on an empty point, or pass. Opposing chains without an adjacent empty point are
    removed, then your own. No arrangement of the stones may occur twice. After two passes the area
    counts: stones, and empty points that only one side surrounds."""

    look = "goban"
    side_names = ("Black", "White")
    words = ("pass",)
    evaluations = {"area": Area()}
    size: int = rules.option(9, "option.size", low=5, high=19)
    komi: int = rules.option(15, "half points for the second player", low=0, high=99)
    suicide: bool = rules.option(True, "a stone may remove its own chain")

    @property
    def board(self) -> rules.Grid:
        return rules.Grid(self.size, self.size, spare=True)

    def start_state(self) -> State:
        board = self.board
        return State(board.empty, board.empty, board.mask, 0, 0, *self._options())

    def read_state(self, line: str) -> State:
        none = self.board.empty
        mine, theirs, side, passes = rules.read_fields(self.board, Stones(none, none, 0, 0), line)
        empty = self.board.mask & ~(mine | theirs)
        breathing = all(alive(own, empty) == own for own in (mine, theirs))
        if not breathing or not 0 <= passes <= 2:
            raise InvalidPosition("position.not-allowed", text=line, game=self.title)
        return State(mine, theirs, empty, side, passes, *self._options())

    def _options(self) -> tuple[int, int, int]:
        return self.size, self.komi, int(self.suicide)

    def write_state(self, state: State) -> str:
        stones = Stones(state.mine, state.theirs, state.side, state.passes)
        return rules.write_fields(self.board, stones)

    def steps(self, move: int) -> tuple[int | str, ...]:
        return (move,) if move < self.board.end else ("pass",)

    def gtp_setup(self) -> dict[str, float]:
        return {"boardsize": self.size, "komi": self.komi / 2}
