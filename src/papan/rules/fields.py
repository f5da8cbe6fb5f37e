"""Fields of a state: numbers, sets of squares, and rows of numbers, such as pits.

A row is a tuple of the same length in all states of a game. It is never changed, as no state is:
`replaced` gives one with another number in a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.rules.bits import words_of
from papan.rules.wide import WORD, WideBits

#: The types of fields, in words of the code.
FIELD_TYPES = "int, Bits, tuple[int, ...]"


def is_field(value: object) -> bool:
    """True if a state can have such a field: an `int`, a tuple of them, or a set of squares."""
    if type(value) is tuple:
        return len(value) > 0 and all(type(number) is int for number in value)
    return type(value) in (int, np.uint64) or isinstance(value, WideBits)


def field_type(value: object) -> str:
    """The name of a field's type, which is the same in all states of a game: `int`, `int × 6`."""
    if isinstance(value, tuple):
        kinds = sorted({type(number).__name__ for number in value})
        return f"{' | '.join(kinds)} × {len(value)}"
    return type(value).__name__


def replaced(values: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    """The row with another number at `index`, which counts from 0."""
    if not 0 <= index < len(values):
        raise IndexError(f"{index} is not from 0 to {len(values) - 1}")
    return (*values[:index], int(number), *values[index + 1 :])


def put_words(state: Any, words: Any, at: int) -> None:
    """Writes the fields of a state into an array of uint64 from `at` on, in words of 64 bits."""
    for index, word in enumerate(words_of(tuple(state))):
        words[at + index] = np.uint64(word)


def taken_words(like: Any, words: Any, at: int) -> Any:
    """Returns the state that `put_words` wrote; `like` is any state of the same game."""
    fields, index = [], at
    for field in like:
        length = len(words_of(field))
        numbers = [int(word) for word in words[index : index + length]]
        fields.append(_field_of_words(field, numbers))
        index += length
    return type(like)(*fields)


def _field_of_words(like: Any, words: list[int]) -> Any:
    """A field of the type of another one."""
    if isinstance(like, tuple):
        return tuple(map(_as_signed, words))
    if isinstance(like, WideBits):
        return type(like)(sum(word << WORD * index for index, word in enumerate(words)))
    return _as_signed(words[0]) if type(like) is int else np.uint64(words[0])


def _as_signed(word: int) -> int:
    return word - (1 << WORD) if word >> (WORD - 1) else word
