"""Retrograde analysis: the graph of all positions that can be reached from one, for games that can
go in circles, and the winner of each of them.

Here a repeated position is nothing special: a side that can win does so in the fewest plies, and on
the way no position comes twice; a side that cannot be beaten can go on for ever, which the rule of
the third occurrence makes a draw. See docs/solving.md for the argument in full.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.games.corners.rules import CornersState
from papan.jit.compiler import kernel
from papan.rules.bits import half_turn, popcount, signed, transpose
from papan.rules.dispatch import helper
from papan.rules.operations import (
    final_value,
    head,
    is_over,
    key,
    more,
    moves,
    play,
    tail,
)
from papan.search.workspace import Workspace
from papan.solve.base import Work
from papan.solve.proof_table import spread

#: Moves of a position on average, for which there is room; more of them make it hold fewer.
EDGES_EACH = 10

#: Bytes that a position takes in all arrays together.
BYTES_EACH = 2 * 8 + 2 * 4 * EDGES_EACH + 2 * 8 + 4 * 4 + 4 + 2 + 2

#: What `expand` comes back with.
DONE, TOO_LARGE, STOPPED, CROWDED = 0, 1, 2, 3

#: Slots of a graph that is begun, and how many times as many it has after each growth: those for
#: all of its memory would be spread over pages that the system first has to clear.
FIRST_SLOTS, GROWTH = 1 << 15, 16


class Graph(NamedTuple):
    """Positions by number, the root's being 0.

    A position is kept as the side to move sees it: `mine` and `theirs`. If `fold` is 1 the board
    is turned so that the mover goes up and left, and of two mirror images one is kept; that takes
    a history without positions that must not come again. If it is 0, positions of the second
    side have `mine` complemented.

    Attributes:
        mine: uint64 of shape (room,).
        theirs: uint64 of shape (room,).
        slots: int32 of shape (a power of two,): number + 1 of the position with this hash, or 0.
        first: int64 of shape (room + 1,): where a position's moves begin in `edges`.
        edges: int32: the positions that moves lead to.
        result: int16 of shape (room,): 1 + n for a win of the side to move in n plies, −1 − n for
            a loss, 0 for neither.
        drawn: uint64: keys of positions whose next occurrence is a draw.
        fold: 1 or 0.
        size: int64 of shape (3,): how many positions there are, how many of them `expand` has done,
            and how many moves they have.
    """

    mine: Any
    theirs: Any
    slots: Any
    first: Any
    edges: Any
    result: Any
    drawn: Any
    fold: int
    size: Any


def new_graph(work: Work, drawn: list[int]) -> Graph:
    """A graph without positions, with as much room as memory and nodes allow.

    Raises:
        Unsolved: the machine does not have so much memory.
    """
    room = work.bytes // BYTES_EACH
    if work.limit.nodes is not None:
        room = min(room, work.limit.nodes)
    room = max(room, 16)  # for a root and some of its moves under any limit
    return Graph(
        work.array(room, np.uint64),
        work.array(room, np.uint64),
        work.array(min(FIRST_SLOTS, most_slots(room)), np.int32),
        work.array(room + 1, np.int64),
        work.array(EDGES_EACH * room, np.int32),
        work.array(room, np.int16),
        np.array(drawn, dtype=np.uint64),
        0 if drawn else 1,
        np.zeros(3, dtype=np.int64),
    )


def most_slots(room: int) -> int:
    """The slots for so many positions: at most half of them are used."""
    return 1 << (2 * room - 1).bit_length()


@helper
def seen_by_mover(state: CornersState, fold: int) -> tuple[np.uint64, np.uint64]:
    """`mine` and `theirs` of a position as the graph keeps it."""
    mine, theirs = state.mine, state.theirs
    if fold == 0:
        return ~mine if state.side == 1 else mine, theirs
    if state.side == 1:
        mine, theirs = half_turn(mine, 8, 8), half_turn(theirs, 8, 8)
    mirrored = transpose(mine)
    if mirrored > mine:
        return mine, theirs
    return mirrored, min(transpose(theirs), theirs) if mirrored == mine else transpose(theirs)


@helper
def position_at(graph: Graph, number: int) -> CornersState:
    """The position of that number."""
    mine = graph.mine[number]
    # Nine pieces never fill half of the board: it is the complement of them.
    if popcount(mine) > 32:
        return CornersState(~mine, graph.theirs[number], 1)
    return CornersState(mine, graph.theirs[number], 0)


@helper
def slot_of(graph: Graph, mine: np.uint64, theirs: np.uint64) -> int:
    """The slot of a position, or the free one that it would have."""
    mask = graph.slots.size - 1
    slot = signed(spread(mine, theirs) & np.uint64(mask))
    # At most half of the slots are used, so that a free one is always near.
    while graph.slots[slot] != 0:
        number = signed(graph.slots[slot]) - 1
        if graph.mine[number] == mine and graph.theirs[number] == theirs:
            break
        slot = (slot + 1) & mask
    return slot


@helper
def number_of(graph: Graph, state: CornersState) -> int:
    """The number of a position, which is a new one if need be; −1 if there is no room for it."""
    mine, theirs = seen_by_mover(state, graph.fold)
    slot = slot_of(graph, mine, theirs)
    if graph.slots[slot] != 0:
        return signed(graph.slots[slot]) - 1
    number = graph.size[0]
    if number >= graph.mine.size:
        return -1
    graph.slots[slot] = number + 1
    graph.mine[number] = mine
    graph.theirs[number] = theirs
    graph.size[0] = number + 1
    return number


@helper
def must_not_come(graph: Graph, state: CornersState) -> bool:
    """True if the game's history makes this position a draw when it comes."""
    if graph.drawn.size > 0:
        own = key(state)
        for drawn in graph.drawn:
            if drawn == own:
                return True
    return False


@kernel
def place_all(graph: Graph) -> None:
    """Gives all positions their slots, which are all free."""
    for number in range(graph.size[0]):
        graph.slots[slot_of(graph, graph.mine[number], graph.theirs[number])] = number + 1


@helper
def is_crowded(graph: Graph) -> bool:
    """True if a quarter of slots that can be more is used: the moves of one position, which are
    few beside the first slots, do not fill half of them."""
    may_grow = graph.slots.size < 2 * graph.mine.size
    return may_grow and 4 * graph.size[0] > graph.slots.size


@kernel
def expand(graph: Graph, root: CornersState, workspace: Workspace) -> int:
    """Finds all positions that can be reached from `root`, and the moves between them; goes on
    where it has left off."""
    number_of(graph, root)
    number = graph.size[1]
    edge = graph.size[2]
    while number < graph.size[0]:
        if is_crowded(graph):
            graph.size[1], graph.size[2] = number, edge
            return CROWDED
        workspace.nodes += 1
        if workspace.stop != 0:
            return STOPPED
        state = position_at(graph, number)
        graph.first[number] = edge
        if is_over(state):
            graph.result[number] = 1 if final_value(state) > 0 else -1
        # The root has come already, so that its own history does not end the game there.
        elif number == 0 or not must_not_come(graph, state):
            rest = moves(state)
            while more(state, rest):
                child = number_of(graph, play(state, head(state, rest)))
                if child < 0 or edge >= graph.edges.size:
                    return TOO_LARGE
                graph.edges[edge] = child
                edge += 1
                rest = tail(state, rest)
        number += 1
    graph.first[number] = edge
    return DONE


@kernel
def turn_around(graph: Graph, first: Any, sources: Any) -> None:
    """Writes for each position where it can be reached from: `first` and `sources` are to the
    moves backwards what `first` and `edges` of the graph are to the moves forwards."""
    size = graph.size[0]
    total = graph.first[size]
    # Counting sort by target: the sums of the counts are where the sources of each begin.
    for edge in range(total):
        first[graph.edges[edge] + 1] += 1
    for number in range(size):
        first[number + 1] += first[number]
    for number in range(size):
        for edge in range(graph.first[number], graph.first[number + 1]):
            target = graph.edges[edge]
            sources[first[target]] = number
            first[target] += 1
    # Filling has moved each beginning to the next one.
    for number in range(size, 0, -1):
        first[number] = first[number - 1]
    first[0] = 0


@kernel
def resolve(graph: Graph, backwards: Any, open_moves: Any, queue: Any) -> None:
    """Finds `result` of every position from the ends of the game backwards, nearest first.

    Args:
        backwards: `first` and `sources` of `turn_around`.
        open_moves: int16, one a position: room for the moves that do not lose yet.
        queue: int32, one a position: room for those whose result is known.
    """
    first, sources = backwards
    size = graph.size[0]
    end = 0
    for number in range(size):
        open_moves[number] = graph.first[number + 1] - graph.first[number]
        if graph.result[number] != 0:
            queue[end] = number
            end += 1
    begin = 0
    while begin < end:
        number = queue[begin]
        begin += 1
        result = graph.result[number]
        for edge in range(first[number], first[number + 1]):
            source = sources[edge]
            if graph.result[source] != 0:
                continue
            # Results come in the order of their plies: the first lost child is the fastest win, and
            # the last child to be won by the other side is the slowest loss.
            if result < 0:
                graph.result[source] = 1 - result
            else:
                open_moves[source] -= 1
                if open_moves[source] > 0:
                    continue
                graph.result[source] = -1 - result
            queue[end] = source
            end += 1


def solve_graph(graph: Graph, root: CornersState, work: Work) -> Graph | None:
    """The graph filled from `root` on; None if there is not enough room for it.

    Raises:
        Unsolved: the work was stopped.
    """
    while (outcome := expand(graph, root, work.workspace)) == CROWDED:
        slots = min(GROWTH * graph.slots.size, most_slots(graph.mine.size))
        graph = graph._replace(slots=work.array(slots, np.int32))
        place_all(graph)
    work.check()
    if outcome == TOO_LARGE:
        return None
    size = int(graph.size[0])
    backwards = (work.array(size + 1, np.int64), work.array(int(graph.first[size]), np.int32))
    turn_around(graph, *backwards)
    resolve(graph, backwards, work.array(size, np.int16), work.array(size, np.int32))
    return graph


@kernel
def result_of(graph: Graph, state: CornersState) -> int:
    """The result of a position that is in the graph."""
    return graph.result[number_of(graph, state)]
