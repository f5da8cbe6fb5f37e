"""Kernels as plain Python, where there is no machine code yet and a first answer is wanted soon.

A kernel is a function of Python, and finds as such what its machine code finds, some hundred times
more slowly. For a small search, or a first move, that is sooner than its code is compiled.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

#: Plain Python is slow to order and value more moves than this: it took minutes for those of
#: Amazons.
FEW_MOVES = 100


@dataclass
class FirstAnswer:
    """Note of what was done without compiling.

    Attributes:
        is_plain: True if a kernel without machine code was asked, and ran as plain Python.
    """

    is_plain: bool = False


_asked: list[FirstAnswer] = []


@contextlib.contextmanager
def without_compiling() -> Iterator[FirstAnswer]:
    """While inside, kernels whose machine code is neither made nor kept run as plain Python, in
    all threads of the process."""
    answer = FirstAnswer()
    _asked.append(answer)
    try:
        with warnings.catch_warnings():
            # Random numbers and keys wrap around: compiled code says nothing of it either.
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            yield answer
    finally:
        _asked.remove(answer)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba is untyped
    """A kernel, as Python calls it."""

    def __call__(self, *args: Any) -> Any:
        """The result of the machine code for arguments of these types, or of plain Python."""
        if _asked and not self._is_ready(tuple(map(self.typeof_pyval, args))):
            for answer in _asked:
                answer.is_plain = True
            return _as_compiled(self.py_func(*args))
        return super().__call__(*args)

    def _is_ready(self, kinds: tuple[Any, ...]) -> bool:
        holds = getattr(self._cache, "holds", None)  # numba's own keepers keep nothing
        return kinds in self.overloads or (holds is not None and holds(kinds, self.targetctx))


def _as_compiled(result: Any) -> Any:
    """A result with Python's numbers in place of numpy's, as machine code returns it."""
    if type(result) is tuple:
        return tuple(map(_as_compiled, result))
    return result.item() if isinstance(result, np.generic) else result


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba is untyped
    """A part of kernels, as kernels that run as plain Python call it: it has no code of its own."""

    def __call__(self, *args: Any) -> Any:
        """The result of plain Python."""
        return self.py_func(*args)
