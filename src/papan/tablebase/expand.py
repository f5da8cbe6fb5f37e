"""The game-specific kernels of tablebases: expanding positions and looking them up.

All other kernels use keys and numbers and are compiled once; `expand` and `look_up` are compiled
for each game.
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
from papan.tablebase.codec import Codec, Words, decode, encode, final_code, image_count
from papan.tablebase.keys import code_at, number_in

#: The status of `expand`: success; a state has no key; a move does not reduce the depth.
FINE, MISFIT, BACKWARDS = 0, 1, 2

#: Indices of `Batch.facts`.
CHILDREN, STATUS, LEAST_DEPTH, MOST_DEPTH, IMAGES, REACHED, PRUNED = range(7)

#: Largest number of children of a batch, and of positions expanded in one batch. Stops, progress
#: and memory are checked between batches.
MOST_CHILDREN = 1 << 16
MOST_SOURCES = 1 << 14


class Batch(NamedTuple):
    """The children of some positions.

    Attributes:
        raw: uint64, the words of two states: the latest one, and scratch space.
        keys: uint64, the keys of the children.
        links: int32 by child: 2 · the number of its parent in the batch, + 1 if the same side moves
            again.
        depths: int32 by child: the depth of its layer.
        ends: uint16 by parent: its result if the game is over there, else 0.
        facts: int64: see `CHILDREN`, `STATUS`, …
    """

    raw: Words
    keys: Words
    links: Any
    depths: Any
    ends: Any
    facts: Any


def new_batch(state: State, width: int, room: int, pruned: bool = False) -> Batch:
    """Returns a batch for positions of a game, with room for this number of children.

    If `pruned`, only the winning moves of positions that can be won at once are followed.
    """
    facts = np.zeros(7, np.int64)
    facts[PRUNED] = int(pruned)
    return Batch(
        np.zeros(2 * len(words_of(tuple(state))), np.uint64),
        np.zeros(room * width, np.uint64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(MOST_SOURCES, np.uint16),
        facts,
    )


class Expansion(NamedTuple):
    """Expanded positions and their children.

    Attributes:
        batch: the children.
        first: number of the first position.
        size: number of positions.
    """

    batch: Batch
    first: int
    size: int

    @property
    def children(self) -> int:
        """Number of children."""
        return int(self.batch.facts[CHILDREN])

    @property
    def images(self) -> int:
        """Number of expanded positions, including all mirror images."""
        return int(self.batch.facts[IMAGES])

    @property
    def least(self) -> int:
        """The smallest depth of a child."""
        return int(self.batch.facts[LEAST_DEPTH])

    @property
    def most(self) -> int:
        """The largest depth of a child; −1 without children."""
        return int(self.batch.facts[MOST_DEPTH])


@kernel
def expand(
    like: State,
    codec: Codec,
    batch: Batch,
    keys: Words,
    first: int,
    end: int,
    layered: bool,
) -> int:
    """Expands the positions `first` … `end` − 1 of `keys` until the batch is full.

    `like` is any state of the game. If `layered`, each move must lead to a lower depth. Returns the
    number of expanded positions, at most `MOST_SOURCES`.
    """
    # 1. Start with an empty batch; the bounds of depths are those of no child.
    facts, width = batch.facts, codec.width
    facts[CHILDREN], facts[STATUS], facts[IMAGES] = 0, FINE, 0
    facts[LEAST_DEPTH], facts[MOST_DEPTH] = 1 << 30, -1
    child, number = 0, first
    while number < end and number - first < batch.ends.size:
        # 2. Decode the next position. `REACHED` is the progress that the watchdog of users' rules
        #    reads from another thread.
        facts[REACHED] = number
        state = decode(like, codec, keys, number * width, batch.raw)
        depth = max_plies_left(state) if layered else 0
        batch.ends[number - first] = 0
        # 3. A finished game has a result instead of children.
        if is_over(state):
            batch.ends[number - first] = final_code(state)
        else:
            rest, first_child, won = moves(state), child, False
            while more(state, rest):
                # 4. If the batch is full, drop the children of this position by not counting them;
                #    the next batch starts with it. A batch has room for the moves of any position.
                if child == batch.links.size:
                    return number - first
                below = play(state, head(state, rest))
                rest = tail(state, rest)
                # 5. With pruning, the first winning move replaces the children before it, and only
                #    winning moves are added after it.
                if facts[PRUNED] == 1:
                    wins = is_over(below) and value_above(state, below, final_value(below)) > 0
                    if won and not wins:
                        continue
                    if wins and not won:
                        child, won = first_child, True
                # 6. Write the child's key. After a failure its words are in `raw`, for the message.
                if not encode(like, below, codec, batch.raw, batch.keys, child * width):
                    facts[STATUS] = MISFIT
                    return number - first
                lower = max_plies_left(below) if layered else 0
                if layered and lower >= depth:
                    facts[STATUS] = BACKWARDS
                    return number - first
                # 7. Link the child to its parent. The bounds may include dropped children, so they
                #    may be too wide.
                batch.depths[child] = lower
                batch.links[child] = 2 * (number - first) + (1 if moves_again(state, below) else 0)
                facts[LEAST_DEPTH] = min(facts[LEAST_DEPTH], lower)
                facts[MOST_DEPTH] = max(facts[MOST_DEPTH], lower)
                child += 1
        # 8. Count the position and its children only now, when it is complete.
        facts[IMAGES] += image_count(state, batch.raw)
        facts[CHILDREN] = child
        number += 1
    return number - first


@kernel
def look_up(state: State, codec: Codec, words: Words, layers: Any, raw: Words, key: Words) -> int:
    """Returns the result of a position as 16 bits; −1 if it is not in the tablebase.

    `layers` is int64 of shape (2 · layers,): depth and offset in `words` of each block, sorted by
    depth; a single layer may have any depth. `raw` and `key` are scratch space for two states and
    one key.
    """
    if not encode(state, state, codec, raw, key, 0):
        return -1
    # A single layer needs no depth: cyclic and numbered games have one block of all positions.
    low, high = 0, layers.size // 2 - 1
    if high > 0:
        depth = max_plies_left(state)
        while low < high:
            middle = (low + high) // 2
            if layers[2 * middle] < depth:
                low = middle + 1
            else:
                high = middle
        if layers[2 * low] != depth:
            return -1
    number = number_in(words, layers[2 * low + 1], key, 0)
    return -1 if number < 0 else code_at(words, layers[2 * low + 1], number)
