"""The part of a database that knows the rules: what follows a position, and where it is kept.

All else works on keys and numbers and is compiled once; `expand` and `look_up` are compiled for
each game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.jit.compiler import kernel
from papan.rules.bits import words_of
from papan.rules.operations import (
    State,
    final_value,
    head,
    is_over,
    max_plies_left,
    more,
    moves,
    moves_again,
    play,
    tail,
    value_above,
)
from papan.tablebase.keys import code_at, number_in
from papan.tablebase.packing import (
    Packing,
    Words,
    image_count,
    put_key,
    state_of,
)
from papan.tablebase.results import final_code

#: What `expand` comes back with: all is well; a state that has no key; a move after
#: which the game can go on for as long as before.
FINE, MISFIT, BACKWARDS = 0, 1, 2

#: Places of `Batch.facts`.
CHILDREN, STATUS, LEAST_RANK, MOST_RANK, IMAGES, REACHED, PRUNED = range(7)

#: Children for which a batch has room at most, and the positions that are given to it at a time.
ROOM = 1 << 16
SOURCES = 1 << 14


class Batch(NamedTuple):
    """Some positions with all that follow them.

    Attributes:
        raw: uint64, the words of two states: the latest one, and scratch.
        keys: uint64, the keys of the children.
        links: int32: by child, 2 · the number of its parent in the batch, + 1 where the same side
            moves again.
        ranks: int32: by child, the rank of its layer.
        ends: uint16: by parent, its result if the game is over there, else 0.
        facts: int64: see `CHILDREN`, `STATUS`, …
    """

    raw: Words
    keys: Words
    links: Any
    ranks: Any
    ends: Any
    facts: Any


def new_batch(state: State, width: int, room: int, pruned: bool = False) -> Batch:
    """A batch for positions of that game, with room for so many children; if `pruned`, of positions
    that can be won at once only the moves that do are followed."""
    facts = np.zeros(7, np.int64)
    facts[PRUNED] = int(pruned)
    return Batch(
        np.zeros(2 * len(words_of(tuple(state))), np.uint64),
        np.zeros(room * width, np.uint64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(SOURCES, np.uint16),
        facts,
    )


@kernel
def expand(
    like: State,
    packing: Packing,
    batch: Batch,
    keys: Words,
    first: int,
    end: int,
    ranked: bool,
) -> int:
    """Finds all that follows the positions `first` … `end` − 1 of `keys`, as far as there is room.

    `like` is any state of the game. If `ranked`, each move has to lead to a lower rank. Returns how
    many positions were done, at most `SOURCES`.
    """
    facts, width = batch.facts, packing.width
    facts[CHILDREN], facts[STATUS], facts[IMAGES] = 0, FINE, 0
    facts[LEAST_RANK], facts[MOST_RANK] = 1 << 30, -1
    child, number = 0, first
    while number < end and number - first < batch.ends.size:
        facts[REACHED] = number
        state = state_of(like, packing, keys, number * width, batch.raw)
        rank = max_plies_left(state) if ranked else 0
        batch.ends[number - first] = 0
        if is_over(state):
            batch.ends[number - first] = final_code(state)
        else:
            rest, first_child, won = moves(state), child, False
            while more(state, rest):
                if child == batch.links.size:
                    return number - first
                below = play(state, head(state, rest))
                rest = tail(state, rest)
                if facts[PRUNED] == 1:
                    wins = is_over(below) and value_above(state, below, final_value(below)) > 0
                    if won and not wins:
                        continue
                    if wins and not won:
                        child, won = first_child, True
                if not put_key(like, below, packing, batch.raw, batch.keys, child * width):
                    facts[STATUS] = MISFIT
                    return number - first
                lower = max_plies_left(below) if ranked else 0
                if ranked and lower >= rank:
                    facts[STATUS] = BACKWARDS
                    return number - first
                batch.ranks[child] = lower
                batch.links[child] = 2 * (number - first) + (1 if moves_again(state, below) else 0)
                facts[LEAST_RANK] = min(facts[LEAST_RANK], lower)
                facts[MOST_RANK] = max(facts[MOST_RANK], lower)
                child += 1
        facts[IMAGES] += image_count(state, batch.raw)
        facts[CHILDREN] = child
        number += 1
    return number - first


@kernel
def look_up(
    state: State, packing: Packing, words: Words, layers: Any, raw: Words, key: Words
) -> int:
    """The result of a position as 16 bits; −1 if it is not in the database.

    `layers` is int64 of shape (2 · layers,): rank and place in `words` of each block, by rank; a
    single layer may have any rank. `raw` and `key` are scratch: two states, one key.
    """
    if not put_key(state, state, packing, raw, key, 0):
        return -1
    low, high = 0, layers.size // 2 - 1
    if high > 0:
        rank = max_plies_left(state)
        while low < high:
            middle = (low + high) // 2
            if layers[2 * middle] < rank:
                low = middle + 1
            else:
                high = middle
        if layers[2 * low] != rank:
            return -1
    number = number_in(words, layers[2 * low + 1], key, 0)
    return -1 if number < 0 else code_at(words, layers[2 * low + 1], number)
