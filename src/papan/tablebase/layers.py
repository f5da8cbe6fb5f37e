"""Layers that are not complete yet: their keys in tables, and in runs where these get too large."""

from __future__ import annotations

import numpy as np

from papan.errors import InvalidGame
from papan.tablebase.expand import CHILDREN, LEAST_RANK, MOST_RANK, Batch
from papan.tablebase.keys import (
    PARTS,
    KeyTable,
    block_words,
    head_block,
    insert,
    insert_ranked,
    keys_of,
    make_index,
    start_block,
    table_bytes,
)
from papan.tablebase.packing import Words
from papan.tablebase.runs import Runs
from papan.tablebase.work import Building

_NOTHING = np.zeros(0, np.uint64)


class OpenLayers:
    """The layers to which positions are still being added, by rank.

    Args:
        work: what they are made for.
        below: only positions of lower ranks are added.
    """

    def __init__(self, work: Building, below: int) -> None:
        self.work, self.below = work, below
        self.tables: dict[int, KeyTable] = {}
        self.runs: dict[int, Runs] = {}
        if work.parts.folder is not None:
            for left in work.parts.folder.glob("runs-*"):
                left.unlink()

    @property
    def ranks(self) -> list[int]:
        """The ranks, the highest one first."""
        return sorted({*self.tables, *self.runs}, reverse=True)

    def add(self, results: list[tuple[Batch, int, int]]) -> None:
        """Adds all children of a round.

        Raises:
            Unsolved: they take more memory than is allowed.
            OSError: there is no room on the disk.
        """
        low = min(int(batch.facts[LEAST_RANK]) for batch, _, _ in results)
        high = max(int(batch.facts[MOST_RANK]) for batch, _, _ in results)
        if low == high and low < self.below:
            more = sum(int(batch.facts[CHILDREN]) for batch, _, _ in results)
            self.tables[low] = self.work.gather(self.table(low, more), results, [])
            return
        for batch, _, _ in results:
            self._sort_out(batch)

    def add_keys(self, rank: int, keys: Words) -> None:
        """Adds keys of one rank that were found elsewhere.

        Raises:
            Unsolved: they take more memory than is allowed.
            OSError: there is no room on the disk.
        """
        count = keys.size // self.work.width
        if rank < self.below:
            self._put_in(insert(self.table(rank, count), keys, count, (0, PARTS), _NOTHING))

    def _put_in(self, new: int) -> None:
        """Goes on, unless keys did not find room in a table.

        Raises:
            InvalidGame: they did not.
        """
        if new < 0:
            raise InvalidGame("database.clustered", game=self.work.position.game.spec)

    def _sort_out(self, batch: Batch) -> None:
        """Adds the children of a batch to the layers of their ranks."""
        count = int(batch.facts[CHILDREN])
        found = np.unique(batch.ranks[:count], return_counts=True)
        for rank, number in zip(*map(np.ndarray.tolist, found), strict=True):
            if rank < self.below:
                table = self.table(rank, number)
                self._put_in(insert_ranked(table, batch.keys, batch.ranks, rank, count))

    def table(self, rank: int, more: int) -> KeyTable:
        """The table of a rank with room for so many more keys; all that there are are written to
        disk first, if they take too much memory together."""
        table = self.tables.get(rank) or self.work.table_for(1)
        bits = self.work.bits_for(table, more)
        if rank not in self.tables or bits > table.bits:
            others = sum(each.slots.nbytes for each in self.tables.values())
            if self.work.lacks(others + table_bytes(bits, self.work.width)) and self.write_out():
                table = self.work.table_for(1)
            table = self.work.grown(table, more)
        self.tables[rank] = table
        return table

    def write_out(self) -> bool:
        """Writes all tables to disk; False if there is no disk to write to."""
        if self.work.parts.folder is None:
            return False
        for rank in list(self.tables):
            self._write_table(rank)
        return True

    def _write_table(self, rank: int) -> None:
        """Makes the table of a rank a run."""
        table, folder = self.tables.pop(rank), self.work.parts.folder
        assert folder is not None
        if rank not in self.runs:
            self.runs[rank] = Runs(folder / f"runs-{rank}", self.work.width)
        self.runs[rank].add(table)

    def completed(self, rank: int) -> Words:
        """The block of a layer to which nothing more is added, kept as the part `keys-RANK`.

        Raises:
            Unsolved: it takes more memory than is allowed, or the work was stopped.
            OSError: there is no room on the disk.
        """
        if rank in self.runs:
            return self._merged(rank)
        table, parts = self.tables.pop(rank), self.work.parts
        size = block_words(int(table.counts.sum()), self.work.width)
        if parts.folder is None:
            others = sum(each.slots.nbytes for each in self.tables.values())
            self.work.need(table.slots.nbytes + 8 * size + others)
        with parts.making(f"keys-{rank}", size) as block:
            start_block(block, table, rank)
        return block

    def _merged(self, rank: int) -> Words:
        """The block of a layer that is in runs."""
        if rank in self.tables:
            self._write_table(rank)
        runs = self.runs.pop(rank)
        block = block_of_run(self.work, runs.join(), rank)
        runs.remove()
        return block


def block_of_run(work: Building, run: Words, rank: int) -> Words:
    """The block of a layer whose keys are in order, kept as the part `keys-RANK`.

    Raises:
        OSError: there is no room on the disk.
    """
    count = run.size // work.width
    with work.parts.making(f"keys-{rank}", block_words(count, work.width)) as block:
        head_block(block, count, work.width, rank)
        keys_of(block)[:] = run
        make_index(block, keys_of(block))
    return block
