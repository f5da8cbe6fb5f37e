"""Monte Carlo tree search, recorded after each simulation, with the tree of the compiled search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from papan.core.game import Position
from papan.core.spec import option
from papan.search.algorithm import Task
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.tree import DRAWN, LOST, OPEN, OPPOSITE, ROOT, WON, best_child, mean_score
from papan.search.trace.record import Node, Pass, without_history

#: Default number of simulations; a picture cannot show many more.
SIMULATIONS = 200
#: Largest number of simulations of a recorded search.
MOST_SIMULATIONS = 20_000

_PROVEN = {OPEN: "", LOST: "lost", DRAWN: "drawn", WON: "won"}  # for the node's own side to move


@dataclass
class TracedMcts(Mcts):
    """Monte Carlo tree search that runs one simulation at a time and records its path."""

    simulations: int = option(SIMULATIONS, "option.simulations", low=1, high=MOST_SIMULATIONS)
    memory: float = option(64.0, "option.memory", low=0.01, high=1024.0)

    #: Nodes of each simulation, from the root.
    paths: list[list[int]] = field(default_factory=list, init=False, repr=False, compare=False)

    #: Node → number of visits in the recorded paths.
    _counted: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def begin(self, task: Task) -> None:
        super().begin(task)
        self.paths, self._counted = [], {}

    def _simulate(self, task: Task, most: int) -> None:
        for _ in range(most):
            before = self.nodes(task)
            super()._simulate(task, 1)
            if self.nodes(task) == before:
                return
            self.paths.append(self._path())

    def _path(self) -> list[int]:
        """Returns the nodes of the last simulation.

        A node belongs to it if it has more visits than the recorded paths account for.
        """
        nodes, path = self.tree.nodes, [ROOT]
        while nodes[path[-1]].count > 0:
            following = int(self.tree.head.path[len(path)])
            first = int(nodes[path[-1]].first)
            below = first <= following < first + int(nodes[path[-1]].count)
            if not below or nodes[following].visits <= self._counted.get(following, 0):
                break
            path.append(following)
        for index in path:
            self._counted[index] = int(nodes[index].visits)
        return path


def trace_of(search: TracedMcts, position: Position) -> Pass:
    """Returns the tree of a finished search, with the visited nodes only."""
    steps: dict[int, list[int]] = {}
    for step, path in enumerate(search.paths, start=1):
        for index in path:
            steps.setdefault(index, []).append(step)
    root = _node(search, ROOT, without_history(position), 0, steps)
    return Pass(root.depth, root, len(search.paths))


def _node(
    search: TracedMcts, index: int, position: Position, ply: int, steps: dict[int, list[int]]
) -> Node:
    """Returns a node of the tree with its descendants; children are sorted by visits, most
    first.
    """
    tree = search.tree
    row = tree.nodes[index]
    visits, seen = int(row.visits), steps.get(index, [0])
    # The row is from the view of the side that moved into the node.
    rate, status = mean_score(tree, index), int(row.status)
    if not row.again:
        rate, status = 1.0 - rate, OPPOSITE - status if status != OPEN else OPEN
    node = Node(
        move=position.game.write_move(int(row.move)) if ply else "",
        position=position,
        ply=ply,
        depth=0,
        entered=seen[0],
        left=seen[-1],
        visits=visits,
        score=rate,
        proven=_PROVEN[status],
    )
    first = int(row.first)
    below = range(first, first + int(row.count))
    visited = [child for child in below if child in steps]
    visited.sort(key=lambda child: (-len(steps[child]), steps[child][0]))
    for child in visited:
        after = without_history(position.after(int(tree.nodes[child].move)))
        node.children.append(_node(search, child, after, ply + 1, steps))
    node.uncut = _unvisited_moves(tree, [child for child in below if child not in steps], position)
    if visited:
        best = best_child(tree, index)
        node.best = visited.index(best) if best in visited else -1
    return node


def _unvisited_moves(tree: Any, children: list[int], position: Position) -> tuple[str, ...]:
    """Returns the moves of nodes without simulations."""
    return tuple(sorted(position.game.write_move(int(tree.nodes[i].move)) for i in children))
