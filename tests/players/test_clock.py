"""What players are told about time, and when their flag falls."""

import pytest

import papan
from papan.players.base import MARGIN
from papan.players.clock import Allowance, Clocks, allowance, longest
from papan.players.ugi_limits import allowance_of, go_of, limit_of
from papan.protocol.messages import Go
from papan.search.limits import Limit

START = papan.game("adjacency").start()
CLOCKS = Clocks({"x": 60.0, "o": 8.0}, {"x": 0.5, "o": 0.5})


def test_without_clocks_the_limit_is_told_as_it_is() -> None:
    limit = Limit(seconds=1.0, depth=4)
    assert allowance(START, limit, None) is limit
    assert allowance(START, Limit(depth=4), None, margin=9.0) == Limit(depth=4)


def test_with_clocks_a_move_may_take_a_share_of_what_is_left() -> None:
    told = allowance(START, Limit(), CLOCKS)
    assert isinstance(told, Allowance)
    assert told.seconds is not None
    assert 1.0 < told.seconds < 5.0
    assert told.clocks is CLOCKS
    after = allowance(START.play(START.moves()[0]), Limit(), CLOCKS)
    assert after.seconds is not None
    assert after.seconds < told.seconds


def test_a_limit_of_time_holds_beside_the_clock() -> None:
    told = allowance(START, Limit(seconds=0.2, depth=3), CLOCKS)
    assert (told.seconds, told.depth) == (0.2, 3)
    assert longest(told, "x") == pytest.approx(0.2 + MARGIN)


@pytest.mark.parametrize(
    ("limit", "side", "most"),
    [
        (Limit(), "x", None),
        (Limit(depth=3), "o", None),
        (Limit(seconds=2.0), "x", 2.0 + MARGIN),
        (Allowance(clocks=CLOCKS, margin=1.0), "x", 61.0),
        (Allowance(clocks=CLOCKS, margin=1.0, move_seconds=20.0), "x", 21.0),
        (Allowance(clocks=CLOCKS, margin=1.0, move_seconds=20.0), "o", 9.0),
        (Allowance(clocks=Clocks({"x": -0.1}, {}), margin=0.25), "x", 0.15),
        (Allowance(clocks=Clocks({"x": -0.1}, {}), margin=0.25), "o", None),
        (Allowance(clocks=Clocks({"x": -3.0}, {})), "x", 0.0),
    ],
)
def test_the_flag_falls_when_time_and_margin_are_used_up(
    limit: Limit, side: str, most: float | None
) -> None:
    assert longest(limit, side) == (None if most is None else pytest.approx(most))


def test_a_program_is_told_of_both_clocks_in_milliseconds() -> None:
    told = allowance(START, Limit(depth=5), CLOCKS)
    expected = Go(p1time=60_000, p2time=8_000, p1inc=500, p2inc=500, depth=5)
    assert go_of(told) == expected
    assert expected.line() == "go p1time 60000 p2time 8000 p1inc 500 p2inc 500 depth 5"
    timed = allowance(START, Limit(seconds=0.2), Clocks({"x": -0.1, "o": 1.0}, {}))
    assert go_of(timed) == Go(p1time=0, p2time=1000, movetime=200)


def test_a_function_is_told_what_the_program_was_told() -> None:
    told = allowance(START, Limit(seconds=20.0, nodes=9), CLOCKS)
    assert allowance_of(go_of(told), START) == told
    go = Go(movetime=100)
    assert allowance_of(go, START) == limit_of(go, START) == Limit(seconds=0.1)
