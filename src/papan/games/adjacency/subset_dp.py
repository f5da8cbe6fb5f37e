"""Solver of Adjacency games that end with a full board: dynamic programming over sets of squares.

At the end, the owner of a square is the side that moved last in its closed neighbourhood (the
square and its neighbours). So the remaining difference depends only on the set of empty squares. A
move settles, for its player, the squares whose closed neighbourhood has no other empty square:

    to_come(E) = max over s in E of  settled(s, E) − to_come(E without s)

A set is a number: bit k is the k-th empty square of the root. Every subset is a smaller number, so
counting upwards visits subsets first. Sets are processed in blocks of 64 that differ only in their
lowest six squares. A move to any other square leads from a block to another block, lane by lane,
which takes a few vector instructions for all 64 sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.games.adjacency.rules import NEIGHBOURS, AdjacencyState
from papan.jit.compiler import kernel
from papan.rules.bits import NONE, Bits, bit, lowest, orthogonal, popcount, squares, without_lowest
from papan.rules.dispatch import helper
from papan.rules.operations import play
from papan.search.workspace import Workspace
from papan.solve.base import SolvedRoot, Solver, Work, best_of

LOW = 6  # number of squares that distinguish the sets of a block
BLOCK = 1 << LOW
_AREAS = 5  # maximum number of closed neighbourhoods that contain a square

#: Smaller than every value.
_NOTHING = np.int8(-127)

#: Blocks per call of the kernel, which takes some milliseconds; progress is updated between calls.
_BLOCKS_A_CALL = 1 << 12

#: A value that matches no set of empty squares.
_NEVER = np.uint64(1 << 63)


class Plan(NamedTuple):
    """The gain of each empty square, precomputed so that a block needs little work.

    The areas of square k are the closed neighbourhoods that contain it. In a block, an area is live
    if the squares outside the block's lowest six allow k to settle it.

    Attributes:
        outside: uint64 of shape (squares, 5): squares of an area outside the lowest six.
        alone: uint64 of shape (squares,): the only squares of `outside` that may be empty.
        gains: int8 of shape (squares, 32, 64): number of squares that k settles, for each choice of
            live areas (bit i for area i) and each set of the block.
    """

    outside: Any
    alone: Any
    gains: Any


def new_plan(board: Bits, empty: Bits) -> Plan:
    """Returns the plan for a root with a set of board squares and a set of empty squares."""
    places = {square: k for k, square in enumerate(squares(empty))}
    count = max(len(places), LOW)
    outside = np.full((count, _AREAS), _NEVER)
    alone = np.zeros(count, dtype=np.uint64)
    gains = np.zeros((count, 1 << _AREAS, BLOCK), dtype=np.int8)
    lanes = np.arange(BLOCK)
    for square, k in places.items():
        own = 1 << k
        alone[k] = own >> LOW
        for i, centre in enumerate(_closed(board, square)):
            area = sum(1 << places[near] for near in _closed(empty, centre))
            outside[k, i] = area >> LOW
            settles = (lanes & area) == own % BLOCK
            for live in range(1 << _AREAS):
                if live >> i & 1:
                    gains[k, live] += settles
    return Plan(outside, alone, gains)


def _closed(among: Bits, square: int) -> list[int]:
    """Returns the square and its neighbours, limited to a set of squares."""
    return squares((bit(square) | NEIGHBOURS[square]) & among)


@helper
def live_areas(plan: Plan, block: np.uint64, k: int) -> int:
    """Returns the live areas of square `k` in a block, one bit per area."""
    live = 0
    for i in range(_AREAS):
        if plan.outside[k, i] & block == plan.alone[k]:
            live |= 1 << i
    return live


@kernel
def fill_blocks(to_come: Any, first: int, last: int, plan: Plan, workspace: Workspace) -> None:
    """Computes `to_come` for the blocks `first` … `last` − 1; all earlier blocks must be known."""
    for number in range(first, last):
        if workspace.stop != 0:
            return
        block = np.uint64(number)
        start = number * BLOCK
        here = to_come[start : start + BLOCK]
        for lane in range(BLOCK):
            here[lane] = _NOTHING
        if number == 0:
            here[0] = 0  # the full board

        # 1. Moves to the squares that all sets of the block contain: 64 sets at once.
        rest = block
        while rest != NONE:
            k = LOW + lowest(rest)
            gain = plan.gains[k, live_areas(plan, block, k)]
            after = to_come[start - (1 << k) : start - (1 << k) + BLOCK]
            for lane in range(BLOCK):
                value = np.int8(gain[lane] - after[lane])
                here[lane] = value if value > here[lane] else here[lane]
            rest = without_lowest(rest)

        # 2. Moves to the lowest six squares: one set at a time, since sets of the block depend on
        # each
        #    other.
        live = (
            live_areas(plan, block, 0),
            live_areas(plan, block, 1),
            live_areas(plan, block, 2),
            live_areas(plan, block, 3),
            live_areas(plan, block, 4),
            live_areas(plan, block, 5),
        )
        for lane in range(1, BLOCK):
            best = here[lane]
            rest = np.uint64(lane)
            while rest != NONE:
                k = lowest(rest)
                value = np.int8(plan.gains[k, live[k], lane] - here[lane ^ (1 << k)])
                best = value if value > best else best
                rest = without_lowest(rest)
            here[lane] = best
        workspace.nodes += BLOCK


class FullBoardSolver(Solver):
    """Solves Adjacency with as many plies left as empty squares."""

    method = "sets of empty squares"

    @classmethod
    def accepts(cls, position: Position) -> bool:
        state = position.state
        return isinstance(state, AdjacencyState) and state.plies_left == popcount(state.empty)

    exact_cost = True

    @classmethod
    def least_nodes(cls, position: Position) -> int:
        return 1 << max(LOW, popcount(position.state.empty))

    @classmethod
    def prepare(cls, position: Position) -> None:
        workspace = Work(position).workspace
        workspace.stop = 1
        fill_blocks(np.zeros(BLOCK, dtype=np.int8), 0, 1, new_plan(NONE, NONE), workspace)

    def solve(self, work: Work) -> SolvedRoot:
        state = work.position.state
        sets = self.least_nodes(work.position)
        if sets > work.bytes:
            raise work.too_large(sets / 2**20)
        if work.limit.nodes is not None and sets > work.limit.nodes:
            raise work.beyond_nodes()
        to_come = work.array(sets, np.int8)
        plan = new_plan(state.mine | state.theirs | state.empty, state.empty)
        for first in range(0, sets // BLOCK, _BLOCKS_A_CALL):
            last = min(first + _BLOCKS_A_CALL, sets // BLOCK)
            fill_blocks(to_come, first, last, plan, work.workspace)
            work.check()
            work.share = last * BLOCK / sets
        return best_of(self._values(state, to_come), state.plies_left)

    def _values(self, state: AdjacencyState, to_come: Any) -> dict[int, int]:
        """Returns the final difference after each move, from the mover's view."""
        everything = (1 << popcount(state.empty)) - 1
        values = {}
        for k, move in enumerate(squares(state.empty)):
            child = play(state, move)
            values[move] = -settled_difference(child) - int(to_come[everything ^ (1 << k)])
        return values


def settled_difference(state: AdjacencyState) -> int:
    """Returns own − opposing pieces without empty neighbours, which can never change sides."""
    exposed = orthogonal(state.empty)
    return popcount(state.mine & ~exposed) - popcount(state.theirs & ~exposed)
