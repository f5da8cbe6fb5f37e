"""Genetic model 2: a chromosome is a line of play by both sides, judged in a tree of all of them.

After Hong, Huang & Lin, "Adversarial Search by Evolutionary Computation", Evolutionary Computation
9(3), 2001. All chromosomes of a generation make one prefix tree, the reservation tree; minimax
over it values each node, and a chromosome is the fitter the further its leaf's value rises.

The tree is five arrays. Node 0 is the root; children have higher numbers than their parents:

    move, parent, level    how the node came to be
    child, sibling         the first child and the next node with the same parent; −1 for none
    value                  the minimax value, view of the side to move at the root
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
    """The arrays of a reservation tree, int64, with room for each gene of each chromosome."""

    move: Any
    parent: Any
    level: Any
    child: Any
    sibling: Any
    value: Any


def new_tree(chromosomes: int, genes: int) -> ReservationTree:
    """Memory for the tree of a number of chromosomes."""
    return ReservationTree(
        *(np.empty(1 + chromosomes * genes, dtype=np.int64) for _ in ReservationTree._fields)
    )


@helper
def worst(level: int) -> int:
    """Value of a node of that level before any child is known: moves of even levels are those of
    the root's side, which maximises."""
    if level % 2 == 0:
        return -INFINITY
    return INFINITY


@helper
def write_node(tree: ReservationTree, node: int, parent: int, move: int) -> None:
    """Makes a node without children, in front of its siblings."""
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
    """The child that a move leads to; NO_NODE if there is none yet."""
    child = tree.child[node]
    while child != NO_NODE and tree.move[child] != move:
        child = tree.sibling[child]
    return child


@kernel
def reserve(lines: Chromosomes, values: Any, tree: ReservationTree, leaves: Any) -> int:
    """Builds the tree of all lines and values it by minimax; returns how many nodes it has.

    Args:
        lines: moves of both sides in turn; a line that is shorter ends before the first OPEN.
        values: what each line's end is worth, view of the side to move at the root.
        tree: is overwritten.
        leaves: is filled with the node that each line ends at.
    """
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
    for node in range(count - 1, ROOT, -1):
        above = tree.parent[node]
        if tree.level[above] % 2 == 0:
            tree.value[above] = max(tree.value[above], tree.value[node])
        else:
            tree.value[above] = min(tree.value[above], tree.value[node])
    return count


@kernel
def levels_kept(tree: ReservationTree, leaf: int, genes: int) -> int:
    """The fitness of a line: over how many levels, from its leaf up, the value stays the leaf's.

    A line whose value reaches the root is as fit as can be, `genes`, even if it is shorter because
    the game ends (which does not happen in Adjacency): else no quick win would outlive its birth.
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
    """The value of a line's end for the side to move now.

    Genes that are open, or illegal because they repeat a square, become random legal moves; what
    stands after the end of the game becomes OPEN.
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
    """Fills the rows after those of `fitness` with children of the rows before.

    `population` are all lines and their values, `wheel` is room for a number (int64) of each
    parent. Parents are drawn by roulette on fitness + 1, so that every line has a chance.
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
    """Inserts all lines in the tree and fills in the fitness of each."""
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
        """Makes the first generation; `shape` is (lines, moves of each)."""
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
        """Breeds as many children as there are parents, and keeps the fitter half of all."""
        parents, population = self.fitness[: self.population], (self.lines, self.values)
        wheel = np.empty_like(parents)
        breed(self.state, self.evaluation, population, parents, wheel, self.breeding)
        self._judge(slice(None))
        survivors = np.argsort(-self.fitness, kind="stable")[: self.population]
        for array in (self.lines, self.values, self.fitness):
            array[: self.population] = array[survivors]

    def answer(self) -> tuple[int, int]:
        """The root's child with the best value in the tree, and that value."""
        child = self.tree.child[ROOT]
        while self.tree.value[child] != self.tree.value[ROOT]:
            child = self.tree.sibling[child]
        return int(self.tree.move[child]), int(self.tree.value[ROOT])

    def _judge(self, rows: slice) -> None:
        arrays = (self.lines, self.values, self.leaves, self.fitness)
        lines, values, leaves, fitness = (array[rows] for array in arrays)
        judge(lines, values, self.tree, leaves, fitness)
