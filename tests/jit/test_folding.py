"""Calls with a constant result are replaced before type inference, and only those."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from papan.jit.compiler import kernel
from papan.jit.folding import FoldCalls
from papan.rules.bits import capacity
from papan.rules.dispatch import helper, operation
from papan.rules.wide import wide_bits


class Still(NamedTuple):
    """A state whose operations are constant."""

    number: int


class Moving(NamedTuple):
    """A state whose operations depend on it."""

    number: int


@operation
def speed(state: Any) -> int:  # type: ignore[empty-body]
    """How fast a state moves."""


@speed.register(Still)
def _(state: Still) -> int:
    return 0


@speed.register(Moving)
def _(state: Moving) -> int:
    return state.number


@helper
def never_compiled(state: Any) -> int:
    """Returns what numba cannot compile."""
    return int([print, {}][0] is state)


@helper
def first_of(first: int, second: int) -> int:
    """Returns its first argument."""
    return first


@helper
def size_of(board: Any) -> int:
    """Returns the number of bits, which depends on the class of `board`."""
    return capacity(board)


@kernel
def distance(state: Any, seconds: int) -> int:
    """Returns how far a state moves."""
    if speed(state) > 0:
        return speed(state) * first_of(seconds, 7)
    return 0


@kernel
def distance_of_still(state: Any, seconds: int) -> int:
    """Returns how far a state moves that does not."""
    if speed(state) > 0:
        return never_compiled(state)
    return first_of(seconds, 7)


@kernel
def size(board: Any) -> int:
    """Returns the number of bits of a board."""
    return size_of(board)


def test_a_constant_call_is_replaced_and_its_dead_branch_is_not_compiled() -> None:
    assert distance_of_still(Still(3), 5) == 5


def test_a_call_that_depends_on_the_state_is_compiled() -> None:
    assert (distance(Still(3), 5), distance(Moving(3), 5), distance(Moving(0), 5)) == (0, 15, 0)


@pytest.mark.parametrize("board", [np.uint64(1), wide_bits(128, 12, 1)], ids=["64", "wide"])
def test_a_result_that_depends_on_an_unknown_class_is_not_constant(board: Any) -> None:
    assert size(board) == size_of(board)


def test_the_pass_has_numbas_interface() -> None:
    assert FoldCalls().name() == "papan_fold_calls"
