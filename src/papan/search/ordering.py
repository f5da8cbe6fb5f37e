"""Which moves to try first: what the game promises, killers, and history.

A node's moves are written to its row of `workspace.ordered`, each packed with its score

    score (upper 48 bits, signed) | move (lower 16 bits)

and taken out best first. Picking the best of what is left, instead of sorting, pays because most
nodes are cut off after a few moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from papan.kernel.dispatch import helper
from papan.kernel.operations import State, head, more, moves, order_hint, side_to_move, tail
from papan.search.workspace import Workspace


class Ordering(NamedTuple):
    """What a move's score is made of; a weight of 0 switches a part off.

    Attributes:
        order_hint: weight of the game's own opinion of a move, a point.
        killers: what a killer, a move that cut off a sister node, is worth.
        history: weight of a move's history, which ends at `HISTORY_LIMIT`.
    """

    order_hint: int
    killers: int
    history: int


#: History scores are halved when one of them gets here.
HISTORY_LIMIT = 1 << 14

#: A killer outweighs any history; eight points of order_hint weigh as much as the most history.
#: Measured (engine, heavy depths of the bench suite): a point that outweighs all history takes 21 %
#: more nodes on Adjacency, 20 % on Corners, 4 % on Platforms; no order_hint at all 0 to 9 % more.
HINT_WEIGHT = 1 << 11
KILLER_WEIGHT = 3 << 13

_MOVE_BITS = 16
_MOVE_MASK = (1 << _MOVE_BITS) - 1


@helper
def packed(score: int, move: int) -> int:
    """A move with its score as one number; a better score makes a larger number."""
    return (score << _MOVE_BITS) | move


@helper
def write_moves(state: State, ply: int, ordering: Ordering, workspace: Workspace) -> int:
    """Writes a node's moves with their scores; returns how many there are."""
    side = side_to_move(state)
    count = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        score = ordering.order_hint * order_hint(state, move)
        score += ordering.history * int(workspace.history[side, move])
        if move == workspace.killers[ply, 0] or move == workspace.killers[ply, 1]:
            score += ordering.killers
        workspace.ordered[ply, count] = packed(score, move)
        count += 1
    return count


@helper
def take_best(ply: int, index: int, count: int, workspace: Workspace) -> int:
    """The best of the moves from `index` on, exchanged with the one there. Moves of the same
    score come in the game's order reversed or not, but always the same way."""
    best = index
    for i in range(index + 1, count):
        if workspace.ordered[ply, i] > workspace.ordered[ply, best]:
            best = i
    taken = workspace.ordered[ply, best]
    workspace.ordered[ply, best] = workspace.ordered[ply, index]
    workspace.ordered[ply, index] = taken
    return taken & _MOVE_MASK


@helper
def cutoff_bonus(state: State, move: int, depth: int, ply: int, workspace: Workspace) -> None:
    """Remembers a move that caused a cutoff: as a killer of its ply and in the history."""
    if workspace.killers[ply, 0] != move:
        workspace.killers[ply, 1] = workspace.killers[ply, 0]
        workspace.killers[ply, 0] = move
    side = side_to_move(state)
    workspace.history[side, move] += depth * depth
    if workspace.history[side, move] >= HISTORY_LIMIT:
        for other in range(workspace.history.shape[1]):
            workspace.history[0, other] >>= 1
            workspace.history[1, other] >>= 1


def begin_ordering(workspace: Any) -> None:
    """Forgets killers and history."""
    workspace.killers[:] = -1
    workspace.history[:] = 0
