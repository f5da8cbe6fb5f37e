"""Kernels in plain Python, for first answers without compiled code.

A kernel is a Python function with the same result as its machine code, about a hundred times
slower. For a small search or a first move, this is faster than compiling.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

#: Maximum number of moves for kernels in plain Python, which took 3 s for the 82 moves of Go and
#: minutes for the moves of Amazons.
FEW_MOVES = 80


@dataclass
class FirstAnswer:
    """Records whether machine code was missing.

    Attributes:
        runs: true if kernels without machine code run in plain Python; otherwise they end the block
            of `without_compiling`.
        is_plain: true if a kernel without machine code was called.
    """

    runs: bool = True
    is_plain: bool = False


class _NotReady(Exception):
    """A kernel without machine code was called, and plain Python would take too long."""


_asked: list[FirstAnswer] = []


@contextlib.contextmanager
def without_compiling(*, runs: bool = True) -> Iterator[FirstAnswer]:
    """Compiles nothing inside, in all threads of the process.

    Args:
        runs: true to run kernels without machine code in plain Python; false to leave the block at
            the first one.
    """
    answer = FirstAnswer(runs)
    _asked.append(answer)
    try:
        with warnings.catch_warnings():
            # Random numbers and keys overflow on purpose, as in compiled code.
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            yield answer
    except _NotReady:
        if runs:
            raise  # of an outer block
    finally:
        _asked.remove(answer)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba is untyped
    """A kernel as Python calls it."""

    def __call__(self, *args: Any) -> Any:
        """Returns the result of machine code for these types, or of plain Python."""
        if _asked and not is_ready(self, *args):
            for answer in _asked:
                answer.is_plain = True
            if not all(answer.runs for answer in _asked):
                raise _NotReady
            return _as_compiled(self.py_func(*args))
        return super().__call__(*args)


def is_ready(kernel: Any, *args: Any) -> bool:
    """Returns whether a kernel has machine code for the types of its arguments, in memory or on
    disk."""
    if not isinstance(kernel, KernelDispatcher):  # numba is switched off
        return False
    kinds = tuple(map(kernel.typeof_pyval, args))
    holds = getattr(kernel._cache, "holds", None)  # numba's own keepers keep nothing
    return kinds in kernel.overloads or (holds is not None and holds(kinds, kernel.targetctx))


def _as_compiled(result: Any) -> Any:
    """Returns a result with Python numbers in place of numpy's, like machine code."""
    if type(result) is tuple:
        return tuple(map(_as_compiled, result))
    return result.item() if isinstance(result, np.generic) else result


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba is untyped
    """A part of kernels for kernels in plain Python; it has no machine code of its own."""

    def __call__(self, *args: Any) -> Any:
        """Returns the result of plain Python."""
        return self.py_func(*args)
