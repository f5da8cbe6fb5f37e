"""What is without end is interrupted, and again if that was caught."""

import sys
from types import FrameType

import pytest

from papan.usercode import watchdog


def _busy() -> None:
    while True:
        pass


def _stubborn(caught: list[BaseException]) -> None:
    for _ in range(2):
        try:
            _busy()
        except BaseException as error:
            caught.append(error)
    _busy()


def test_it_is_raised_again_where_it_was_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "SECONDS", 0.2)
    monkeypatch.setattr(watchdog, "_AGAIN_SECONDS", 0.1)
    caught = list[BaseException]()
    with pytest.raises(watchdog.TimeOverrun), watchdog.watched():
        _stubborn(caught)
    assert len(caught) == 2


def test_nothing_comes_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "SECONDS", 0.05)
    with pytest.raises(watchdog.TimeOverrun), watchdog.watched():
        _busy()
    assert sum(range(3_000_000)) > 0


def test_a_rule_that_has_ended_meanwhile_is_not_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def rule() -> FrameType:
        with pytest.raises(watchdog.TimeOverrun):
            dog.look(sys._getframe())
        return sys._getframe()

    monkeypatch.setattr(watchdog, "SECONDS", -1.0)  # exceeded from the start
    monkeypatch.setattr(watchdog, "_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(watchdog, "_methods", {rule.__code__})
    dog = watchdog.Watchdog()
    ended = rule()
    dog.look(ended)
    assert sum(range(3_000_000)) > 0
