"""What `papan.jit` uses of numba's insides: one canary for each name.

numba promises none of these names. A new version that renames one, or gives it other parameters,
fails here with the name, before it fails somewhere in a compilation.
"""

import importlib
import inspect

import numba
import pytest
from numba.core import compiler, compiler_machinery, event, ir, typed_passes, untyped_passes
from numba.core.registry import cpu_target

from papan.jit import inlining

#: Private name → its parameters.
CALLABLES = {
    "numba.core.dispatcher:Dispatcher._compile_for_args": "self args kws",
    "numba.core.dispatcher:Dispatcher.typeof_pyval": "self val",
    "numba.core.caching:NullCache.load_overload": "self sig target_context",
    "numba.core.caching:NullCache.save_overload": "self sig cres",
    "numba.core.compiler:CompileResult._reduce": "self",
    "numba.core.compiler:Compiler.compile_extra": "self func",
    "numba.core.compiler:Compiler.define_pipelines": "self",
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline": "state name",
    "numba.core.codegen:JITCodeLibrary._optimize_final_module": "self",
    "numba.core.codegen:JITCodeLibrary._finalize_final_module": "self",
    "numba.core.codegen:JITCodeLibrary.finalize": "self",
    "numba.core.codegen:CPUCodegen._module_pass_manager": "self kwargs",
    "numba.core.codegen:JITCPUCodegen.set_env": "self env_name env",
    "numba.core.codegen:CPUCodegen.magic_tuple": "self",
    "numba.core.serialize:NumbaPickler.reducer_override": "self obj",
    "numba.core.compiler_machinery:PassManager.finalize": "self",
    "numba.core.compiler_machinery:PassManager.add_pass_after": "self pass_cls location",
    "numba.core.compiler_machinery:PassManager.run": "self state",
    "numba.core.compiler_machinery:CompilerPass.run_initialization": "self args kwargs",
    "numba.core.compiler_machinery:CompilerPass.run_finalizer": "self args kwargs",
    "numba.core.compiler:Flags.copy": "self",
    "numba.core.ir_utils:get_definition": "func_ir name kwargs",
    "numba.core.ir:Block.find_insts": "self cls",
}


def _resolved(name: str) -> object:
    module, _, path = name.partition(":")
    item: object = importlib.import_module(module)
    for part in path.split("."):
        item = getattr(item, part)
    return item


@pytest.mark.parametrize("name", CALLABLES)
def test_a_private_function_of_numba_has_the_parameters_that_jit_passes(name: str) -> None:
    parameters = inspect.signature(_resolved(name)).parameters  # type: ignore[arg-type]
    assert list(parameters) == CALLABLES[name].split()


def test_a_result_is_rebuilt_from_what_it_reduces_to() -> None:
    compiled = numba.njit(lambda number: number + 1)
    assert compiled(1) == 2
    [result] = compiled.overloads.values()
    rebuilt = compiler.CompileResult._rebuild(cpu_target.target_context, *result._reduce())
    assert rebuilt.signature == result.signature


def test_a_library_has_the_attributes_that_jit_reads() -> None:
    compiled = numba.njit(lambda number: number + 1)
    compiled(1)
    [result] = compiled.overloads.values()
    assert {"_finalized", "_linking_libraries", "_codegen"} <= set(vars(result.library))
    assert result.library._codegen._engine.is_symbol_defined("no such symbol") is False
    assert isinstance(result.library.has_dynamic_globals, bool)
    assert result.lifted == ()


def test_the_cache_of_a_dispatcher_can_be_replaced() -> None:
    assert "_cache" in vars(numba.njit(lambda number: number))


@pytest.mark.parametrize("option", ["_nrt", "forceinline", "no_cfunc_wrapper", "error_model"])
def test_an_option_of_the_compiler_exists(option: str) -> None:
    assert hasattr(cpu_target.options, option)


def test_passes_that_rules_skip_are_in_numbas_pipeline() -> None:
    state = compiler.StateDict(func_ir=None, flags=compiler.Flags())
    state.flags.enable_ssa = True
    manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
    passes = {step[0] for step in manager.passes}
    assert passes >= inlining._FOR_OTHERS - {
        # in the pipeline only if something asks for them
        typed_passes.DumpParforDiagnostics,
        untyped_passes.RewriteDynamicRaises,
    }


def test_the_pass_manager_has_the_attributes_that_jit_reads() -> None:
    state = compiler.StateDict(func_ir=None, flags=compiler.Flags())
    manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
    step, description = manager.passes[0]
    assert (type(manager._analysis), description) == (dict, "analyzing bytecode")
    assert isinstance(compiler_machinery._pass_registry.get(step).pass_inst, step)


def test_numba_keeps_its_timers_in_lists_by_the_kind_of_event() -> None:
    with event.install_timer("numba:llvm_lock", lambda seconds: None):
        assert len(event._registered["numba:llvm_lock"]) == 1
    assert event._registered["numba:llvm_lock"] == []


def test_a_function_has_its_definitions_by_name() -> None:
    code = compiler.run_frontend(lambda number: number)
    [argument] = code._definitions["number"]
    assert (type(argument), argument.index) == (ir.Arg, 0)
