"""The one place that knows numba: compilation options, the cache on disk, and how compiled code
finds the implementation of an operation.

Importing this module teaches numba every operation and helper of `papan.kernel.operation`.
Compiled code is kept in the user's cache folder (or `PAPAN_CACHE_DIR`), in a subfolder named by a
digest of all rule and search sources, the numba version and the CPU: numba itself would not
notice that a function in another file has changed.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from papan.kernel import bits
from papan.kernel.operation import Operation, listen, watch_sources

F = TypeVar("F", bound=Callable[..., Any])

#: Options of every compiled function. Arithmetic follows numpy (no exceptions inside a search),
#: and the interpreter lock is released, so that threads search side by side and can be stopped.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

PACKAGE = Path(__file__).parent.parent

#: Folders of the package whose sources take part in compiled code.
COMPILED_FOLDERS = ("kernel", "games", "search", "players")


class CacheWarning(RuntimeWarning):
    """The cache folder cannot be written; everything works, but each start compiles anew."""


def kernel(function: F) -> F:
    """Compiles a search or a part of one: one source, one machine code for each type of state."""
    compiled = numba.njit(**OPTIONS)(function)
    _CACHE.adopt(compiled)
    return compiled


def add_source(path: Path) -> None:
    """Makes a file part of the key of the cache folder, unless all are keyed by it anyway.

    Files with implementations of operations and with helpers are added by themselves. Rules typed
    at a prompt have no file to tell when they change: from then on code is kept for this process
    only.
    """
    if not any(path.is_relative_to(PACKAGE / folder) for folder in COMPILED_FOLDERS):
        _CACHE.add_source(path)


def is_compiled(function: Any) -> bool:
    """Whether a kernel was compiled, or loaded from the cache, in this process already."""
    return bool(getattr(function, "signatures", True))


# --- the cache folder ----------------------------------------------------------------------------


def cache_root() -> Path:
    """Where compiled code is kept: `PAPAN_CACHE_DIR`, or a folder in the user's cache folder."""
    import platformdirs

    chosen = os.environ.get("PAPAN_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("papan"))


def cache_folder(user_sources: tuple[Path, ...] = ()) -> Path:
    """The subfolder that belongs to these sources, this numba and this processor."""
    digest = hashlib.sha256()
    for folder in COMPILED_FOLDERS:
        for source in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    for source in sorted(user_sources):
        digest.update(source.read_bytes())
    facts = (numba.__version__, sys.version, llvm.get_host_cpu_name())
    digest.update("\n".join((*facts, llvm.get_host_cpu_features().flatten())).encode())
    return cache_root() / "compiled" / digest.hexdigest()[:20]


class _Cache:
    """The kernels of this process and the folder that their machine code is kept in."""

    def __init__(self) -> None:
        self.kernels: list[Any] = []
        self.user_sources: tuple[Path, ...] = ()
        self.scratch: tempfile.TemporaryDirectory[str] | None = None
        self.folder = _writable(cache_folder())

    def adopt(self, compiled: Any) -> None:
        self.kernels.append(compiled)
        self._keep(compiled)

    def add_source(self, path: Path) -> None:
        if path not in self.user_sources:
            self.user_sources = (*self.user_sources, path)
            self.folder = self._place()
            for compiled in self.kernels:
                self._keep(compiled)

    def _place(self) -> Path | None:
        if self.folder is None:
            return None
        if all(path.is_file() for path in self.user_sources):
            return _writable(cache_folder(self.user_sources))
        if self.scratch is None:
            self.scratch = tempfile.TemporaryDirectory(prefix="papan-")
            atexit.register(self.scratch.cleanup)
        return Path(self.scratch.name)

    def _keep(self, compiled: Any) -> None:
        if self.folder is not None and not numba.config.DISABLE_JIT:
            numba.config.CACHE_DIR = str(self.folder)
            compiled.enable_caching()


def _writable(folder: Path) -> Path | None:
    """The folder, made if need be; None, with a warning, if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warnings.warn(
            f"compiled code cannot be kept in {folder} ({error.strerror}), so every start compiles "
            "anew; set PAPAN_CACHE_DIR to a folder that can be written",
            CacheWarning,
            stacklevel=2,
        )
        return None


_CACHE = _Cache()

# --- operations in compiled code -----------------------------------------------------------------


def _teach(item: Operation[..., Any] | Callable[..., Any]) -> None:
    if isinstance(item, Operation):
        _teach_operation(item)
    else:
        register_jitable(**OPTIONS)(item)


def _teach_operation(item: Operation[..., Any]) -> None:
    def choose(*args: Any) -> Callable[..., Any] | None:
        state_class = getattr(args[0], "instance_class", None)
        return item.implementation(state_class) if state_class else None

    choose.__signature__ = item.__signature__  # type: ignore[attr-defined]
    overload(item, jit_options=OPTIONS, strict=False)(choose)


@intrinsic
def _count_set_bits(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _count_trailing_zeros(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@overload(bits.popcount, strict=False)
def _(bits: Any) -> Any:
    return lambda bits: _count_set_bits(bits)


@overload(bits.lowest, strict=False)
def _(bits: Any) -> Any:
    return lambda bits: _count_trailing_zeros(bits)


listen(_teach)
watch_sources(add_source)
