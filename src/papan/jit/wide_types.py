"""Wide sets in compiled code: a numba type that is one LLVM integer, with the operators of
`uint64`.

LLVM splits its operations into instructions for machine words, about as fast as hand-written code
for words. 64-bit numbers next to a wide set are widened first, as in Python: unsigned ones with
zeros, signed ones with their sign.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_cast,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from papan.rules.wide import WORD, WORD_MASK, WideBits, wide_bits

#: Writes the instruction for two values.
Emit = Callable[[Any, Any, Any], Any]


class WideType(types.Type):  # type: ignore[misc]  # numba is untyped
    """The type of a wide set; equal for equal numbers of bits and row lengths."""

    def __init__(self, size: int, row: int) -> None:
        self.size, self.row = size, row
        super().__init__(f"Bits{size}x{row}")

    @property
    def word(self) -> ir.IntType:
        """The LLVM integer of a set."""
        return ir.IntType(self.size)

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        """Declares the conversion of integers as safe, because rules may return `NONE`."""
        return Conversion.safe if isinstance(other, types.Integer) else None


@register_model(WideType)
class _WideModel(models.PrimitiveModel):  # type: ignore[misc]  # numba is untyped
    def __init__(self, manager: Any, kind: WideType) -> None:
        super().__init__(manager, kind, kind.word)


@typeof_impl.register(WideBits)
def _(value: WideBits, context: Any) -> WideType:
    return WideType(value.size, value.row)


@lower_constant(WideType)
def _constant(context: Any, builder: Any, kind: WideType, value: WideBits) -> Any:
    return ir.Constant(kind.word, value.number)


@lower_cast(types.Integer, WideType)
def _lower_widening(context: Any, builder: Any, source: Any, kind: WideType, value: Any) -> Any:
    extend = builder.sext if source.signed else builder.zext
    return extend(value, kind.word)


# --- between Python and compiled code -------------------------------------------------------------


@unbox(WideType)
def _unbox(kind: WideType, value: Any, c: Any) -> NativeValue:
    """Converts word by word, because not all Python versions have a function for longer
    integers."""
    api, builder = c.pyapi, c.builder
    number = api.object_getattr_string(value, "number")
    mask = api.long_from_ulonglong(ir.Constant(ir.IntType(WORD), WORD_MASK))
    total = ir.Constant(kind.word, 0)
    for shift in range(0, kind.size, WORD):
        by = api.long_from_ulonglong(ir.Constant(ir.IntType(WORD), shift))
        above = api.number_rshift(number, by)
        low = api.number_and(above, mask)
        word = builder.zext(api.long_as_ulonglong(low), kind.word)
        total = builder.or_(total, builder.shl(word, ir.Constant(kind.word, shift)))
        for used in (by, above, low):
            api.decref(used)
    api.decref(number)
    api.decref(mask)
    return NativeValue(total, is_error=c.pyapi.c_api_error())


@box(WideType)
def _box(kind: WideType, value: Any, c: Any) -> Any:
    api, builder = c.pyapi, c.builder
    total = api.long_from_ulonglong(builder.trunc(value, ir.IntType(WORD)))
    for shift in range(WORD, kind.size, WORD):
        word = builder.trunc(builder.lshr(value, ir.Constant(kind.word, shift)), ir.IntType(WORD))
        by = api.long_from_ulonglong(ir.Constant(ir.IntType(WORD), shift))
        high = api.long_from_ulonglong(word)
        moved = api.number_lshift(high, by)
        sum_ = api.number_or(total, moved)
        for used in (by, high, moved, total):
            api.decref(used)
        total = sum_
    # Through a function, because the classes of sets are created on demand.
    make = api.unserialize(api.serialize_object(wide_bits))
    facts = [
        api.long_from_ulonglong(ir.Constant(ir.IntType(WORD), fact))
        for fact in (kind.size, kind.row)
    ]
    result = api.call_function_objargs(make, (*facts, total))
    for used in (make, *facts, total):
        api.decref(used)
    return result


# --- operators ------------------------------------------------------------------------------------


def _together(a: Any, b: Any) -> WideType | None:
    """Returns the common type of two arguments; None unless one of them is a wide set."""
    if isinstance(a, WideType):
        return a if b == a or isinstance(b, types.Integer) else None
    return b if isinstance(b, WideType) and isinstance(a, types.Integer) else None


def _teach_operator(functions: tuple[Any, ...], emit: Emit, result: Any = None) -> None:
    """Registers an operator of two sets; `result` is its type if it differs."""

    @intrinsic
    def combine(typing_context: Any, a: Any, b: Any) -> Any:
        kind: Any = _together(a, b)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            both = (
                context.cast(builder, value, arg_type, kind)
                for value, arg_type in zip(args, (a, b), strict=True)
            )
            return emit(builder, *both)

        return (result or kind)(a, b), generate

    def choose(a: Any, b: Any) -> Any:
        return None if _together(a, b) is None else lambda a, b: combine(a, b)

    for function in functions:
        overload(function, strict=False)(choose)


def _teach_shift(functions: tuple[Any, ...], emit: Emit) -> None:
    """Registers a shift. Shifting by the whole width gives 0, which LLVM leaves undefined."""

    @intrinsic
    def shift(typing_context: Any, a: Any, by: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            distance = context.cast(builder, args[1], by, types.uint64)
            inside = builder.icmp_unsigned("<", distance, ir.Constant(ir.IntType(WORD), a.size))
            moved = emit(builder, args[0], builder.zext(distance, a.word))
            return builder.select(inside, moved, ir.Constant(a.word, 0))

        return a(a, by), generate

    def choose(a: Any, by: Any) -> Any:
        fits = isinstance(a, WideType) and isinstance(by, types.Integer)
        return (lambda a, by: shift(a, by)) if fits else None

    for function in functions:
        overload(function, strict=False)(choose)


# In-place operators are registered, too, because numba has no defaults for
# unknown types.
_teach_operator((operator.and_, operator.iand), lambda builder, a, b: builder.and_(a, b))
_teach_operator((operator.or_, operator.ior), lambda builder, a, b: builder.or_(a, b))
_teach_operator((operator.xor, operator.ixor), lambda builder, a, b: builder.xor(a, b))
_teach_operator((operator.add, operator.iadd), lambda builder, a, b: builder.add(a, b))
_teach_operator((operator.sub, operator.isub), lambda builder, a, b: builder.sub(a, b))
_teach_operator(
    (operator.eq,), lambda builder, a, b: builder.icmp_unsigned("==", a, b), types.boolean
)
_teach_operator(
    (operator.ne,), lambda builder, a, b: builder.icmp_unsigned("!=", a, b), types.boolean
)
_teach_shift((operator.lshift, operator.ilshift), lambda builder, a, by: builder.shl(a, by))
_teach_shift((operator.rshift, operator.irshift), lambda builder, a, by: builder.lshr(a, by))


@intrinsic
def _complement(typing_context: Any, a: Any) -> Any:
    return a(a), lambda context, builder, signature, args: builder.not_(args[0])


@overload(operator.invert, strict=False)
def _(a: Any) -> Any:
    return (lambda a: _complement(a)) if isinstance(a, WideType) else None


@overload(bool, strict=False)
def _(a: Any) -> Any:
    return (lambda a: a != 0) if isinstance(a, WideType) else None
