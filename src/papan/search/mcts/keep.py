"""The tree of an earlier search as the start of the next one, a few moves later in the same game.

The node of the position that is reached becomes the root, and what is not below it is removed. All
children of a node are adjacent, and come after it. So the nodes that stay can be moved to the front
in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.search.mcts.tree import OPEN, ROOT, Tree, best_child

#: Largest number of nodes that are compared with a position.
MOST_TRIED = 500

_GONE, _STAYS = -2, -1


def keep_below(tree: Tree, earlier: Position, position: Position) -> bool:
    """Reduces the tree of a search from `earlier` to what is below `position`, if it is there.

    Returns False, without a change, if the position is not found or its result is proven.
    """
    index = _find(tree, earlier, position)
    if index == ROOT or tree.nodes[index].status != OPEN or tree.nodes[index].count == 0:
        return False
    again = int(tree.nodes[index].again)
    move_up(tree, index, _places(tree))
    root = tree.nodes[ROOT]
    # The root has no prior, and counts from the view of the side that is not to move.
    root.total *= root.visits / (root.visits + tree.head.prior)
    if again:
        root.total = root.visits - root.total
    root.again = 0
    return True


def prepare(tree: Tree) -> None:
    """Compiles the code, or loads it."""
    move_up(tree, ROOT, _places(tree))


def _places(tree: Tree) -> Any:
    return np.full(int(tree.head.used), _GONE, np.int32)


def _find(tree: Tree, earlier: Position, position: Position) -> int:
    """Returns the node of a position; `ROOT` if it is not found.

    The side that searched has played the best moves of the tree, the other side any.
    """
    waiting = deque([(ROOT, earlier)])
    for _ in range(MOST_TRIED):
        if not waiting:
            break
        index, at = waiting.popleft()
        if index != ROOT and at == position:
            return index
        if tree.nodes[index].count > 0:
            own = at.side == earlier.side
            below = [best_child(tree, index)] if own else _visited(tree, index)
            waiting.extend((child, at.after(int(tree.nodes[child].move))) for child in below)
    return ROOT


def _visited(tree: Tree, index: int) -> Iterator[int]:
    """Yields the visited children of a node."""
    first = int(tree.nodes[index].first)
    for child in range(first, first + int(tree.nodes[index].count)):
        if tree.nodes[child].visits > 0:
            yield child


@kernel
def move_up(tree: Tree, root: int, places: Any) -> None:
    """Makes a node the root and removes all nodes that are not below it.

    Args:
        tree: the tree.
        root: the new root.
        places: int32 for each used node, all `_GONE`; becomes its new place.
    """
    places[root], kept = _STAYS, 0
    for index in range(root, places.size):
        if places[index] == _STAYS:
            places[index] = kept
            kept += 1
            first = tree.nodes[index].first
            for child in range(first, first + tree.nodes[index].count):
                places[child] = _STAYS
    for index in range(root, places.size):
        place = places[index]
        if place >= 0:
            old, new = tree.nodes[index], tree.nodes[place]
            new.total, new.visits, new.move = old.total, old.visits, old.move
            new.count, new.status, new.again = old.count, old.status, old.again
            new.first = places[old.first] if old.count > 0 else 0
            tree.appeal[place].average = tree.appeal[index].average
            tree.appeal[place].spread = tree.appeal[index].spread
    tree.head.used = kept
