"""Compilation of rules and helpers as parts of the kernels that call them.

numba creates machine code for each compiled function. Only kernels call rules and helpers, whose
code becomes part of the kernels. So rules and helpers only need type inference and LLVM
instructions, which saves about a quarter of the compilation time of a search.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import compiler, event, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, _pass_registry

from papan.jit.folding import FoldCalls

#: numba's passes that do nothing for rules without arrays, functions, objects, printing
#: and exceptions.
_FOR_OTHERS = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.NopythonRewrites,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.DumpParforDiagnostics,
    typed_passes.IRLegalization,  # writes where variables are deleted, to count references
}


class InlinedLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The instructions of a rule and everything that it calls, to be linked into kernels."""

    environment: tuple[str, Any] | None = None

    def _optimize_final_module(self) -> None:
        """Inlines callees; the optimisation follows in the whole kernel.

        To optimise each rule as well took a twelfth of the compilation time.
        """
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Creates no machine code."""
        self._finalized = True

    @property
    def codegen(self) -> InlinedLibrary:
        """This library, because numba passes the rule's environment to `codegen.set_env`."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Stores the environment until a kernel is finished."""
        self.environment = (name, environment)


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The machine code of a kernel and all rules in it."""

    def finalize(self) -> None:
        """Creates the machine code, and stores the environment of each rule in it."""
        super().finalize()
        for library in _below(self):
            environment = library.environment if isinstance(library, InlinedLibrary) else None
            if environment and self._codegen._engine.is_symbol_defined(environment[0]):
                self._codegen.set_env(*environment)


def _below(library: Any) -> list[Any]:
    """Returns all libraries that are linked into one, directly or indirectly."""
    libraries: dict[Any, None] = {}
    waiting = [library]
    while waiting:
        for called in waiting.pop()._linking_libraries:
            if called not in libraries:
                libraries[called] = None
                waiting.append(called)
    return list(libraries)


#: Called after each compiled function.
_listeners: list[Callable[[], None]] = []


@contextlib.contextmanager
def each_part(listener: Callable[[], None]) -> Iterator[None]:
    """Calls a function after each kernel, rule and helper that is compiled inside, in the thread
    that compiles. A search has about a hundred of these parts."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]  # numba is untyped
    """The compiler of kernels."""

    library_class: type[JITCodeLibrary] = KernelLibrary

    #: Number of running compilations; numba's lock lets one thread start at a time.
    running = 0

    def compile_extra(self, func: Any) -> Any:
        """Returns numba's result for a function, with a library of our class."""
        codegen = self.state.targetctx.codegen()
        self.state.library = self.library_class(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags = _constant(self.state.flags)
        KernelCompiler.running += 1
        try:
            with _without_timers():
                return super().compile_extra(func)
        finally:
            KernelCompiler.running -= 1
            for listener in _listeners:
                listener()

    def define_pipelines(self) -> list[PassManager]:
        """Returns numba's passes and the one that folds calls."""
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        return [_with_folding(manager)]


def is_compiling() -> bool:
    """Returns True while a thread compiles; reading compiled code from the cache does not count."""
    return KernelCompiler.running > 0


class InlinedCompiler(KernelCompiler):
    """The compiler of users' rules and helpers, without restrictions."""

    library_class = InlinedLibrary


class OwnInlinedCompiler(InlinedCompiler):
    """The compiler of the package's own rules and helpers."""

    def define_pipelines(self) -> list[PassManager]:
        """Returns numba's passes without those that do nothing here."""
        return [_few_passes()]


@functools.cache
def _few_passes() -> PassManager:
    # The passes depend on flags, which are the same for all rules of the package.
    state = compiler.StateDict(func_ir=None, flags=compiler.Flags())
    state.flags.enable_ssa = True
    manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes[:] = [step for step in manager.passes if step[0] not in _FOR_OTHERS]
    return _with_folding(manager)


def _with_folding(manager: PassManager) -> PassManager:
    manager.add_pass_after(FoldCalls, untyped_passes.IRProcessing)
    manager.__class__ = _PlainPassManager
    manager.finalize()
    return manager


class _PlainPassManager(PassManager):  # type: ignore[misc]  # numba is untyped
    """Runs passes without measuring, announcing and checking each of them."""

    def run(self, state: Any) -> None:
        """Runs all passes on a function."""
        for step, _ in self.passes:
            one = _pass_registry.get(step).pass_inst
            one.analysis = self._analysis
            one.run_initialization(state)
            one.run_pass(state)
            one.run_finalizer(state)


# --- less work for each function ------------------------------------------------------------------


class _Flags(compiler.Flags):  # type: ignore[misc]  # numba is untyped
    """Options that never change. numba computes their hash at each call that it infers."""

    own_hash: int
    inherited: _Flags | None = None

    def __hash__(self) -> int:
        return self.own_hash

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)

    def copy(self) -> _Flags:
        """Returns the options that called rules inherit.

        They are the same for calls from kernels and from rules; otherwise numba would compile a
        rule for each of them.
        """
        if self.inherited is None:
            inherited = compiler.Flags(self)
            inherited.forceinline = inherited.no_cpython_wrapper = True
            self.inherited = _constant(inherited)
        return self.inherited


_constants: dict[Any, _Flags] = {}


def _constant(flags: Any) -> _Flags:
    """Returns the one object with the same options."""
    if flags not in _constants:
        _constants[flags] = _Flags(flags)
        _constants[flags].own_hash = hash(flags)
    return _constants[flags]


#: Events that numba announces to timers at each call of LLVM.
_TIMED = ("numba:llvm_lock", "numba:compiler_lock")


@contextlib.contextmanager
def _without_timers() -> Iterator[None]:
    """Removes numba's timers. Each function adds two, which also measure all that it calls."""
    timers = {kind: list(event._registered[kind]) for kind in _TIMED}
    for kind in _TIMED:
        event._registered[kind].clear()  # other threads add theirs while they wait for numba's lock
    try:
        yield
    finally:
        for kind in _TIMED:
            event._registered[kind].extend(timers[kind])


# --- options --------------------------------------------------------------------------------------

#: Options of every compiled function. Arithmetic follows numpy, without exceptions,
#: and the interpreter lock is released, so that threads run in parallel and can be stopped.
#: The entry point for C callers is left out, which saves a ninth of the compilation time.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}

#: Options of Papan's own code, which creates no arrays. Without numba's runtime, references to
#: arrays are not counted: atomic counts of the transposition table at every node
#: cost a third of the search time.
OWN_OPTIONS = {**OPTIONS, "_nrt": False}

#: Options of kernels that create Python objects, which needs the interpreter lock. Mistakes of
#: users' rules raise exceptions, as in plain Python.
BORDER_OPTIONS = {**OWN_OPTIONS, "nogil": False, "boundscheck": True, "error_model": "python"}

#: Rules and helpers are inlined into kernels. A call passes a state field by
#: field and costs as much as most rules: with inlining, perft of chess and checkers is
#: more than twice as fast, as fast as C++.
INLINE: dict[str, Any] = {
    **OWN_OPTIONS,
    "forceinline": True,
    "pipeline_class": OwnInlinedCompiler,
}

#: Options of users' rules, which may create arrays. Stated explicitly, because missing options are
#: inherited from the kernel, as the error model is.
USERS_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": True}
USERS_INLINE = {**USERS_OPTIONS, "forceinline": True, "pipeline_class": InlinedCompiler}
