"""Compiled code of both genetic models: random numbers, legal genes, selection and crossover.

A chromosome is a row of an int64 array; a gene is a move. `OPEN` marks a gene that is to be drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.rules.dispatch import helper
from papan.rules.operations import (
    Evaluation,
    State,
    evaluate,
    head,
    is_over,
    more,
    moves,
    nth_left,
    tail,
    terminal_value,
)
from papan.rules.splitmix import GOLDEN, scramble
from papan.rules.walk import count_of

Chance = Any  # uint64 array with one element, the state of splitmix64
Genes = Any  # int64 array, one chromosome
Chromosomes = Any  # int64 array, one chromosome per row

OPEN = -1

_UNIT = 2.0**-53  # scales the upper 53 bits of splitmix64 to a float in [0, 1)


class Breeding(NamedTuple):
    """Parameters that breed one generation from the previous one.

    Attributes:
        mutation: probability that one gene of a child is changed.
        cut: number of genes that a child gets from its first parent.
        repair: 1 replaces illegal genes by random legal moves.
        chance: state of the random numbers; kernels change it.
    """

    mutation: float
    cut: int
    repair: int
    chance: Chance


@helper
def next_number(chance: Chance) -> np.uint64:
    """Returns the next output of splitmix64."""
    chance[0] += GOLDEN
    return np.uint64(scramble(chance[0]))


@helper
def fraction(chance: Chance) -> float:
    """Returns a random number in [0, 1)."""
    return float(next_number(chance) >> np.uint64(11)) * _UNIT


@helper
def below(chance: Chance, count: int) -> int:
    """Returns a random integer from 0 to `count` − 1."""
    return int(fraction(chance) * count)


@helper
def random_move(state: State, chance: Chance) -> int:
    """Returns a random legal move, each with the same probability; there must be one."""
    every = moves(state)
    return nth_left(state, every, below(chance, count_of(state, every)))


@helper
def is_legal(state: State, move: int) -> bool:
    """Returns True if a move is legal."""
    rest = moves(state)
    while more(state, rest):
        if head(state, rest) == move:
            return True
        rest = tail(state, rest)
    return False


@helper
def value_after(state: State, evaluation: Evaluation, ply: int) -> int:
    """Returns the objective of a position `ply` moves later, from the first mover's view."""
    if is_over(state):
        value = terminal_value(evaluation, state, ply)
    else:
        value = evaluate(evaluation, state)
    if ply % 2 == 1:
        return -value
    return value


@helper
def spin(wheel: Any, chance: Chance) -> int:
    """Returns a roulette-selected index; `wheel` contains the cumulative weights."""
    ball = fraction(chance) * wheel[-1]
    for index in range(len(wheel)):
        if ball < wheel[index]:
            return index
    return below(chance, len(wheel))  # all weights are 0


@helper
def cross(mother: Genes, father: Genes, child: Genes, breeding: Breeding) -> None:
    """Writes a child of two parents: one-point crossover, then possibly one mutated gene."""
    # Loops instead of slices: numba would compile its shape errors, which takes two seconds.
    for gene in range(len(child)):
        child[gene] = mother[gene] if gene < breeding.cut else father[gene]
    if fraction(breeding.chance) < breeding.mutation:
        child[below(breeding.chance, len(child))] = OPEN
