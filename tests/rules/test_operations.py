"""The helpers that stand on the operations of any game, compiled and in plain Python."""

from typing import Any, NamedTuple

import pytest

import papan
from papan.jit.compiler import kernel
from papan.rules.operations import (
    INFINITY,
    MAX_PLY,
    State,
    count_at,
    is_win_distance,
    nth_move,
    piece_at,
    win_value,
)
from papan.rules.wide import wide_frame
from support import SPECS


@kernel
def compiled_is_win_distance(state: State, value: int) -> bool:
    return is_win_distance(state, value)


@kernel
def compiled_nth_move(state: State, index: int) -> int:
    return nth_move(state, index)


@kernel
def compiled_piece_at(state: State, place: int) -> int:
    return piece_at(state, place)


class Stones(NamedTuple):
    """Sets of stones as games on large boards have them."""

    mine: Any
    theirs: Any
    side: int


class Heap(NamedTuple):
    """A state without a board."""

    left: int
    side: int


@pytest.mark.parametrize("look", [piece_at, compiled_piece_at])
def test_a_stone_is_its_owners_whoever_is_to_move(look: Any) -> None:
    board = wide_frame(9, 9)
    for side in (0, 1):
        stones = Stones(board(1 << 3), board(1 << 80), side)
        assert [look(stones, place) for place in (3, 80, 4, 200)] == [1 + side, 2 - side, 0, 0]
    corners = papan.game("corners").start_state()
    assert [look(corners, place) for place in (63, 0, 64, 100)] == [1, 2, 0, 0]


@pytest.mark.parametrize("look", [piece_at, compiled_piece_at])
def test_a_state_without_sets_of_stones_shows_none(look: Any) -> None:
    assert look(Heap(7, 0), 3) == 0
    assert count_at(Heap(7, 0), 3) == -1


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
