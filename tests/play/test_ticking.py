"""The clock of a game: what runs down, what is gained, and when a flag falls."""

from papan.play.clock import Clock, TimeControl
from papan.search.limits import Clocks


def test_a_clock_runs_down_in_a_sides_own_turn_and_gains_the_increment_after_it() -> None:
    clock = Clock(10.0, 2.0)
    clock.start(100.0)
    assert (clock.now_left("x", "x", 103.0), clock.now_left("o", "x", 103.0)) == (7.0, 10.0)
    clock.press("x", 104.0)
    assert clock.left == {"x": 8.0, "o": 10.0}
    clock.press("o", 105.5)
    assert clock.left == {"x": 8.0, "o": 10.5}


def test_the_first_move_is_free_unless_the_clock_was_started() -> None:
    clock = Clock(10.0)
    clock.press("x", 100.0)
    assert clock.left == {"x": 10.0, "o": 10.0}
    clock.press("o", 101.0)
    assert clock.left == {"x": 10.0, "o": 9.0}


def test_the_flag_falls_after_the_margin() -> None:
    clock = Clock(10.0, margin=0.5)
    assert clock.flag_falls("x") is None
    clock.start(100.0)
    assert clock.flag_falls("x") == 110.5


def test_the_margin_is_used_up_once() -> None:
    clock = Clock(10.0, margin=0.5)
    clock.start(100.0)
    clock.press("x", 110.25)
    assert clock.left["x"] == -0.25
    clock.start(200.0)
    assert clock.flag_falls("x") == 200.25
    assert clock.now_left("x", "x", 200.0) == 0.0


def test_a_game_without_clock_has_none_that_runs() -> None:
    clock = Clock.of(None, margin=0.5)
    clock.start(100.0)
    clock.press("x", 1000.0)
    assert (clock.since, clock.flag_falls("o")) == (None, None)
    assert clock.reading(2.0) == Clocks({}, {}, 2.0, 0.5)


def test_a_clock_that_is_set_back_gives_no_time() -> None:
    clock = Clock(10.0)
    clock.start(100.0)
    assert clock.now_left("x", "x", 50.0) == 10.0
    clock.press("x", 50.0)
    assert clock.left["x"] == 10.0


def test_a_turn_begins_anew_only_if_a_clock_runs() -> None:
    clock = Clock(10.0)
    clock.restart(100.0)
    assert clock.since is None
    clock.start(100.0)
    clock.restart(105.0)
    assert clock.since == 105.0
    clock.stop()
    assert clock.since is None


def test_a_time_control_gives_both_sides_the_same() -> None:
    clock = Clock.of(TimeControl(60.0, 0.5), margin=0.25)
    reading = clock.reading()
    assert reading == Clocks({"x": 60.0, "o": 60.0}, {"x": 0.5, "o": 0.5}, None, 0.25)
    clock.press("x", 0.0)
    clock.press("o", 20.0)
    assert reading.left["o"] == 60.0  # a reading is not changed any more
