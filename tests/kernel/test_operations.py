"""The helpers that stand on the operations of any game, compiled and in plain Python."""

from typing import Any

import pytest

import papan
from papan.kernel.compiler import kernel
from papan.kernel.operations import (
    INFINITY,
    MAX_PLY,
    State,
    is_win_distance,
    nth_move,
    win_value,
)
from support import SPECS


@kernel
def compiled_is_win_distance(state: State, value: int) -> bool:
    return is_win_distance(state, value)


@kernel
def compiled_nth_move(state: State, index: int) -> int:
    return nth_move(state, index)


@pytest.mark.parametrize("distance", [is_win_distance, compiled_is_win_distance])
def test_only_values_within_reach_of_a_win_are_distances(distance: Any) -> None:
    state = papan.game("corners").start_state()
    win = win_value(state)
    for value in (win, win - 1, win - MAX_PLY):
        assert distance(state, value)
        assert distance(state, -value)
    for value in (0, 150, win - MAX_PLY - 1, win + 1, INFINITY):
        assert not distance(state, value)
        assert not distance(state, -value)


@pytest.mark.parametrize("distance", [is_win_distance, compiled_is_win_distance])
def test_a_game_that_is_won_by_a_margin_has_no_distances(distance: Any) -> None:
    state = papan.game("adjacency").start_state()
    assert not any(distance(state, value) for value in (0, 1, 64, -64, INFINITY))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("choose", [nth_move, compiled_nth_move])
def test_the_moves_are_found_by_their_numbers(spec: str, choose: Any) -> None:
    position = papan.game(spec).start()
    codes = position.codes()
    assert [choose(position.state, index) for index in range(len(codes))] == codes
