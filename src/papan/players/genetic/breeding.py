"""The compiled code that both genetic models share: chance, legal genes, selection, crossover.

A chromosome is a row of an int64 array, a gene a move. `OPEN` stands for a gene to be drawn anew.
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

Chance = Any  # a uint64 array of one element, the state of splitmix64
Genes = Any  # an int64 array, one chromosome
Chromosomes = Any  # an int64 array, a chromosome a row

OPEN = -1

_UNIT = 2.0**-53  # splitmix64's upper 53 bits make a float in [0, 1)


class Breeding(NamedTuple):
    """Rules by which a generation comes from the one before.

    Attributes:
        mutation: the probability that a child has one gene changed.
        cut: number of genes that a child has from its first parent.
        repair: 1 to replace genes that turn out illegal by random legal moves.
        chance: the source of everything random; kernels change it.
    """

    mutation: float
    cut: int
    repair: int
    chance: Chance


@helper
def next_number(chance: Chance) -> np.uint64:
    """The next output of splitmix64."""
    chance[0] += GOLDEN
    return np.uint64(scramble(chance[0]))


@helper
def fraction(chance: Chance) -> float:
    """A random number in [0, 1)."""
    return float(next_number(chance) >> np.uint64(11)) * _UNIT


@helper
def below(chance: Chance, count: int) -> int:
    """A random number from 0 to `count` − 1."""
    return int(fraction(chance) * count)


@helper
def random_move(state: State, chance: Chance) -> int:
    """A legal move, all with the same probability; there must be one."""
    every = moves(state)
    return nth_left(state, every, below(chance, count_of(state, every)))


@helper
def is_legal(state: State, move: int) -> bool:
    """True if a move can be played."""
    rest = moves(state)
    while more(state, rest):
        if head(state, rest) == move:
            return True
        rest = tail(state, rest)
    return False


@helper
def value_after(state: State, evaluation: Evaluation, ply: int) -> int:
    """The objective in a position that was reached in `ply` moves, first mover's view."""
    if is_over(state):
        value = terminal_value(evaluation, state, ply)
    else:
        value = evaluate(evaluation, state)
    if ply % 2 == 1:
        return -value
    return value


@helper
def spin(wheel: Any, chance: Chance) -> int:
    """An index drawn by roulette; `wheel` holds the sums of all weights up to each index."""
    ball = fraction(chance) * wheel[-1]
    for index in range(len(wheel)):
        if ball < wheel[index]:
            return index
    return below(chance, len(wheel))  # all weights are 0


@helper
def cross(mother: Genes, father: Genes, child: Genes, breeding: Breeding) -> None:
    """Writes a child of two parents: one-point crossover, then perhaps one gene to draw anew."""
    # Not as slices: numba would compile what it says of wrong shapes, two seconds of work.
    for gene in range(len(child)):
        child[gene] = mother[gene] if gene < breeding.cut else father[gene]
    if fraction(breeding.chance) < breeding.mutation:
        child[below(breeding.chance, len(child))] = OPEN
