"""Fields of a state: numbers, sets of squares, and rows of numbers such as pits.

A row is a tuple with the same length in all states of a game. Rows are immutable, like states:
`replaced` returns a new row with one number changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.rules.bits import Bits, words_of
from papan.rules.wide import WORD, WideBits

#: The allowed types of fields, for messages.
FIELD_TYPES = "int, Bits, tuple[int, ...]"


def is_field(value: object) -> bool:
    """Returns whether a value can be a field of a state: an `int`, a tuple of `int`, or a set."""
    if type(value) is tuple:
        return len(value) > 0 and all(type(number) is int for number in value)
    return type(value) in (int, np.uint64) or isinstance(value, WideBits)


def field_type(value: object) -> str:
    """Returns the name of a field's type, equal in all states of a game: `int`, `int × 6`."""
    if isinstance(value, tuple):
        kinds = sorted({type(number).__name__ for number in value})
        return f"{' | '.join(kinds)} × {len(value)}"
    return type(value).__name__


def replaced(values: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    """Returns the row with another number at `index`, counted from 0.

    Raises:
        IndexError: the row has no such index.

    Examples:
        >>> replaced((4, 4, 4), 1, 0)
        (4, 0, 4)
    """
    if not 0 <= index < len(values):
        raise IndexError(f"{index} is not from 0 to {len(values) - 1}")
    return (*values[:index], int(number), *values[index + 1 :])


def number_at(values: tuple[int, ...], index: int) -> int:
    """Returns the number at `index` of a row; compiled code finds it without a branch.

    Examples:
        >>> number_at((4, 0, 7), 2)
        7
    """
    return values[index]


def nonzero(values: tuple[int, ...]) -> Bits:
    """Returns the set of the indices below 64 of a row whose numbers are not 0.

    Examples:
        >>> squares(nonzero((4, 0, 7)))
        [0, 2]
    """
    return np.uint64(sum(1 << index for index, number in enumerate(values) if number))


def sown(values: tuple[int, ...], start: int, seeds: int, skipped: int) -> tuple[int, ...]:
    """Returns the row after sowing: one seed to each place after `start`, around the row.

    Places are counted from 0. The place `skipped` gets none.

    Examples:
        >>> sown((0, 1, 0, 0), 1, 4, 2)
        (1, 2, 0, 2)
    """
    row, place = list(values), start
    while seeds > 0:
        place = (place + 1) % len(row)
        if place != skipped:
            row[place] += 1
            seeds -= 1
    return tuple(row)


def put_words(state: Any, words: Any, at: int) -> None:
    """Writes the fields of a state into an array of uint64, starting at index `at`."""
    for index, word in enumerate(words_of(tuple(state))):
        words[at + index] = np.uint64(word)


def taken_words(like: Any, words: Any, at: int) -> Any:
    """Returns the state that `put_words` wrote.

    Args:
        like: any state of the same game.
        words: the array.
        at: index of the first word.
    """
    fields, index = [], at
    for field in like:
        length = len(words_of(field))
        numbers = [int(word) for word in words[index : index + length]]
        fields.append(_field_of_words(field, numbers))
        index += length
    return type(like)(*fields)


def _field_of_words(like: Any, words: list[int]) -> Any:
    """Returns a field with the type of `like`."""
    if isinstance(like, tuple):
        return tuple(map(_as_signed, words))
    if isinstance(like, WideBits):
        return type(like)(sum(word << WORD * index for index, word in enumerate(words)))
    return _as_signed(words[0]) if type(like) is int else np.uint64(words[0])


def _as_signed(word: int) -> int:
    return word - (1 << WORD) if word >> (WORD - 1) else word
