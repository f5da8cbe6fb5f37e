"""Solves the graph of all positions reachable from an endgame by retrograde analysis.

Repetition needs no special treatment. A side that can win does so in the fewest plies, and no
position occurs twice on the way. A side that cannot be beaten can play on forever, and the rule of
the third occurrence makes the game a draw. See docs/solving.md for the full argument.

Results are propagated backwards as in tablebases (`papan.tablebase.retrograde`). There are three
differences: the sides are exchangeable, the history of the game matters, and there is a node limit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.errors import Unsolved
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
from papan.tablebase.codec import LOST, WON, code_of
from papan.tablebase.retrograde import Predecessors

#: Average number of moves per position for which memory is reserved.
EDGES_EACH = 10

#: Bytes per position in all arrays.
BYTES_EACH = 2 * 8 + 2 * 4 * EDGES_EACH + 2 * 8 + 4 * 4 + 4 + 2 + 2

#: Return values of `expand`.
DONE, TOO_LARGE, STOPPED, CROWDED = 0, 1, 2, 3

#: Number of slots of a new graph, and growth factor. The slots start small, because the system
#: would have to clear all memory pages of the full size first.
FIRST_SLOTS, GROWTH = 1 << 15, 16


class Graph(NamedTuple):
    """Positions by number; the root has number 0.

    A position is stored from the view of the side to move: `mine` and `theirs`. With `fold` = 1 the
    board is turned so that the mover goes up and left, and one of two mirror images is stored. This
    requires a history without positions whose next occurrence is a draw. With `fold` = 0, positions
    of the second side have `mine` complemented.

    Attributes:
        mine: uint64 of shape (room,).
        theirs: uint64 of shape (room,).
        slots: int32 of shape (a power of two,): hash table with number + 1 of a position; 0 is
            empty.
        first: int64 of shape (room + 1,): start of a position's moves in `edges`.
        edges: uint32: twice the number of each successor.
        codes: uint16 of shape (room,): results, see `papan.tablebase.codec`.
        drawn: uint64: keys of positions whose next occurrence is a draw.
        fold: 1 or 0.
        size: int64 of shape (3,): number of positions, of expanded positions, and of their moves.
    """

    mine: Any
    theirs: Any
    slots: Any
    first: Any
    edges: Any
    codes: Any
    drawn: Any
    fold: int
    size: Any


def new_graph(work: Work, drawn: list[int]) -> Graph:
    """Returns an empty graph with as much room as memory and node limit allow.

    Raises:
        Unsolved: the machine does not have enough memory.
    """
    room = work.bytes // BYTES_EACH
    if work.limit.nodes is not None:
        room = min(room, work.limit.nodes)
    room = max(room, 16)  # room for a root and some moves even with a small limit
    return Graph(
        work.array(room, np.uint64),
        work.array(room, np.uint64),
        work.array(min(FIRST_SLOTS, most_slots(room)), np.int32),
        work.array(room + 1, np.int64),
        work.array(EDGES_EACH * room, np.uint32),
        work.array(room, np.uint16),
        np.array(drawn, dtype=np.uint64),
        0 if drawn else 1,
        np.zeros(3, dtype=np.int64),
    )


def most_slots(room: int) -> int:
    """Returns the number of slots for some positions, of which at most half are used."""
    return 1 << (2 * room - 1).bit_length()


@helper
def seen_by_mover(state: CornersState, fold: int) -> tuple[np.uint64, np.uint64]:
    """Returns `mine` and `theirs` of a position in the form of the graph."""
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
    """Returns the position with a number."""
    mine = graph.mine[number]
    # Nine pieces fill less than half of the board, so more squares mean the complement.
    if popcount(mine) > 32:
        return CornersState(~mine, graph.theirs[number], 1)
    return CornersState(mine, graph.theirs[number], 0)


@helper
def slot_of(graph: Graph, mine: np.uint64, theirs: np.uint64) -> int:
    """Returns the slot of a position, or the free slot where it would be stored."""
    mask = graph.slots.size - 1
    slot = signed(spread(mine, theirs) & np.uint64(mask))
    # At most half of the slots are used, so a free slot is always near.
    while graph.slots[slot] != 0:
        number = signed(graph.slots[slot]) - 1
        if graph.mine[number] == mine and graph.theirs[number] == theirs:
            break
        slot = (slot + 1) & mask
    return slot


@helper
def number_of(graph: Graph, state: CornersState) -> int:
    """Returns the number of a position, and adds it to the graph if necessary; −1 if full."""
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
    """Returns True if the game's history makes the next occurrence of a position a draw."""
    if graph.drawn.size > 0:
        own = key(state)
        for drawn in graph.drawn:
            if drawn == own:
                return True
    return False


@kernel
def place_all(graph: Graph) -> None:
    """Fills the empty slots with all positions."""
    for number in range(graph.size[0]):
        graph.slots[slot_of(graph, graph.mine[number], graph.theirs[number])] = number + 1


@helper
def is_crowded(graph: Graph) -> bool:
    """Returns True if the slots should grow, because a quarter of them is used.

    The moves of one position are few compared with the first slots, so they cannot fill half of
    them.
    """
    may_grow = graph.slots.size < 2 * graph.mine.size
    return may_grow and 4 * graph.size[0] > graph.slots.size


@kernel
def expand(graph: Graph, root: CornersState, workspace: Workspace) -> int:
    """Finds all positions reachable from `root` and the moves between them.

    Continues an earlier call that returned early.
    """
    # The root gets number 0; new positions are appended, so the loop is a breadth-first search.
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
            graph.codes[number] = code_of(WON if final_value(state) > 0 else LOST, 0)
        # The root's own history does not end the game, because the root has already occurred.
        elif number == 0 or not must_not_come(graph, state):
            rest = moves(state)
            while more(state, rest):
                child = number_of(graph, play(state, head(state, rest)))
                if child < 0 or edge >= graph.edges.size:
                    return TOO_LARGE
                graph.edges[edge] = 2 * child
                edge += 1
                rest = tail(state, rest)
        number += 1
    graph.first[number] = edge
    return DONE


def solve_graph(graph: Graph, root: CornersState, work: Work) -> Graph | None:
    """Returns the solved graph of `root`; None if there is not enough room.

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
    predecessors = Predecessors(size, None)
    predecessors.degrees[:] = np.diff(graph.first[: size + 1])
    predecessors.add(0, graph.edges[: graph.first[size]])
    try:
        predecessors.solve(graph.codes[:size], 0, work.check)
    except MemoryError:
        raise Unsolved("limit.memory", value=f"{BYTES_EACH * size / 2**20:.0f}") from None
    return graph


@kernel
def result_of(graph: Graph, state: CornersState) -> int:
    """Returns the result of a position in the graph, as 16 bits."""
    return graph.codes[number_of(graph, state)]
