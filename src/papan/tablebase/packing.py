"""Keys of positions: all that differs between the states of a game, packed into few words.

A state is a row of words of 64 bits. Most of their bits are the same in all positions: squares that
the board does not have, high bits of small numbers. Of each word a `Packing` knows what is always
there (`base`) and the bits that the rest can have; these are put side by side. Nothing is lost: two
positions have one key only if they are the same, and a state is made of its key again.

    word − base                    must lie in `allowed`, or the position does not fit
    runs of allowed bits           shift down, mask, shift up, OR into a word of the key

The highest bit of a key's last word is always set, so that no key is 0: that is a free slot.

A game that numbers its positions (`index`, `position_of`) has these numbers for keys: `NUMBERED`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from papan.rules.bits import NONE, signed, words_of
from papan.rules.dispatch import helper
from papan.rules.fields import put_words, taken_words
from papan.rules.operations import State, symmetry_count, transform
from papan.rules.solving import index, index_count, position_of
from papan.rules.wide import WORD

Words = np.ndarray[Any, np.dtype[np.uint64]]

#: The part of a word's numbers by which one is widened that turned out too small.
_FULL = (1 << WORD) - 1
MARK = np.uint64(1 << (WORD - 1))


class Span(NamedTuple):
    """The values of one word: of a number all from `low` to `high`, of a set all that have the bits
    of `low` and some of those of `high`."""

    low: int
    high: int
    is_number: bool

    def around(self, word: int) -> Span:
        """The span with one more value."""
        if not self.is_number:
            return Span(self.low & word, self.high | word, False)
        value = word - (1 << WORD) if word >> (WORD - 1) else word
        return Span(min(self.low, value), max(self.high, value), True)

    @property
    def rounded(self) -> Span:
        """The widest span with the same packing: it tells nothing of the order in which values were
        met, since what fits is not noticed."""
        return self._replace(high=self.low + self.allowed) if self.is_number else self

    @property
    def base(self) -> int:
        """The value that is subtracted from a word."""
        return self.low & _FULL

    @property
    def allowed(self) -> int:
        """The bits that a word less `base` can have."""
        if self.is_number:
            return (1 << (self.high - self.low).bit_length()) - 1
        return self.high & ~self.low


class Packing(NamedTuple):
    """The way from a state's words to a key, as kernels see it.

    Attributes:
        words: uint64 of shape (3 · words of a state,): base, allowed bits, number of runs. Empty
            where the game's own numbers are the keys.
        runs: uint64 of shape (4 · runs,): shift down, mask, word of the key, shift up.
        width: words of a key.
    """

    words: Words
    runs: Words
    width: int


#: Keys that are the game's own numbers.
NUMBERED = Packing(np.zeros(0, np.uint64), np.zeros(4, np.uint64), 1)


def spans_of(state: State) -> list[Span]:
    """The spans that hold one state alone."""
    spans = []
    for field in state:
        is_number = isinstance(field, (int, tuple)) and not isinstance(field, np.integer)
        for word in words_of(field):
            start = Span(0, 0, True) if is_number else Span(word, word, False)
            spans.append(start.around(word) if is_number else start)
    return spans


def widened(spans: list[Span], words: Iterable[int]) -> list[Span]:
    """Spans that hold one more state."""
    return [span.around(int(word)) for span, word in zip(spans, words, strict=True)]


def packing_of(spans: list[Span]) -> Packing:
    """The packing of states whose words lie in these spans."""
    words, runs, free = [], [], 0
    for span in spans:
        found = list(_runs(span.allowed))
        pieces = [piece for run in found for piece in _placed(*run, free + _before(found, run))]
        words += [span.base, span.allowed, len(pieces)]
        runs += [number for piece in pieces for number in piece]
        free += sum(length for _, length in found)
    width = free // WORD + 1
    return Packing(np.array(words, np.uint64), np.array(runs or [0] * 4, np.uint64), width)


def _before(runs: list[tuple[int, int]], run: tuple[int, int]) -> int:
    """Bits of the runs before one of them."""
    return sum(length for shift, length in runs if shift < run[0])


def _runs(bits: int) -> Iterable[tuple[int, int]]:
    """The runs of bits of a word: where each begins, and its length."""
    shift = 0
    while bits >> shift:
        if bits >> shift & 1:
            length = ((~(bits >> shift)) & ((bits >> shift) + 1)).bit_length() - 1
            yield shift, length
            shift += length
        shift += 1


def _placed(shift: int, length: int, at: int) -> Iterable[tuple[int, int, int, int]]:
    """A run put at a bit of the key: in two pieces where a word of it ends in between."""
    while length > 0:
        piece = min(length, WORD - at % WORD)
        yield shift, (1 << piece) - 1, at // WORD, at % WORD
        shift, length, at = shift + piece, length - piece, at + piece


# --- in compiled code -----------------------------------------------------------------------------


@helper
def pack(packing: Packing, raw: Words, at: int, keys: Words, key: int) -> bool:
    """Writes the key of the state whose words begin at `raw[at]` to `keys[key]` and what follows;
    False if the state does not fit."""
    for word in range(packing.width):
        keys[key + word] = NONE
    words, runs = packing.words, packing.runs
    run, strange = 0, NONE
    for word in range(words.size // 3):
        value = raw[at + word] - words[3 * word]
        strange |= value & ~words[3 * word + 1]
        for _ in range(words[3 * word + 2]):
            piece = (value >> runs[run]) & runs[run + 1]
            keys[key + np.int64(runs[run + 2])] |= piece << runs[run + 3]
            run += 4
    keys[key + packing.width - 1] |= MARK
    return bool(strange == NONE)


@helper
def unpack(packing: Packing, keys: Words, key: int, raw: Words, at: int) -> None:
    """Writes the words of the state whose key begins at `keys[key]` to `raw[at]` and on."""
    words, runs = packing.words, packing.runs
    run = 0
    for word in range(words.size // 3):
        value = NONE
        for _ in range(words[3 * word + 2]):
            piece = (keys[key + np.int64(runs[run + 2])] >> runs[run + 3]) & runs[run + 1]
            value |= piece << runs[run]
            run += 4
        raw[at + word] = value + words[3 * word]


@helper
def is_numbered(packing: Packing) -> bool:
    """True if keys are the game's own numbers."""
    return packing.words.size == 0


@helper
def put_key(like: State, state: State, packing: Packing, raw: Words, keys: Words, key: int) -> bool:
    """Writes the key of a state, the same one for all its mirror images, to `keys[key]` and what
    follows, and the words of the image to the first half of `raw`; False if it has no key.

    `like` is any state of the game, from which its own number has to lead to the state.
    """
    put_least_image(state, raw)
    if not is_numbered(packing):
        return pack(packing, raw, 0, keys, key)
    least, length = taken_words(state, raw, 0), raw.size // 2
    number = signed(index(least))
    keys[key] = np.uint64(number) | MARK
    if number < 0 or number >= index_count(least):
        return False
    # Two positions with one number would be taken for each other: it has to lead back.
    put_words(position_of(like, number), raw, length)
    return is_same_half(raw, length)


@helper
def state_of(like: State, packing: Packing, keys: Words, key: int, raw: Words) -> State:
    """The state with the key at `keys[key]`; `like` is any state of the game, `raw` scratch."""
    if is_numbered(packing):
        put_words(position_of(like, number_of(keys[key])), raw, 0)
    else:
        unpack(packing, keys, key, raw, 0)
    return taken_words(like, raw, 0)


@helper
def number_of(key: np.uint64) -> int:
    """The number that a key is."""
    return signed(key & ~MARK)


@helper
def is_same_half(raw: Words, length: int) -> bool:
    """True if both halves of `raw`, of that length, are the same."""
    same = True
    for word in range(length):
        same = same and raw[word] == raw[length + word]
    return same


@helper
def put_least_image(state: State, raw: Words) -> None:
    """Writes the words of that mirror image of a state which comes first to `raw`; what follows
    them in `raw`, of the same length, is scratch."""
    length = raw.size // 2
    put_words(state, raw, 0)
    for image in range(1, symmetry_count(state)):
        put_words(transform(state, image), raw, length)
        if comes_before(raw, length, length):
            for word in range(length):
                raw[word] = raw[length + word]


@helper
def comes_before(raw: Words, at: int, length: int) -> bool:
    """True if the words from `at` on are less than the first ones."""
    for word in range(length):
        if raw[at + word] != raw[word]:
            return bool(raw[at + word] < raw[word])
    return False


@helper
def image_count(state: State, raw: Words) -> int:
    """Number of positions that are mirror images of one another, one of which is `state`."""
    length, same = raw.size // 2, 1
    put_words(state, raw, 0)
    for image in range(1, symmetry_count(state)):
        put_words(transform(state, image), raw, length)
        same += 1 if is_same_half(raw, length) else 0
    return symmetry_count(state) // same
