"""A move takes a fair share of what is left on the clock, and never all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from papan.search.limits import LEAST, RESERVE, seconds_for_move
from support import reached

POSITIONS = [papan.game("adjacency").start(), reached("corners", 1, 10), reached("platforms", 2, 3)]


@given(
    st.sampled_from(POSITIONS),
    st.floats(0, 1e5),
    st.floats(0, 1e3),
)
def test_no_move_takes_more_than_is_left_without_the_reserve(
    position: papan.Position, left: float, increment: float
) -> None:
    seconds = seconds_for_move(position, left, increment)
    assert seconds >= LEAST
    assert seconds <= max(LEAST, left - RESERVE)


@pytest.mark.parametrize("increment", [0.0, 0.5])
def test_a_whole_game_is_played_within_its_clock(increment: float) -> None:
    position, left = papan.game("adjacency").start(), 10.0
    took = []
    while position.outcome() is None:
        if position.side == "x":
            took.append(seconds_for_move(position, left, increment))
            left += increment - took[-1]
            assert left > 0
        position = position.after(position.codes()[0])
    assert len(took) == 28
    assert sum(took) > 0.9 * (10.0 + 28 * increment) - 28 * RESERVE


def test_an_increment_is_spent() -> None:
    start = papan.game("corners").start()
    assert seconds_for_move(start, 60.0, 2.0) == pytest.approx(seconds_for_move(start, 60.0) + 2.0)
