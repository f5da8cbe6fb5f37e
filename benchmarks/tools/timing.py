"""Measuring so that two programs can be compared on a machine that others use too."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def pinned() -> Iterator[None]:
    """Keeps this process, and those that it starts meanwhile, on one processor."""
    if not hasattr(os, "sched_setaffinity"):  # not on macOS
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def cpu_seconds(work: Callable[[], T]) -> tuple[T, float]:
    """The result of `work`, and the processor time of this thread that it took."""
    began = time.thread_time()
    result = work()
    return result, time.thread_time() - began


def wall_seconds(work: Callable[[], T]) -> tuple[T, float]:
    """The result of `work`, and its time by the clock on the wall."""
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def in_turns(repetitions: int, *measures: Callable[[], T]) -> list[list[T]]:
    """The results of each measure, `repetitions` of each, taken in turns.

    Another program that slows the machine down for a while then slows all of them down.
    """
    found: list[list[T]] = [[] for _ in measures]
    for _ in range(repetitions):
        for results, measure in zip(found, measures, strict=True):
            results.append(measure())
    return found
