"""The memory of a game's module: what a page must write there for each kernel.

Kernels receive their arguments as 64-bit words (`papan.jit.wasm`). A `Leaf` describes the words of
one leaf of the arguments: its name, its kind and its value in the example arguments.

    kind      words   value
    number    1       the number; for an address 0
    float     1       the number
    wide      n       one word for each 64 bits
    array     5 + 2n  n dimensions: no owner, no parent, length, bytes of an element, address,
                      shape, strides
    record    1       its address

An array or record is named after its place in the arguments: `tree.nodes`. The page sets its
length. The arrays of a learned evaluation are constants, stored in one file.

The value of an array is a list: bytes of an element, shape, and for a constant its offset in the
file and its strides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from papan.rules.bits import words_of
from papan.rules.wide import WORD_MASK, WideBits

#: Arrays of the file start at multiples of this number of bytes.
_ALIGNED = 16


class Constants:
    """The arrays of an evaluation in one file."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._offsets: dict[int, int] = {}
        self._size = 0

    def offset(self, array: Any) -> int:
        """Returns the place of an array in the file; adds it the first time."""
        if id(array) not in self._offsets:
            data = array.ravel(order="K").tobytes()  # in the order of its strides
            self._offsets[id(array)] = self._size
            self._parts.append(data.ljust(-(-len(data) // _ALIGNED) * _ALIGNED, b"\0"))
            self._size += len(self._parts[-1])
        return self._offsets[id(array)]

    def content(self) -> bytes:
        """Returns the file."""
        return b"".join(self._parts)


def leaves(kernel: Any, arguments: tuple[Any, ...], constants: Constants) -> list[list[Any]]:
    """Returns the leaves of a kernel's arguments in the order of their words: name, kind, value.

    Args:
        kernel: the kernel.
        arguments: example arguments.
        constants: gets the arrays of evaluations.
    """
    names = kernel.py_func.__code__.co_varnames
    return [
        leaf
        for name, value in zip(names, arguments, strict=False)
        for leaf in _leaves(name, value, constants)
    ]


def _leaves(name: str, value: Any, constants: Constants) -> Iterator[list[Any]]:
    if isinstance(value, np.record | np.void):
        yield [name, "record", value.dtype.itemsize]
    elif isinstance(value, np.ndarray):
        item = value.dtype.itemsize
        if name.startswith("evaluation."):
            place = [constants.offset(value), list(value.strides)]
            yield [name, "array", [item, list(value.shape), *place]]
        else:
            yield [name, "array", [item, list(value.shape)]]
    elif isinstance(value, tuple):
        fields = getattr(value, "_fields", range(len(value)))
        for field, inner in zip(fields, value, strict=True):
            yield from _leaves(f"{name}.{field}", inner, constants)
    elif isinstance(value, WideBits):
        yield [name, "wide", [str(word) for word in words_of(value)]]
    elif isinstance(value, float):
        yield [name, "float", value]
    else:
        yield [name, "number", str(int(value))]


def state_words(state: Any) -> list[str]:
    """Returns the words of a state, as `papan.rules.fields.put_words` writes them."""
    return [str(int(word) & WORD_MASK) for word in words_of(tuple(state))]


def field_offsets(record: np.dtype[Any], names: tuple[str, ...]) -> dict[str, int]:
    """Returns the offsets of fields of a record in bytes."""
    assert record.fields is not None
    return {name: int(record.fields[name][1]) for name in names}
