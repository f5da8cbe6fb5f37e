"""Genetic model 2: a chromosome is a line of both sides, valued in a tree of all lines.

After Hong, Huang & Lin, "Adversarial Search by Evolutionary Computation", Evolutionary Computation
9(3), 2001. All chromosomes of a generation form a prefix tree, the reservation tree. Minimax over
the tree values each node. A chromosome is fitter if its leaf's value rises over more levels.

The tree consists of six arrays. Node 0 is the root; children have higher numbers than parents:

    move, parent, level    move to the node, parent node, distance from the root
    child, sibling         first child, and next node with the same parent; −1 for none
    value                  minimax value from the view of the side to move at the root
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.players.genetic.breeding import (
    OPEN,
    Breeding,
    Chromosomes,
    Genes,
    cross,
    is_legal,
    random_move,
    spin,
    value_after,
)
from papan.rules.dispatch import helper
from papan.rules.operations import (
    INFINITY,
    Evaluation,
    State,
    is_over,
    play,
)

NO_NODE = -1
ROOT = 0


class ReservationTree(NamedTuple):
    """The int64 arrays of a reservation tree, with room for every gene of every chromosome."""

    move: Any
    parent: Any
    level: Any
    child: Any
    sibling: Any
    value: Any


def new_tree(chromosomes: int, genes: int) -> ReservationTree:
    """Allocates a tree for a number of chromosomes."""
    return ReservationTree(
        *(np.empty(1 + chromosomes * genes, dtype=np.int64) for _ in ReservationTree._fields)
    )


@helper
def worst(level: int) -> int:
    """Returns the initial value of a node before any child is known.

    The root's side moves at even levels and maximises.
    """
    if level % 2 == 0:
        return -INFINITY
    return INFINITY


@helper
def write_node(tree: ReservationTree, node: int, parent: int, move: int) -> None:
    """Writes a node without children, in front of its siblings."""
    tree.move[node] = move
    tree.parent[node] = parent
    tree.child[node] = NO_NODE
    tree.sibling[node] = NO_NODE
    tree.level[node] = 0
    if parent != NO_NODE:
        tree.level[node] = tree.level[parent] + 1
        tree.sibling[node] = tree.child[parent]
        tree.child[parent] = node
    tree.value[node] = worst(tree.level[node])


@helper
def child_of(tree: ReservationTree, node: int, move: int) -> int:
    """Returns the child after a move; NO_NODE if there is none."""
    child = tree.child[node]
    while child != NO_NODE and tree.move[child] != move:
        child = tree.sibling[child]
    return child


@kernel
def reserve(lines: Chromosomes, values: Any, tree: ReservationTree, leaves: Any) -> int:
    """Builds the tree of all lines and values it by minimax; returns the number of nodes.

    Args:
        lines: moves of both sides in turn; a shorter line ends before its first OPEN.
        values: value of each line's end, from the view of the side to move at the root.
        tree: overwritten.
        leaves: overwritten with the last node of each line.
    """
    # 1. Insert each line; lines with the same first moves share nodes.
    write_node(tree, ROOT, NO_NODE, OPEN)
    count = 1
    for index in range(len(lines)):
        node = ROOT
        for move in lines[index]:
            if move == OPEN:
                break
            following = child_of(tree, node, move)
            if following == NO_NODE:
                following = count
                write_node(tree, count, node, move)
                count += 1
            node = following
        leaves[index] = node
        tree.value[node] = values[index]
    # 2. Minimax from the leaves to the root: children have higher numbers than their parents.
    for node in range(count - 1, ROOT, -1):
        above = tree.parent[node]
        if tree.level[above] % 2 == 0:
            tree.value[above] = max(tree.value[above], tree.value[node])
        else:
            tree.value[above] = min(tree.value[above], tree.value[node])
    return count


@kernel
def levels_kept(tree: ReservationTree, leaf: int, genes: int) -> int:
    """Returns the fitness of a line: the number of levels over which its leaf's value stays the
    same.

    A line whose value reaches the root gets the maximum, `genes`, even if the line is shorter
    because the game ends (which does not happen in Adjacency). Otherwise no quick win would
    survive.
    """
    levels = 0
    node = leaf
    while node != ROOT:
        node = tree.parent[node]
        if tree.value[node] != tree.value[leaf]:
            return levels
        levels += 1
    return genes


@helper
def play_line(state: State, evaluation: Evaluation, genes: Genes, breeding: Breeding) -> int:
    """Plays a line; returns the value of its end for the side to move at the start.

    Open or illegal genes (a repeated square) become random legal moves. Genes after the end of the
    game become OPEN.
    """
    ply = 0
    for index in range(len(genes)):
        if is_over(state):
            genes[index:] = OPEN
            break
        if not is_legal(state, genes[index]):
            genes[index] = random_move(state, breeding.chance)
        state = play(state, genes[index])
        ply += 1
    return value_after(state, evaluation, ply)


@kernel
def random_lines(
    state: State, evaluation: Evaluation, lines: Chromosomes, values: Any, breeding: Breeding
) -> None:
    """Fills in random lines and their values."""
    lines[:] = OPEN
    for index in range(len(lines)):
        values[index] = play_line(state, evaluation, lines[index], breeding)


@kernel
def breed(
    state: State,
    evaluation: Evaluation,
    population: tuple[Chromosomes, Any],
    fitness: Any,
    wheel: Any,
    breeding: Breeding,
) -> None:
    """Breeds children of the first rows into the rows after them.

    `fitness` has one element per parent. `population` contains all lines and their values. `wheel`
    is an int64 work array with one element per parent. Parents are drawn by roulette on fitness +
    1, so that every line has a chance.
    """
    lines, values = population
    parents = len(fitness)
    total = 0
    for index in range(parents):
        total += fitness[index] + 1
        wheel[index] = total
    for index in range(parents, len(lines)):
        mother, father = lines[spin(wheel, breeding.chance)], lines[spin(wheel, breeding.chance)]
        cross(mother, father, lines[index], breeding)
        values[index] = play_line(state, evaluation, lines[index], breeding)


@kernel
def judge(
    lines: Chromosomes, values: Any, tree: ReservationTree, leaves: Any, fitness: Any
) -> None:
    """Inserts all lines into the tree and fills in the fitness of each line."""
    reserve(lines, values, tree, leaves)
    for index in range(len(lines)):
        fitness[index] = levels_kept(tree, leaves[index], lines.shape[1])


class ReservationTreeModel:
    """A population of lines of play, and the tree of its last generation."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        shape: tuple[int, int],
        breeding: Breeding,
    ) -> None:
        """Creates the first generation; `shape` is (lines, moves of each)."""
        self.state, self.evaluation = position.state, evaluation
        self.breeding = breeding
        self.population = shape[0]
        rows = 2 * shape[0]  # parents, then their children
        self.lines = np.empty((rows, shape[1]), dtype=np.int64)
        self.values, self.leaves, self.fitness = np.empty((3, rows), dtype=np.int64)
        self.tree = new_tree(rows, shape[1])
        parents = slice(self.population)
        random_lines(self.state, evaluation, self.lines[parents], self.values[parents], breeding)
        self._judge(parents)

    def advance(self) -> None:
        """Breeds one child per parent and keeps the fitter half of all lines."""
        parents, population = self.fitness[: self.population], (self.lines, self.values)
        wheel = np.empty_like(parents)
        breed(self.state, self.evaluation, population, parents, wheel, self.breeding)
        self._judge(slice(None))
        survivors = np.argsort(-self.fitness, kind="stable")[: self.population]
        for array in (self.lines, self.values, self.fitness):
            array[: self.population] = array[survivors]

    def answer(self) -> tuple[int, int]:
        """Returns the root's child with the best value in the tree, and that value."""
        child = self.tree.child[ROOT]
        while self.tree.value[child] != self.tree.value[ROOT]:
            child = self.tree.sibling[child]
        return int(self.tree.move[child]), int(self.tree.value[ROOT])

    def _judge(self, rows: slice) -> None:
        arrays = (self.lines, self.values, self.leaves, self.fitness)
        lines, values, leaves, fitness = (array[rows] for array in arrays)
        judge(lines, values, self.tree, leaves, fitness)
