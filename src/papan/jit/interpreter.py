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

#: Maximum number of moves for plain Python, which took minutes to order and evaluate the moves of
#: Amazons.
FEW_MOVES = 100


@dataclass
class FirstAnswer:
    """Records whether plain Python was used.

    Attributes:
        is_plain: true if a kernel without machine code ran in plain Python.
    """

    is_plain: bool = False


_asked: list[FirstAnswer] = []


@contextlib.contextmanager
def without_compiling() -> Iterator[FirstAnswer]:
    """Runs kernels without machine code in plain Python inside, in all threads of the process."""
    answer = FirstAnswer()
    _asked.append(answer)
    try:
        with warnings.catch_warnings():
            # Random numbers and keys overflow on purpose, as in compiled code.
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            yield answer
    finally:
        _asked.remove(answer)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba is untyped
    """A kernel as Python calls it."""

    def __call__(self, *args: Any) -> Any:
        """Returns the result of machine code for these types, or of plain Python."""
        if _asked and not is_ready(self, *args):
            for answer in _asked:
                answer.is_plain = True
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
