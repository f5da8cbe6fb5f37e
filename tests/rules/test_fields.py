"""A state may hold rows of numbers beside numbers and sets, compiled as in plain Python."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from papan.gamekit import key, play, replaced
from papan.jit.compiler import kernel
from papan.rules.fields import field_type, is_field
from papan.rules.wide import wide_frame


class Heaps(NamedTuple):
    """Counters in heaps, and a set to go with them."""

    heaps: tuple[int, ...]
    taken: Any
    side: int


@play.register(Heaps)
def _(state: Heaps, move: int) -> Heaps:
    heap, count = move // 8, move % 8
    left = replaced(state.heaps, heap, state.heaps[heap] - count)
    return Heaps(left, state.taken, 1 - state.side)


@kernel
def after(state: Any, move: int) -> Any:
    child = play(state, move)
    return child, key(child)


plainly = after.py_func  # type: ignore[attr-defined]


@pytest.mark.parametrize("taken", [np.uint64(9), wide_frame(9, 9)(1 << 80)], ids=["64", "wide"])
def test_a_row_of_a_state_changes_in_one_place(taken: Any) -> None:
    state = Heaps((1, 3, -5, 7), taken, 0)
    keys = set()
    for heap, count in ((0, 1), (1, 2), (2, 3), (3, 7)):
        child, found = after(state, 8 * heap + count)
        expected = list(state.heaps)
        expected[heap] -= count
        assert child == Heaps(tuple(expected), taken, 1)
        assert (child, found) == plainly(state, 8 * heap + count)
        keys.add(found)
    assert len(keys) == 4


@kernel
def compiled_replaced(values: tuple[int, ...], index: int, number: int) -> Any:
    return replaced(values, index, number)


def test_nothing_is_written_beyond_the_end_of_a_row() -> None:
    for index in (-1, 3, 2**40):
        assert compiled_replaced((1, 2, 3), index, 9) == (1, 2, 3)
        with pytest.raises(IndexError):
            replaced((1, 2, 3), index, 9)


def test_a_row_holds_whole_numbers_and_has_a_length() -> None:
    assert is_field((0, -1))
    refused: list[Any] = [(), (1.0,), (True,), (np.uint64(1),), ((1,),), [1], None, "1"]
    assert [value for value in refused if is_field(value)] == []
    assert field_type((1, 2)) == "int × 2" != field_type((1, 2, 3))
    assert field_type((1, True)) == "bool | int × 2"
