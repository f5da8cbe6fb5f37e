"""Limits in a game with clocks, when the flag falls, and the words of the protocol for both."""

import pytest

import papan
from papan.core.game import Position
from papan.play.clock import Clock, TimeControl
from papan.play.referee import Conditions
from papan.players.ugi_limits import go_of, limit_of
from papan.protocol.messages import Go
from papan.search.limits import MARGIN, Clocks, Limit, tightest

START = papan.game("adjacency").start()
CLOCKS = Clocks({"x": 60.0, "o": 8.0}, {"x": 0.5, "o": 0.5})


def on(limit: Limit, clocks: Clocks = CLOCKS, position: Position = START) -> Limit:
    return limit.on(clocks, position)


def test_without_clocks_the_limit_stays_as_it_is() -> None:
    limit = Limit(seconds=1.0, depth=4)
    assert Conditions().limit(limit, Clock(), START) is limit
    assert Conditions(margin=9.0).limit(Limit(depth=4), Clock(), START) == Limit(depth=4)


def test_a_margin_of_ones_own_is_told_with_the_limit() -> None:
    conditions = Conditions(margin=9.0)
    limit = conditions.limit(Limit(seconds=1.0), conditions.new_clock(), START)
    assert (limit.seconds, limit.most_seconds("x")) == (1.0, 10.0)


def test_with_clocks_a_move_may_take_a_share_of_what_is_left() -> None:
    limit = on(Limit())
    assert limit.seconds is not None
    assert 1.0 < limit.seconds < 5.0
    assert limit.clocks is CLOCKS
    after = on(Limit(), CLOCKS, START.play(START.moves()[0]))
    assert after.seconds is not None
    assert after.seconds < limit.seconds


def test_the_limit_of_a_move_has_what_the_clock_shows() -> None:
    conditions = Conditions(TimeControl(60.0, 0.5), margin=1.0)
    clock = conditions.new_clock()
    clock.left["o"] = 8.0
    limit = conditions.limit(Limit(seconds=20.0), clock, START)
    assert limit.clocks == Clocks(CLOCKS.left, CLOCKS.increment, move_seconds=20.0, margin=1.0)


def test_a_limit_of_time_holds_beside_the_clock() -> None:
    limit = on(Limit(seconds=0.2, depth=3), Clocks(CLOCKS.left, CLOCKS.increment, 0.2))
    assert (limit.seconds, limit.depth) == (0.2, 3)
    assert limit.most_seconds("x") == pytest.approx(0.2 + MARGIN)


def test_a_player_that_thinks_less_still_sees_the_clocks() -> None:
    assert tightest(on(Limit()), Limit(seconds=0.1)) == Limit(seconds=0.1, clocks=CLOCKS)


def _shown(**more: float) -> Limit:
    return Limit(clocks=Clocks(CLOCKS.left, CLOCKS.increment, **more))


@pytest.mark.parametrize(
    ("limit", "side", "most"),
    [
        (Limit(), "x", None),
        (Limit(depth=3), "o", None),
        (Limit(seconds=2.0), "x", 2.0 + MARGIN),
        (_shown(margin=1.0), "x", 61.0),
        (_shown(margin=1.0, move_seconds=20.0), "x", 21.0),
        (_shown(margin=1.0, move_seconds=20.0), "o", 9.0),
        (Limit(clocks=Clocks({"x": -0.1}, {}, margin=0.25)), "x", 0.15),
        (Limit(clocks=Clocks({"x": -0.1}, {}, margin=0.25)), "o", None),
        (Limit(clocks=Clocks({"x": -3.0})), "x", 0.0),
    ],
)
def test_the_flag_falls_when_time_and_margin_are_used_up(
    limit: Limit, side: str, most: float | None
) -> None:
    assert limit.most_seconds(side) == (None if most is None else pytest.approx(most))


def test_a_program_is_told_of_both_clocks_in_milliseconds() -> None:
    expected = Go(p1time=60_000, p2time=8_000, p1inc=500, p2inc=500, depth=5)
    assert go_of(on(Limit(depth=5))) == expected
    assert expected.line() == "go p1time 60000 p2time 8000 p1inc 500 p2inc 500 depth 5"
    timed = on(Limit(seconds=0.2), Clocks({"x": -0.1, "o": 1.0}, {}, move_seconds=0.2))
    assert go_of(timed) == Go(p1time=0, p2time=1000, movetime=200)


def test_a_function_is_told_what_the_program_was_told() -> None:
    limit = on(Limit(seconds=20.0, nodes=9), Clocks(CLOCKS.left, CLOCKS.increment, 20.0))
    assert limit_of(go_of(limit), START) == limit
    assert limit_of(Go(movetime=100), START) == Limit(seconds=0.1)


def test_clocks_that_are_out_of_range_are_brought_into_it() -> None:
    limit = limit_of(Go(p1time=10**18, p1inc=10**18), START)
    assert limit.seconds is not None
    assert limit.seconds <= 10**6
