"""Compilation of rules and helpers as parts of the kernels that call them, and of nothing more.

numba makes machine code of each function that it compiles. Rules and helpers are called by kernels
alone, whose code they become part of: for them it is enough to be typed, and to be written down and
optimised as LLVM's instructions. That takes about a quarter off the time that a search takes to be
compiled.
"""

from __future__ import annotations

import functools
from typing import Any

from numba.core import compiler, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager

#: Steps of numba's that do nothing for rules which make no arrays, functions or objects, and print
#: and raise nothing.
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
}


class InlinedLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The instructions of a rule and of all that it calls, to be linked into kernels."""

    environment: tuple[str, Any] | None = None

    def _optimize_final_module(self) -> None:
        """Puts what is called into its callers, and no more: kernels are optimised as a whole, and
        doing it for each rule too took a twelfth of the time."""
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Makes no machine code."""
        self._finalized = True

    @property
    def codegen(self) -> InlinedLibrary:
        """The receiver of the rule's environment (the objects of Python that it needs): there is no
        place for it before there is a kernel."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Keeps the environment for the kernels."""
        self.environment = (name, environment)


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is untyped
    """The machine code of a kernel and of all rules below it."""

    def finalize(self) -> None:
        """Makes the code, and gives the rules in it their environments."""
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


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]  # numba is untyped
    """The compiler of kernels."""

    library_class: type[JITCodeLibrary] = KernelLibrary

    #: Compilations under way; those that numba's lock lets one thread at a time begin.
    running = 0

    def compile_extra(self, func: Any) -> Any:
        """numba's result for a function, whose library is of our class."""
        codegen = self.state.targetctx.codegen()
        self.state.library = self.library_class(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        KernelCompiler.running += 1
        try:
            return super().compile_extra(func)
        finally:
            KernelCompiler.running -= 1


def is_compiling() -> bool:
    """Returns True while a thread compiles; reading compiled code from the cache does not count."""
    return KernelCompiler.running > 0


class InlinedCompiler(KernelCompiler):
    """The compiler of users' rules and helpers, which may hold anything."""

    library_class = InlinedLibrary


class OwnInlinedCompiler(InlinedCompiler):
    """The compiler of the package's own rules and helpers."""

    def define_pipelines(self) -> list[PassManager]:
        """numba's steps but those that do nothing here."""
        return [_few_passes()]


@functools.cache
def _few_passes() -> PassManager:
    # The steps are chosen by flags, which are the same for all of the package's rules.
    state = compiler.StateDict(func_ir=None, flags=compiler.Flags())
    state.flags.enable_ssa = True
    manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes[:] = [step for step in manager.passes if step[0] not in _FOR_OTHERS]
    manager.finalize()
    return manager
