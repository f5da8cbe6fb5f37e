"""Solving Adjacency that is played until the board is full, by dynamic programming over sets of
empty squares.

In the end a square has the colour of the last move in its closed neighbourhood, the square and
its neighbours. So what is still to be won depends on the set of empty squares alone: a move
settles, for its player, the squares in whose closed neighbourhood nothing else is empty.

    to_come(E) = max over s in E of  settled(s, E) − to_come(E without s)

A set is a number: bit k stands for the k-th empty square of the root. Every subset of a set is a
smaller number, so counting upwards visits them first. Sets are worked on in blocks of 64 that
differ in their lowest six squares only; playing any other square leads from a block to another
one, lane by lane, which is a few vector instructions for all 64 sets.
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

LOW = 6  # squares that tell the sets of a block apart
BLOCK = 1 << LOW
_AREAS = 5  # closed neighbourhoods that a square lies in, at most

#: Less than every value.
_NOTHING = np.int8(-127)

#: Blocks for one call of the kernel: some milliseconds, between which progress is counted.
_BLOCKS_A_CALL = 1 << 12

#: What matches no set of empty squares.
_NEVER = np.uint64(1 << 63)


class Plan(NamedTuple):
    """The gain of each empty square, prepared so that a block needs little work.

    The closed neighbourhoods that square k lies in are its areas. In a block, one of them is
    live if the squares outside the block's lowest six do not keep it from being settled by k.

    Attributes:
        outside: uint64 of shape (squares, 5): an area's squares outside the lowest six.
        alone: uint64 of shape (squares,): what of `outside` must be empty, and nothing else.
        gains: int8 of shape (squares, 32, 64): what k settles, for each choice of live areas
            (bit i for area i) in each set of the block.
    """

    outside: Any
    alone: Any
    gains: Any


def new_plan(board: Bits, empty: Bits) -> Plan:
    """The plan for a root with these squares, and of them these empty."""
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
    """The square and its neighbours, those of them that are among the given squares."""
    return squares((bit(square) | NEIGHBOURS[square]) & among)


@helper
def live_areas(plan: Plan, block: np.uint64, k: int) -> int:
    """The areas of square `k` that are live in a block, a bit each."""
    live = 0
    for i in range(_AREAS):
        if plan.outside[k, i] & block == plan.alone[k]:
            live |= 1 << i
    return live


@kernel
def fill_blocks(to_come: Any, first: int, last: int, plan: Plan, workspace: Workspace) -> None:
    """Computes `to_come` for the sets of the blocks `first` … `last` − 1; all before are known."""
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

        # 1. The squares that all sets of the block have: 64 sets at once.
        rest = block
        while rest != NONE:
            k = LOW + lowest(rest)
            gain = plan.gains[k, live_areas(plan, block, k)]
            after = to_come[start - (1 << k) : start - (1 << k) + BLOCK]
            for lane in range(BLOCK):
                value = np.int8(gain[lane] - after[lane])
                here[lane] = value if value > here[lane] else here[lane]
            rest = without_lowest(rest)

        # 2. The lowest six squares: set by set, since one needs the other.
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
    """Adjacency with as many plies left as there are empty squares."""

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
        """The final difference after each move, for the side that makes it."""
        everything = (1 << popcount(state.empty)) - 1
        values = {}
        for k, move in enumerate(squares(state.empty)):
            child = play(state, move)
            values[move] = -settled_difference(child) - int(to_come[everything ^ (1 << k)])
        return values


def settled_difference(state: AdjacencyState) -> int:
    """Own − opposing pieces that have no empty neighbour, and so can never change colour."""
    exposed = orthogonal(state.empty)
    return popcount(state.mine & ~exposed) - popcount(state.theirs & ~exposed)
