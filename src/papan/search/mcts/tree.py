"""The tree of Monte Carlo tree search, in arrays that are allocated once.

A node is a position reached by one sequence of moves from the root (node 0). The same position
reached by other moves is another node, so that a draw by repetition is a property of the node. The
children of a node are created together and adjacent. Node i is row i of two arrays. The values
needed to choose among siblings are separate, so that they occupy few cache lines.

    nodes    total (f8)    visits (i4)   first (i4)    move (i4)   count (i2) status (i1) again (i1)
    appeal   average (f4)  spread (f4)

total    sum of the scores of all simulations through the node, plus its prior's; a win is 1, a draw
         ½, a loss 0, for the side that made the move into it (at the root: the side not to move)
visits   number of these simulations
first    the node's first child; children are `first` … `first + count − 1`
count    number of children; 0: the node is a leaf of the tree
move     the move into the node
status   OPEN, or the proven result for the side that made the move into it
again    1 if the side that made the move into the node moves there again; always 0 at the root
average  total / visits; the urgency before the first visit, `HOPELESS` for a proven loss; priors
         count as `prior` additional visits, here and in the spread
spread   the part of the exploration term that depends on the node (`papan.search.mcts.selection`);
         0 if the value is proven and needs no exploration
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.errors import InvalidLimit
from papan.rules.dispatch import helper
from papan.rules.operations import MAX_PLY, State, turns_alternate
from papan.search.mcts.options import MOST_SIMULATIONS

#: Status of a node: unproven, or its proven result. The result for the other side is
#: `OPPOSITE − status`, its score `(status − 1) / 2`.
OPEN, LOST, DRAWN, WON = 0, 1, 2, 3
OPPOSITE = 4

ROOT = 0

#: Averages above and below every real bound.
URGENT = 1e9
HOPELESS = -1e9

NODE = np.dtype(
    [
        ("total", np.float64),
        ("visits", np.int32),
        ("first", np.int32),
        ("move", np.int32),
        ("count", np.int16),
        ("status", np.int8),
        ("again", np.int8),
    ],
    align=True,
)
APPEAL = np.dtype([("average", np.float32), ("spread", np.float32)])
HEAD = np.dtype(
    [
        ("used", np.int64),  # nodes in use: the index of the next new node
        ("room", np.int64),  # end of the nodes that may be used
        ("deepest", np.int64),  # the largest ply of a visited node
        ("random", np.uint64),  # the state of the generator
        ("prior", np.float64),  # simulations that a node's prior counts for
        ("path", np.int32, (MAX_PLY + 1,)),  # the nodes of the current simulation
        ("held", np.int8, (MAX_PLY + 1,)),  # 1 if the node's best child is a proven draw
    ],
    align=True,
)

NODE_BYTES = NODE.itemsize + APPEAL.itemsize
assert NODE_BYTES == 32, "memory is counted in nodes of this size"
assert np.iinfo(np.int32).max >= MOST_SIMULATIONS, "visits fit into their field"


class Tree(NamedTuple):
    """The tree of one search; kernels write to its arrays."""

    nodes: Any  # record array of NODE
    appeal: Any  # record array of APPEAL, as long
    head: Any  # one record of HEAD


def new_tree(megabytes: float) -> Tree:
    """Returns a tree with as many nodes as fit in `megabytes` (10⁶ bytes).

    Raises:
        InvalidLimit: the machine has too little memory.
    """
    room = int(megabytes * 1e6) // NODE_BYTES
    try:
        nodes, appeal = np.zeros(room, NODE), np.zeros(room, APPEAL)
    except MemoryError:
        raise InvalidLimit("limit.memory", value=megabytes) from None
    head = np.zeros(1, HEAD)
    return Tree(nodes.view(np.recarray), appeal.view(np.recarray), head.view(np.recarray)[0])


def clear(tree: Tree, seed: int, prior: float = 0.0) -> None:
    """Reduces a tree to its root and seeds the random generator.

    Args:
        tree: the tree.
        seed: the first state of the generator.
        prior: number of simulations that a node's prior counts for.
    """
    tree.head.used = 0
    tree.head.room = tree.nodes.size
    tree.head.deepest = 0
    tree.head.random = np.uint64(seed)
    tree.head.prior = prior
    add_node(tree, -1)


@helper
def add_node(tree: Tree, move: int) -> None:
    """Adds a node without visits; the tree must have room for it."""
    index = tree.head.used
    tree.head.used += 1
    node = tree.nodes[index]
    node.total = 0.0
    node.visits = 0
    node.first = 0
    node.move = move
    node.count = 0
    node.status = OPEN
    node.again = 0
    tree.appeal[index].average = URGENT
    tree.appeal[index].spread = 0.0


@helper
def is_again(state: State, tree: Tree, index: int) -> bool:
    """Returns whether the side that made the move into a node moves there again.

    `state` is any state of the game.
    """
    return not turns_alternate(state) and tree.nodes[index].again == 1


@helper
def settle(tree: Tree, index: int, status: int) -> None:
    """Sets the proven result of a node and ends its exploration."""
    tree.nodes[index].status = status
    tree.appeal[index].spread = 0.0
    if status == LOST:
        tree.appeal[index].average = HOPELESS
    else:
        tree.appeal[index].average = score_of(status)


@helper
def score_of(status: int) -> float:
    """Returns 1, ½ or 0 for a proven win, draw or loss."""
    return 0.5 * (status - LOST)


@helper
def conclusion(state: State, tree: Tree, index: int) -> int:
    """Returns the status of a node that its children prove, or OPEN.

    A child that is won for the side that moves into it decides the node. If all children are
    proven, the best of them decides (Winands, Björnsson & Saito, "Monte-Carlo tree search solver",
    CG 2008; extended here by draws). `state` is any state of the game.
    """
    first = tree.nodes[index].first
    best = LOST
    unproven = 0
    for child in range(first, first + tree.nodes[index].count):
        status = tree.nodes[child].status
        if status == OPEN:
            unproven += 1
        best = max(best, status)
    if best == WON or unproven == 0:
        return best if is_again(state, tree, index) else OPPOSITE - best
    return OPEN


def mean_score(tree: Tree, index: int) -> float:
    """Returns the mean score of a node's simulations and its prior; ½ if there are none.

    The score is the view of the side that made the move into the node. The root has no prior.
    """
    node = tree.nodes[index]
    weight = float(node.visits) + (float(tree.head.prior) if index != ROOT else 0.0)
    return float(node.total) / weight if weight > 0 else score_of(DRAWN)


def best_child(tree: Tree, index: int) -> int:
    """Returns the child to play; the node must have children.

    1. A proven win. 2. The most visited open child (the robust child), unless a proven draw is
    better. 3. A proven draw. 4. The most visited child.
    """
    first, count = int(tree.nodes[index].first), int(tree.nodes[index].count)
    children = tree.nodes[first : first + count]
    robust = np.where(children.status == OPEN, children.visits, -1)
    best = int(robust.argmax())
    doubtful = children.status[best] != OPEN or mean_score(tree, first + best) < score_of(DRAWN)
    if (children.status == WON).any():
        best = int((children.status == WON).argmax())
    elif doubtful and (children.status == DRAWN).any():
        best = int((children.status == DRAWN).argmax())
    elif children.status[best] != OPEN:
        best = int(children.visits.argmax())
    return first + best


def main_line(tree: Tree) -> list[int]:
    """Returns the nodes of the principal variation, without the root."""
    line: list[int] = []
    index = ROOT
    while tree.nodes[index].count > 0:
        index = best_child(tree, index)
        if line and tree.nodes[index].visits == 0:
            break
        line.append(index)
    return line
