"""A search in a thread of its own ends, wherever Ctrl-C comes."""

import gc
import signal
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from papan.search.limits import Stop, run_stoppable
from support import PATIENCE, wait_until


class Search:
    """Work that goes on until it is stopped."""

    def __init__(self) -> None:
        self.stop, self.running = Stop(), 0

    def work(self) -> None:
        self.running += 1
        self.stop._thrown.wait(PATIENCE)
        self.running -= 1

    def ends(self) -> bool:
        """True as soon as it does not run, after it was stopped."""
        return self.stop.is_set() and wait_until(lambda: not self.running)


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Collects no garbage meanwhile: Python drops what is raised while a library hears of that."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collection")
def test_it_ends_wherever_ctrl_c_comes() -> None:
    """An alarm interrupts the call a little later each time."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for step in range(300):
            search = Search()
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-6 + step * 2e-6)
                run_stoppable(search.work, search.stop)
            except KeyboardInterrupt:
                interrupted += 1
            assert search.running == 0 or search.ends(), step
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted == 300


def test_it_ends_by_its_own_deadline_though_another_thread_has_the_watch() -> None:
    search = Search()
    watch = threading.Thread(target=run_stoppable, args=(search.work, search.stop, 0.05))
    watch.start()
    watch.join(PATIENCE)
    assert not watch.is_alive()
    assert search.ends()
