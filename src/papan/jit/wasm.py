"""Kernels as a WebAssembly module, from the LLVM instructions that numba generates for them.

Each kernel is compiled for this machine as usual, and its instructions are compiled once more for
`wasm32`. Numba passes a kernel its arguments field by field (see `papan.browser.image`). A page
cannot know their types, so the module exports one function for each kernel that reads them from
memory:

    name(words) → status

    words     address of 64-bit words: first the place of the result, then a place for each leaf of
              the arguments, in order; a wide set takes a word for each 64 bits
    status    0, or another number if a rule raised an exception

Addresses are 32 bits wide in WebAssembly, but take a whole word here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core.caching import NullCache

from papan.jit.intrinsics import AT_LIMIT, DEPOSIT

_TRIPLE = "wasm32-unknown-unknown"
#: Instructions beyond the first version of WebAssembly; all browsers since 2021 have them.
_FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128"
#: Functions that a module may import; the page defines them.
IMPORTS = (AT_LIMIT, "log", "exp", "pow")

#: What replaces the instruction `DEPOSIT` of x86, whose first argument has one bit.
_DEPOSIT = """
define linkonce_odr i64 @papan_deposit(i64 %bit, i64 %mask) {
start:
  br label %again
again:
  %left = phi i64 [ %bit, %start ], [ %half, %next ]
  %rest = phi i64 [ %mask, %start ], [ %fewer, %next ]
  %found = icmp ule i64 %left, 1
  br i1 %found, label %end, label %next
next:
  %half = lshr i64 %left, 1
  %less = add i64 %rest, -1
  %fewer = and i64 %rest, %less
  br label %again
end:
  %minus = sub i64 0, %rest
  %lowest = and i64 %rest, %minus
  ret i64 %lowest
}
"""

_WORD = ir.IntType(64)
_STATUS = ir.IntType(32)


def object_code(entries: Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]) -> bytes:
    """Returns kernels as an object file for WebAssembly, which must be linked to a module.

    Args:
        entries: exported name → kernel and arguments of the types to compile it for.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(
        opt=3, reloc="static", features=_FEATURES
    )
    module = llvm.parse_assembly("")
    for name, (kernel, arguments) in entries.items():
        text, wrapper = _instructions(kernel, arguments, name)
        module.link_in(_parsed(text, machine))
        module.link_in(_parsed(wrapper, machine))
    code: bytes = machine.emit_object(module)
    return code


def _instructions(kernel: Any, arguments: tuple[Any, ...], name: str) -> tuple[str, str]:
    """Returns the LLVM assembly of a kernel, and of the function that reads its arguments."""
    types = tuple(map(kernel.typeof_pyval, arguments))
    kernel._cache = NullCache()  # machine code on disk has no LLVM instructions
    kernel.overloads.pop(types, None)
    kernel.compile(types)
    compiled = kernel.overloads[types]
    symbol = f"kernel.{name}"
    text = compiled.library.get_llvm_str()
    text = text.replace(compiled.fndesc.llvm_func_name, symbol)
    return text, str(_wrapper(kernel.targetctx, compiled.fndesc, symbol, name))


def _wrapper(context: Any, description: Any, symbol: str, name: str) -> ir.Module:
    module = ir.Module()
    kind = context.call_conv.get_function_type(description.restype, description.argtypes)
    callee = ir.Function(module, kind, symbol)
    pointer = ir.PointerType(_WORD)
    entry = ir.Function(module, ir.FunctionType(_STATUS, [pointer]), f"entry.{name}")
    builder = ir.IRBuilder(entry.append_basic_block())
    words = entry.args[0]
    error = builder.alloca(kind.args[1].pointee)
    arguments, at = [], 1
    for leaf in kind.args[2:]:
        place = builder.gep(words, [ir.Constant(_STATUS, at)])
        arguments.append(_read(builder, place, leaf))
        at += max(1, leaf.width // 64) if isinstance(leaf, ir.IntType) else 1
    result = builder.bitcast(words, kind.args[0])
    builder.ret(builder.call(callee, [result, error, *arguments]))
    return module


def _read(builder: ir.IRBuilder, place: Any, leaf: Any) -> Any:
    """Returns the value of a leaf in memory."""
    if isinstance(leaf, ir.PointerType):
        return builder.inttoptr(builder.load(place), leaf)
    if isinstance(leaf, ir.IntType) and leaf.width < 64:
        return builder.trunc(builder.load(place), leaf)
    return builder.load(builder.bitcast(place, ir.PointerType(leaf)), align=8)


def _parsed(text: str, machine: Any) -> Any:
    """Returns a module of numba's instructions, for another target."""
    text = re.sub(r'target datalayout = "[^"]*"', "", text)
    text = re.sub(r'target triple = "[^"]*"', "", text)
    text = re.sub(r'"(target-(cpu|features)|tune-cpu|probe-stack)"="[^"]*"', "", text)
    text = _without(text, "_ZN7cpython")
    text = re.sub(r"= common (local_unnamed_addr )?global", "= internal global", text)
    if f"@{AT_LIMIT}(" in text:
        text = _without(text, AT_LIMIT) + f"\ndeclare void @{AT_LIMIT}(ptr)\n"
    if f"@{DEPOSIT}(" in text:
        text = re.sub(f"^declare .*@{re.escape(DEPOSIT)}.*$", "", text, flags=re.MULTILINE)
        text = text.replace(f"@{DEPOSIT}(", "@papan_deposit(") + _DEPOSIT
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    module.verify()
    return module


def _without(text: str, name: str) -> str:
    """Returns assembly without the definitions of functions with a name."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = inside or (line.startswith("define") and name in line.partition("(")[0])
        if not inside:
            kept.append(line)
        inside = inside and not line.startswith("}")
    return "\n".join(kept)
