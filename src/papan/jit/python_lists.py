"""Python lists that kernels create: faster than arrays for the few numbers of a position.

Only kernels of `papan.jit.compiler.border_kernel` hold the interpreter lock, which this needs.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import box, intrinsic, models, register_model


class PythonList(types.Opaque):  # type: ignore[misc]  # numba is untyped
    """The type of a Python list that a kernel creates and returns."""


_LIST = PythonList("PythonList")
register_model(PythonList)(models.OpaqueModel)


@box(PythonList)
def _box(kind: PythonList, value: Any, c: Any) -> Any:
    return value


@intrinsic
def new_list(typing_context: Any) -> Any:
    """Returns a new Python list."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_python_api(builder).list_new(ir.Constant(ir.IntType(64), 0))

    return _LIST(), generate


@intrinsic
def append(typing_context: Any, numbers: Any, number: Any) -> Any:
    """Appends a whole number to a Python list."""
    is_signed = not isinstance(number, types.Integer) or number.signed

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        api = context.get_python_api(builder)
        convert = api.long_from_longlong if is_signed else api.long_from_ulonglong
        value = convert(args[1])
        kind = ir.FunctionType(ir.IntType(32), [api.pyobj, api.pyobj])
        builder.call(api._get_function(kind, "PyList_Append"), [args[0], value])
        api.decref(value)
        return context.get_dummy_value()

    return types.void(numbers, types.int64 if is_signed else types.uint64), generate
