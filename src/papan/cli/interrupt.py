"""Ctrl-C as a polite request: what is finished by then is still reported."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass
class Interruption:
    """Whether Ctrl-C was pressed."""

    happened: bool = False


@contextlib.contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[Interruption]:
    """While inside, the first Ctrl-C calls `stop`; the second one interrupts as usual.

    Signals reach the main thread only; in any other nothing changes.
    """
    interruption = Interruption()

    def on_signal(number: int, frame: object) -> None:
        if interruption.happened:
            raise KeyboardInterrupt
        interruption.happened = True
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
