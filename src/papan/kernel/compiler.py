"""The place that knows numba: compilation options, the cache on disk, and how compiled code finds
the implementation of an operation. The type of wide sets is elsewhere, in `wide_types`, and so are
the functions that have machine code of their own, in `instructions`, how rules become parts of
kernels, in `inlined`, and how kernels answer before they are compiled, in `first_answers`.

Importing this module teaches numba every operation and helper of `papan.kernel.dispatch`.
Compiled code is kept in the user's cache folder (or `PAPAN_CACHE_DIR`), in a subfolder named by a
digest of all rule and search sources, the numba version and the CPU: numba itself would not
notice that a function in another file has changed. Code that a user's files take part in has a
subfolder of its own, named by these files too.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import inspect
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import errors
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as numba_dumps
from numba.extending import intrinsic, overload, register_jitable

from papan.kernel import (
    code_store,
    instructions,  # noqa: F401  # teaches numba what it holds
)
from papan.kernel.compile_errors import diagnosis, own_reason
from papan.kernel.dispatch import Operation, Source, is_replaced, listen, watch_sources
from papan.kernel.first_answers import KernelDispatcher, PartDispatcher
from papan.kernel.inlined import InlinedCompiler, KernelCompiler, OwnInlinedCompiler
from papan.kernel.wide import WideBits
from papan.kernel.wide_types import WideType

F = TypeVar("F", bound=Callable[..., Any])

#: Options of every compiled function. Arithmetic follows numpy (no exceptions inside a search),
#: and the interpreter lock is released, so that threads search side by side and can be stopped.
#: No second way in is made for callers in C, which takes a ninth of compiling and has no users.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}

#: Those of Papan's own code, which makes no arrays. Without numba's runtime the users of an array
#: are not counted either: the counts of a transposition table, atomic and taken at every node,
#: cost searches a third of their time.
OWN_OPTIONS = {**OPTIONS, "_nrt": False}

#: Rules and helpers become part of the kernel that calls them. A state is handed over field by
#: field, and a call of its own costs as much as most rules: chess and checkers count their leaves
#: more than twice as fast, as fast as C++.
INLINE: dict[str, Any] = {
    **OWN_OPTIONS,
    "forceinline": True,
    "pipeline_class": OwnInlinedCompiler,
}

#: Those of users' rules, which may make arrays. Said aloud, since what is not said is taken from
#: the kernel that a rule is compiled for.
USERS_OPTIONS = {**OPTIONS, "_nrt": True}
USERS_INLINE = {**USERS_OPTIONS, "forceinline": True, "pipeline_class": InlinedCompiler}

PACKAGE = Path(__file__).parent.parent

#: Folders of the package whose sources take part in compiled code.
COMPILED_FOLDERS = ("kernel", "games", "search", "learn", "players")


class CacheWarning(RuntimeWarning):
    """The cache folder cannot be written; everything works, but each start compiles anew."""


def kernel(function: F) -> F:
    """Compiles a search or a part of one: one source, one machine code for each type of state."""
    compiled = numba.njit(**OWN_OPTIONS, pipeline_class=KernelCompiler)(function)
    if not numba.config.DISABLE_JIT:
        compiled.__class__ = KernelDispatcher
        _explain_failures(compiled)
        _CACHE.adopt(compiled)
    return compiled


def part(function: F) -> F:
    """Compiles a part of kernels that calls itself, so that it cannot be put into them like a rule.
    Only kernels may call it: like a rule it has machine code in them alone."""
    compiled = numba.njit(**OWN_OPTIONS, pipeline_class=InlinedCompiler)(function)
    if not numba.config.DISABLE_JIT:
        compiled.__class__ = PartDispatcher
    made: F = compiled
    return made


def add_source(source: Source) -> None:
    """Makes a file part of the key of users' cache folder, unless all are keyed by it anyway.

    Files with implementations of operations and with helpers are added by themselves. Rules typed
    at a prompt have no file to tell when they change: from then on code is kept for this process
    only.
    """
    folders = (PACKAGE / folder for folder in COMPILED_FOLDERS)
    if not any(source.path.is_relative_to(folder) for folder in folders):
        _CACHE.add_source(source)


def is_compiled(function: Any) -> bool:
    """True if a kernel was compiled, or loaded from the cache, in this process already."""
    return bool(getattr(function, "signatures", True))


# --- the cache folder ----------------------------------------------------------------------------


def cache_folder(user_sources: tuple[Source, ...] = ()) -> Path:
    """The subfolder that belongs to these sources, this numba and this processor."""
    digest = hashlib.sha256()
    for folder in COMPILED_FOLDERS:
        for source in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    for path, module in sorted(user_sources):
        # numba notes types by the names of their modules: it must find them again.
        digest.update(module.encode())
        digest.update(path.read_bytes())
    facts = (numba.__version__, sys.version, llvm.get_host_cpu_name())
    digest.update("\n".join((*facts, llvm.get_host_cpu_features().flatten())).encode())
    return code_store.cache_root() / "compiled" / digest.hexdigest()[:20]


class _Cache:
    """The folders of this process that machine code is kept in: one for Papan's own games and
    techniques, one for what a user's files take part in; None where nothing can be written."""

    def __init__(self) -> None:
        self.user_sources: tuple[Source, ...] = ()
        self.scratch: tempfile.TemporaryDirectory[str] | None = None
        self.is_private = self.has_warned = False
        self.own_folder = self.users_folder = self._usable(cache_folder())

    def adopt(self, compiled: Any) -> None:
        # A kernel that was typed at a prompt has no file that numba could tell it by.
        if self.own_folder is not None and Path(compiled.py_func.__code__.co_filename).is_file():
            compiled._cache = _KernelCache(compiled.py_func, self)

    def add_source(self, source: Source) -> None:
        if source not in self.user_sources:
            self.user_sources = (*self.user_sources, source)
            self.users_folder = self._place()

    def folder_for(self, function: Callable[..., Any], types_: tuple[Any, ...]) -> Path | None:
        """Where a kernel's machine code for arguments of these types belongs."""
        own = _is_own(function) and all(map(_is_own_type, types_)) and not _is_overridden()
        return self.own_folder if own else self.users_folder

    def warn(self, message: str) -> None:
        """Warns of a failure of the cache, once in this process: there may be hundreds of files."""
        if not self.has_warned:
            self.has_warned = True
            warnings.warn(message, CacheWarning, stacklevel=2)

    def _place(self) -> Path | None:
        if self.own_folder is None:
            return None
        if self.is_private or not all(source.path.is_file() for source in self.user_sources):
            return self._private()
        return self._usable(cache_folder(self.user_sources))

    def _usable(self, folder: Path) -> Path | None:
        """The folder, made if need be; one of this process alone, with a warning, if other users
        can write there; None, with a warning, if nothing can be written there."""
        try:
            return code_store.own_folder(folder)
        except code_store.Untrusted as error:
            self.warn(
                f"{error}, so compiled code there is not used and every start compiles anew; "
                "set PAPAN_CACHE_DIR to a folder of your own (mode 700)"
            )
            self.is_private = True
            return self._private()
        except OSError as error:
            self.warn(
                f"compiled code cannot be kept in {folder} ({error.strerror}), so every start "
                "compiles anew; set PAPAN_CACHE_DIR to a folder that can be written"
            )
            return None

    def _private(self) -> Path:
        """A folder that ends with this process."""
        if self.scratch is None:
            self.scratch = tempfile.TemporaryDirectory(prefix="papan-")
            atexit.register(self.scratch.cleanup)
        return Path(self.scratch.name)


class _KernelCache(NullCache):  # type: ignore[misc]  # numba is untyped
    """The keeper of a kernel's machine code on disk, which numba asks for it.

    Each specialisation is a file of its own, so that a change of a user's game leaves the others
    compiled, and processes that compile at the same time do not mix theirs up. A file that fails,
    for whatever reason, is removed and its code compiled again.
    """

    def __init__(self, function: Callable[..., Any], cache: _Cache) -> None:
        self._function, self._cache = function, cache

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            if (kept := code_store.read(path)) is None:
                return None
            found, code = pickle.loads(kept)
            # Types of two modules may have one name, and so one path.
            return CompileResult._rebuild(target_context, *code) if found == sig else None
        except Exception as error:
            code_store.remove(path)
            reason = str(error) if isinstance(error, code_store.Damaged) else type(error).__name__
            self._cache.warn(
                f"compiled code in {path.parent} is damaged ({reason}) and is compiled again"
            )
            return None

    def holds(self, sig: Any, target_context: Any) -> bool:
        """True if code for these types is kept."""
        path = self._path(sig, target_context.codegen())
        return path is not None and path.is_file()

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self._path(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals or data.lifted:
            return  # it holds addresses of this process
        try:
            code_store.write(path, numba_dumps((sig, data._reduce())))
        except OSError as error:
            self._cache.warn(f"compiled code cannot be kept in {path.parent} ({error.strerror})")

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """The file of one specialisation; None where code is not kept."""
        folder = self._cache.folder_for(self._function, getattr(sig, "args", sig))
        if folder is None or self._function.__closure__ is not None:
            return None
        code = self._function.__code__
        digest = hashlib.sha256(repr((sig, codegen.magic_tuple(), self._source)).encode())
        digest.update(code.co_code)
        name = f"{self._function.__module__}.{code.co_name}"[-code_store.LONGEST_NAME :]
        return folder / f"{name}-{digest.hexdigest()[:24]}.code"

    @functools.cached_property
    def _source(self) -> tuple[str, int, str]:
        """The place of the kernel in its file, and a digest of that file: it need not be one of
        those that the folder is named by."""
        code = self._function.__code__
        digest = hashlib.sha256(Path(code.co_filename).read_bytes()).hexdigest()
        return self._function.__qualname__, code.co_firstlineno, digest


_CACHE = _Cache()

# --- operations in compiled code -----------------------------------------------------------------


def _teach(item: Operation[..., Any] | Callable[..., Any]) -> None:
    if isinstance(item, Operation):
        _teach_operation(item)
    else:
        register_jitable(**(INLINE if _is_own(item) else USERS_INLINE))(item)


def _teach_operation(item: Operation[..., Any]) -> None:
    _OPERATIONS.append(item)
    result = _RESULTS.get(str(item.__signature__.return_annotation))

    def rule_for(kinds: tuple[Any, ...]) -> Callable[..., Any] | None:
        classes = [_class_of(kind) for kind in kinds[:2]]
        return item.implementation(*classes) if issubclass(classes[0], tuple) else None

    def own(*args: Any) -> Callable[..., Any] | None:
        rule = rule_for(args)
        return rule if rule is not None and _is_own(rule) else None

    def users(*args: Any) -> Callable[..., Any] | None:
        rule = rule_for(args)
        if rule is None or _is_own(rule):
            return None
        return rule if result is None else _held_to(result, rule)

    for choose, options in ((own, INLINE), (users, USERS_INLINE)):
        choose.__signature__ = item.__signature__  # type: ignore[attr-defined]
        overload(item, jit_options=options, strict=False)(choose)


def _class_of(kind: Any) -> type:
    """The class that an argument of a type of numba's has in Python, as far as rules go by it."""
    if isinstance(kind, types.Integer | WideType):
        return WideBits if isinstance(kind, WideType) else np.uint64
    found: type = getattr(kind, "instance_class", object)
    return found


@overload(is_replaced, strict=False)
def _(item: Any, state: Any) -> Any:
    wanted = item.typing_key
    found = wanted.find(state.instance_class) is not wanted.find(tuple)
    return lambda item, state: found


def _is_own(item: Any) -> bool:
    """True if a rule or a class is Papan's own, which has tests to keep it in order."""
    return str(item.__module__).partition(".")[0] in ("papan", "builtins", "numpy", "numba")


def _is_own_type(kind: Any) -> bool:
    """True if no class of a user's is in a type of numba's."""
    inner = kind.types if isinstance(kind, types.BaseTuple) else ()
    return _is_own(getattr(kind, "instance_class", int)) and all(map(_is_own_type, inner))


def _is_overridden() -> bool:
    """True if a user's rule stands in for one of Papan's own, so that any kernel may call it."""
    return any(
        _is_own(cls) and not _is_own(rule)
        for item in _OPERATIONS
        if _is_own(item)
        for cls, rule in item.implementations()
    )


def _held_to(result: Any, rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule of a user's whose result is made, or refused to be made, what the operation says."""
    inner = register_jitable(**USERS_INLINE)(rule)
    # One for each number of parameters: numba unpacks `*args` that hold a tuple alone.
    forms: dict[int, Callable[..., Any]] = {
        1: lambda a: result(a, inner(a)),
        2: lambda a, b: result(a, inner(a, b)),
        3: lambda a, b, c: result(a, inner(a, b, c)),
        4: lambda a, b, c, d: result(a, inner(a, b, c, d)),
        5: lambda a, b, c, d, e: result(a, inner(a, b, c, d, e)),
    }
    held = forms[len(inspect.signature(rule).parameters)]
    held.__module__, held.__qualname__ = rule.__module__, f"{rule.__qualname__}.held"
    return held


def _refuse(message: str, found: Any, name: str = "") -> errors.TypingError:
    return errors.TypingError(own_reason(message, kind=str(found), name=name))


def _is_field(kind: Any, wanted: Any) -> bool:
    """True if a field of that type can be made one of the type that is wanted."""
    if isinstance(wanted, types.BaseTuple):
        fits = isinstance(kind, types.BaseTuple) and len(kind) == len(wanted)
        return fits and all(map(_is_field, kind.types, wanted.types))
    return isinstance(kind, types.Integer | types.Boolean | WideType)


@intrinsic
def _same_class(typing_context: Any, state: Any, child: Any) -> Any:
    """The child state with the field types of its parent: `Bits | int` would make `int` of it."""
    if getattr(child, "instance_class", None) is not state.instance_class:
        raise _refuse("kernel.reason.not-a-state", child, state.instance_class.__qualname__)
    for name, kind, wanted in zip(child.fields, child.types, state.types, strict=True):
        if not _is_field(kind, wanted):
            raise _refuse("kernel.reason.field-type", kind, name)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        fields = [
            context.cast(builder, builder.extract_value(args[1], index), found, wanted)
            for index, (found, wanted) in enumerate(zip(child.types, state.types, strict=True))
        ]
        return context.make_tuple(builder, state, fields)

    return state(state, child), generate


def _whole_number(wanted: Any) -> Any:
    """An intrinsic that makes a number of that type of an integer, and refuses anything else."""

    @intrinsic
    def whole(typing_context: Any, state: Any, value: Any) -> Any:
        if not isinstance(value, types.Integer | types.Boolean):
            raise _refuse("kernel.reason.not-whole", value)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.cast(builder, args[1], value, wanted)

        return wanted(state, value), generate

    return whole


@intrinsic
def _walkable(typing_context: Any, state: Any, rest: Any) -> Any:
    """Moves in a form of the game's own as they are; in one number, as the set that it means."""
    if isinstance(rest, types.Float | types.NoneType | types.Optional):
        raise _refuse("kernel.reason.not-whole", rest)
    wanted = types.uint64 if isinstance(rest, types.Integer) else rest

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[1], rest, wanted)

    return wanted(state, rest), generate


#: What an operation is declared to return → what holds a user's rule to it.
_RESULTS = {
    "State": _same_class,
    "Bits": _walkable,
    "Moves": _walkable,
    "int": _whole_number(types.int64),
    "bool": _whole_number(types.boolean),
    "np.uint64": _whole_number(types.uint64),
}
_OPERATIONS: list[Operation[..., Any]] = []


# --- what cannot be compiled ---------------------------------------------------------------------


def _explain_failures(compiled: Any) -> None:
    """Has a kernel say in plain words which line of a user's rules cannot be compiled.

    numba calls `_compile_for_args` of a kernel when it meets new types; nothing public is there.
    """
    compile_anew = compiled._compile_for_args

    def compile_or_explain(*args: Any, **keywords: Any) -> Any:
        try:
            return compile_anew(*args, **keywords)
        except Exception as error:
            names = inspect.signature(compiled.py_func).parameters
            given = dict(zip(names, map(numba.typeof, args), strict=False))
            # Techniques of a search come together in one tuple of Papan's.
            tuples = [item for arg in args if hasattr(arg, "_fields") for item in (arg, *arg)]
            users = [one for one in tuples if hasattr(one, "_fields") and not _is_own(type(one))]
            _blame([numba.typeof(one) for one in users], given, error)
            raise

    compiled._compile_for_args = compile_or_explain


def _blame(kinds: list[Any], given: dict[str, Any], error: Exception) -> None:
    """Raises the error that names the rule, of those for these types, which cannot be compiled.

    Each is compiled by itself, as what numba says of a whole search is about the search. `given`
    are the types of the kernel's parameters, by their names.
    """
    for item in _OPERATIONS:
        for kind in kinds:
            rule = item.find(kind.instance_class)
            if rule is None or _is_own(rule):
                continue
            result = _RESULTS.get(str(item.__signature__.return_annotation))
            held = rule if result is None else _held_to(result, rule)
            try:
                numba.njit(**USERS_OPTIONS)(held).compile(_arguments(item, kind, given))
            except Exception as found:
                raise diagnosis(item.__name__, rule, str(found)) from error


def _arguments(item: Operation[..., Any], kind: Any, given: dict[str, Any]) -> tuple[Any, ...]:
    """The types of an operation's parameters, by their names; `kind` is that of the first one."""
    known = {"state": kind, "old": types.uint64, "rest": types.uint64, **given}
    _, *rest = item.__signature__.parameters
    return (kind, *(known.get(name, types.int64) for name in rest))


listen(_teach)
watch_sources(add_source)
