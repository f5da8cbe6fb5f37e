"""Take-away: take one to three counters; the side that takes the last one wins.

A short game: nearly everything that has a default is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from papan.core.board.geometry import Grid
from papan.core.game import Game
from papan.core.notation import SIDES, read_number, read_side, split_fields
from papan.core.spec import option
from papan.errors import InvalidMove
from papan.rules.bits import ALL, Bits
from papan.rules.keys import zobrist_keys
from papan.rules.operations import evaluate, final_value, key, moves, play, win_value

_KEYS = zobrist_keys("take-away", 2, 64)
_MOST = 3  # counters taken at once


class TakeAwayState(NamedTuple):
    """The counters left, and the side to move."""

    left: int
    side: int


class NoIdea(NamedTuple):
    """Nothing is known before the end."""


@moves.register(TakeAwayState)
def _(state: TakeAwayState) -> Bits:
    """Bit m stands for taking m + 1."""
    return ~(ALL << np.uint64(min(state.left, _MOST)))


@play.register(TakeAwayState)
def _(state: TakeAwayState, move: int) -> TakeAwayState:
    return TakeAwayState(state.left - move - 1, 1 - state.side)


@final_value.register(TakeAwayState)
def _(state: TakeAwayState) -> int:
    return -1


@win_value.register(TakeAwayState)
def _(state: TakeAwayState) -> int:
    """It does not matter when the last counter is taken."""
    return 0


@key.register(TakeAwayState)
def _(state: TakeAwayState) -> np.uint64:
    return _KEYS[state.side, state.left]


@evaluate.register(NoIdea)
def _(evaluation: NoIdea, state: TakeAwayState) -> int:
    return 0


@dataclass(frozen=True)
class TakeAway(Game):
    """Take the last counter."""

    name = "take-away"
    title = "Take-away"
    state_class = TakeAwayState
    evaluations = {"none": NoIdea()}

    heap: int = option(21, "option.size", low=1, high=63)

    @property
    def board(self) -> Grid:
        return Grid(1, 1)

    @property
    def max_plies(self) -> int:
        return self.heap

    def steps(self, move: int) -> tuple[str, ...]:
        """No places: the counters lie in a heap."""
        return (self.write_move(move),)

    def start_state(self) -> TakeAwayState:
        return TakeAwayState(self.heap, 0)

    def read_state(self, line: str) -> TakeAwayState:
        left, side = split_fields(line, "<counters> <side to move>")
        return TakeAwayState(read_number(left, 0, 63, "counters"), read_side(side))

    def write_state(self, state: TakeAwayState) -> str:
        return f"{state.left} {SIDES[state.side]}"

    def read_move(self, text: str, state: TakeAwayState) -> int:
        if text not in ("1", "2", "3"):
            raise InvalidMove("move.no-square", text=text, extent="1 … 3")
        return int(text) - 1

    def write_move(self, move: int) -> str:
        return str(move + 1)
