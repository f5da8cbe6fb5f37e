"""The tree of an earlier search as the start of the next one, a few moves later in the same game.

The node of the position that is reached becomes the root, and what is not below it is removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.rules import operations as rules
from papan.rules.bits import signed
from papan.rules.operations import State, play
from papan.search.mcts.tree import OPEN, ROOT, Tree, best_child

#: Largest number of plies between two searches of one game.
MOST_PLIES = 8


def keep_below(
    tree: Tree, earlier: Position, position: Position, arrays: Iterable[Any] = ()
) -> bool:
    """Reduces the tree of a search from `earlier` to what is below `position`, if it is there.

    Returns False, without a change, if the position is not found or its result is proven.

    Args:
        tree: the tree.
        earlier: its root.
        position: the new root.
        arrays: other arrays with an element for each node.
    """
    index = _find(tree, earlier, position)
    if index == ROOT or tree.nodes[index].status != OPEN or tree.nodes[index].count == 0:
        return False
    again = int(tree.nodes[index].again)
    _move_up(tree, index, arrays)
    root = tree.nodes[ROOT]
    # The root has no prior, and counts from the view of the side that is not to move.
    root.total *= root.visits / (root.visits + tree.head.prior)
    if again:
        root.total = root.visits - root.total
    root.again = 0
    return True


def prepare(tree: Tree, position: Position) -> None:
    """Compiles the code, or loads it."""
    child_with_key(position.state, tree, ROOT, np.uint64(0))
    _move_up(tree, ROOT, ())


def _move_up(tree: Tree, root: int, arrays: Iterable[Any]) -> None:
    """Makes a node the root and removes all nodes that are not below it."""
    order = np.empty(tree.nodes.size, np.int32)
    kept = int(list_below(tree, root, order))
    for array in (tree.nodes, tree.appeal, *arrays):
        array[:kept] = array[order[:kept]]
    tree.head.used, tree.head.room = kept, tree.nodes.size


def _find(tree: Tree, earlier: Position, position: Position) -> int:
    """Returns the node of a position; `ROOT` if it is not found.

    All moves before the last are the best of the tree, in most games that of the side that
    searched.
    """
    index, at, key = ROOT, earlier, np.uint64(rules.key(position.state))
    for _ in range(MOST_PLIES):
        if tree.nodes[index].count == 0:
            break
        child = int(child_with_key(at.state, tree, index, key))
        index = child if child != ROOT else best_child(tree, index)
        at = at.after(int(tree.nodes[index].move))
        if child != ROOT:
            return child if at == position else ROOT
    return ROOT


@kernel
def child_with_key(state: State, tree: Tree, index: int, wanted: np.uint64) -> int:
    """Returns the child of a node whose position has a key; `ROOT` if there is none."""
    node = tree.nodes[index]
    for child in range(node.first, node.first + node.count):
        if rules.key(play(state, signed(tree.nodes[child].move))) == wanted:
            return child
    return ROOT


@kernel
def list_below(tree: Tree, root: int, order: Any) -> int:
    """Lists a node and all nodes below it, parents first; returns their number.

    The first child of each node is changed to its place in the list.
    """
    order[0], listed = root, 1
    place = 0
    while place < listed:
        node = tree.nodes[order[place]]
        first = node.first
        node.first = listed if node.count > 0 else 0
        for child in range(first, first + node.count):
            order[listed] = child
            listed += 1
        place += 1
    return listed
