"""The moves between positions that have numbers, turned round: from where each can be reached.

Edges take most of the memory of a game with circles, 8 bytes each while they are turned round and 4
afterwards; where there is a folder, they are in two files there. What is turned round at a time are
the edges to some positions, as many as memory suffices for: in memory, from where they are written
in their order, since a file whose far places are written in turn is written again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from papan.jit.compiler import kernel
from papan.tablebase.expand import Batch
from papan.tablebase.keys import key_width, number_in
from papan.tablebase.packing import Words
from papan.tablebase.parts import take_room

#: Memory of a position while edges are followed, beside its block: where its edges begin, its place
#: in the queue, its degree.
POSITION_BYTES = 8 + 4 + 2
#: Bytes of an edge in each of two places.
_BYTES = 4


class Backlinks:
    """The moves between so many positions.

    Args:
        count: positions.
        folder: where they are kept; None keeps them in memory.

    Attributes:
        degrees: uint16 of shape (positions,): moves of each.
        count: number of moves.
    """

    def __init__(self, count: int, folder: Path | None) -> None:
        self.degrees = np.zeros(count, np.uint16)
        self.count = 0
        self.folder = folder
        self._lock = Lock()
        self._pieces: list[tuple[int, int, Any]] = []
        self.remove()

    @property
    def nbytes(self) -> int:
        """Memory that they take, as soon as they are turned round."""
        return 0 if self.folder else 2 * _BYTES * self.count

    def add(self, first: int, targets: Any) -> None:
        """Adds the moves of some positions, `first` and on; any thread may.

        Raises:
            OSError: there is no room on the disk.
        """
        with self._lock:
            if self.folder is not None:
                with (self.folder / "targets").open("ab") as file:
                    file.write(targets.data)
            kept = None if self.folder is not None else targets
            self._pieces.append((first, self.count, kept))
            self.count += targets.size

    def turned(self, memory: int, check: Callable[[], None]) -> tuple[Any, Any]:
        """Where each position's edges begin, int64, and the edges: twice the number of the position
        from which each comes, + 1 where the same side goes on, uint32.

        Args:
            memory: bytes that may be filled at a time, where edges are on the disk.
            check: called now and then; what it raises ends the work.

        Raises:
            OSError: there is no room on the disk.
        """
        first = np.zeros(self.degrees.size + 1, np.int64)
        for _, targets in self._slices():
            count_targets(targets, first)
        np.cumsum(first, out=first)
        whole = first.size - 1
        if self.folder is None or self.count == 0:
            return first, self._turned(first, (0, whole, 0), self.count, check)
        path, at = self.folder / "sources", 0
        with path.open("wb") as file:
            take_room(file, _BYTES * self.count)
            file.seek(0)
            for low, high in self._ranges(first, max(memory // _BYTES, whole)):
                size = int(first[high - 1]) - at
                file.write(self._turned(first, (low, high, at), size, check).data)
                at += size
        return first, np.memmap(path, np.uint32, "r").view(np.ndarray)

    def _turned(
        self, first: Any, between: tuple[int, int, int], size: int, check: Callable[[], None]
    ) -> Any:
        """The `size` edges to the positions between two, turned round: see `turn_round`."""
        sources = np.empty(size, np.uint32)
        for begin, targets in self._slices():
            check()
            turn_round(targets, self.degrees[begin:], begin, first, sources, between)
        return sources

    def _slices(self) -> Iterator[tuple[int, Any]]:
        """The edges from one batch of positions after another, with the first of these."""
        on_disk = None
        if self.folder is not None and self.count > 0:
            on_disk = np.memmap(self.folder / "targets", np.uint32, "r").view(np.ndarray)
        ends = [at for _, at, _ in self._pieces[1:]] + [self.count]
        for (first, at, kept), end in zip(self._pieces, ends, strict=True):
            if kept is not None:
                yield first, kept
            elif on_disk is not None:
                yield first, on_disk[at:end].copy()

    def _ranges(self, ends: Any, most: int) -> Iterator[tuple[int, int]]:
        """Ranges of positions to which no more than about `most` edges lead, if one has not."""
        whole, low, bounds = self.degrees.size, 0, [0]
        while low < whole:
            reached = (int(ends[low - 1]) if low else 0) + most
            low = max(int(np.searchsorted(ends[:whole], reached, side="right")), low + 1)
            bounds.append(low)
        return pairwise(bounds)

    def remove(self) -> None:
        """Removes what is on the disk."""
        if self.folder is not None:
            for name in ("targets", "sources"):
                (self.folder / name).unlink(missing_ok=True)


@kernel
def link(batch: Batch, block: Words, targets: Any, degrees: Any) -> int:
    """Writes twice the number of each child of a batch, + 1 where the same side goes on, and how
    many children each position has. Returns how many were not found, which are none if the rules
    are what they promise."""
    width, missing = key_width(block), 0
    for child in range(targets.size):
        number = number_in(block, 0, batch.keys, child * width)
        missing += 1 if number < 0 else 0
        degrees[batch.links[child] >> 1] += 1
        targets[child] = 2 * max(number, 0) + (batch.links[child] & 1)
    return missing


@kernel
def count_targets(targets: Any, first: Any) -> None:
    """Counts how often each position is the target of a move."""
    for edge in range(targets.size):
        first[targets[edge] >> 1] += 1


@kernel
def turn_round(
    targets: Any, degrees: Any, begin: int, first: Any, sources: Any, between: Any
) -> None:
    """Writes where the targets between two numbers, the first one of them and the end, can be
    reached from, from the end of each one's place in `sources` on.

    The moves are those of positions `begin` and on, which have `degrees` of them. `first` says
    where a target's place ends that is not filled yet, and at last where it begins, of all edges;
    `between` has the two numbers, and how many edges come before `sources`.
    """
    edge, number = 0, 0
    while edge < targets.size:
        for _ in range(degrees[number]):
            target = targets[edge] >> 1
            if between[0] <= target < between[1]:
                first[target] -= 1
                source = 2 * (begin + number) + (targets[edge] & 1)
                sources[first[target] - between[2]] = source
            edge += 1
        number += 1
