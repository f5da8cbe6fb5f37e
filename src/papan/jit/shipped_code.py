"""Compiled code that the package `papan-code` brings, so that its games need no compilation.

The code is for one version of Papan's sources, of Python and of numba, and for processors with the
instructions of `x86-64-v3` on Linux. Elsewhere it is not used. `papan.build_code` builds it.

    papan_code/DIGEST/NAME.code      DIGEST of sources and versions; files as in the user's cache
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import sys
from pathlib import Path

import llvmlite.binding as llvm
import numba

PACKAGE = "papan_code"

#: The processor that the code is compiled for, as LLVM names it, and the instructions it needs.
PROCESSOR = "x86-64-v3"
_INSTRUCTIONS = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")
_TRIPLE = "x86_64-unknown-linux-gnu"

#: Target of the code in the form of numba's `magic_tuple`: triple, processor, further instructions.
TARGET = (_TRIPLE, PROCESSOR, "")


def version_digest(sources: bytes) -> str:
    """Returns the name of the folder for a digest of Papan's sources."""
    facts = (numba.__version__, sys.implementation.cache_tag, *TARGET)
    return hashlib.sha256(sources + "\n".join(facts).encode()).hexdigest()[:20]


def shipped_folder(sources: bytes) -> Path | None:
    """Returns the folder of code for these sources; None if there is none for this machine."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None or numba.config.BOUNDSCHECK or not _fits():
        return None
    folder = Path(spec.origin).parent / version_digest(sources)
    return folder if folder.is_dir() else None


@functools.cache
def _fits() -> bool:
    """Returns whether this machine runs code for `TARGET`."""
    features = llvm.get_host_cpu_features()
    return llvm.get_process_triple() == _TRIPLE and all(map(features.get, _INSTRUCTIONS))
