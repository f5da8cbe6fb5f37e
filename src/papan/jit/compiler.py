"""Compilation options, and how compiled code finds the rule of an operation.

Importing this module registers every operation and helper of `papan.rules.dispatch` with numba.
Other modules: `wide_types` has the type of wide sets, `intrinsics` functions with special machine
code, `inlining` the compilation of rules as parts of kernels, `interpreter` kernels in plain
Python, and `code_cache` the cache on disk.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import errors
from numba.extending import intrinsic, overload, register_jitable

from papan.jit import intrinsics  # noqa: F401  # teaches numba what it holds
from papan.jit.code_cache import CodeCache
from papan.jit.compile_errors import diagnosis, own_reason
from papan.jit.inlining import (
    BORDER_OPTIONS,
    INLINE,
    OWN_OPTIONS,
    USERS_INLINE,
    USERS_OPTIONS,
    InlinedCompiler,
    KernelCompiler,
)
from papan.jit.interpreter import KernelDispatcher, PartDispatcher
from papan.jit.wide_types import WideType
from papan.rules.bits import popcount
from papan.rules.dispatch import Operation, is_own, is_replaced, listen
from papan.rules.operations import count_taken, head, more, repetition_is_forbidden, tail
from papan.rules.wide import WideBits

F = TypeVar("F", bound=Callable[..., Any])

# The loop over the moves of a node differs at depth 2, whose children are leaves. LLVM makes two
# loops of it if that costs at most 110 instructions, 50 by default: plain alpha–beta is 6 %
# faster.
llvm.set_option("papan", "-unswitch-threshold=110")


def kernel(function: F) -> F:
    """Compiles a search or a part of one: one source, with machine code for each type of state."""
    return _kernel(function, OWN_OPTIONS)


def border_kernel(function: F) -> F:
    """Compiles a kernel that only Python calls: it may create Python lists, and raises an exception
    where a rule leaves the bounds of an array."""
    return _kernel(function, BORDER_OPTIONS)


def _kernel(function: F, options: dict[str, Any]) -> F:
    compiled = numba.njit(**options, pipeline_class=KernelCompiler)(function)
    if is_on():
        compiled.__class__ = KernelDispatcher
        _explain_failures(compiled)
        _CACHE.adopt(compiled)
    return compiled


def part(function: F) -> F:
    """Compiles a recursive part of kernels, which cannot be inlined like a rule. Only kernels
    may call it, since it has machine code only in them."""
    compiled = numba.njit(**OWN_OPTIONS, pipeline_class=InlinedCompiler)(function)
    if is_on():
        compiled.__class__ = PartDispatcher
    result: F = compiled
    return result


def is_on() -> bool:
    """True unless numba is switched off (`NUMBA_DISABLE_JIT`)."""
    return not numba.config.DISABLE_JIT


def entry_of(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Returns the machine code of a kernel for the types of arguments.

    It is called without numba's search for the types, and takes a plain tuple for a state.

    Raises:
        InvalidGame: a rule cannot be compiled.
    """
    compiled: Any = kernel
    entry: Callable[..., Any] = compiled._compile_for_args(*arguments) if is_on() else kernel
    return entry


def is_compiled(function: Any) -> bool:
    """True if this process compiled a kernel or loaded it from the cache."""
    return bool(getattr(function, "signatures", True))


# --- operations in compiled code -----------------------------------------------------------------


def _teach(item: Operation[..., Any] | Callable[..., Any]) -> None:
    if isinstance(item, Operation):
        _teach_operation(item)
    else:
        register_jitable(**(INLINE if is_own(item) else USERS_INLINE))(item)


def _teach_operation(item: Operation[..., Any]) -> None:
    _OPERATIONS.append(item)
    result = _RESULTS.get(str(item.__signature__.return_annotation))

    def rule_for(kinds: tuple[Any, ...]) -> Callable[..., Any] | None:
        classes = [_class_of(kind) for kind in kinds[:2]]
        return item.implementation(*classes) if issubclass(classes[0], tuple) else None

    def own(*args: Any) -> Callable[..., Any] | None:
        rule = rule_for(args)
        return rule if rule is not None and is_own(rule) else None

    def users(*args: Any) -> Callable[..., Any] | None:
        rule = rule_for(args)
        if rule is None or is_own(rule):
            return None
        return rule if result is None else _held_to(result, rule)

    for choose, options in ((own, INLINE), (users, USERS_INLINE)):
        choose.__signature__ = item.__signature__  # type: ignore[attr-defined]
        overload(item, jit_options=options, strict=False)(choose)


def _class_of(kind: Any) -> type:
    """Returns the Python class of a Numba type, as the rules distinguish classes."""
    if isinstance(kind, types.Integer | WideType):
        return WideBits if isinstance(kind, WideType) else np.uint64
    cls: type = getattr(kind, "instance_class", object)
    return cls


@overload(is_replaced, strict=False, jit_options=INLINE)
def _(item: Any, state: Any) -> Any:
    replaced = _replaces(state, item.typing_key)
    return lambda item, state: replaced


def _replaces(state: Any, item: Operation[..., Any]) -> bool:
    """Returns `is_replaced` for the numba type of a state."""
    return item.find(state.instance_class) is not item.find(tuple)


@overload(count_taken, strict=False, jit_options=INLINE)
def _(state: Any, all_moves: Any, rest: Any, counted: Any) -> Any:
    # Moves that a game lists in its own way, or that a repetition forbids, are counted one by one.
    own_ways = (more, head, tail, repetition_is_forbidden)
    listed = any(_replaces(state, item) for item in own_ways)
    if listed or not isinstance(rest, types.Integer | WideType):
        return lambda state, all_moves, rest, counted: counted
    return lambda state, all_moves, rest, counted: popcount(all_moves) - popcount(rest)


def _held_to(result: Any, rule: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a user's rule whose result is converted to the operation's type, or rejected."""
    inner = register_jitable(**USERS_INLINE)(rule)
    # One for each number of parameters, because numba unpacks `*args` with a single tuple.
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


def _refuse(message: str, kind: Any, name: str = "") -> errors.TypingError:
    return errors.TypingError(own_reason(message, kind=str(kind), name=name))


def _is_field(kind: Any, target: Any) -> bool:
    """True if a field of type `kind` can be converted to the type `target`."""
    if isinstance(target, types.BaseTuple):
        fits = isinstance(kind, types.BaseTuple) and len(kind) == len(target)
        return fits and all(map(_is_field, kind.types, target.types))
    return isinstance(kind, types.Integer | types.Boolean | WideType)


@intrinsic
def _same_class(typing_context: Any, state: Any, child: Any) -> Any:
    """Returns the child state with the field types of its parent, because `Bits | int` would
    become `int`."""
    if getattr(child, "instance_class", None) is not state.instance_class:
        raise _refuse("kernel.reason.not-a-state", child, state.instance_class.__qualname__)
    for name, kind, target in zip(child.fields, child.types, state.types, strict=True):
        if not _is_field(kind, target):
            raise _refuse("kernel.reason.field-type", kind, name)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        fields = [
            context.cast(builder, builder.extract_value(args[1], index), kind, target)
            for index, (kind, target) in enumerate(zip(child.types, state.types, strict=True))
        ]
        return context.make_tuple(builder, state, fields)

    return state(state, child), generate


def _whole_number(number_type: Any) -> Any:
    """Returns an intrinsic that converts an integer to a type and rejects all else."""

    @intrinsic
    def to_number(typing_context: Any, state: Any, value: Any) -> Any:
        if not isinstance(value, types.Integer | types.Boolean):
            raise _refuse("kernel.reason.not-whole", value)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.cast(builder, args[1], value, number_type)

        return number_type(state, value), generate

    return to_number


@intrinsic
def _walkable(typing_context: Any, state: Any, rest: Any) -> Any:
    """Returns moves of the game's own class unchanged; converts a number to a set."""
    if isinstance(rest, types.Float | types.NoneType | types.Optional):
        raise _refuse("kernel.reason.not-whole", rest)
    walk_type = types.uint64 if isinstance(rest, types.Integer) else rest

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[1], rest, walk_type)

    return walk_type(state, rest), generate


#: Declared return type of an operation → conversion of the result of a user's rule.
_RESULTS = {
    "State": _same_class,
    "Bits": _walkable,
    "Moves": _walkable,
    "int": _whole_number(types.int64),
    "bool": _whole_number(types.boolean),
    "np.uint64": _whole_number(types.uint64),
}
_OPERATIONS: list[Operation[..., Any]] = []
_CACHE = CodeCache(_OPERATIONS)


# --- what cannot be compiled ---------------------------------------------------------------------


def _explain_failures(compiled: Any) -> None:
    """Makes a kernel report the line of a user's rule that cannot be compiled.

    numba calls `_compile_for_args` of a kernel for new types; there is no public hook.
    """
    compile_anew = compiled._compile_for_args

    def compile_or_explain(*args: Any, **keywords: Any) -> Any:
        try:
            return compile_anew(*args, **keywords)
        except Exception as error:
            names = inspect.signature(compiled.py_func).parameters
            parameters = dict(zip(names, map(numba.typeof, args), strict=False))
            # The techniques of a search are in one tuple of Papan.
            tuples = [item for arg in args if hasattr(arg, "_fields") for item in (arg, *arg)]
            users = [one for one in tuples if hasattr(one, "_fields") and not is_own(type(one))]
            _blame([numba.typeof(one) for one in users], parameters, error)
            raise

    compiled._compile_for_args = compile_or_explain


def _blame(kinds: list[Any], parameters: dict[str, Any], error: Exception) -> None:
    """Raises an error that names the rule that cannot be compiled, if there is one.

    Each rule is compiled alone, because numba's error about a whole search does not name the rule.

    Args:
        kinds: types of the states and other tuples whose rules are tried.
        parameters: types of the kernel's parameters, by name.
        error: the error of the kernel.
    """
    for item in _OPERATIONS:
        for kind in kinds:
            rule = item.find(kind.instance_class)
            if rule is None or is_own(rule):
                continue
            result = _RESULTS.get(str(item.__signature__.return_annotation))
            held = rule if result is None else _held_to(result, rule)
            try:
                numba.njit(**USERS_OPTIONS)(held).compile(_arguments(item, kind, parameters))
            except Exception as failure:
                raise diagnosis(item.__name__, rule, str(failure)) from error


def _arguments(item: Operation[..., Any], kind: Any, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """Returns the types of an operation's parameters, by name; `kind` is the first one."""
    known = {"state": kind, "old": types.uint64, "rest": types.uint64, **parameters}
    _, *names = item.__signature__.parameters
    return (kind, *(known.get(name, types.int64) for name in names))


listen(_teach)
