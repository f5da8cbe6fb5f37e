"""A search in a thread of its own ends, wherever Ctrl-C comes."""

import signal
import threading
import time
from types import FrameType

import pytest

from papan.search.limits import Stop, run_stoppable


def is_running() -> bool:
    """True if a thread of a search is alive."""
    return any(thread.name == "papan-search" for thread in threading.enumerate())


def ends_soon() -> bool:
    """True if no thread of a search is left before long."""
    deadline = time.monotonic() + 5
    while is_running() and time.monotonic() < deadline:
        time.sleep(0.001)
    return not is_running()


def test_it_ends_wherever_ctrl_c_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """An alarm interrupts it a little later each time; none comes before the call or after it."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for step in range(300):
            stop = Stop()

            def work(stop: Stop = stop) -> None:
                while not stop.is_set():
                    time.sleep(0.0002)

            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-6 + step * 2e-6)
                run_stoppable(work, stop)
            except KeyboardInterrupt:
                interrupted += 1
            assert ends_soon(), step
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted == 300


def test_it_ends_by_its_own_deadline_though_the_watch_is_over() -> None:
    stop, ended = Stop(), threading.Event()

    def work() -> None:
        while not stop.is_set():
            time.sleep(0.001)
        ended.set()

    watch = threading.Thread(target=run_stoppable, args=(work, stop, 0.05), daemon=True)
    watch.start()
    assert ended.wait(5)
    watch.join(5)
    assert not watch.is_alive()
