"""Genetic model 1: a chromosome is the player's own moves; local search plays the other side."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.players.genetic.breeding import (
    OPEN,
    Breeding,
    Chance,
    Chromosomes,
    Genes,
    below,
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
    evaluate_after,
    head,
    is_over,
    more,
    moves,
    play,
    tail,
    unit,
)

#: Value of a chromosome with an illegal gene.
ILLEGAL = -INFINITY
#: Fitness is the objective + 65, which is positive: 8×8 squares bound the piece difference.
OFFSET = 65
#: Larger values (such as a win) are clipped to this, so that they do not fill the whole wheel.
MOST = OFFSET - 1


@helper
def local_reply(state: State, evaluation: Evaluation, chance: Chance) -> int:
    """Returns local search's move: best objective after one ply, ties broken at random."""
    best = -INFINITY
    chosen = -1
    equal = 0
    rest = moves(state)
    while more(state, rest):
        move = head(state, rest)
        rest = tail(state, rest)
        value = evaluate_after(evaluation, state, move, 0)
        if value > best:
            best = value
            chosen = move
            equal = 1
        elif value == best:
            equal += 1
            if below(chance, equal) == 0:
                chosen = move
    return chosen


@helper
def play_out(state: State, evaluation: Evaluation, genes: Genes, breeding: Breeding) -> int:
    """Plays the genes against local search; returns the objective from the first mover's view.

    Open genes are drawn when their turn comes. An illegal gene is drawn again if repair is on;
    otherwise the chromosome is ILLEGAL.
    """
    ply = 0
    for index in range(len(genes)):
        if is_over(state):
            break
        if not is_legal(state, genes[index]):
            if genes[index] != OPEN and breeding.repair == 0:
                return ILLEGAL
            genes[index] = random_move(state, breeding.chance)
        state = play(state, genes[index])
        ply += 1
        if is_over(state):
            break
        state = play(state, local_reply(state, evaluation, breeding.chance))
        ply += 1
    return value_after(state, evaluation, ply)


@helper
def fitness(value: int, scale: int) -> int:
    """Returns own − opponent + 65 for a legal chromosome, 0 for an illegal one."""
    if value == ILLEGAL:
        return 0
    return min(max(value // scale, -MOST), MOST) + OFFSET


@kernel
def first_generation(
    state: State, evaluation: Evaluation, chromosomes: Chromosomes, values: Any, breeding: Breeding
) -> None:
    """Fills in random legal chromosomes and their values."""
    chromosomes[:] = OPEN
    for index in range(len(chromosomes)):
        values[index] = play_out(state, evaluation, chromosomes[index], breeding)


@kernel
def next_generation(
    state: State,
    evaluation: Evaluation,
    parents: tuple[Chromosomes, Any],
    children: tuple[Chromosomes, Any],
    wheel: Any,
    breeding: Breeding,
) -> None:
    """Fills in children and their values; parents are selected by roulette on fitness.

    `wheel` is an int64 work array with one element per parent.
    """
    chromosomes, values = parents
    offspring, offspring_values = children
    total = 0
    for index in range(len(values)):
        total += fitness(values[index], unit(evaluation))
        wheel[index] = total
    for index in range(len(offspring)):
        mother = chromosomes[spin(wheel, breeding.chance)]
        father = chromosomes[spin(wheel, breeding.chance)]
        child = offspring[index]
        cross(mother, father, child, breeding)
        offspring_values[index] = play_out(state, evaluation, child, breeding)


class LocalSearchModel:
    """A population of chromosomes, and the best chromosome of all generations."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        shape: tuple[int, int],
        breeding: Breeding,
    ) -> None:
        """Creates the first generation; `shape` is (chromosomes, genes of each)."""
        self.state, self.evaluation = position.state, evaluation
        self.breeding = breeding
        self.chromosomes = np.empty(shape, dtype=np.int64)
        self.values = np.empty(shape[0], dtype=np.int64)
        self.best, self.best_value = OPEN, ILLEGAL
        first_generation(self.state, evaluation, self.chromosomes, self.values, breeding)
        self._note_best()

    def advance(self) -> None:
        """Breeds the next generation."""
        children = np.empty_like(self.chromosomes), np.empty_like(self.values)
        parents = self.chromosomes, self.values
        wheel = np.empty_like(self.values)
        next_generation(self.state, self.evaluation, parents, children, wheel, self.breeding)
        self.chromosomes, self.values = children
        self._note_best()

    def answer(self) -> tuple[int, int]:
        """Returns the first gene of the best chromosome and its value."""
        return self.best, self.best_value

    def _note_best(self) -> None:
        index = int(self.values.argmax())
        if self.values[index] > self.best_value:
            self.best = int(self.chromosomes[index, 0])
            self.best_value = int(self.values[index])
