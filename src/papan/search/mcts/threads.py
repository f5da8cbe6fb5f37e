"""Threads that search one tree without locks.

Each thread adds nodes to its own part of the arrays and has its own random numbers, path and
workspace. Threads may lose a few of each other's visits, and may expand the same leaf twice; the
last children stay. Enzenberger & Müller, "A lock-free multithreaded Monte-Carlo tree search
algorithm", ACG 2009.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from papan.core.game import Position
from papan.rules.splitmix import GOLDEN
from papan.search.alphabeta.threads import HelperThreads
from papan.search.mcts.selection import for_thread
from papan.search.mcts.settings import Settings
from papan.search.mcts.tree import HEAD, Tree
from papan.search.workspace import Workspace

#: Runs simulations of a tree with these settings in a workspace.
Simulate = Callable[[Tree, Settings, Workspace], object]


class TreeThreads:
    """The helper threads of a search, and their views of its tree."""

    def __init__(self, position: Position, tree: Tree, threads: int, most: int) -> None:
        """Divides the rest of a tree among threads, each with at most `most` simulations."""
        self.helpers = HelperThreads(position, threads - 1)
        for workspace in self.helpers.workspaces:
            workspace.node_limit = most
        used = int(tree.head.used)
        share = (tree.nodes.size - used) // threads
        tree.head.room = used + share
        self.views = [
            _view(tree, used + number * share, share, number) for number in range(1, threads)
        ]

    def simulate(self, tree: Tree, settings: Settings, run: Simulate, workspace: Workspace) -> None:
        """Runs simulations in all threads until those of this thread are done."""
        waiting = [
            (view, settings._replace(selection=for_thread(settings.selection)))
            for view in self.views
        ]
        with self.helpers.helping(lambda own: run(*waiting.pop(), own)):
            run(tree, settings, workspace)
        tree.head.deepest = max(tree.head.deepest, *(view.head.deepest for view in self.views))


def _view(tree: Tree, used: int, room: int, number: int) -> Tree:
    """Returns a view of a tree whose new nodes are `room` nodes from `used` on."""
    head = np.zeros(1, HEAD)
    head["used"], head["room"], head["prior"] = used, used + room, tree.head.prior
    with np.errstate(over="ignore"):  # the generator wraps around
        head["random"] = ~tree.head.random + np.uint64(number) * GOLDEN
    return tree._replace(head=head.view(np.recarray)[0])
