"""Who searches what: threads that search one tree leave to each other what is being searched.

Threads that only share a transposition table (Lazy SMP) go the same ways for long. Here each of
them says which moves it is busy with; another one that comes to such a move tries its sisters
first, and finds the answer in the table when it comes back. Everything is still searched by
whoever comes first, so a value never depends on it.

After T. Kerrigan, "Simplified ABDADA" (web page), which leaves out what is costly in J.-C. Weill,
"The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1), 1996.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.kernel.dispatch import helper

#: Searches of less depth than this are over before another thread could profit.
SHARED_DEPTH = 3

#: More than all threads together search at a time, so that they seldom share a place.
_PLACES = 1 << 14
_MASK = np.uint64(_PLACES - 1)
_DEPTH_SHIFT = np.uint64(7)  # the same position has another place at another depth

#: What is being searched: uint64 of shape (_PLACES,), 0 for nothing.
Busy = np.ndarray[Any, np.dtype[np.uint64]]


def new_busy() -> Busy:
    """Nobody searches anything."""
    return np.zeros(_PLACES, dtype=np.uint64)


@helper
def task_of(key: np.uint64, depth: int) -> np.uint64:
    """The number of the task to search a position to a depth."""
    return key ^ (np.uint64(depth) << _DEPTH_SHIFT)


@helper
def is_taken(busy: Busy, task: np.uint64) -> bool:
    """Whether another thread is at this task. A wrong answer costs time, nothing else."""
    return busy[task & _MASK] == task


@helper
def take(busy: Busy, task: np.uint64) -> None:
    """Says that this thread is at a task."""
    busy[task & _MASK] = task


@helper
def put_back(busy: Busy, task: np.uint64) -> None:
    """Says that a task is done; 0 is none."""
    if task != np.uint64(0) and busy[task & _MASK] == task:
        busy[task & _MASK] = np.uint64(0)
