"""Listing all positions: the known positions, and the order of their expansion.

`find_positions` is the only enumeration. A `Frontier` decides the order and stores the positions:

    frontier   order                                    positions are stored as
    Layers     by depth, greatest first                 keys
    Waves      breadth first                            keys
    Numbers    by depth, or breadth first               a code for every number

The depth of a position is `max_plies_left`. In a game without cycles every move reduces it, so a
layer is complete when all layers above it are expanded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from papan.errors import Unsolved
from papan.jit.compiler import kernel
from papan.rules import operations as rules
from papan.tablebase import keys as tables
from papan.tablebase.building import BYTES_PER_POSITION, Building, CyclicGame
from papan.tablebase.codec import ABSENT, ENDLESS, NO_WORDS, Words, number_of
from papan.tablebase.expand import CHILDREN, Batch, Expansion
from papan.tablebase.key_sets import NO_DEPTH, KeySets
from papan.tablebase.keys import codes_of, keys_of

#: The depth in the name of a block with all positions of a game.
ALL = 0
#: Largest number of positions of a cyclic game: edges store twice a position's number in 32 bits.
MOST_POSITIONS = 1 << 31
#: Codes of positions that are expanded in this wave and in the next; the two alternate. Neither is
#: `ENDLESS` (0), the code of an expanded position.
_WAVES = (1, 2)


class Frontier(ABC):
    """The known positions, and the order of their expansion.

    Attributes:
        work: the build.
        layered: true if every move must lead to a lower depth.
        images: expanded positions of the current group, including mirror images.
    """

    layered = False

    def __init__(self, work: Building) -> None:
        self.work, self.images = work, 0

    @abstractmethod
    def groups(self) -> Iterator[Words]:
        """Yields keys to expand, until all positions are expanded."""

    @abstractmethod
    def add(self, results: list[Expansion]) -> None:
        """Adds all children of some expansions."""

    def expand(self, keys: Words) -> None:
        """Expands positions and adds their children."""
        for results in self.work.expand_keys(keys, self.layered):
            self.add(results)
            self.images += sum(expansion.images for expansion in results)


def find_positions(frontier: Frontier) -> None:
    """Finds all reachable positions.

    Raises:
        CyclicGame: the frontier is layered, and the game has cycles.
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, or exceeds the memory limit.
        OSError: the disk is full.
    """
    for keys in frontier.groups():
        frontier.expand(keys)


def find_layers(work: Building) -> dict[int, list[int]]:
    """Finds all positions of a game without cycles and stores them as the parts `keys-DEPTH`.

    Returns for each block the depths of its positions; both are in ascending order.
    """
    if work.numbers > 0:
        top = int(rules.max_plies_left(work.state))
        if top >= ABSENT:  # a depth is the code of its unsolved positions
            raise CyclicGame
        _find_numbers(work, range(top, -1, -1))
        return {ALL: sorted(work.parts.notes["ranks"])}
    layers = Layers(work)
    layers.resume()
    find_positions(layers)
    return {depth: [depth] for depth in sorted(depth for depth, _, _ in layers.done)}


def find_all(work: Building) -> None:
    """Finds all positions of a cyclic game and stores them as the part `keys-0`."""
    if work.numbers > 0:
        if work.numbers >= MOST_POSITIONS:
            raise _too_many(work)
        work.require_memory((BYTES_PER_POSITION + 2) * work.numbers)
        _find_numbers(work, None)
        return
    if not work.has_block(ALL):
        waves = Waves(work)
        find_positions(waves)
        waves.finish()
    work.positions, work.images = int(work.block(ALL)[0]), work.parts.notes["images"]


def _too_many(work: Building) -> Unsolved:
    return Unsolved("tablebase.most", game=work.position.game.spec, most=MOST_POSITIONS)


class Layers(Frontier):
    """Positions of a game without cycles, expanded by depth.

    Args:
        work: the build.

    Attributes:
        done: expanded layers: depth, smallest depth of a child, number of positions with all mirror
            images.
    """

    layered = True

    def __init__(self, work: Building) -> None:
        super().__init__(work)
        self.done: list[list[int]] = work.parts.notes.get("layers", [])
        self.least = NO_DEPTH
        self.sets = KeySets(work, min((depth for depth, _, _ in self.done), default=NO_DEPTH))

    def resume(self) -> None:
        """Adds the root, or the children of the expanded layers."""
        work = self.work
        if not self.done:
            self.sets.add_keys(int(rules.max_plies_left(work.state)), work.root_key())
        for depth, least, images in self.done:
            # Expanded layers are read, but only those with children below them are expanded again.
            block = work.block(depth)
            work.positions, work.images = work.positions + int(block[0]), work.images + images
            work.sizes.append(int(block[0]))
            if least < self.sets.below:
                self.expand(keys_of(block))

    def groups(self) -> Iterator[Words]:
        work = self.work
        while self.sets.depths:
            # The deepest layer is complete: all layers that can lead to it are expanded.
            depth = self.sets.depths[0]
            block = self.sets.complete(depth)
            work.positions += int(block[0])
            self.least, self.images = NO_DEPTH, 0
            yield keys_of(block)
            # Noted only after the expansion: a layer that was interrupted is expanded again.
            work.images += self.images
            self.done.append([depth, self.least, self.images])
            work.parts.note(layers=self.done)
            work.estimate_size(int(block[0]), depth)

    def add(self, results: list[Expansion]) -> None:
        self.sets.add(results)
        self.least = min(self.least, *(expansion.least for expansion in results))

    def expand(self, keys: Words) -> None:
        """Expands positions, on the cluster if there is one, and adds their children."""
        if self.work.cluster is None:
            super().expand(keys)
            return
        for first, end, followers in self.work.cluster.find(self.work, keys):
            for depth, children in followers.keys.items():
                self.sets.add_keys(depth, children)
            self.least = min(self.least, *followers.keys, NO_DEPTH)
            self.images += followers.images
            self.work.advance(end - first)


class Waves(Frontier):
    """Positions of a cyclic game, expanded breadth first.

    A wave has the unknown children of the previous wave. With a folder, waves are stored there as
    the parts `wave-NUMBER`, so that the work can resume. Known positions are in one table, or, if
    they exceed the memory limit, in one sorted run on disk. Then each wave reads and writes all
    known positions.

    Attributes:
        newest: the keys of the newest wave.
        number: its number.
        wave_images: positions of each expanded wave, including mirror images.
    """

    def __init__(self, work: Building) -> None:
        super().__init__(work)
        self.sets, self.news, self.number = KeySets(work), list[Words](), 0
        # Stored waves are the known positions. The newest one may have been interrupted, so it is
        # expanded again.
        self.newest = self._stored_wave(0)
        if self.newest.size == 0:
            self.newest = work.root_key()
            self._store_wave()
        while (wave := self._stored_wave(self.number + 1)).size > 0:
            self.sets.add_keys(ALL, self.newest)
            self.newest, self.number = wave, self.number + 1
        self.sets.add_keys(ALL, self.newest)
        # Images are noted before the next wave is stored, so there may be one number too many.
        self.wave_images: list[int] = work.parts.notes.get("wave-images", [])[: self.number]
        self._make_known()

    def groups(self) -> Iterator[Words]:
        work = self.work
        while self.newest.size > 0:
            self.images = 0
            yield self.newest
            self.wave_images.append(self.images)
            self.newest, self.number = self._take_new(), self.number + 1
            work.positions = self.sets.count(ALL)
            work.estimate_size(self.newest.size // work.width)
            work.parts.note(**{"wave-images": self.wave_images})
            self._store_wave()

    def add(self, results: list[Expansion]) -> None:
        # Once known positions are on disk, waves are mapped, and only `news` uses memory.
        in_memory = [self.newest] if ALL not in self.sets.runs else self.news
        self.sets.others = sum(keys.nbytes for keys in in_memory)
        fresh = self.sets.add(results, wants_fresh=True)
        if ALL in self.sets.runs:
            self.sets.runs[ALL].known = 1  # the first run: known positions and `news`
        else:
            self.news += fresh
            self.work.positions = self.sets.count(ALL)

    def finish(self) -> None:
        """Stores the block of all positions and removes the waves.

        Raises:
            Unsolved: there are too many positions, or the block exceeds the memory limit.
        """
        work = self.work
        if self.sets.count(ALL) >= MOST_POSITIONS:
            raise _too_many(work)
        work.parts.note(images=sum(self.wave_images))
        # All keys must be in the block, those of the known run too.
        if ALL in self.sets.runs:
            self.sets.runs[ALL].known = 0
        self.sets.complete(ALL)
        for number in range(self.number + 1):
            work.parts.drop(f"wave-{number}")

    def _take_new(self) -> Words:
        """Returns the keys of the next wave, which become known positions."""
        # Once known positions are on disk, the tables of a wave also collect known keys; the merge
        # leaves them out.
        news, self.news = self.news, []
        if ALL in self.sets.runs:
            self.sets.write_tables()
            news.append(self.sets.runs[ALL].join())
            self._make_known()
        return news[0] if len(news) == 1 else np.concatenate([NO_WORDS, *news])

    def _make_known(self) -> None:
        """Merges all keys on disk into one run of known positions."""
        if ALL in self.sets.runs:
            self.sets.write_tables()
            runs = self.sets.runs[ALL]
            runs.known = 0
            runs.join()
            runs.known = 1

    def _stored_wave(self, number: int) -> Words:
        """Returns the keys of a wave; an empty array if it is not stored."""
        wave = self.work.parts.get(f"wave-{number}")
        return NO_WORDS if wave is None else wave

    def _store_wave(self) -> None:
        if self.work.parts.folder is not None:
            self.work.parts.put(f"wave-{self.number}", self.newest)


class Numbers(Frontier):
    """Positions of a game with numbered positions: a code for each number.

    The code of an unsolved position is its depth or its wave.

    Args:
        work: the build.
        codes: uint16 by number.
        depths: the depths in the order of expansion; None to expand in waves.

    Attributes:
        done: the depths or waves that have positions.
    """

    def __init__(self, work: Building, codes: Any, depths: range | None) -> None:
        super().__init__(work)
        self.codes, self.depths, self.layered = codes, depths, depths is not None
        self.done: list[int] = []
        self.next_wave = 0
        codes[:] = ABSENT
        codes[number_of(work.root_key()[0])] = _WAVES[0] if depths is None else depths[0]
        work.positions = 1

    def groups(self) -> Iterator[Words]:
        for code in self._waves() if self.depths is None else self.depths:
            is_empty = True
            for numbers in tables.numbers_with(self.codes, code):
                # Marked as expanded, because the wave after the next one has the same code.
                is_empty = False
                if not self.layered:
                    self.codes[numbers] = ENDLESS
                yield tables.keys_of_numbers(numbers)
            if not is_empty:
                self.done.append(code)

    def _waves(self) -> Iterable[int]:
        """Yields the codes of waves until two successive waves are empty."""
        # What a wave finds is expanded in the same round of two waves or in the next round, so a
        # round without new positions is the last.
        positions = -1
        while self.work.positions > positions:
            positions = self.work.positions
            for code in _WAVES:
                self.next_wave = sum(_WAVES) - code
                yield code

    def add(self, results: list[Expansion]) -> None:
        for expansion in results:
            self.work.positions += mark_children(expansion.batch, self.codes, self.next_wave)


def _find_numbers(work: Building, depths: range | None) -> None:
    """Finds all positions of a game that numbers them, and stores them as the part `keys-0`."""
    if not work.has_block(ALL):
        size = tables.block_words(work.numbers, 0)
        # On disk the block is mapped, so it does not count.
        if work.parts.folder is None:
            work.require_memory(8 * size)
        with work.parts.making(f"keys-{ALL}", size) as block:
            block[0] = work.numbers
            numbers = Numbers(work, codes_of(block), depths)
            find_positions(numbers)
        work.parts.note(found=work.positions, images=numbers.images, ranks=numbers.done)
    work.positions, work.images = work.parts.notes["found"], work.parts.notes["images"]


@kernel
def mark_children(batch: Batch, codes: Any, wave: int) -> int:
    """Writes a code for each new child of a batch; returns the number of new children.

    The code is `wave`, or the child's depth if `wave` is 0.
    """
    new = 0
    for child in range(batch.facts[CHILDREN]):
        # Called by one thread: two threads could count the same child twice.
        number = number_of(batch.keys[child])
        if codes[number] == ABSENT:
            codes[number] = wave if wave > 0 else batch.depths[child]
            new += 1
    return new
