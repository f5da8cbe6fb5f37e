"""Timing for comparisons of programs on a machine that is also used by others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def pinned() -> Iterator[None]:
    """Pins this process, and child processes started inside the block, to one processor."""
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
    """Returns the result of `work` and the processor time of this thread."""
    began = time.thread_time()
    result = work()
    return result, time.thread_time() - began


def wall_seconds(work: Callable[[], T]) -> tuple[T, float]:
    """Returns the result of `work` and its wall-clock time."""
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def in_turns(repetitions: int, *measures: Callable[[], T]) -> list[list[T]]:
    """Returns the repeated results of each measure; the measures alternate.

    So a program that temporarily slows down the machine affects all measures.
    """
    found: list[list[T]] = [[] for _ in measures]
    for _ in range(repetitions):
        for results, measure in zip(found, measures, strict=True):
            results.append(measure())
    return found
