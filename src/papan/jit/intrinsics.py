"""Functions of sets, keys and fields with special instructions or constants in compiled code.

Importing this module registers them with numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from papan.jit.inlining import INLINE
from papan.jit.wide_types import WideType
from papan.rules import bits
from papan.rules.bits import NONE, ONE, SCRATCH, capacity, widest, words_of
from papan.rules.dispatch import aside, end_at_limit
from papan.rules.fields import nonzero, number_at, put_words, replaced, sown, taken_words
from papan.rules.keys import MIX, MIX_SHIFT, MIX_START, mixed
from papan.rules.sliding import RAYS, STEPS, ray_on, wide_ray
from papan.rules.wide import WORD, wide_bits


def _counting(count: Callable[[Any, Any], Any]) -> Any:
    """Returns an intrinsic from a set of either kind to a number."""

    @intrinsic
    def count_bits(typing_context: Any, squares: Any) -> Any:
        kind = squares if isinstance(squares, WideType) else types.uint64

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            total = count(builder, args[0])
            return builder.trunc(total, ir.IntType(WORD)) if kind is squares else total

        return types.int64(kind), generate

    return count_bits


_count_set_bits = _counting(lambda builder, squares: builder.ctpop(squares))
_count_trailing_zeros = _counting(
    lambda builder, squares: builder.cttz(squares, ir.Constant(ir.IntType(1), 1))
)
_count_leading_zeros = _counting(
    lambda builder, squares: builder.ctlz(squares, ir.Constant(ir.IntType(1), 1))
)


@overload(bits.popcount, strict=False, jit_options=INLINE)
def _(bits: Any) -> Any:
    return lambda bits: _count_set_bits(bits)


@overload(bits.lowest, strict=False, jit_options=INLINE)
def _(bits: Any) -> Any:
    return lambda bits: _count_trailing_zeros(bits)


@overload(bits.highest, strict=False, jit_options=INLINE)
def _(bits: Any) -> Any:
    return lambda bits: capacity(bits) - 1 - _count_leading_zeros(bits)


def _instruction(name: str) -> Any:
    """Returns an intrinsic for an instruction of x86 with two words."""

    @intrinsic
    def execute(typing_context: Any, first: Any, second: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(WORD)
            kind = ir.FunctionType(word, [word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, name)
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    return execute


#: Name of the instruction that moves bits to the places of a mask; `papan.jit.wasm` replaces it.
DEPOSIT = "llvm.x86.bmi.pdep.64"
_parallel_extract = _instruction("llvm.x86.bmi.pext.64")
_parallel_deposit = _instruction(DEPOSIT)
#: True if the processor has both instructions.
_HAS_BMI2 = bool(llvm.get_host_cpu_features().get("bmi2", False))


_nth_bit = bits.nth_bit


@overload(_nth_bit, strict=False, jit_options=INLINE)
def _(bits: Any, index: Any) -> Any:
    if _HAS_BMI2:
        return lambda bits, index: _parallel_deposit(ONE << np.uint64(index), bits)
    return _nth_bit


@overload(bits.extract_bits, strict=False, jit_options=INLINE)
def _(bits: Any, mask: Any) -> Any:
    if _HAS_BMI2:
        return lambda bits, mask: _parallel_extract(bits, mask)

    def bit_by_bit(bits: Any, mask: Any) -> Any:
        result, place = NONE, ONE
        while mask != NONE:
            first = mask & (~mask + ONE)
            if bits & first != NONE:
                result |= place
            place, mask = place << ONE, mask ^ first
        return result

    return bit_by_bit


@intrinsic
def _stack_numbers(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(
            builder, ir.IntType(16), size=ir.Constant(ir.IntType(64), SCRATCH)
        )

    return types.CPointer(types.uint16)(), generate


@overload(bits.scratch, strict=False, jit_options=INLINE)
def _() -> Any:
    return lambda: _stack_numbers()


@overload(aside, strict=False, jit_options=INLINE)
def _(*words: Any) -> Any:
    return lambda *words: None


#: Name of the function that a search calls when it reaches its limit of nodes. Its definition
#: here ends the search. A page defines its own, which may raise the limit (`papan.jit.wasm`).
AT_LIMIT = "papan_at_limit"


@intrinsic
def _call_at_limit(typing_context: Any, workspace: Any) -> Any:
    offset = workspace.offset("stop")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, kind, AT_LIMIT)
        if function.is_declaration:
            function.linkage = "linkonce_odr"
            for attribute in ("noinline", "cold", "nounwind"):
                function.attributes.add(attribute)
            inner = ir.IRBuilder(function.append_basic_block())
            place = inner.gep(function.args[0], [ir.Constant(ir.IntType(64), offset)])
            word = ir.IntType(WORD)
            inner.store(ir.Constant(word, 1), inner.bitcast(place, word.as_pointer()))
            inner.ret_void()
        builder.call(function, [builder.bitcast(args[0], ir.IntType(8).as_pointer())])
        return context.get_dummy_value()

    return types.none(workspace), generate


@overload(end_at_limit, strict=False, jit_options=INLINE)
def _(workspace: Any) -> Any:
    return lambda workspace: _call_at_limit(workspace)


@intrinsic
def _wide_bit(typing_context: Any, board: Any, square: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Word by word, because LLVM shifts a wide integer by a variable distance through
        # memory.
        number = context.cast(builder, args[1], square, types.uint64)
        word = ir.IntType(WORD)
        there = builder.lshr(number, ir.Constant(word, 6))
        one = builder.shl(ir.Constant(word, 1), builder.and_(number, ir.Constant(word, WORD - 1)))
        total = ir.Constant(board.word, 0)
        for index in range(board.size // WORD):
            here = builder.icmp_unsigned("==", there, ir.Constant(word, index))
            part = builder.zext(builder.select(here, one, ir.Constant(word, 0)), board.word)
            part = builder.shl(part, ir.Constant(board.word, WORD * index))
            total = builder.or_(total, part)
        return total

    return board(board, square), generate


@overload(bits.bit_like, strict=False, jit_options=INLINE)
def _(board: Any, square: Any) -> Any:
    if isinstance(board, WideType):
        return lambda board, square: _wide_bit(board, square)
    return lambda board, square: ONE << np.uint64(square)


def _rays(builder: Any, board: WideType) -> Any:
    """Returns the table of all rays on a kind of board, stored once next to the code."""
    name = f"rays.{board}"
    if name in builder.module.globals:
        return builder.module.globals[name]
    rays = [
        ray_on(direction, square, board.size, board.row, 1)
        for direction in range(len(STEPS))
        for square in range(board.size)
    ]
    kind = ir.ArrayType(board.word, len(rays))
    table = cgutils.add_global_variable(builder.module, kind, name)
    table.linkage, table.global_constant, table.initializer = "internal", True, kind(rays)
    return table


@intrinsic
def _wide_ray(typing_context: Any, board: Any, direction: Any, square: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, table = ir.IntType(WORD), _rays(builder, board)
        way, place = (
            context.cast(builder, arg, arg_type, types.int64)
            for arg, arg_type in zip(args[1:], (direction, square), strict=True)
        )
        index = builder.add(builder.mul(way, ir.Constant(number, board.size)), place)
        return builder.load(builder.gep(table, [ir.Constant(number, 0), index], inbounds=True))

    return board(board, direction, square), generate


@overload(wide_ray, strict=False, jit_options=INLINE)
def _(board: Any, direction: Any, square: Any) -> Any:
    if isinstance(board, WideType):
        return lambda board, direction, square: _wide_ray(board, direction, square)
    return lambda board, direction, square: RAYS[direction, square]


def _teach_constant(constant: Callable[..., Any]) -> None:
    """Registers a function that returns a constant for each kind of set."""

    @overload(constant, strict=False, jit_options=INLINE)
    def _(bits: Any) -> Any:
        example = wide_bits(bits.size, bits.row, 0) if isinstance(bits, WideType) else NONE
        value = constant(example)
        return lambda bits: value


for _constant in (bits.capacity, bits.row_length, bits.left_column, bits.right_column):
    _teach_constant(_constant)


@intrinsic
def _lower_replaced(typing_context: Any, values: Any, index: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # A select for each place instead of a store, so that invalid places write nothing.
        row, (_, index, new) = args[0], args
        new = context.cast(builder, new, number, values.dtype)
        for place in range(values.count):
            here = builder.icmp_unsigned("==", index, ir.Constant(index.type, place))
            old = builder.extract_value(row, place)
            row = builder.insert_value(row, builder.select(here, new, old), place)
        return row

    return values(values, index, number), generate


@overload(replaced, strict=False, jit_options=INLINE)
def _(values: Any, index: Any, number: Any) -> Any:
    return lambda values, index, number: _lower_replaced(values, index, number)


@intrinsic
def _lower_number_at(typing_context: Any, values: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Each bit of the index chooses between neighbours, so half as many numbers are left.
        left = [builder.extract_value(args[0], place) for place in range(values.count)]
        rest = args[1]
        while len(left) > 1:
            odd = builder.trunc(rest, ir.IntType(1))
            rest = builder.lshr(rest, ir.Constant(rest.type, 1))
            pairs = zip(left[::2], left[1::2] + left[-1:], strict=False)
            left = [builder.select(odd, second, first) for first, second in pairs]
        return left[0]

    return values.dtype(values, index), generate


@overload(number_at, strict=False, jit_options=INLINE)
def _(values: Any, index: Any) -> Any:
    return lambda values, index: _lower_number_at(values, index)


@intrinsic
def _lower_nonzero(typing_context: Any, values: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(WORD)
        places = ir.Constant(word, 0)
        for index in range(min(values.count, WORD)):
            number = builder.extract_value(args[0], index)
            filled = builder.icmp_unsigned("!=", number, ir.Constant(number.type, 0))
            bit = builder.select(filled, ir.Constant(word, 1 << index), ir.Constant(word, 0))
            places = builder.or_(places, bit)
        return places

    return types.uint64(values), generate


@overload(nonzero, strict=False, jit_options=INLINE)
def _(values: Any) -> Any:
    return lambda values: _lower_nonzero(values)


@intrinsic
def _lower_sown(typing_context: Any, values: Any, start: Any, seeds: Any, skipped: Any) -> Any:
    word, length = ir.IntType(WORD), values.count

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def constant(number: int) -> Any:
            return ir.Constant(word, number)

        def steps(place: Any) -> Any:
            """Returns the number of places between `start` and a place."""
            ahead = builder.sub(place, builder.add(first, constant(1)))
            behind = builder.icmp_signed("<", ahead, constant(0))
            return builder.select(behind, builder.add(ahead, constant(length)), ahead)

        row = args[0]
        first, hand, left_out = (
            context.cast(builder, arg, kind, types.int64)
            for arg, kind in zip(args[1:], (start, seeds, skipped), strict=True)
        )
        # Each round fills all places but one; the last round begins at `start` and ends early.
        rounds = builder.udiv(hand, constant(length - 1))
        rest = builder.urem(hand, constant(length - 1))
        gap = steps(left_out)
        for place in range(length):
            before = steps(constant(place))
            passed = builder.zext(builder.icmp_signed(">", before, gap), word)
            reached = builder.icmp_signed("<", builder.sub(before, passed), rest)
            added = builder.add(rounds, builder.zext(reached, word))
            is_gap = builder.icmp_signed("==", left_out, constant(place))
            added = builder.select(is_gap, constant(0), added)
            row = builder.insert_value(
                row, builder.add(builder.extract_value(row, place), added), place
            )
        return row

    return values(values, start, seeds, skipped), generate


@overload(sown, strict=False, jit_options=INLINE)
def _(values: Any, start: Any, seeds: Any, skipped: Any) -> Any:
    return lambda values, start, seeds, skipped: _lower_sown(values, start, seeds, skipped)


def _words_in(context: Any, builder: Any, value: Any, kind: Any) -> list[Any]:
    """Returns a field of a state as 64-bit values: one for a number, several for a wide set or
    tuple."""
    if isinstance(kind, types.BaseTuple):
        items = [builder.extract_value(value, index) for index in range(len(kind))]
        parts = (_words_in(context, builder, *pair) for pair in zip(items, kind.types, strict=True))
        return [word for words in parts for word in words]
    if not isinstance(kind, WideType):
        return [context.cast(builder, value, kind, types.uint64)]
    return [
        builder.trunc(builder.lshr(value, ir.Constant(kind.word, shift)), ir.IntType(WORD))
        for shift in range(0, kind.size, WORD)
    ]


@overload(widest, strict=False, jit_options=INLINE)
def _(state: Any) -> Any:
    size = max((kind.size for kind in state.types if isinstance(kind, WideType)), default=WORD)
    return lambda state: size


@intrinsic
def _words(typing_context: Any, field: Any) -> Any:
    count = field.size // WORD if isinstance(field, WideType) else 1
    kind = types.UniTuple(types.uint64, count)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_tuple(builder, kind, _words_in(context, builder, args[0], field))

    return kind(field), generate


@overload(words_of, strict=False, jit_options=INLINE)
def _(field: Any) -> Any:
    return lambda field: _words(field)


@intrinsic
def _mixed_fields(typing_context: Any, fields: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        total = ir.Constant(word, MIX_START)
        for index, kind in enumerate(fields.types):
            field = builder.extract_value(args[0], index)
            for part in _words_in(context, builder, field, kind):
                total = builder.mul(builder.xor(total, part), ir.Constant(word, MIX))
                total = builder.xor(total, builder.lshr(total, ir.Constant(word, MIX_SHIFT)))
        return total

    return types.uint64(fields), generate


@overload(mixed, strict=False, jit_options=INLINE)
def _(fields: Any) -> Any:
    return lambda fields: _mixed_fields(fields)


def _field_of(state: Any, name: str) -> Any:
    """Returns the type of a field; None if the state does not have it."""
    return dict(zip(state.fields, state.types, strict=True)).get(name)


@overload(bits.stones, strict=False, jit_options=INLINE)
def _(state: Any) -> Any:
    kinds = (_field_of(state, "mine"), _field_of(state, "theirs"))
    if all(kind == types.uint64 or isinstance(kind, WideType) for kind in kinds):
        return lambda state: (state.mine, state.theirs)
    return lambda state: (NONE, NONE)


@intrinsic
def _lower_turned(typing_context: Any, state: Any, index: Any, height: Any, width: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        fields, how = [], [types.int64] * 3
        numbers = [
            context.cast(builder, value, kind, types.int64)
            for value, kind in zip(args[1:], signature.args[1:], strict=True)
        ]
        for place, kind in enumerate(state.types):
            field = builder.extract_value(args[0], place)
            if kind == types.uint64 or isinstance(kind, WideType):
                arguments = [field, *numbers]
                field = context.compile_internal(builder, _transform, kind(kind, *how), arguments)
            fields.append(field)
        return context.make_tuple(builder, state, fields)

    return state(state, index, height, width), generate


def _transform(squares: Any, index: int, height: int, width: int) -> Any:
    return bits.transformed(squares, index, height, width)


@overload(bits.turned, strict=False, jit_options=INLINE)
def _(state: Any, index: Any, height: Any, width: Any) -> Any:
    return lambda state, index, height, width: _lower_turned(state, index, height, width)


# --- states in arrays -----------------------------------------------------------------------------


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Returns the address of an element of a contiguous one-dimensional array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def _next_word(builder: Any, at: Any) -> Any:
    return builder.add(at, ir.Constant(at.type, 1))


@intrinsic
def _put_words(typing_context: Any, state: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = args[2]
        for index, kind in enumerate(state.types):
            field = builder.extract_value(args[0], index)
            for word in _words_in(context, builder, field, kind):
                builder.store(word, _pointer(context, builder, words, args[1], at))
                at = _next_word(builder, at)
        return context.get_dummy_value()

    return types.none(state, words, types.int64), generate


@overload(put_words, strict=False, jit_options=INLINE)
def _(state: Any, words: Any, at: Any) -> Any:
    return lambda state, words, at: _put_words(state, words, at)


@intrinsic
def _taken_words(typing_context: Any, like: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = [args[2]]

        def word() -> Any:
            value = builder.load(_pointer(context, builder, words, args[1], at[0]))
            at[0] = _next_word(builder, at[0])
            return value

        def field(kind: Any) -> Any:
            if isinstance(kind, types.BaseTuple):
                return context.make_tuple(builder, kind, [field(inner) for inner in kind.types])
            if not isinstance(kind, WideType):
                return context.cast(builder, word(), types.uint64, kind)
            total = ir.Constant(kind.word, 0)
            for shift in range(0, kind.size, WORD):
                part = builder.zext(word(), kind.word)
                total = builder.or_(total, builder.shl(part, ir.Constant(kind.word, shift)))
            return total

        return context.make_tuple(builder, like, [field(kind) for kind in like.types])

    return like(like, words, types.int64), generate


@overload(taken_words, strict=False, jit_options=INLINE)
def _(like: Any, words: Any, at: Any) -> Any:
    return lambda like, words, at: _taken_words(like, words, at)
