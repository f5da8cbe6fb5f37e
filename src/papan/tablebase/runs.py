"""Sets of keys that are larger than memory: sorted runs in a file, merged in the end.

Wherever a table is full, its keys are written in the order of blocks, one run behind the other; one
key may stand in several runs. Merging reads all of them side by side and writes each key once, so
that a layer is the same whether memory sufficed for it or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from papan.tablebase.keys import KeyTable, gather, merge
from papan.tablebase.packing import Words
from papan.whole_files import whole_file

#: Runs that are merged side by side; if there are more, they become one first.
MOST_RUNS = 32
#: Keys that are merged at a time.
CHUNK = 1 << 14


class Runs:
    """The sorted runs of one set of keys.

    Args:
        path: the file to keep them in; what stood there is removed.
        width: words of a key.

    Attributes:
        known: runs, the first ones, that are left as they are; their keys count as old.
    """

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width, self.known = path, width, 0
        self.bounds = [0]
        self.remove()

    def add(self, table: KeyTable) -> None:
        """Writes the keys of a table as a run; its slots do not make a table any more.

        Raises:
            OSError: there is no room for them.
        """
        if len(self.bounds) > MOST_RUNS:
            self.join()
        count = gather(table, table.slots, np.zeros(self.width, np.uint64))
        with self.path.open("ab") as file:
            file.write(table.slots[: count * self.width].data)
        self.bounds.append(self.bounds[-1] + count)

    def merged(self) -> Iterator[Words]:
        """All new keys in order, each once, some at a time; a piece is overwritten by the next."""
        heads, ends = np.array(self.bounds[:-1]), np.array(self.bounds[1:])
        hashes, keys = np.zeros(heads.size, np.uint64), self._keys()
        piece = np.zeros(CHUNK * self.width, np.uint64)
        while count := merge(keys, heads, ends, self.known, hashes, piece, self.width):
            yield piece[: count * self.width]

    def join(self) -> Words:
        """Makes a single run of all new keys; returns them.

        Raises:
            OSError: there is no room for them.
        """
        old = self.bounds[self.known]
        count = old
        with whole_file(self.path, lasting=True) as file:
            file.write(self._keys()[: old * self.width].data)
            for piece in self.merged():
                file.write(piece.data)
                count += piece.size // self.width
        self.bounds = [*self.bounds[: self.known + 1], count]
        return self._keys()[old * self.width :]

    def _keys(self) -> Words:
        """The keys of all runs, one after the other."""
        if self.bounds[-1] == 0:
            return np.zeros(0, np.uint64)
        return np.memmap(self.path, np.uint64, "c").view(np.ndarray)

    def remove(self) -> None:
        """Removes the file."""
        self.path.unlink(missing_ok=True)
