"""Codecs: positions as keys of few words, and results as 16 bits.

A state is a row of 64-bit words. Most of their bits are the same in all positions: squares that the
board does not have, high bits of small numbers. A `Codec` has for each word the constant value
(`base`) and the variable bits, and puts these bits together. No information is lost: different
positions have different keys, and a key can be decoded.

    word − base                    must be within `allowed`, or the position does not fit
    runs of allowed bits           shift down, mask, shift up, OR into a word of the key

The highest bit of a key's last word is always set, because 0 marks a free slot. The keys of a game
with numbered positions (`index`, `position_of`) are these numbers: `NUMBERED`.

A result has 16 bits:

    bits 14, 15   0 endless: neither side can win, and no drawn line ends by rule
                  1 won, 2 lost, for the side to move   3 drawn by rule
    bits 0 … 13   plies to the end, with the shortest win and the longest defence; for a draw the
                  plies of the shortest drawn line; in games with margins, the margin

During a build, `ENDLESS` also means that a result is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from papan.rules.bits import NONE, signed, words_of
from papan.rules.dispatch import helper
from papan.rules.fields import put_words, taken_words
from papan.rules.operations import State, final_value, symmetry_count, transform, win_value
from papan.rules.solving import index, index_count, position_of
from papan.rules.wide import WORD

Words = np.ndarray[Any, np.dtype[np.uint64]]
Codes = np.ndarray[tuple[int], np.dtype[np.uint16]]

NO_WORDS: Words = np.zeros(0, np.uint64)

_FULL = (1 << WORD) - 1
#: Set in the last word of every key: 0 marks a free slot of a table.
MARK = np.uint64(1 << (WORD - 1))


class ValueRange(NamedTuple):
    """The values of one word of states.

    A number takes all values from `low` to `high`; a set has all bits of `low` and some of those of
    `high`.
    """

    low: int
    high: int
    is_number: bool

    def including(self, word: int) -> ValueRange:
        """Returns the smallest range that includes one more value."""
        if not self.is_number:
            return ValueRange(self.low & word, self.high | word, False)
        value = word - (1 << WORD) if word >> (WORD - 1) else word
        return ValueRange(min(self.low, value), max(self.high, value), True)

    @property
    def widest(self) -> ValueRange:
        """The widest range with the same codec, independent of the order of the values."""
        return self._replace(high=self.low + self.free_bits) if self.is_number else self

    @property
    def base(self) -> int:
        """The value that is subtracted from a word."""
        return self.low & _FULL

    @property
    def free_bits(self) -> int:
        """The bits that a word less `base` can have."""
        if self.is_number:
            return (1 << (self.high - self.low).bit_length()) - 1
        return self.high & ~self.low


class Codec(NamedTuple):
    """The conversion of a state's words into a key and back, as kernels see it.

    Attributes:
        words: uint64 of shape (3 · words of a state,): base, allowed bits, number of runs. Empty
            if the game's own numbers are the keys.
        runs: uint64 of shape (4 · runs,): shift down, mask, word of the key, shift up.
        width: words of a key.
    """

    words: Words
    runs: Words
    width: int


#: The codec of games that number their positions.
NUMBERED = Codec(NO_WORDS, np.zeros(4, np.uint64), 1)


def ranges_of(state: State) -> list[ValueRange]:
    """Returns the value ranges of a single state."""
    ranges = []
    for field in state:
        is_number = isinstance(field, (int, tuple)) and not isinstance(field, np.integer)
        for word in words_of(field):
            start = ValueRange(0, 0, True) if is_number else ValueRange(word, word, False)
            ranges.append(start.including(word) if is_number else start)
    return ranges


def widen(ranges: list[ValueRange], words: Iterable[int]) -> list[ValueRange]:
    """Extends value ranges to include one more state."""
    return [each.including(int(word)) for each, word in zip(ranges, words, strict=True)]


def codec_of(ranges: list[ValueRange]) -> Codec:
    """Returns the codec of states whose words lie in these ranges."""
    words, runs, used = [], [], 0
    for each in ranges:
        pieces = list[tuple[int, int, int, int]]()
        for shift, length in _bit_runs(each.free_bits):
            pieces += _place_run(shift, length, used)
            used += length
        words += [each.base, each.free_bits, len(pieces)]
        runs += [number for piece in pieces for number in piece]
    # At least one bit of the last word stays free, for `MARK`.
    width = used // WORD + 1
    return Codec(np.array(words, np.uint64), np.array(runs or [0] * 4, np.uint64), width)


def _bit_runs(bits: int) -> Iterable[tuple[int, int]]:
    """Yields the first bit and the length of each run of ones."""
    shift = 0
    while bits >> shift:
        if bits >> shift & 1:
            length = ((~(bits >> shift)) & ((bits >> shift) + 1)).bit_length() - 1
            yield shift, length
            shift += length
        shift += 1


def _place_run(shift: int, length: int, at: int) -> Iterable[tuple[int, int, int, int]]:
    """Yields the pieces of a run, split where the words of the key end.

    The run starts at bit `at` of the key.
    """
    while length > 0:
        piece = min(length, WORD - at % WORD)
        yield shift, (1 << piece) - 1, at // WORD, at % WORD
        shift, length, at = shift + piece, length - piece, at + piece


# --- keys in compiled code ------------------------------------------------------------------------


@helper
def pack(codec: Codec, raw: Words, at: int, keys: Words, key: int) -> bool:
    """Writes the key of a state to `keys`, starting at `key`.

    The words of the state start at `raw[at]`. Returns False if the state does not fit.
    """
    for word in range(codec.width):
        keys[key + word] = NONE
    words, runs = codec.words, codec.runs
    run, outside = 0, NONE
    for word in range(words.size // 3):
        # A value below the base wraps around to a large number, whose high bits are not allowed.
        value = raw[at + word] - words[3 * word]
        outside |= value & ~words[3 * word + 1]
        for _ in range(words[3 * word + 2]):
            piece = (value >> runs[run]) & runs[run + 1]
            keys[key + np.int64(runs[run + 2])] |= piece << runs[run + 3]
            run += 4
    keys[key + codec.width - 1] |= MARK
    return bool(outside == NONE)


@helper
def unpack(codec: Codec, keys: Words, key: int, raw: Words, at: int) -> None:
    """Writes the words of a state to `raw`, starting at `at`; its key starts at `keys[key]`."""
    words, runs = codec.words, codec.runs
    run = 0
    for word in range(words.size // 3):
        value = NONE
        for _ in range(words[3 * word + 2]):
            piece = (keys[key + np.int64(runs[run + 2])] >> runs[run + 3]) & runs[run + 1]
            value |= piece << runs[run]
            run += 4
        raw[at + word] = value + words[3 * word]


@helper
def is_numbered(codec: Codec) -> bool:
    """True if keys are the game's own numbers."""
    return codec.words.size == 0


@helper
def encode(like: State, state: State, codec: Codec, raw: Words, keys: Words, key: int) -> bool:
    """Writes the key of a state to `keys`, starting at `key`.

    All mirror images of a state have the same key. The words of the smallest image are written to
    the first half of `raw`. `like` is any state of the game, which `position_of` needs. Returns
    False if the state has no key.
    """
    put_least_image(state, raw)
    if not is_numbered(codec):
        return pack(codec, raw, 0, keys, key)
    least, length = taken_words(state, raw, 0), raw.size // 2
    number = signed(index(least))
    keys[key] = np.uint64(number) | MARK
    if number < 0 or number >= index_count(least):
        return False
    # Positions with the same number would share a key, so `position_of` must return the position.
    # Its words go to the second half, because the first half is needed for an error message.
    put_words(position_of(like, number), raw, length)
    return halves_are_equal(raw, length)


@helper
def decode(like: State, codec: Codec, keys: Words, key: int, raw: Words) -> State:
    """Returns the state of the key at `keys[key]`.

    `like` is any state of the game. `raw` is scratch space.
    """
    if is_numbered(codec):
        put_words(position_of(like, number_of(keys[key])), raw, 0)
    else:
        unpack(codec, keys, key, raw, 0)
    return taken_words(like, raw, 0)


@helper
def number_of(key: np.uint64) -> int:
    """Returns the number of a key."""
    return signed(key & ~MARK)


@helper
def halves_are_equal(raw: Words, length: int) -> bool:
    """True if both halves of `raw` are equal; `length` is the length of each."""
    same = True
    for word in range(length):
        same = same and raw[word] == raw[length + word]
    return same


@helper
def put_least_image(state: State, raw: Words) -> None:
    """Writes the words of a state's smallest mirror image to the first half of `raw`.

    The second half is scratch space.
    """
    length = raw.size // 2
    put_words(state, raw, 0)
    for image in range(1, symmetry_count(state)):
        put_words(transform(state, image), raw, length)
        if second_half_is_less(raw, length):
            for word in range(length):
                raw[word] = raw[length + word]


@helper
def second_half_is_less(raw: Words, length: int) -> bool:
    """True if the second half of `raw` is smaller than the first, compared word by word.

    `length` is the length of each half.
    """
    for word in range(length):
        if raw[length + word] != raw[word]:
            return bool(raw[length + word] < raw[word])
    return False


@helper
def image_count(state: State, raw: Words) -> int:
    """Returns the number of different mirror images of a state, including itself."""
    length, same = raw.size // 2, 1
    put_words(state, raw, 0)
    for image in range(1, symmetry_count(state)):
        put_words(transform(state, image), raw, length)
        same += 1 if halves_are_equal(raw, length) else 0
    return symmetry_count(state) // same


# --- results --------------------------------------------------------------------------------------

#: The outcomes by their numbers.
ENDLESS, WON, LOST, DRAWN = 0, 1, 2, 3
OUTCOMES = ("endless", "win", "loss", "draw")

PLIES_BITS = 14
#: Largest distance to the end, and largest margin.
MOST_PLIES = (1 << PLIES_BITS) - 1

#: The code of numbers without a position: endless positions have 0 plies, so no result has it.
ABSENT = MOST_PLIES

#: The score of a win at once; scores order results from one side's point of view.
_FAR = 1 << 20
#: The score of an endless draw: less than that of a draw by rule in any number of plies.
_ENDLESS_SCORE = -(1 << 15)
#: Smaller than every score.
NO_SCORE = -(1 << 24)


@helper
def code_of(outcome: int, plies: int) -> int:
    """Returns a result as 16 bits."""
    return (outcome << PLIES_BITS) | min(plies, MOST_PLIES)


@helper
def outcome_of(code: int) -> int:
    """Returns `ENDLESS`, `WON`, `LOST` or `DRAWN`."""
    return code >> PLIES_BITS


@helper
def plies_of(code: int) -> int:
    """Returns the plies to the end, or the margin."""
    return code & MOST_PLIES


@helper
def final_code(state: State) -> int:
    """Returns the result of a finished game."""
    # If the length of a win counts, the value at the end only has a sign; the end is 0 plies away.
    value = final_value(state)
    plies = abs(value) if win_value(state) == 0 else 0
    return code_of(WON if value > 0 else LOST if value < 0 else DRAWN, plies)


@helper
def score_above(code: int, again: bool, step: int) -> int:
    """Returns the score of a move to a position with this result, for the side that moves.

    `again` is true if the same side moves again; `step` is 1, or 0 for margins.
    """
    # From best to worst: fast win, slow win, near draw by rule, far draw by rule, endless draw,
    # slow loss, fast loss. A margin is its own score.
    outcome, plies = code >> PLIES_BITS, (code & MOST_PLIES) + step
    if outcome == DRAWN:
        return -plies
    if outcome == ENDLESS:
        return _ENDLESS_SCORE
    if step == 0:
        return plies if (outcome == WON) == again else -plies
    return _FAR - plies if (outcome == WON) == again else plies - _FAR


@helper
def code_of_score(score: int, step: int) -> int:
    """Returns the result of a score."""
    if step == 0:
        return code_of(DRAWN if score == 0 else WON if score > 0 else LOST, abs(score))
    if score > 0:
        return code_of(WON, _FAR - score)
    if score < -(_FAR >> 1):
        return code_of(LOST, score + _FAR)
    return code_of(ENDLESS, 0) if score == _ENDLESS_SCORE else code_of(DRAWN, -score)
