"""Sets of keys by depth, which may exceed memory: hash tables, and sorted runs on disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from papan.errors import InvalidGame
from papan.tablebase import keys as tables
from papan.tablebase.building import Building
from papan.tablebase.codec import NO_WORDS, Words
from papan.tablebase.expand import Expansion
from papan.tablebase.keys import PARTS, KeyTable
from papan.whole_files import whole_file

#: Larger than every depth.
NO_DEPTH = 1 << 30
#: `KeyTable.bits` of a new table.
_FIRST_BITS = 8
#: Largest number of runs in one merge; before there are more, they are joined.
MOST_RUNS = 32
#: Number of keys in a piece of a merge, which is written to the file at once.
_CHUNK = 1 << 14


class KeySets:
    """Sets of keys by depth, in tables or in sorted runs.

    Tables that exceed the memory limit are written to disk as runs.

    Args:
        work: the build.
        below: only keys of smaller depths are added.

    Attributes:
        others: further bytes that count towards the memory limit.
    """

    def __init__(self, work: Building, below: int = NO_DEPTH) -> None:
        self.work, self.below, self.others = work, below, 0
        self.tables: dict[int, KeyTable] = {}
        self.runs: dict[int, Runs] = {}
        # Runs are no parts: they have no checksum, so those of a killed program are not reused.
        if work.parts.folder is not None:
            for left in work.parts.folder.glob("runs-*"):
                left.unlink()

    @property
    def depths(self) -> list[int]:
        """The depths, largest first."""
        return sorted({*self.tables, *self.runs}, reverse=True)

    def count(self, depth: int) -> int:
        """Returns the number of keys of a depth.

        A key that is in several runs counts several times.
        """
        keys = self.runs[depth].bounds[-1] if depth in self.runs else 0
        return keys + (int(self.tables[depth].counts.sum()) if depth in self.tables else 0)

    def add(self, results: list[Expansion], *, wants_fresh: bool = False) -> list[Words]:
        """Adds all children of some expansions.

        Returns:
            If `wants_fresh`, the keys that are new in the table, for children of a single depth.

        Raises:
            Unsolved: the tables exceed the memory limit.
            OSError: the disk is full.
        """
        # Waves, and layers in which every move takes one ply, have children of a single depth: all
        # threads insert them.
        least = min(expansion.least for expansion in results)
        if least < self.below and least == max(expansion.most for expansion in results):
            return self._insert_children(least, results, wants_fresh)
        for expansion in results:
            batch, count = expansion.batch, expansion.children
            depths, sizes = np.unique(batch.depths[:count], return_counts=True)
            for depth, size in zip(depths.tolist(), sizes.tolist(), strict=True):
                if depth < self.below:
                    table = self._table(depth, size)
                    new = tables.insert_depth(table, batch.keys, batch.depths, depth, count)
                    self._require_inserted(new >= 0)
        return []

    def _insert_children(
        self, depth: int, results: list[Expansion], wants_fresh: bool
    ) -> list[Words]:
        """Adds children of a single depth; each thread fills a range of the table's parts."""
        workers, width = self.work.workers, self.work.width
        more = sum(expansion.children for expansion in results)
        room = more * width if wants_fresh else 0
        fresh, table = [NO_WORDS] * workers, self._table(depth, more)
        bounds = [PARTS * index // workers for index in range(workers + 1)]

        def insert(index: int) -> bool:
            # In the worst case all children are new and in the parts of one thread; the copy below
            # keeps only the new keys.
            keys, new, parts = np.empty(room, np.uint64), 0, (bounds[index], bounds[index + 1])
            for expansion in results:
                free, count = keys[new * width :], expansion.children
                inserted = tables.insert(table, expansion.batch.keys, count, parts, free)
                if inserted < 0:
                    return False
                new += inserted
            fresh[index] = keys[: new * width].copy()
            return True

        self._require_inserted(all(self.work.run_each(insert, list(range(workers)))))
        return fresh

    def add_keys(self, depth: int, keys: Words) -> None:
        """Adds keys of one depth in portions.

        Raises:
            Unsolved: the tables exceed the memory limit.
            OSError: the disk is full.
        """
        # Portions of the size of a batch, because `_table` makes room for a portion as if all of
        # its keys were new.
        step = self.work.batches[0].links.size * self.work.width
        for at in range(0, keys.size if depth < self.below else 0, step):
            piece = keys[at : at + step]
            count = piece.size // self.work.width
            new = tables.insert(self._table(depth, count), piece, count, (0, PARTS), NO_WORDS)
            self._require_inserted(new >= 0)

    def _require_inserted(self, inserted: bool) -> None:
        """Raises `InvalidGame` if keys did not fit into a table because too many hashes collide."""
        if not inserted:
            raise InvalidGame("tablebase.clustered", game=self.work.position.game.spec)

    def _table(self, depth: int, more: int) -> KeyTable:
        """Returns the table of a depth, with room for `more` keys.

        If all tables together exceed the memory limit, they are first written to disk.
        """
        # Growing needs the old table and the new one at the same time, so both are counted.
        table, work = self.tables.get(depth), self.work
        if table is None or not tables.has_room(table, more):
            table = table or tables.new_table(_FIRST_BITS, work.width)
            needed = tables.table_bytes(_bits_for(table, more), work.width) + self.others
            if work.exceeds_memory(self._table_bytes() + needed) and self.write_tables():
                table = tables.new_table(_FIRST_BITS, work.width)
            self.tables[depth] = self._grow(table, more)
        return self.tables[depth]

    def _grow(self, table: KeyTable, more: int) -> KeyTable:
        """Returns a table with the same keys and room for `more` further keys."""
        bits, width = _bits_for(table, more), self.work.width
        if bits == table.bits:
            return table
        sizes = [tables.table_bytes(each, width) for each in (table.bits, bits)]
        self.work.require_memory(sum(sizes))
        # All slots are passed as keys: `insert` skips the free ones.
        larger = tables.new_table(bits, width)
        tables.insert(larger, table.slots, table.slots.size // width, (0, PARTS), NO_WORDS)
        return larger

    def _table_bytes(self) -> int:
        return sum(table.slots.nbytes for table in self.tables.values())

    def write_tables(self) -> bool:
        """Writes all tables to disk as runs; returns False if the work has no folder."""
        if self.work.parts.folder is None:
            return False
        for depth in list(self.tables):
            self._write_table(depth)
        return True

    def _write_table(self, depth: int) -> None:
        folder = self.work.parts.folder
        if folder is not None and depth in self.tables:
            if depth not in self.runs:
                self.runs[depth] = Runs(folder / f"runs-{depth}", self.work.width)
            self.runs[depth].add(self.tables.pop(depth))

    def complete(self, depth: int) -> Words:
        """Stores all keys of a depth as the part `keys-DEPTH` and returns its block.

        Raises:
            Unsolved: the block exceeds the memory limit.
            OSError: the disk is full.
        """
        work, width = self.work, self.work.width
        # The block is the same in both cases, so that files do not depend on the memory limit.
        if depth in self.runs:
            self._write_table(depth)
            keys: Words | KeyTable = self.runs[depth].join()
        else:
            keys = self.tables[depth]
        size = tables.block_words(tables.count_keys(keys, width), width)
        if work.parts.folder is None:
            work.require_memory(self._table_bytes() + 8 * size)
        with work.parts.making(f"keys-{depth}", size) as block:
            tables.fill_block(block, keys, width, depth)
        self.tables.pop(depth, None)
        if depth in self.runs:
            self.runs.pop(depth).remove()
        return block


def _bits_for(table: KeyTable, more: int) -> int:
    """Returns the bits of a table with the same keys and room for `more` further keys."""
    bits = table.bits
    while not tables.has_room(table._replace(bits=bits), more):
        bits += 1
    return bits


class Runs:
    """Sorted runs of keys in a file, for sets of keys that exceed memory.

    A key may be in several runs. A merge reads all runs in parallel and writes each key once, so
    that a layer does not depend on whether its keys fitted into memory.

    Args:
        path: the file; an existing one is removed.
        width: number of words of a key.

    Attributes:
        known: number of leading runs that do not change; their keys do not count as new.
    """

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width, self.known = path, width, 0
        self.bounds = [0]  # number of keys before each run, and after the last one
        self.remove()

    def add(self, table: KeyTable) -> None:
        """Writes the keys of a table as a run; the table's slots are overwritten.

        Raises:
            OSError: the disk is full.
        """
        if len(self.bounds) > MOST_RUNS:
            self.join()
        count = tables.sort_keys(table, table.slots, np.zeros(self.width, np.uint64))
        # Appended without a rename: a run that a killed program left behind is never read.
        with self.path.open("ab") as file:
            file.write(table.slots[: count * self.width].data)
        self.bounds.append(self.bounds[-1] + count)

    def join(self) -> Words:
        """Merges all new keys into a single run; returns them.

        Raises:
            OSError: the disk is full.
        """
        # The merge reads the old file while it writes the new one, so the file is replaced by a
        # rename. Earlier maps, such as the newest wave, keep the content of the old file.
        old = self.bounds[self.known]
        count = old
        with whole_file(self.path, lasting=True) as file:
            file.write(self._keys()[: old * self.width].data)
            for piece in self._merge():
                file.write(piece.data)
                count += piece.size // self.width
        self.bounds = [*self.bounds[: self.known + 1], count]
        return self._keys()[old * self.width :]

    def _merge(self) -> Iterator[Words]:
        """Yields all new keys in order, each once; the next piece overwrites the previous one."""
        heads, ends = np.array(self.bounds[:-1]), np.array(self.bounds[1:])
        hashes, keys = np.zeros(heads.size, np.uint64), self._keys()
        piece = np.zeros(_CHUNK * self.width, np.uint64)
        while count := tables.merge(keys, heads, ends, self.known, hashes, piece, self.width):
            yield piece[: count * self.width]

    def _keys(self) -> Words:
        """Returns the keys of all runs, concatenated."""
        if self.bounds[-1] == 0:
            return NO_WORDS  # an empty file cannot be mapped
        # Copy-on-write: a read-only array would be another type for the compiler.
        return np.memmap(self.path, np.uint64, "c").view(np.ndarray)

    def remove(self) -> None:
        """Removes the file."""
        self.path.unlink(missing_ok=True)
