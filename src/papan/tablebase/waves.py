"""All positions of a game that can go in circles, in waves from the root, in memory or on disk.

A wave is what follows the wave before it and was not found until then. In memory all that was found
is in one table. Where that takes too much, it is one sorted run on disk instead: what follows a
wave is sorted too, as much at a time as memory holds, and what is new in it comes out when both are
merged. Then each wave reads and writes all that was found until then.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from papan.errors import Unsolved
from papan.tablebase.expand import CHILDREN
from papan.tablebase.keys import (
    PARTS,
    KeyTable,
    block_words,
    insert,
    start_block,
    table_bytes,
)
from papan.tablebase.layers import OpenLayers, block_of_run
from papan.tablebase.packing import Words
from papan.tablebase.runs import Runs
from papan.tablebase.work import Building, images_of

#: Edges hold twice the number of a position in 32 bits.
MOST_POSITIONS = 1 << 31

_NOTHING = np.zeros(0, np.uint64)


class _Full(Exception):
    """All that was found does not fit into memory, and there is a disk to go on with."""


def found_block(work: Building, rank: int) -> Words:
    """The block of all positions, not solved yet, kept as the part `keys-RANK`.

    Raises:
        Misfit: a state does not fit into a key.
        Unsolved: the work was stopped, takes more memory than is allowed, or there are too many.
        OSError: there is no room on the disk.
    """
    kept = work.parts.get(f"keys-{rank}")
    if kept is not None:
        work.images = work.parts.notes["images"]
        return kept
    waves, block = _Waves(work), None
    with suppress(_Full):
        block = waves.in_memory(rank)
    if block is None:
        block = waves.on_disk(rank)
    for number in range(waves.number + 1):
        work.parts.drop(f"wave-{number}")
    return block


class _Waves:
    """The waves of one work, taken up after those that are kept.

    Attributes:
        frontier: the keys of the newest wave.
        number: its number.
    """

    def __init__(self, work: Building) -> None:
        self.work = work
        self.images: list[int] = work.parts.notes.get("wave-images", [])
        self.number = 0
        self.frontier = self._kept(0)
        if self.frontier.size == 0:
            self.frontier = work.first_key()
            self._keep()
        while (kept := work.parts.get(f"wave-{self.number + 1}")) is not None:
            self.frontier, self.number = kept, self.number + 1
        self.images = self.images[: self.number]

    def _kept(self, number: int) -> Words:
        """The keys of a wave."""
        kept = self.work.parts.get(f"wave-{number}")
        return _NOTHING if kept is None else kept

    def _keep(self) -> None:
        """Keeps the newest wave, for a work that is taken up again."""
        if self.work.parts.folder is not None:
            self.work.parts.put(f"wave-{self.number}", self.frontier)

    def _next(self, frontier: Words, images: int) -> None:
        """Goes on to the next wave; `images` are all mirror images of the one before."""
        self.images.append(images)
        self.frontier, self.number = frontier, self.number + 1
        self.work.foretell(frontier.size // self.work.width)
        self.work.parts.note(**{"wave-images": self.images})
        self._keep()

    def _finish(self, count: int) -> None:
        """Notes what was found.

        Raises:
            Unsolved: there are too many positions.
        """
        if count >= MOST_POSITIONS:
            game = self.work.position.game.spec
            raise Unsolved("database.most", game=game, most=MOST_POSITIONS)
        self.work.found, self.work.images = count, sum(self.images)
        self.work.parts.note(images=self.work.images)

    # --- in memory

    def in_memory(self, rank: int) -> Words:
        """The block, all keys being in one table until it is made."""
        work = self.work
        table = work.table_for(1)
        if work.parts.folder is None:
            insert(table, self.frontier, 1, (0, PARTS), _NOTHING)
        for number in range(self.number + 1):
            kept = self._kept(number)
            table = self._grown(table, kept.size // work.width)
            insert(table, kept, kept.size // work.width, (0, PARTS), _NOTHING)
        while self.frontier.size > 0:
            work.found = int(table.counts.sum())
            table = self._wave(table)
        count = int(table.counts.sum())
        self._finish(count)
        size = block_words(count, work.width)
        work.need(table.slots.nbytes + (8 * size if work.parts.folder is None else 0))
        with work.parts.making(f"keys-{rank}", size) as block:
            start_block(block, table, rank)
        return block

    def _wave(self, table: KeyTable) -> KeyTable:
        """The table with all that follows the newest wave, which is then the one before."""
        work, images, news = self.work, 0, list[Words]()
        for results in work.rounds(self.frontier, ranked=False):
            more = sum(int(batch.facts[CHILDREN]) for batch, _, _ in results)
            fresh = [np.empty(more * work.width, np.uint64) for _ in range(work.workers)]
            table = work.gather(self._grown(table, more), results, fresh)
            news += [part.copy() for part in fresh]
            images += images_of(results)
            work.found = int(table.counts.sum())
            work.advance(sum(done for _, _, done in results))
        self._next(np.concatenate(news), images)
        return table

    def _grown(self, table: KeyTable, more: int) -> KeyTable:
        """A table with the same keys and room for so many more.

        Raises:
            Unsolved: that is more memory than is allowed, and there is no disk.
        """
        work, bits = self.work, self.work.bits_for(table, more)
        needed = self.frontier.nbytes + table.slots.nbytes + table_bytes(bits, work.width)
        if work.parts.folder is not None and bits > table.bits and work.lacks(needed):
            raise _Full
        return work.grown(table, more)

    # --- on disk

    def on_disk(self, rank: int) -> Words:
        """The block, all keys being in a sorted run on disk, which each wave is merged with."""
        work, folder = self.work, self.work.parts.folder
        assert folder is not None
        layers = OpenLayers(work, 1)
        runs = layers.runs[0] = Runs(folder / "runs-0", work.width)
        for number in range(self.number + 1):
            self._add(layers, self._kept(number))
        found = self._joined(layers, runs)
        while self.frontier.size > 0:
            work.found, images, runs.known = found.size // work.width, 0, 1
            for results in work.rounds(self.frontier, ranked=False):
                layers.add(results)
                images += images_of(results)
                work.advance(sum(done for _, _, done in results))
            self._next(self._joined(layers, runs), images)
            runs.known = 0
            found = runs.join()
        self._finish(found.size // work.width)
        block = block_of_run(work, found, rank)
        runs.remove()
        return block

    def _add(self, layers: OpenLayers, keys: Words) -> None:
        """Adds the keys of a wave that is kept, as many at a time as a table has room for."""
        width, step = self.work.width, self.work.batches[0].links.size
        for at in range(0, keys.size, step * width):
            piece = keys[at : at + step * width]
            table = layers.table(0, piece.size // width)
            insert(table, piece, piece.size // width, (0, PARTS), _NOTHING)

    def _joined(self, layers: OpenLayers, runs: Runs) -> Words:
        """The keys of tables and runs that are new, in order."""
        layers.write_out()
        return runs.join()
