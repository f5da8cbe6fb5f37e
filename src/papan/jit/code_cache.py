"""The cache of compiled code on disk: its folder, and how numba finds a kernel in it.

numba does not notice changes in functions of other files. So the name of the folder has a digest of
all rule and search sources of the package, the numba version and the processor. The name of each
file has a digest of the users' code in it (`papan.jit.code_key`). Processes with different games
share the cache.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import NumbaPickler

from papan.jit import code_store
from papan.jit.code_key import Untracked, key_of
from papan.jit.shipped_code import TARGET, shipped_folder
from papan.rules.dispatch import Operation, is_own

PACKAGE = Path(__file__).parent.parent

#: Folders of the package whose sources affect compiled code.
COMPILED_FOLDERS = (
    *("rules", "jit", "usercode", "search", "tablebase", "solve", "learn", "players", "games"),
    *("adapters", "browser"),
)


class CacheWarning(RuntimeWarning):
    """Compiled code cannot be stored or read; Papan works, but compiles at each start."""


def sources_digest() -> bytes:
    """Returns the digest of the package's sources that affect compiled code."""
    digest = hashlib.sha256()
    for folder in COMPILED_FOLDERS:
        for source in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.digest()


def cache_folder(sources: bytes | None = None) -> Path:
    """Returns the folder of this version of the package and numba, and of this processor.

    `sources` is the `sources_digest` if it is known.
    """
    digest = hashlib.sha256(sources or sources_digest())
    facts = [numba.__version__, sys.version, llvm.get_host_cpu_name(), numba.config.BOUNDSCHECK]
    facts.append(llvm.get_host_cpu_features().flatten())
    digest.update("\n".join(map(str, facts)).encode())
    return code_store.compiled_root() / digest.hexdigest()[:20]


class CodeCache:
    """The folder in which this process stores compiled code.

    Attributes:
        folder: the folder; a private one of the process if other users can write to the usual one;
            None if nothing can be written.
        shipped: the folder of installed code (`papan.jit.shipped_code`), or None.
    """

    def __init__(self, operations: list[Operation[..., Any]]) -> None:
        self.operations = operations
        self._has_warned = False
        sources = sources_digest()
        self.folder = self._usable(cache_folder(sources))
        self.shipped = shipped_folder(sources)

    def adopt(self, kernel: Any) -> None:
        """Makes numba store the compiled code of a kernel here."""
        if self.folder is not None:
            kernel._cache = _KernelCache(kernel.py_func, self)

    def warn(self, message: str) -> None:
        """Warns of a failure once per process, because there may be hundreds of files."""
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(message, CacheWarning, stacklevel=2)

    def _usable(self, folder: Path) -> Path | None:
        try:
            usable = code_store.own_folder(folder)
            code_store.prune(time.time())
            return usable
        except code_store.Untrusted as error:
            self.warn(
                f"{error}, so compiled code there is not used and every start compiles anew; "
                "set PAPAN_CACHE_DIR to a folder of your own (mode 700)"
            )
            scratch = tempfile.TemporaryDirectory(prefix="papan-")
            atexit.register(scratch.cleanup)
            return Path(scratch.name)
        except OSError as error:
            self.warn(
                f"compiled code cannot be kept in {folder} ({error.strerror}), so every start "
                "compiles anew; set PAPAN_CACHE_DIR to a folder that can be written"
            )
            return None


class _KernelCache(NullCache):  # type: ignore[misc]  # numba is untyped
    """The cache of a kernel's compiled code, in numba's interface.

    Each specialisation has its own file, so that processes can compile at the same time. A file
    that fails to load is removed, and its code is compiled again.
    """

    def __init__(self, function: Callable[..., Any], cache: CodeCache) -> None:
        self._function, self._cache = function, cache

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not all(map(is_own, (self._function, *_classes(getattr(sig, "args", sig))))):
            # Users' rules may call any function that numba declares. To import all of them takes
            # a quarter of a short search, half of it for SciPy.
            target_context.refresh()
        own = path = self.path(sig, target_context.codegen())
        try:
            stored = None if path is None else code_store.read(path)
            if stored is None and (path := self._shipped(sig)) is not None:
                stored = code_store.read(path, installed=True)
            if stored is None:
                return None
            stored_sig, code = pickle.loads(stored)
            # Types of two modules may have the same name, and so the same path.
            return CompileResult._rebuild(target_context, *code) if stored_sig == sig else None
        except MemoryError:
            return None
        except Exception as error:
            assert path is not None
            if path is own:
                code_store.remove(path)
            reason = str(error) if isinstance(error, code_store.Damaged) else type(error).__name__
            self._cache.warn(
                f"compiled code in {path.parent} is damaged ({reason}) and is compiled again"
            )
            return None

    def holds(self, sig: Any, target_context: Any) -> bool:
        """True if code for these types is stored."""
        own = self.path(sig, target_context.codegen())
        if own is not None and own.is_file():
            return True
        shipped = self._shipped(sig)
        return shipped is not None and shipped.is_file()

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self.path(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals or data.lifted:
            return  # it holds addresses of this process
        try:
            code_store.write(path, _pickle((sig, data._reduce())))
        except OSError as error:
            self._cache.warn(f"compiled code cannot be kept in {path.parent} ({error.strerror})")

    def path(self, sig: Any, codegen: Any) -> Path | None:
        """Returns the file of a specialisation; None if code is not stored."""
        return self._file(self._cache.folder, sig, codegen.magic_tuple())

    def _shipped(self, sig: Any) -> Path | None:
        """Returns the file of a specialisation among the installed code."""
        return self._file(self._cache.shipped, sig, TARGET)

    def _file(self, folder: Path | None, sig: Any, target: tuple[str, ...]) -> Path | None:
        if folder is None or self._function.__closure__ is not None:
            return None
        kinds = getattr(sig, "args", sig)
        classes = list(dict.fromkeys(_classes(kinds)))
        if any("<locals>" in cls.__qualname__ for cls in classes):
            return None  # no other process could find them
        try:
            key = key_of(self._function, classes, self._cache.operations)
        except Untracked as error:
            self._cache.warn(
                f"the rules use a value of the type {error} whose content cannot be checked, so "
                "they are compiled at each start; use numbers, tuples or arrays"
            )
            return None
        digest = hashlib.sha256(repr((sig, target, key)).encode())
        name = f"{self._function.__module__}.{self._function.__code__.co_name}"
        return folder / f"{name[-code_store.LONGEST_NAME :]}-{digest.hexdigest()[:24]}.code"


def code_file(kernel: Any, arguments: Iterable[Any]) -> Path | None:
    """Returns the file for a kernel's code for these arguments; None if it cannot be stored.

    Its name depends on all sources, also the users' own, that the kernel is compiled from.
    """
    kinds = tuple(map(kernel.typeof_pyval, arguments))
    find = getattr(kernel._cache, "path", None)  # numba's own keepers keep nothing
    return None if find is None else find(kinds, kernel.targetctx.codegen())


def _classes(kinds: Iterable[Any]) -> Iterator[type]:
    """Returns the classes of all named tuples in numba types."""
    for kind in kinds:
        if hasattr(kind, "instance_class"):
            yield kind.instance_class
        if isinstance(kind, types.BaseTuple):
            yield from _classes(kind.types)


class _Pickler(NumbaPickler):  # type: ignore[misc]  # numba is untyped
    """Pickles classes of a script by name, like those of modules.

    numba's pickler writes their content and creates another class at each load.
    """

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type) and issubclass(obj, tuple) and obj.__module__ == "__main__":
            return _class_of_script, (obj.__qualname__,)
        return super().reducer_override(obj)


def _pickle(value: object) -> bytes:
    with BytesIO() as buffer:
        _Pickler(buffer).dump(value)
        return buffer.getvalue()


def _class_of_script(qualname: str) -> Any:
    return functools.reduce(getattr, qualname.split("."), sys.modules["__main__"])
